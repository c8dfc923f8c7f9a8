"""What the core needs from outside, as Protocols. Adapters implement them; tests use doubles.

Every call names its space and sees nothing of another. A method that returns has done its work
durably; a method that raises has changed nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from slowwave.model import (
    Appended,
    Counts,
    Dream,
    Edition,
    Embeddable,
    Erased,
    Event,
    IndexRow,
    Looked,
    Memory,
    PhaseHit,
    Purge,
    Record,
    Scored,
    Signal,
    Skipped,
    Space,
    Status,
    StoredText,
    Unit,
    Vector,
    Version,
    WorkItem,
    Written,
)

Phrase = tuple[str, ...]
"""Terms that must follow each other; a single word is a phrase of one."""

Field = Literal["own", "around"]
Match = Literal["all", "any"]


class Store(Protocol):
    """Journal, index and ledger in one place, so that one transaction can span them."""

    # journal
    def append(self, events: Sequence[Event]) -> Appended:
        """Adds events that are not there yet (by space and identity); durable on return."""

    def events_after(self, space: Space, seq: int, limit: int) -> list[Event]:
        """Up to `limit` events with a larger `seq`, in journal order."""

    def events_between(self, space: Space, start: datetime, end: datetime) -> list[Event]:
        """Events with start <= ts < end, ordered by (ts, seq)."""

    def undreamed(self, space: Space, start: datetime | None, end: datetime | None) -> list[Event]:
        """As `events_between` (None = open), without those an applied dream has read."""

    def events_by_id(self, space: Space, ids: Sequence[str]) -> dict[str, Event]:
        """The events among `ids` that exist."""

    def session_before(self, space: Space, session: str, seq: int, limit: int) -> list[Event]:
        """The last `limit` events of a session with a smaller `seq`, in journal order."""

    # index
    def unindexed(self, space: Space, limit: int) -> list[Event]:
        """Events whose words are not indexed yet, in journal order."""

    def index_events(self, space: Space, rows: Sequence[IndexRow]) -> None:
        """Sets the indexed words of events (replacing earlier ones)."""

    def reindex(self, space: Space, memory_rows: Sequence[IndexRow]) -> None:
        """Empties the space's index of words and sets those of its memories.

        All its events are unindexed then.
        """

    def unembedded(self, space: Space, unit: Unit, embedder: str, limit: int) -> list[Embeddable]:
        """Embeddable units without a vector of this embedder (newest first)."""

    def put_vectors(
        self, space: Space, unit: Unit, embedder: str, vectors: Sequence[tuple[str, Vector]]
    ) -> None:
        """Stores vectors by unit id. A vector for an unknown id is ignored."""

    def cached_vectors(self, embedder: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Vectors already computed for texts with these `model.text_hash` values."""

    def match(
        self,
        space: Space,
        unit: Unit,
        field: Field,
        phrases: Sequence[Phrase],
        *,
        mode: Match,
        limit: int,
    ) -> list[Scored]:
        """BM25 over indexed terms, best first, score > 0 and higher is better."""

    def nearest(
        self, space: Space, unit: Unit, embedder: str, vector: Vector, limit: int
    ) -> list[Scored]:
        """Exact cosine search, best first."""

    # ledger
    def memories(self, space: Space, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), ordered by (first_seen, id)."""

    def memories_by_id(self, space: Space, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories among `ids` that exist."""

    def retired(self, space: Space, since: str, event_ids: Sequence[str]) -> list[Memory]:
        """The retired memories that may matter to claims of these events.

        Those that ended after the day `since`, and those that dreams which read one of the events
        made or changed.
        """

    def changed_since(self, space: Space, mark: str) -> tuple[str, list[str] | None]:
        """The mark of now, and the ids of memories that got a version since `mark`.

        None where that cannot be told: the mark is none, or something was forgotten for good.
        """

    def versions(self, space: Space, memory_id: str, latest: int | None = None) -> list[Version]:
        """The versions of one memory (None: all, else so many of the latest), oldest first."""

    def save_dream(self, dream: Dream, was: Dream | None = None) -> None:
        """Inserts or replaces a dream and its plan.

        Raises AlreadyDecided when a dream that was applied would become a plan again. `was` is the
        plan as it was read: StalePlan when somebody decided on it since.
        """

    def dream(self, space: Space, dream_id: str) -> Dream | None:
        """One dream, or None."""

    def dreams(self, space: Space) -> list[Dream]:
        """All dreams, newest first, without their changes, rejections and event ids.

        Of those that ran at one moment, what was saved last comes first.
        """

    def commit(
        self,
        dream: Dream,
        rows: Sequence[IndexRow],
        recorded_at: datetime,
        was: Dream | None = None,
    ) -> None:
        """Applies the approved changes of a plan, all or none.

        In one transaction: writes `after` of each change as the memory's new version, replaces
        the indexed words of these memories (`rows`), marks `dream.event_ids` as dreamed, saves
        `dream` as given, drops its checkpoints, keeps its phase hits, and sets the dream that it
        `undoes` to rolled back (was that an undoing, what it had taken back is applied again, and
        so on; DreamError when another applied dream has read those events since). `was` is as in
        `save_dream`. A change whose `before` is not the memory as it stands raises StalePlan, and
        so does an event that another applied dream has read; a dream that was applied, rejected or
        rolled back before raises AlreadyDecided.
        """

    def put_stage(self, space: Space, dream_id: str, stage: str, payload: bytes) -> None:
        """Checkpoints one finished stage of a dream."""

    def stages(self, space: Space, dream_id: str) -> dict[str, bytes]:
        """Checkpointed stages of a dream, by name."""

    def drop_stages(self, space: Space, dream_id: str) -> None:
        """Forgets the checkpoints of a finished dream."""

    def undreamed_times(self, space: Space) -> list[datetime]:
        """When each event that no applied dream has read was said, oldest first."""

    # signals
    def signals(self, space: Space, memory_ids: Sequence[str] | None = None) -> list[Signal]:
        """Recall signals (of these memories; None = all), oldest first."""

    def phase_hits(self, space: Space, memory_ids: Sequence[str] | None = None) -> list[PhaseHit]:
        """What light and REM sleep considered in applied dreams, oldest first (O5, O6)."""

    def record_signals(self, space: Space, signals: Sequence[Signal]) -> None:
        """Adds recall signals, and raises the memories' access counters."""

    def record_injection(self, space: Space, ledger_id: str, entry: bytes) -> None:
        """Keeps what `context` handed to a prompt (promise 9)."""

    # working memory
    def working(self, space: Space) -> list[WorkItem]:
        """Open, done and stalled items, by (opened, id)."""

    def put_working(self, space: Space, items: Sequence[WorkItem]) -> None:
        """Inserts or replaces items by id."""

    # forgetting for good
    def erase(self, purge: Purge) -> Erased:
        """Takes out what is named and all that came of it, at once; what comes late is refused."""

    def erasures(self, space: Space) -> list[Erased]:
        """What was forgotten for good, oldest first."""

    def compact(self) -> int:
        """Leaves no deleted byte; returns how many old copies went. Raises StoreBusy."""

    def settle(self, space: Space, receipt_id: str, files: int) -> None:
        """Marks a forgetting as finished; `files` were cleaned or removed for it."""

    def texts(self, space: Space) -> Iterator[StoredText]:
        """Every text that is kept of a space."""

    def traces(self, space: Space, ids: Sequence[str]) -> list[str]:
        """Where ids that should be gone are still named, also in old copies."""

    # upkeep
    def resolve(self, space: Space, what: Literal["event", "memory", "dream"], prefix: str) -> str:
        """The one id that starts with `prefix`; NotFound if there is none or more than one."""

    def counts(self, space: Space) -> Counts:
        """How much the space holds."""

    def check(self) -> list[str]:
        """Problems found by an integrity check of the whole store; empty when sound."""

    def close(self) -> None:
        """Waits for writes under way and lets go of the store."""


class Embedder(Protocol):
    """Turns texts into vectors. `name` holds model, version and dimensions."""

    @property
    def name(self) -> str:
        """Identity of the vectors; vectors of different names are never compared."""

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Vectors of texts to be found, None for one that cannot be embedded."""

    def query(self, text: str) -> Vector | None:
        """Vector of a question, None when it cannot be embedded."""


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

    def event_line(self, raw: bytes, line: int, zone: tzinfo) -> Record | Skipped:
        """One line of the contract's own JSON event format; `zone` is for times without offset."""


Clock = Callable[[], datetime]
"""Now, aware, in the user's zone."""

Progress = Callable[[str, int, int], None]
"""Told of long work: what, done so far, of how many (0 = unknown)."""


def no_progress(_what: str, _done: int, _total: int) -> None:
    """The progress of one who does not look."""
