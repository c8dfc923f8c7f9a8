"""Memories and dreams that were decoded lately.

A night reads the live memories several times, and what it changes of them are few. A row says by
its version whether what was decoded still holds: only forgetting for good changes the words of a
version, and leaves a tombstone.
"""

import threading
from collections.abc import Sequence

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
_FORGOTTEN = "SELECT count(*), max(forgotten_at) FROM tombstones"


class Known:
    """What one store has decoded. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forgotten: Row = ()
        self._memories: dict[int, Memory] = {}
        self._dreams: dict[tuple[str, str], tuple[str, Dream]] = {}

    def memories(
        self, connection: apsw.Connection, space: str, statuses: Sequence[Status] = ()
    ) -> list[Memory]:
        """Memories of these statuses (none = all), by (first_seen, id)."""
        sql, values = _LISTED, [space]
        if statuses:
            sql += " AND status IN (SELECT value FROM json_each(?))"
            values.append(encode(list(statuses)))
        with snapshot(connection):
            known = self._still_true(connection)
            # Sorted here: SQLite would walk an index of all memories for the order's sake.
            listed = sorted(rows(connection, sql, values), key=lambda row: row[1:3])
            missing = [row[0] for row in listed if not _holds(known.get(row[0]), row[3])]
            fresh = {
                number: decode_memory(body)
                for number, body in rows(connection, _BODIES, (encode(missing),))
            }
        with self._lock:
            found = [_counted(fresh.get(row[0]) or known[row[0]], row) for row in listed]
            self._keep({row[0]: memory for row, memory in zip(listed, found, strict=True)})
        return found

    def _still_true(self, connection: apsw.Connection) -> dict[int, Memory]:
        """What is kept, unless something was forgotten for good since."""
        forgotten = rows(connection, _FORGOTTEN)[0]
        with self._lock:
            if forgotten != self._forgotten:
                self._memories, self._dreams, self._forgotten = {}, {}, forgotten
            return self._memories

    def _keep(self, found: dict[int, Memory]) -> None:
        """Keeps what was found last, and of the rest what there is room for."""
        kept = self._memories
        if len(kept) + len(found) > MOST:
            kept = self._memories = {}
        if len(found) <= MOST:
            kept.update(found)

    def dreams(self, connection: apsw.Connection, space: str) -> list[Dream]:
        """All dreams, newest first, without their long lists."""
        sql = "SELECT id, summary FROM dreams WHERE space = ? ORDER BY run_at DESC, id DESC"
        found = []
        for dream_id, summary in rows(connection, sql, (space,)):
            kept = self._dreams.get((space, dream_id))
            dream = kept[1] if kept and kept[0] == summary else decode_dream(summary)
            if len(found) < MOST_DREAMS:
                self._dreams[space, dream_id] = summary, dream
            found.append(dream)
        return found


def _holds(memory: Memory | None, version: int) -> bool:
    return memory is not None and memory.version == version


def _counted(memory: Memory, row: Row) -> Memory:
    """The memory with the access counters that were raised since."""
    count, last = row[4], row[5]
    if memory.access_count == count:
        return memory
    ts = parse_instant(last) if last else None
    return msgspec.structs.replace(memory, access_count=count, last_access=ts)
