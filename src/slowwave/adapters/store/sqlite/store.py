"""`ports.Store` in one SQLite file. Each method here only says who does the work, and where."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from types import ModuleType

import apsw

from slowwave.adapters.store.rules import UNDECIDED, pick
from slowwave.adapters.store.sqlite import journal, ledger, upkeep, words
from slowwave.adapters.store.sqlite import vectors as vector_rows
from slowwave.adapters.store.sqlite.access import Access
from slowwave.adapters.store.sqlite.calls import Calls
from slowwave.adapters.store.sqlite.connection import translated
from slowwave.adapters.store.sqlite.known import Known
from slowwave.adapters.store.sqlite.matrix import Matrices
from slowwave.adapters.store.sqlite.names import Names
from slowwave.adapters.store.sqlite.vectors import VectorSet
from slowwave.model import (
    Appended,
    Counts,
    Dream,
    DreamStatus,
    Embeddable,
    Erased,
    Event,
    IndexRow,
    Injection,
    Memory,
    PhaseHit,
    Purge,
    Scored,
    Signal,
    Snapshot,
    Status,
    StoredText,
    Unit,
    Vector,
    Version,
    WorkItem,
)
from slowwave.ports import Admit, Amend, Field, Match, Named, Phrase


class SqliteStore(Access, Calls):
    """The store in the file `path`, made when it is not there (readable by its owner only).

    Waits up to `busy_seconds` for other processes. Methods raise StoreBusy, DiskFull or
    StoreError; opening a file of a newer Slowwave raises NewerHome. One store serves all threads
    of a process; after a fork the child must open its own.
    """

    def __init__(self, path: Path, *, busy_seconds: float = 60) -> None:
        names = Names()
        self._words = words.Words(names)
        self._matrices = Matrices(names)
        self._known = Known()
        super().__init__(path, busy_seconds)

    # journal

    def append(self, events: Sequence[Event]) -> Appended:
        """Adds events that are not there yet (by space and identity); durable on return."""
        return self._write(lambda c: _append(c, events))

    def events_after(self, space: str, seq: int, limit: int) -> list[Event]:
        """Up to `limit` events with a larger `seq`, in journal order."""
        return self._read(lambda c: journal.after(c, space, seq, limit))

    def events_between(self, space: str, start: datetime, end: datetime) -> list[Event]:
        """Events with start <= ts < end, ordered by (ts, seq)."""
        return self._read(lambda c: journal.between(c, space, start, end))

    def undreamed(self, space: str, start: datetime | None, end: datetime | None) -> list[Event]:
        """As `events_between` (None = open), without those an applied dream has read."""
        return self._read(lambda c: journal.between(c, space, start, end, undreamed=True))

    def events_by_id(self, space: str, ids: Sequence[str]) -> dict[str, Event]:
        """The events among `ids` that exist."""
        return self._read(lambda c: self._known.events_by_id(c, space, ids))

    def events_by_ref(self, space: str, ref: str) -> list[Event]:
        """The events with this source reference, also where it is shown short."""
        return self._read(lambda c: journal.by_ref(c, space, ref))

    def session_before(self, space: str, session: str, seq: int, limit: int) -> list[Event]:
        """The last `limit` events of a session with a smaller `seq`, in journal order."""
        return self._read(lambda c: journal.session_before(c, space, session, seq, limit))

    # index

    def unindexed(self, space: str, limit: int) -> list[Event]:
        """Events whose words are not indexed yet, in journal order."""
        return self._read(lambda c: journal.unindexed(c, space, limit))

    def index_events(self, space: str, rows: Sequence[IndexRow]) -> None:
        """Sets the indexed words of events (replacing earlier ones)."""
        if rows:
            self._write(lambda c: words.put_events(c, space, rows))

    def reindex(self, space: str, memory_rows: Sequence[IndexRow]) -> None:
        """Empties the space's index of words; sets those of its memories."""
        self._write(lambda c: words.rebuild(c, space, memory_rows))

    def unembedded(self, space: str, unit: Unit, embedder: str, limit: int) -> list[Embeddable]:
        """Embeddable units without a vector of this embedder (newest first)."""
        wanted = VectorSet(space, unit, embedder)
        return self._read(lambda c: self._known.unembedded(c, wanted, limit))

    def put_vectors(
        self, space: str, unit: Unit, embedder: str, vectors: Sequence[tuple[str, Vector]]
    ) -> None:
        """Stores vectors by unit id. A vector for an unknown id is ignored."""
        wanted = VectorSet(space, unit, embedder)
        if vectors:
            self._write(lambda c: vector_rows.put(c, wanted, vectors))

    def cached_vectors(self, embedder: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Vectors already computed for texts with these `model.text_hash` values."""
        return self._read(lambda c: vector_rows.cached(c, embedder, hashes))

    def match(
        self,
        space: str,
        unit: Unit,
        field: Field,
        phrases: Sequence[Phrase],
        *,
        mode: Match,
        limit: int,
    ) -> list[Scored]:
        """BM25 over indexed terms, best first, score > 0 and higher is better."""
        table = (unit, field)
        return self._read(lambda c: self._words.match(c, space, table, phrases, mode, limit))

    def nearest(
        self, space: str, unit: Unit, embedder: str, vector: Vector, limit: int
    ) -> list[Scored]:
        """Exact cosine search, best first."""
        wanted = VectorSet(space, unit, embedder)
        return self._read(lambda c: self._matrices.nearest(c, wanted, vector, limit))

    # ledger

    def memories(self, space: str, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), ordered by (first_seen, id)."""
        return self._read(lambda c: self._known.memories(c, space, statuses))

    def memories_by_id(self, space: str, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories among `ids` that exist."""
        return self._read(lambda c: self._known.memories_by_id(c, space, ids))

    def versions(self, space: str, memory_id: str, latest: int | None = None) -> list[Version]:
        """The versions of one memory (None: all, else so many of the latest), oldest first."""
        return self._read(lambda c: ledger.versions(c, space, memory_id, latest))

    def retired(self, space: str, since: str, event_ids: Sequence[str]) -> list[Memory]:
        """Retired memories that ended after a day, or that dreams of these events knew."""
        return self._read(lambda c: ledger.retired(c, space, since, event_ids))

    def changed_since(self, space: str, mark: str) -> tuple[str, list[str] | None]:
        """The mark of now, and the memories with a version since another one (None = any)."""
        return self._read(lambda c: ledger.changed_since(c, space, mark))

    def save_dream(self, dream: Dream, was: Dream | None = None) -> None:
        """Inserts or replaces a dream and its plan."""
        self._write(lambda c: _save_dream(c, dream, was))

    def dream(self, space: str, dream_id: str) -> Dream | None:
        """One dream, or None."""
        return self._read(lambda c: ledger.dream(c, space, dream_id))

    def dreams(
        self, space: str, statuses: Sequence[DreamStatus] = (), latest: int | None = None
    ) -> list[Dream]:
        """Dreams of these statuses, newest first, without changes, rejections and event ids."""
        return self._read(lambda c: self._known.dreams(c, space, statuses, latest))

    def commit(
        self,
        dream: Dream,
        rows: Sequence[IndexRow],
        recorded_at: datetime,
        was: Dream | None = None,
    ) -> None:
        """Applies the approved changes of a plan, all or none. Raises StalePlan."""
        self._write(lambda c: _commit(c, dream, rows, recorded_at, was))

    def put_stage(self, space: str, dream_id: str, stage: str, payload: bytes) -> None:
        """Checkpoints one finished stage of a dream."""
        self._write(lambda c: _put_stage(c, (space, dream_id, stage), payload))

    def stages(self, space: str, dream_id: str) -> dict[str, bytes]:
        """Checkpointed stages of a dream, by name."""
        return self._read(lambda c: upkeep.stages(c, space, dream_id))

    def drop_stages(self, space: str, dream_id: str) -> None:
        """Forgets the checkpoints of a finished dream."""
        self._write(lambda c: upkeep.drop_stages(c, space, dream_id))

    def undreamed_times(self, space: str) -> list[datetime]:
        """When each event that no applied dream has read was said, oldest first."""
        return self._read(lambda c: journal.undreamed_times(c, space))

    # signals

    def signals(self, space: str, memory_ids: Sequence[str] | None = None) -> list[Signal]:
        """Recall signals (of these memories; None = all), oldest first."""
        return self._read(lambda c: upkeep.signals(c, space, memory_ids))

    def phase_hits(self, space: str, memory_ids: Sequence[str] | None = None) -> list[PhaseHit]:
        """What light and REM sleep considered in applied dreams, oldest first."""
        return self._read(lambda c: ledger.phase_hits(c, space, memory_ids))

    def record_signals(
        self, space: str, signals: Sequence[Signal], admit: Admit | None = None
    ) -> int:
        """Adds recall signals, and raises the memories' access counters; returns how many."""
        if not signals:
            return 0
        return self._write(lambda c: upkeep.record_signals(c, space, signals, admit))

    def record_injection(self, space: str, injection: Injection, days: int = 0) -> None:
        """Keeps what `context` handed to a prompt (promise 9), and the ledger short."""
        self._write(lambda c: upkeep.record_injection(c, space, injection, days))

    def add_injection(self, space: str, injection: Injection, days: int = 0) -> str:
        """As `record_injection`, under an id of its own, which is returned."""
        return self._write(lambda c: upkeep.add_injection(c, space, injection, days))

    def amend_injections(self, space: str, ids: Sequence[str], amend: Amend) -> None:
        """Puts what `amend` makes of each of these entries in its place."""
        if ids:
            self._write(lambda c: upkeep.amend_injections(c, space, ids, amend))

    def injections(
        self, space: str, since: datetime | None = None, *, as_recorded: bool = False
    ) -> list[Injection]:
        """What was handed to prompts at or after a moment (None = ever), newest first."""
        return self._read(lambda c: upkeep.injections(c, space, since, as_recorded=as_recorded))

    # working memory

    def working(self, space: str) -> list[WorkItem]:
        """Open, done and stalled items, by (opened, id)."""
        return self._read(lambda c: upkeep.working(c, space))

    def put_working(self, space: str, items: Sequence[WorkItem]) -> None:
        """Inserts or replaces items by id."""
        if items:
            self._write(lambda c: upkeep.put_working(c, space, items))

    # forgetting

    def erase(self, purge: Purge) -> Erased:
        """Forgets for good, in one transaction."""
        erased: Erased = self._write(lambda c: _purge().erase(c, purge))
        self._known.forget()
        return erased

    def erasures(self, space: str) -> list[Erased]:
        """What was forgotten for good, oldest first."""
        return self._read(lambda c: upkeep.erasures(c, space))

    def compact(self) -> int:
        """Leaves no deleted byte in the file or beside it; returns how many old copies went."""
        with translated(self._path):
            copies: int = _purge().compact(self._path, self._wait())
        return copies

    def settle(self, space: str, receipt_id: str, files: int) -> None:
        """Marks a forgetting as finished."""
        self._write(lambda c: _purge().settle(c, space, receipt_id, files))

    def texts(self, space: str) -> Iterator[StoredText]:
        """Every text that is kept of a space."""
        with translated(self._path):
            yield from _remains().texts(self._reader(), space)

    def traces(self, space: str, ids: Sequence[str]) -> list[str]:
        """Where ids that should be gone are still named; empty when they are."""
        look = _remains()
        found: list[str] = self._read(lambda c: look.traces(c, space, ids))
        with translated(self._path):
            return [*found, *look.copies_naming(self._path, space, ids)]

    # upkeep

    def resolve(self, space: str, what: Named, prefix: str) -> str:
        """The one id that starts with `prefix`; NotFound if there is none or more than one."""
        return pick(what, prefix, self.ids_from(space, what, prefix))

    def ids_from(self, space: str, what: Named, prefix: str) -> list[str]:
        """The ids that start with `prefix`, in order."""
        return self._read(lambda c: upkeep.ids_from(c, space, what, prefix))

    def restore(self, space: str, kept: Snapshot, rows: Sequence[IndexRow]) -> None:
        """Puts back what another store held. InputError where there is a ledger already."""
        # Once in the life of a home, if ever.
        from slowwave.adapters.store.sqlite.restore import restore  # noqa: PLC0415

        self._write(lambda c: restore(c, space, kept, rows))

    def spaces(self) -> list[str]:
        """The spaces that have events, in order."""
        return self._read(upkeep.spaces)

    def counts(self, space: str) -> Counts:
        """How much the space holds."""
        return self._read(lambda c: upkeep.counts(c, space))

    def check(self) -> list[str]:
        """Problems found by an integrity check of the whole store; empty when sound."""
        # On a connection of its own: one that is in use may hold a state of the full-text index
        # that is not the file's any more, and would call a sound file damaged.
        with translated(self._path), closing(self._fresh()) as fresh:
            return upkeep.check(fresh)


def _purge() -> ModuleType:
    """What forgetting needs. It reads language, so it is loaded only where something was."""
    from slowwave.adapters.store.sqlite import purge  # noqa: PLC0415 - see above

    return purge


def _remains() -> ModuleType:
    from slowwave.adapters.store.sqlite import remains  # noqa: PLC0415 - as in `_purge`

    return remains


# What arrives late must not bring back what was forgotten while it was on its way: each of these
# looks in the transaction in which it writes.


def _append(connection: apsw.Connection, events: Sequence[Event]) -> Appended:
    admitted = events
    if upkeep.has_forgotten(connection):
        admitted = _purge().admit(connection, events)
    done = journal.append(connection, admitted)
    return Appended(done.stored, len(events) - len(done.stored))


def _save_dream(connection: apsw.Connection, dream: Dream, was: Dream | None) -> None:
    if dream.status in UNDECIDED and upkeep.has_forgotten(connection):
        _purge().refuse(connection, dream)
    ledger.save_dream(connection, dream, was)


def _commit(
    connection: apsw.Connection,
    dream: Dream,
    rows: Sequence[IndexRow],
    recorded_at: datetime,
    was: Dream | None,
) -> None:
    if upkeep.has_forgotten(connection):
        _purge().refuse(connection, dream)
    ledger.commit(connection, dream, rows, recorded_at, was)


def _put_stage(connection: apsw.Connection, key: tuple[str, str, str], payload: bytes) -> None:
    if upkeep.has_forgotten(connection) and _purge().is_stale(connection, key[0], payload):
        return  # it can be done again
    upkeep.put_stage(connection, key, payload)
