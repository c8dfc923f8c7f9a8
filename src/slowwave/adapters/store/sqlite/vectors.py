"""Vectors, kept beside what they stand for. The search itself is in `matrix`."""

from collections.abc import Sequence
from typing import NamedTuple

import apsw

from slowwave.adapters.store.sqlite.connection import rows, value
from slowwave.adapters.store.sqlite.rows import encode
from slowwave.model import (
    EMBEDDED_KINDS,
    EMBEDDED_ORIGINS,
    Embeddable,
    Unit,
    Vector,
    text_hash,
)


class VectorSet(NamedTuple):
    """Which vectors: of one embedder, for the events or the memories of a space."""

    space: str
    unit: Unit
    embedder: str


_KINDS = ", ".join(f"'{kind}'" for kind in EMBEDDED_KINDS)
_ORIGINS = ", ".join(f"'{origin}'" for origin in EMBEDDED_ORIGINS)

# Per unit: its table, its row number, and which rows are to be found by meaning.
_UNITS: dict[Unit, tuple[str, str, str]] = {
    "event": ("events", "seq", f"kind IN ({_KINDS}) AND origin IN ({_ORIGINS})"),
    "memory": ("memories", "number", "TRUE"),
}


def unembedded(connection: apsw.Connection, wanted: VectorSet, limit: int) -> list[Embeddable]:
    """Units without a vector of that embedder, newest first."""
    number, settled = _set(connection, wanted) or (None, 0)
    sql = f"SELECT id, text {_missing(wanted.unit)} DESC LIMIT ?"
    values = (wanted.space, settled, number, max(0, limit))
    return [Embeddable(*row) for row in rows(connection, sql, values)]


def _set(connection: apsw.Connection, wanted: VectorSet) -> tuple[int, int] | None:
    """The number of a set and the row up to which it is complete; None when it is not there."""
    sql = "SELECT number, settled FROM vector_sets WHERE space = ? AND unit = ? AND embedder = ?"
    found = rows(connection, sql, wanted)
    return (found[0][0], found[0][1]) if found else None


def _missing(unit: Unit) -> str:
    """The rest of a query over units of a space, beyond a row, without a vector of a set."""
    table, key, condition = _UNITS[unit]
    return f"""
        FROM {table} AS units WHERE space = ? AND {key} > ? AND {condition}
        AND NOT EXISTS (SELECT 1 FROM vectors WHERE set_number = ? AND row = units.{key})
        ORDER BY {key}
    """


def put(
    connection: apsw.Connection, wanted: VectorSet, vectors: Sequence[tuple[str, Vector]]
) -> None:
    """Adds or replaces vectors by unit id. Inside a transaction."""
    table, key, condition = _UNITS[wanted.unit]
    find = f"SELECT {key}, text FROM {table} WHERE space = ? AND id = ? AND {condition}"
    sql = "INSERT OR IGNORE INTO vector_sets (space, unit, embedder) VALUES (?, ?, ?)"
    rows(connection, sql, wanted)
    number, settled = _set(connection, wanted) or (0, 0)
    for unit_id, vector in vectors:
        for row, text in rows(connection, find, (wanted.space, unit_id)):
            _remove(connection, "set_number = ? AND row = ?", (number, row))
            place = value(
                connection,
                "UPDATE vector_sets SET written = written + 1 WHERE number = ? RETURNING written",
                (number,),
            )
            connection.execute(
                "INSERT INTO vectors VALUES (?, ?, ?, ?, ?)",
                (number, place, row, text_hash(text), vector),
            )
    # What is complete need not be looked through again at the next search.
    first = value(
        connection, f"SELECT {key} {_missing(wanted.unit)} LIMIT 1", (wanted.space, settled, number)
    )
    last = value(connection, f"SELECT max({key}) FROM {table} WHERE space = ?", (wanted.space,))
    connection.execute(
        "UPDATE vector_sets SET settled = ? WHERE number = ?",
        (last or 0 if first is None else first - 1, number),
    )


def remove_stale(connection: apsw.Connection, space: str, row: int, text: str) -> None:
    """Takes out the vectors of a memory whose text is another now. Inside a transaction."""
    sql = "SELECT number FROM vector_sets WHERE space = ? AND unit = 'memory'"
    stale = "set_number = ? AND row = ? AND text_hash <> ?"
    for (number,) in rows(connection, sql, (space,)):
        if _remove(connection, stale, (number, row, text_hash(text))):
            connection.execute(
                "UPDATE vector_sets SET settled = min(settled, ?) WHERE number = ?",
                (row - 1, number),
            )


def remove(connection: apsw.Connection, space: str, unit: Unit, numbers: Sequence[int]) -> int:
    """Takes out the vectors of these rows in all sets; returns how many. Inside a transaction."""
    sql = "SELECT number FROM vector_sets WHERE space = ? AND unit = ?"
    removed = 0
    for (number,) in rows(connection, sql, (space, unit)):
        these = (number, encode(list(numbers)))
        condition = "set_number = ? AND row IN (SELECT value FROM json_each(?))"
        removed += value(connection, f"SELECT count(*) FROM vectors WHERE {condition}", these)
        _remove(connection, condition, these)
        if numbers:
            settled = "UPDATE vector_sets SET settled = min(settled, ?) WHERE number = ?"
            connection.execute(settled, (min(numbers) - 1, number))
    return removed


def _remove(connection: apsw.Connection, condition: str, values: tuple[int | str, ...]) -> bool:
    """Deletes vectors; the first value is the number of their set. False when there are none."""
    connection.execute(f"DELETE FROM vectors WHERE {condition}", values)
    if not connection.changes():
        return False
    # Matrices in memory know from this that more happened than additions.
    sql = "UPDATE vector_sets SET removed = removed + 1 WHERE number = ?"
    connection.execute(sql, values[:1])
    return True


def cached(connection: apsw.Connection, embedder: str, hashes: Sequence[str]) -> dict[str, Vector]:
    """Vectors of that embedder for texts with these hashes, from any space."""
    sql = """
        SELECT text_hash, vector FROM vectors JOIN vector_sets ON number = set_number
        WHERE text_hash IN (SELECT value FROM json_each(?)) AND embedder = ?
    """
    return dict(rows(connection, sql, (encode(list(hashes)), embedder)))
