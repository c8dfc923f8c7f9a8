"""What goes into a prompt: relevant memories within a budget, framed as untrusted history.

    hits, open items → entries (what is fit to be said, and how it stands) → block

The frame says what it holds and that it is not to be obeyed (X3, R6); `text.frame` knows it again
when it comes back, so that injected text is never learned again (promise 5).
"""

from slowwave.inject.block import Block, Item, fit
from slowwave.inject.entry import Entry, Sources, of_hits, of_items, said_by
from slowwave.inject.opening import entries_of, of_day
from slowwave.inject.pending import in_order, near
from slowwave.inject.redacted import tells

__all__ = [
    "Block", "Entry", "Item", "Sources", "entries_of", "fit", "in_order", "near", "of_day",
    "of_hits", "of_items", "said_by", "tells",
]  # fmt: skip
