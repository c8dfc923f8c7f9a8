"""Exact vector search over matrices that each process keeps of what is in the file.

A matrix is brought up to date before each search: rows are only added at the end of a set, so
it reads what came since; when something was taken out or replaced it is read anew. The file's own
counters say which, whoever wrote. Small sets are kept in single precision as well, and scored as a
whole; large ones are scanned by the signs of their components first (`sketch`), and what that
leaves is scored exactly.
"""

from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import apsw

from slowwave.adapters.store.sqlite.connection import rows, snapshot
from slowwave.adapters.store.sqlite.names import Names, scored
from slowwave.adapters.store.sqlite.vectors import VectorSet
from slowwave.model import Scored, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from slowwave.adapters.store.sqlite.sketch import Sketch

    T = TypeVar("T", np.float32, np.float64)

SCORED_WHOLE = 2_048
"""Directions up to which a set is small: scoring so many takes as long as a scan and its rest."""

DRAWN_AT_ONCE = 8_192
PATIENCE = 3
"""Directions from which a sketch pays for itself at the first search, and searches after which one
is drawn of fewer: drawing it costs as much as dozens of searches, and most commands ask once."""

DRAWN = 3
DRAWN_AT_LEAST = 1_000
"""So many times more directions than units wanted, and so many, are scored exactly after a scan.
Of the nearest 20 of real texts a scan keeps 99 in 100 among 160, all of them among 800."""

EXACT_IN_SINGLE = 1_040
"""Dimensions up to which the products of bytes add up exactly in single precision (2**24/127²)."""


class _Matrix(NamedTuple):
    """The directions of one set as they are stored, with the squares of their lengths.

    Those of one unit stand together: `starts` holds the row of its first, `numbers` its number.
    """

    written: int
    removed: int
    numbers: "NDArray[np.int64]"
    starts: "NDArray[np.int64]"
    vectors: "NDArray[np.int8]"
    squares: "NDArray[np.float64]"
    wide: "NDArray[np.float32] | None" = None
    sketch: "Sketch | None" = None


