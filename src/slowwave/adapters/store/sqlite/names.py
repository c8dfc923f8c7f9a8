"""The ids of units by their row numbers, as far as this process has met them.

A number is given to one unit only, ever, and its id never changes: what was read once holds.
"""

from collections.abc import Sequence
from threading import Lock

import apsw

from slowwave.adapters.store.sqlite.connection import rows
from slowwave.adapters.store.sqlite.rows import encode
from slowwave.model import Scored, Unit

MOST = 250_000
"""Ids that are kept of each kind of unit, some 100 bytes each: beyond that they are read anew."""

_IDS: dict[Unit, str] = {
    "event": "SELECT seq, id FROM events WHERE seq IN (SELECT value FROM json_each(?))",
    "memory": "SELECT number, id FROM memories WHERE number IN (SELECT value FROM json_each(?))",
}


class Names:
    """Ids by row number. Safe to share between threads."""

    def __init__(self) -> None:
        self._known: dict[Unit, dict[int, str]] = {"event": {}, "memory": {}}
        self._lock = Lock()

    def of(
        self, connection: apsw.Connection, unit: Unit, numbers: Sequence[int]
    ) -> list[str | None]:
        """The id of each of those numbers, None for one that is not there."""
        known = self._known[unit]
        try:
            return [known[number] for number in numbers]
        except KeyError:
            missing = [number for number in numbers if number not in known]
        read: dict[int, str] = dict(rows(connection, _IDS[unit], (encode(missing),)))
        ids = [known.get(number) or read.get(number) for number in numbers]
        with self._lock:
            if len(known) + len(read) > MOST:
                self._known[unit] = {}
            self._known[unit].update(read)
        return ids


def scored(ids: Sequence[str | None], best: Sequence[tuple[int, float]]) -> list[Scored]:
    """The units of these rows with their scores, without those that are not there."""
    return [Scored(unit_id, one[1]) for unit_id, one in zip(ids, best, strict=True) if unit_id]
