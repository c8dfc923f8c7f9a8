"""What the rooms of the vault hand to each other, and its answer."""

from collections.abc import Callable, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.capture import foreign
from slowwave.model import Clash, Dream, clock_zone
from slowwave.parts import Parts
from slowwave.ports import Store, Vault
from slowwave.review import By

__all__ = ["Imported", "Synced", "Taken", "Tools"]


class Tools(NamedTuple):
    """What the vault needs: the parts of a space, and whose hand an edit is.

    `settled` hears of each change set that an edit became, `read` takes in files of notes.
    """

    parts: Parts
    by: By
    settled: Callable[[Dream], object]
    read: Callable[[Sequence[Path]], foreign.Imported]

    @property
    def store(self) -> Store:
        """The store of the space."""
        return self.parts.store

    @property
    def vault(self) -> Vault:
        """Its files."""
        return self.parts.vault()

    @property
    def zone(self) -> tzinfo:
        """The user's zone."""
        return clock_zone(self.by.now)


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """One edit that was taken in: where, what it did, to which memory, by which change set."""

    file: str
    what: str
    memory_id: str
    before: str
    after: str
    dream_id: str = ""


class Synced(msgspec.Struct, frozen=True, kw_only=True):
    """What a sync did, or (a check) what it would do: the contract's answer."""

    written: tuple[str, ...]
    imported: tuple[Imported, ...]
    conflicts: tuple[Clash, ...]
    warnings: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def in_step(self) -> bool:
        """Whether nothing is to be written, removed, taken in, or settled."""
        return not (self.written or self.removed or self.imported or self.conflicts)


class Taken(NamedTuple):
    """What taking in did: the edits that are changes now, and those that clash."""

    imported: tuple[Imported, ...]
    clashes: tuple[Clash, ...]
