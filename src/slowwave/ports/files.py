"""Files: dream logs, the vault, foreign logs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Protocol

import msgspec

from slowwave.model import (
    Dream,
    Edition,
    Event,
    Looked,
    Memory,
    Record,
    Skipped,
    Version,
    Written,
)


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A dream that failed: of which day, when, at what, and what to do (N16)."""

    date: str
    run_at: datetime
    error: str
    message: str
    hint: str = ""
    dream_id: str = ""


class DreamLog(Protocol):
    """Where the readable log of each dream goes (N13)."""

    def write(self, dream: Dream) -> None:
        """Writes one JSON log; replaces an earlier one of the same dream as a whole.

        Raises StoreError (DiskFull) when it cannot.
        """

    def failed(self, failure: Failure) -> None:
        """Keeps a record of a dream that failed (N16). Raises as `write`."""

    def has(self, dream: Dream) -> bool:
        """Whether the log of a dream is there, or is old enough to be gone."""


Lookup = Callable[[Sequence[str] | None], Mapping[str, Memory]]
"""The memories of these ids that there are, by id; of None all."""

History = Callable[[str, int | None], Sequence[Version]]
"""The versions of a memory (None: all, else so many of the latest), oldest first."""


class Vault(Protocol):
    """The Markdown files of one space: rendered from the ledger, and read back when edited.

    `look` and `write` belong together: `write` replaces only what still is as `look` saw it.
    Both raise StoreError (DiskFull) when the files cannot be read or written.
    """

    def look(self, known: Lookup, versions: History, zone: tzinfo) -> Looked:
        """What people did to the files since they were written. Changes nothing.

        `known` finds memories: few are asked for, unless nothing is known of the last time.
        `versions` gives the history of one memory; `zone` is the user's.
        """

    def write(self, edition: Edition, looked: Looked, *, dry: bool = False) -> Written:
        """Brings the files in step; with `dry` only tells what it would write."""

    def notes(self) -> list[Path]:
        """Files of hand-written notes that are new or changed since `notes_taken`."""

    def notes_taken(self, paths: Sequence[Path]) -> None:
        """Remembers that these notes were read as they stand."""

    def erase(self, memory_ids: Sequence[str]) -> int:
        """Removes every file about these memories, and all backups; how many files went.

        The pages that many memories share are rendered anew by the next `write`.
        """


class Format(msgspec.Struct, frozen=True):
    """One foreign log format.

    `recognise(path, head)` decides from the path and the first 64 KiB; `read(path, zone)` streams
    records in order, with `Skipped` for each damaged one. `zone` is for times without an offset.
    """

    name: str
    recognise: Callable[[Path, bytes], bool]
    read: Callable[[Path, tzinfo], Iterator[Record | Skipped]]


class Importers(Protocol):
    """The foreign formats that are known, and how files are found and recognised."""

    def discover(self, path: Path) -> Iterator[Path]:
        """Files below a path that may be logs, in a stable order; the path itself if a file."""

    def recognise(self, path: Path) -> Format | None:
        """The format of a file, decided from its path and its first bytes; None if unknown."""

    def by_name(self, name: str) -> Format:
        """The format of that name; UsageError naming the known ones."""

    def export_lines(self, path: Path) -> Iterator[tuple[int, bytes]]:
        """The lines of JSON of a file that Slowwave exported, with their numbers.

        Raises NotFound, or InputError for one that cannot be read.
        """

    def dump_day(self, events: Sequence[Event]) -> str:
        """Events as the short-term log of N1: the YAML of one day."""

    def event_line(self, raw: bytes, line: int, zone: tzinfo) -> Record | Skipped:
        """One line of the contract's own JSON event format; `zone` is for times without offset."""
