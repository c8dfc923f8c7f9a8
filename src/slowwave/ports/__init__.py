"""What the core needs from outside, as Protocols. Adapters implement them; tests use doubles.

Every call names its space and sees nothing of another. A method that returns has done its work
durably; a method that raises has changed nothing.
"""

from collections.abc import Callable
from datetime import datetime

from slowwave.ports.files import (
    DreamLog,
    Failure,
    Format,
    History,
    Importers,
    Lookup,
    Vault,
)
from slowwave.ports.minds import Embedder, LanguageModel, ModelServer, Wrapped
from slowwave.ports.store import MOST_NAMED, Admit, Amend, Field, Match, Named, Phrase, Store

__all__ = [
    "MOST_NAMED",
    "Admit",
    "Amend",
    "Clock",
    "DreamLog",
    "Embedder",
    "Failure",
    "Field",
    "Format",
    "History",
    "Importers",
    "LanguageModel",
    "Lookup",
    "Match",
    "ModelServer",
    "Named",
    "Phrase",
    "Progress",
    "Store",
    "Vault",
    "Wrapped",
    "no_progress",
]

Clock = Callable[[], datetime]
"""Now, aware, in the user's zone."""

Progress = Callable[[str, int, int], None]
"""Told of long work: what, done so far, of how many (0 = unknown)."""


def no_progress(_what: str, _done: int, _total: int) -> None:
    """The progress of one who does not look."""
