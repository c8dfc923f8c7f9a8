"""Memories, events and dreams that were decoded lately.

A night reads the live memories several times, and what it changes of them are few; one question
after another brings up the same candidates. A row says by its version whether what was decoded
still holds: only forgetting for good changes the words of a version, or takes an event out, and
leaves a tombstone. While nobody has written to the file, not even the rows are read again.
"""

import threading
from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

import apsw
import msgspec

from slowwave.adapters.store.sqlite import journal, vectors
from slowwave.adapters.store.sqlite.connection import Row, rows, snapshot, value
from slowwave.adapters.store.sqlite.rows import decode_dream, decode_memory, encode, parse_instant
from slowwave.adapters.store.sqlite.vectors import VectorSet
from slowwave.model import Dream, DreamStatus, Embeddable, Event, Memory, Status

__all__ = ["Known"]

MOST = 20_000
"""Memories that are kept decoded: some 3 KiB each."""
MOST_DREAMS = 500
MOST_CHARS = 16_000_000
LONGEST = 4_000
"""Characters of all events that are kept decoded, and of one."""

_LISTED = """
    SELECT number, first_seen, id, version, access_count, last_access FROM memories
    WHERE space = ?
"""
_LISTED_BY_ID = f"{_LISTED} AND id IN (SELECT value FROM json_each(?))"
_BODIES = "SELECT number, body FROM memories WHERE number IN (SELECT value FROM json_each(?))"
_DREAMS = """
    SELECT id, status FROM dreams WHERE space = ? {}
    ORDER BY run_at DESC, rowid DESC LIMIT ?
"""
_SUMMARIES = """
    SELECT id, summary FROM dreams WHERE space = ? AND id IN (SELECT value FROM json_each(?))
"""
_LASTING = ("applied", "rolled_back")
"""What never becomes a plan again."""
_FORGOTTEN = "SELECT count(*), max(forgotten_at) FROM tombstones"


class _Seen(NamedTuple):
    """What one connection has seen of the file since somebody else wrote to it last."""

    version: int
    forgotten: Row
    memories: dict[tuple[str, str], Memory]
    complete: set[VectorSet]


