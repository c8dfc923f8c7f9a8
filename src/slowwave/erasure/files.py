"""The files beside the store, as forgetting needs them. `adapters.sweep` has them in folders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from slowwave.model import Dream, Left, Receipt
from slowwave.text.redaction import Places

__all__ = ["HomeFiles"]


class HomeFiles(Protocol):
    """The files that may hold what is forgotten, and the receipts.

    All methods raise StoreError (DiskFull) when a file cannot be read or written.
    """

    def dream_logs(self) -> Iterator[tuple[str, Dream | None]]:
        """The readable logs: the dream's id, and the dream as it is told (None: unreadable)."""

    def look(self, places: Places) -> tuple[Left, ...]:
        """Where `places` finds something. Changes nothing."""

    def sweep(self, places: Places, *, by_hand: bool) -> tuple[int, tuple[Left, ...]]:
        """Cuts what `places` finds; how many files changed, and what people wrote and stays.

        With `by_hand` that is cut too.
        """

    def keep_receipt(self, receipt: Receipt) -> Path:
        """Writes a receipt as JSON; replaces an earlier state of it."""

    def receipt(self, named: str) -> Receipt:
        """The receipt of an id, of a unique start of one, or of a file. NotFound, InputError."""