class Matrices:
    """The matrices of one store. Safe to share between threads."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._kept: dict[tuple[VectorSet, int], _Matrix] = {}
        self._asked: dict[tuple[VectorSet, int], int] = {}
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
            ids = self._names.of(connection, wanted.unit, [number for number, _ in best])
        return scored(ids, [score for _, score in best])

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
                fresh = _ready(fresh, old.sketch if old and usable else None)
                old = self._kept[wanted, size] = fresh._replace(written=written, removed=removed)
            if old.sketch is None and len(old.vectors) > SCORED_WHOLE:
                self._asked[wanted, size] = asked = self._asked.get((wanted, size), 0) + 1
                if asked > PATIENCE or len(old.vectors) > DRAWN_AT_ONCE:
                    old = self._kept[wanted, size] = _sketched(old, None)
            return old


def _read(connection: apsw.Connection, number: int, size: int, after: int) -> _Matrix:
    """The vectors of a set beyond a place, as a matrix."""
    import numpy as np  # noqa: PLC0415 - slow to import, and only searches by meaning need it

    sql = """
        SELECT row, vector FROM vectors WHERE set_number = ?1 AND place > ?2
          AND length(vector) >= ?3 AND length(vector) % ?3 = 0 ORDER BY place
    """
    found = rows(connection, sql, (number, after, size))
    counts = np.array([len(row[1]) // size for row in found], np.int64)
    data = np.frombuffer(b"".join([row[1] for row in found]), np.int8).reshape(-1, size)
    squares = np.maximum(np.einsum("ij,ij->i", data, data, dtype=np.float64), 1)
    numbers = np.array([row[0] for row in found], np.int64)
    return _Matrix(0, 0, numbers, np.cumsum(counts) - counts, data, squares)


def _joined(old: _Matrix, new: _Matrix) -> _Matrix:
    import numpy as np  # noqa: PLC0415 - see _read

    if not len(new.numbers):
        return old
    return _Matrix(
        0,
        0,
        np.concatenate((old.numbers, new.numbers)),
        np.concatenate((old.starts, new.starts + len(old.vectors))),
        np.concatenate((old.vectors, new.vectors)),
        np.concatenate((old.squares, new.squares)),
    )


def _ready(matrix: _Matrix, old: "Sketch | None") -> _Matrix:
    """The matrix as it is searched; `old` is the sketch of its first rows."""
    import numpy as np  # noqa: PLC0415 - see _read

    count, size = matrix.vectors.shape
    if count <= SCORED_WHOLE:
        exact = size <= EXACT_IN_SINGLE
        return matrix._replace(wide=matrix.vectors.astype(np.float32)) if exact else matrix
    return _sketched(matrix, old) if old is not None else matrix


def _sketched(matrix: _Matrix, old: "Sketch | None") -> _Matrix:
    """The matrix with a sketch of it; `old` is that of its first rows."""
    from slowwave.adapters.store.sqlite.sketch import drawn  # noqa: PLC0415 - needs NumPy, see _read

    return matrix._replace(sketch=drawn(matrix.vectors, matrix.squares, old))


def _search(matrix: _Matrix, vector: Vector, limit: int) -> list[tuple[int, float]]:
    """(number, cosine) of the best units: a scan for candidates, then their exact scores."""
    import numpy as np  # noqa: PLC0415 - see _read

    query = np.frombuffer(vector, np.int8)
    wanted = max(DRAWN * limit, DRAWN_AT_LEAST)
    if matrix.sketch is None or len(matrix.vectors) <= wanted:
        units = np.arange(len(matrix.numbers))
    else:
        units = matrix.sketch.nearest(query, wanted)
        if len(matrix.numbers) < len(matrix.vectors):
            units = np.unique(np.searchsorted(matrix.starts, units, side="right") - 1)
    if not len(units):
        return []
    scores = _scored(matrix, units, query)
    if len(units) > limit:
        least = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        units, scores = units[scores >= least], scores[scores >= least]
    order = np.lexsort((matrix.numbers[units], -scores))[:limit]
    return list(zip(matrix.numbers[units[order]].tolist(), scores[order].tolist(), strict=True))


def _scored(
    matrix: _Matrix, units: "NDArray[np.int64]", query: "NDArray[np.int8]"
) -> "NDArray[np.float64]":
    """The cosine of each unit's nearest direction."""
    import numpy as np  # noqa: PLC0415 - see _read

    single = len(matrix.numbers) == len(matrix.vectors)
    if single:
        places = units
    else:
        ends = np.append(matrix.starts[1:], len(matrix.vectors))
        counts = ends[units] - matrix.starts[units]
        firsts = np.cumsum(counts) - counts
        places = np.arange(counts.sum()) + np.repeat(matrix.starts[units] - firsts, counts)
    products = _products(matrix, places, query)
    square = float(query.astype(np.int64) @ query.astype(np.int64)) or 1.0
    each: NDArray[np.float64] = products / np.sqrt(matrix.squares[places] * square)
    return each if single else np.maximum.reduceat(each, firsts)


def _products(
    matrix: _Matrix, places: "NDArray[np.int64]", query: "NDArray[np.int8]"
) -> "NDArray[np.float64]":
    """The exact products of the question with these directions."""
    import numpy as np  # noqa: PLC0415 - see _read

    exact = len(query) <= EXACT_IN_SINGLE
    if len(places) == len(matrix.vectors) and matrix.wide is not None:
        return _added_up(matrix.wide, query.astype(np.float32))
    chosen = matrix.vectors if len(places) == len(matrix.vectors) else matrix.vectors[places]
    if exact:
        return _added_up(chosen.astype(np.float32), query.astype(np.float32))
    return _added_up(chosen.astype(np.float64), query.astype(np.float64))


def _added_up(chosen: "NDArray[T]", query: "NDArray[T]") -> "NDArray[np.float64]":
    """The product of each row with the question.

    Not `@`: it hands the work to several threads, which on a busy machine wait for each other
    many times longer than one needs for all of it.
    """
    import numpy as np  # noqa: PLC0415 - see _read

    products: NDArray[np.float64] = np.einsum("ij,j->i", chosen, query).astype(np.float64)
    return products