class Known:
    """What one store has decoded. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forgotten: Row = ()
        self._memories: dict[int, Memory] = {}
        self._events: dict[tuple[str, str], Event] = {}
        self._chars = 0
        self._dreams: dict[tuple[str, str], Dream] = {}
        self._seen: WeakKeyDictionary[apsw.Connection, _Seen] = WeakKeyDictionary()

    def forget(self) -> None:
        """Keeps nothing of what was read so far."""
        with self._lock:
            self._forget(())
            self._seen = WeakKeyDictionary()

    def events_by_id(
        self, connection: apsw.Connection, space: str, ids: Sequence[str]
    ) -> dict[str, Event]:
        """The events among `ids` that exist, in the order of `ids`."""
        with snapshot(connection):
            forgotten = self._since(connection).forgotten
            with self._lock:
                self._forget(forgotten)
                kept = self._events
                held = {one: kept[space, one] for one in ids if (space, one) in kept}
            missing = [one for one in ids if one not in held]
            fresh = journal.by_id(connection, space, missing) if missing else {}
        if not fresh:
            return held
        self._keep_events(space, fresh, forgotten)
        held.update(fresh)
        return {one: held[one] for one in ids if one in held}

    def _keep_events(self, space: str, fresh: dict[str, Event], forgotten: Row) -> None:
        short = {(space, one): event for one, event in fresh.items() if len(event.text) <= LONGEST}
        size = sum(len(event.text) for event in short.values())
        with self._lock:
            if forgotten != self._forgotten or size > MOST_CHARS:
                return
            if self._chars + size > MOST_CHARS:
                self._events, self._chars = {}, 0
            self._events.update(short)
            self._chars += size

    def memories_by_id(
        self, connection: apsw.Connection, space: str, ids: Sequence[str]
    ) -> dict[str, Memory]:
        """The memories among `ids` that exist, in the order of `ids`."""
        with snapshot(connection):
            since = self._since(connection)
            seen = since.memories
            held = {one: seen[space, one] for one in ids if (space, one) in seen}
            missing = [one for one in ids if one not in held]
            if not missing:
                return held
            listed = rows(connection, _LISTED_BY_ID, (space, encode(missing)))
            found = self._decoded(connection, listed, since.forgotten)
        self._keep(found, since.forgotten)
        held.update((memory.id, memory) for memory in found.values())
        if len(seen) + len(found) > MOST:
            seen.clear()
        seen.update(((space, memory.id), memory) for memory in found.values())
        return {one: held[one] for one in ids if one in held}

    def unembedded(
        self, connection: apsw.Connection, wanted: VectorSet, limit: int
    ) -> list[Embeddable]:
        """Units without a vector of a set, newest first."""
        with snapshot(connection):
            complete = self._since(connection).complete
            if wanted in complete:
                return []
            found = vectors.unembedded(connection, wanted, limit)
        if not found and limit > 0:
            complete.add(wanted)
        return found

    def _since(self, connection: apsw.Connection) -> _Seen:
        """What a connection has seen and may still trust. Inside a transaction."""
        version = value(connection, "PRAGMA data_version")
        seen = self._seen.get(connection)
        if seen is None or seen.version != version:
            seen = _Seen(version, rows(connection, _FORGOTTEN)[0], {}, set())
            self._seen[connection] = seen
        return seen

    def memories(
        self, connection: apsw.Connection, space: str, statuses: Sequence[Status] = ()
    ) -> list[Memory]:
        """Memories of these statuses (none = all), by (first_seen, id)."""
        sql, values = _LISTED, [space]
        if statuses:
            sql += " AND status IN (SELECT value FROM json_each(?))"
            values.append(encode(list(statuses)))
        with snapshot(connection):
            forgotten = rows(connection, _FORGOTTEN)[0]
            # Sorted here: SQLite would walk an index of all memories for the order's sake.
            listed = sorted(rows(connection, sql, values), key=itemgetter(1, 2))
            found = self._decoded(connection, listed, forgotten)
        self._keep(found, forgotten)
        return list(found.values())

    def _decoded(
        self, connection: apsw.Connection, listed: Sequence[Row], forgotten: Row
    ) -> dict[int, Memory]:
        """The memories of these rows, in their order."""
        held = self._held(listed, forgotten)
        missing = [row[0] for row in listed if row[0] not in held]
        if missing:
            fresh = rows(connection, _BODIES, (encode(missing),))
            held.update((number, decode_memory(body)) for number, body in fresh)
        return {row[0]: _counted(held[row[0]], row) for row in listed}

    def _held(self, listed: Sequence[Row], forgotten: Row) -> dict[int, Memory]:
        """Which of these rows are kept, as they stand."""
        with self._lock:
            self._forget(forgotten)
            kept = self._memories
            return {
                row[0]: memory
                for row in listed
                if (memory := kept.get(row[0])) is not None and memory.version == row[3]
            }

    def _keep(self, found: dict[int, Memory], forgotten: Row) -> None:
        """Keeps what was found last, and of the rest what there is room for."""
        with self._lock:
            if forgotten != self._forgotten or len(found) > MOST:
                return
            if len(self._memories.keys() | found.keys()) > MOST:
                self._memories = {}
            self._memories.update(found)

    def dreams(
        self,
        connection: apsw.Connection,
        space: str,
        statuses: Sequence[DreamStatus] = (),
        latest: int | None = None,
    ) -> list[Dream]:
        """Dreams of these statuses, newest first, without their long lists."""
        sql, given = _dreams_of(statuses)
        asked = (space, *given, -1 if latest is None else latest)
        with snapshot(connection):
            forgotten = rows(connection, _FORGOTTEN)[0]
            listed = rows(connection, sql, asked)
            held = self._held_dreams(space, listed, forgotten)
            missing = encode([dream_id for dream_id, _ in listed if dream_id not in held])
            fresh = rows(connection, _SUMMARIES, (space, missing))
        held.update((dream_id, decode_dream(summary)) for dream_id, summary in fresh)
        found = [held[dream_id] for dream_id, _ in listed]
        with self._lock:
            if forgotten == self._forgotten:
                self._dreams.update(((space, one.dream_id), one) for one in found[:MOST_DREAMS])
        return found

    def _held_dreams(self, space: str, listed: Sequence[Row], forgotten: Row) -> dict[str, Dream]:
        """Which of these dreams are kept, as they stand: a decided one only changes its status."""
        with self._lock:
            self._forget(forgotten)
            return {
                dream_id: dream
                for dream_id, status in listed
                if status in _LASTING
                and (dream := self._dreams.get((space, dream_id))) is not None
                and dream.status == status
            }

    def _forget(self, forgotten: Row) -> None:
        """Keeps nothing that was read before something was forgotten for good."""
        if forgotten != self._forgotten:
            self._memories, self._dreams, self._forgotten = {}, {}, forgotten
            self._events, self._chars = {}, 0


def _dreams_of(statuses: Sequence[DreamStatus]) -> tuple[str, tuple[str, ...]]:
    """The question for dreams of these statuses, and what it is asked with.

    Of one status the index gives the latest without a look at the others.
    """
    if not statuses:
        return _DREAMS.format(""), ()
    if len(statuses) == 1:
        return _DREAMS.format("AND status = ?"), (statuses[0],)
    among = "AND status IN (SELECT value FROM json_each(?))"
    return _DREAMS.format(among), (encode(list(statuses)),)


def _counted(memory: Memory, row: Row) -> Memory:
    """The memory with the access counters that were raised since."""
    count, last = row[4], row[5]
    if memory.access_count == count:
        return memory
    ts = parse_instant(last) if last else None
    return msgspec.structs.replace(memory, access_count=count, last_access=ts)
