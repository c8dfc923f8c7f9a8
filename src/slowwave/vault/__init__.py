"""The vault from inside: what the files are to say, and what people wrote in them.

Truth is the ledger; the files are derived from it, except for what a person wrote there, which
becomes a change like any other: by hand, with his words journaled and quoted, and undoable. An
edit counts against what stood in the file when it was written. Where both that memory and the file
changed since, nothing is overwritten on either side and the clash is told.
"""

from slowwave.vault.edition import diary_of
from slowwave.vault.edits import take_in
from slowwave.vault.nouns import Imported, Synced, Tools
from slowwave.vault.steps import after, before_night, erase, look, problems, sync, warned

__all__ = [
    "Imported", "Synced", "Tools",
    "after", "before_night", "diary_of", "erase", "look", "problems", "sync", "take_in", "warned",
]  # fmt: skip
