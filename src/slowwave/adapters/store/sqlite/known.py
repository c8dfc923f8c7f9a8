"""Memories and dreams that were decoded lately.

A night reads the live memories several times, and what it changes of them are few. A row says by
its version whether what was decoded still holds: only forgetting for good changes the words of a
version, and leaves a tombstone.
"""

import threading
from collections.abc import Sequence
from operator import itemgetter

import apsw
import msgspec

from slowwave.adapters.store.sqlite.connection import Row, rows, snapshot
from slowwave.adapters.store.sqlite.rows import decode_dream, decode_memory, encode, parse_instant
from slowwave.model import Dream, Memory, Status

__all__ = ["Known"]

MOST = 20_000
"""Memories that are kept decoded: some 3 KiB each."""
MOST_DREAMS = 500

_LISTED = """
    SELECT number, first_seen, id, version, access_count, last_access FROM memories
    WHERE space = ?
"""
_BODIES = "SELECT number, body FROM memories WHERE number IN (SELECT value FROM json_each(?))"
_DREAMS = "SELECT id, status FROM dreams WHERE space = ? ORDER BY run_at DESC, rowid DESC"
_SUMMARIES = """
    SELECT id, summary FROM dreams WHERE space = ? AND id IN (SELECT value FROM json_each(?))
"""
_LASTING = ("applied", "rolled_back")
"""What never becomes a plan again."""
_FORGOTTEN = "SELECT count(*), max(forgotten_at) FROM tombstones"


class Known:
    """What one store has decoded. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forgotten: Row = ()
        self._memories: dict[int, Memory] = {}
        self._dreams: dict[tuple[str, str], Dream] = {}

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
            held = self._held(listed, forgotten)
            missing = encode([row[0] for row in listed if row[0] not in held])
            held.update(
                (row[0], decode_memory(row[1])) for row in rows(connection, _BODIES, (missing,))
            )
        found = {row[0]: _counted(held[row[0]], row) for row in listed}
        self._keep(found, forgotten)
        return list(found.values())

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

    def dreams(self, connection: apsw.Connection, space: str) -> list[Dream]:
        """All dreams, newest first, without their long lists."""
        with snapshot(connection):
            forgotten = rows(connection, _FORGOTTEN)[0]
            listed = rows(connection, _DREAMS, (space,))
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


def _counted(memory: Memory, row: Row) -> Memory:
    """The memory with the access counters that were raised since."""
    count, last = row[4], row[5]
    if memory.access_count == count:
        return memory
    ts = parse_instant(last) if last else None
    return msgspec.structs.replace(memory, access_count=count, last_access=ts)
