"""What may not leave this machine, and how to come back from its absence (N17).

`mask` replaces private values by placeholders, `restore` and `locate` undo it exactly or not at
all. `preview` shows what would leave. All pure: text in, text out.
"""

from slowwave.privacy.curtain import MaskedModel
from slowwave.privacy.kinds import KINDS, PLACEHOLDER, Kind
from slowwave.privacy.masking import Masked, MaskedText, Piece, mask
from slowwave.privacy.restoring import Located, Lost, LostReason, Restored, locate, restore

__all__ = [
    "KINDS",
    "PLACEHOLDER",
    "Kind",
    "Located",
    "Lost",
    "LostReason",
    "Masked",
    "MaskedModel",
    "MaskedText",
    "Piece",
    "Restored",
    "locate",
    "mask",
    "restore",
]
