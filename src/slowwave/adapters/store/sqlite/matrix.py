"""Exact vector search over matrices that each process keeps of what is in the file.

A matrix is brought up to date before each search: rows are only added at the end of a set, so
it reads what came since; when something was taken out or replaced it is read anew. The file's own
counters say which, whoever wrote.
"""

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import apsw

from slowwave.adapters.store.sqlite.connection import rows, snapshot
from slowwave.adapters.store.sqlite.rows import encode
from slowwave.adapters.store.sqlite.vectors import VectorSet
from slowwave.model import Scored, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SPARE = 16
"""Candidates beyond the limit that are scored exactly, so that rounding decides nothing."""


class _Matrix(NamedTuple):
    """The vectors of one set as they are stored, and their lengths."""

    written: int
    removed: int
    numbers: "NDArray[np.int64]"
    vectors: "NDArray[np.int8]"
    lengths: "NDArray[np.float32]"


class Matrices:
    """The matrices of one store. Safe to share between threads."""

    def __init__(self) -> None:
        self._kept: dict[tuple[VectorSet, int], _Matrix] = {}
        self._lock = Lock()

    def nearest(
        self, connection: apsw.Connection, wanted: VectorSet, vector: Vector, limit: int
    ) -> list[Scored]:
        """The units whose vectors are nearest by cosine, best first, equal ones by age."""
        with snapshot(connection):
            matrix = self._current(connection, wanted, len(vector))
            if matrix is None or limit <= 0:
                return []
            best = _search(matrix, vector, limit)
            return _named(connection, wanted, best)

    def _current(self, connection: apsw.Connection, wanted: VectorSet, size: int) -> _Matrix | None:
        sql = """
            SELECT number, written, removed FROM vector_sets
            WHERE space = ? AND unit = ? AND embedder = ?
        """
        found = rows(connection, sql, wanted)
        if not found or not size:
            return None
        number, written, removed = found[0]
        with self._lock:
            old = self._kept.get((wanted, size))
            if old is None or (old.written, old.removed) != (written, removed):
                usable = old is not None and old.removed == removed and old.written <= written
                new = _read(connection, number, size, old.written if old and usable else 0)
                fresh = _joined(old, new) if old and usable else new
                old = self._kept[wanted, size] = fresh._replace(written=written, removed=removed)
            return old


def _read(connection: apsw.Connection, number: int, size: int, after: int) -> _Matrix:
    """The vectors of a set beyond a place, as a matrix."""
    import numpy as np  # noqa: PLC0415 - slow to import, and only searches by meaning need it

    sql = """
        SELECT row, vector FROM vectors WHERE set_number = ? AND place > ? AND length(vector) = ?
        ORDER BY place
    """
    found = rows(connection, sql, (number, after, size))
    data = np.frombuffer(b"".join([row[1] for row in found]), np.int8).reshape(-1, size)
    squares = np.einsum("ij,ij->i", data, data, dtype=np.float32)
    numbers = np.array([row[0] for row in found], np.int64)
    return _Matrix(0, 0, numbers, data, np.sqrt(np.maximum(squares, 1)))


def _joined(old: _Matrix, new: _Matrix) -> _Matrix:
    import numpy as np  # noqa: PLC0415 - see _read

    if not len(new.numbers):
        return old
    return _Matrix(
        0,
        0,
        np.concatenate((old.numbers, new.numbers)),
        np.concatenate((old.vectors, new.vectors)),
        np.concatenate((old.lengths, new.lengths)),
    )


def _search(matrix: _Matrix, vector: Vector, limit: int) -> list[tuple[int, float]]:
    """(number, cosine) of the best rows: a scan for candidates, then their exact scores."""
    import numpy as np  # noqa: PLC0415 - see _read

    query = np.frombuffer(vector, np.int8)
    # einsum widens small pieces as it goes: the bytes are never copied as a whole.
    scan = np.einsum("ij,j->i", matrix.vectors, query.astype(np.float32)) / matrix.lengths
    if len(scan) > limit + SPARE:
        picked = np.argpartition(-scan, limit + SPARE)[: limit + SPARE]
    else:
        picked = np.arange(len(scan))
    exact = matrix.vectors[picked].astype(np.int64)
    whole = query.astype(np.int64)
    lengths = np.sqrt((exact * exact).sum(axis=1) * float(whole @ whole))
    scores = (exact @ whole) / np.where(lengths, lengths, 1.0)
    order = np.lexsort((matrix.numbers[picked], -scores))[:limit]
    return list(zip(matrix.numbers[picked[order]].tolist(), scores[order].tolist(), strict=True))


def _named(
    connection: apsw.Connection, wanted: VectorSet, best: list[tuple[int, float]]
) -> list[Scored]:
    table, key = ("events", "seq") if wanted.unit == "event" else ("memories", "number")
    sql = f"SELECT {key}, id FROM {table} WHERE {key} IN (SELECT value FROM json_each(?))"
    ids: dict[int, str] = dict(rows(connection, sql, (encode([number for number, _ in best]),)))
    return [Scored(ids[number], score) for number, score in best if number in ids]
