"""The ids of units by their row numbers, as far as this process has met them.

A number is given to one unit only, ever, and its id never changes: what was read once holds.
"""

from collections.abc import Iterable, Sequence
from operator import itemgetter
from threading import Lock
from typing import cast

import apsw

from slowwave.adapters.store.sqlite.connection import rows
from slowwave.adapters.store.sqlite.rows import encode
from slowwave.model import Scored, Unit

MOST = 250_000
"""Ids that are kept of each kind of unit, some 70 bytes each: beyond that they are read anew."""

MOST_ROWS = 2_000_000
"""Row numbers up to which ids are kept, eight bytes each."""

PATIENCE = 30
"""Searches after which a process goes on asking: then the ids of all rows around are read."""

WIDEST = 150_000
"""Rows whose ids are read at once: some 70 ms."""

_IDS: dict[Unit, str] = {
    "event": "SELECT seq, id FROM events WHERE seq IN (SELECT value FROM json_each(?))",
    "memory": "SELECT number, id FROM memories WHERE number IN (SELECT value FROM json_each(?))",
}
_AROUND: dict[Unit, str] = {
    "event": "SELECT seq, id FROM events WHERE seq BETWEEN ? AND ?",
    "memory": "SELECT number, id FROM memories WHERE number BETWEEN ? AND ?",
}


class Names:
    """Ids by row number. Safe to share between threads."""

    def __init__(self) -> None:
        # By row number: a list is looked up in a third of the time of a dictionary.
        self._known: dict[Unit, list[str | None]] = {"event": [], "memory": []}
        self._kept: dict[Unit, int] = {"event": 0, "memory": 0}
        self._lock = Lock()
        self._asked = 0

    def of(
        self, connection: apsw.Connection, unit: Unit, numbers: Sequence[int]
    ) -> list[str | None]:
        """The id of each of those numbers, None for one that is not there."""
        if not numbers:
            return []
        known = self._known[unit]
        try:
            ids = list(itemgetter(*numbers, numbers[0])(known)[:-1])
        except IndexError:
            ids = [known[number] if number < len(known) else None for number in numbers]
        if None not in ids:
            return ids
        missing = [number for number, one in zip(numbers, ids, strict=True) if one is None]
        read = self._read(connection, unit, missing)
        self._keep(unit, read)
        return [one or read.get(number) for number, one in zip(numbers, ids, strict=True)]

    def _keep(self, unit: Unit, read: dict[int, str]) -> None:
        with self._lock:
            known = self._known[unit]
            if self._kept[unit] + len(read) > MOST:
                known = self._known[unit] = []
                self._kept[unit] = 0
            wanted = min(max(read, default=-1) + 1, MOST_ROWS)
            known.extend([None] * (wanted - len(known)))
            for number, one in read.items():
                if number < MOST_ROWS:
                    self._kept[unit] += known[number] is None
                    known[number] = one

    def _read(
        self, connection: apsw.Connection, unit: Unit, missing: Sequence[int]
    ) -> dict[int, str]:
        """The ids of these rows, and of all around them where that is worth it."""
        self._asked += 1
        first, last = min(missing), max(missing)
        if self._asked > PATIENCE and len(missing) < last - first < WIDEST:
            return dict(rows(connection, _AROUND[unit], (first, last)))
        return dict(rows(connection, _IDS[unit], (encode(missing),)))


def scored(ids: Sequence[str | None], scores: Iterable[float]) -> list[Scored]:
    """The units of these rows with their scores, without those that are not there."""
    if None in ids:
        return [Scored(one, score) for one, score in zip(ids, scores, strict=True) if one]
    return list(map(Scored, cast(Sequence[str], ids), scores))
