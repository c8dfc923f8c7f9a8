"""Word search over posting lists that each process keeps of what is in the file.

The full-text engine reads every list of a question twice and weighs each row by itself: a common
word costs tens of milliseconds. Here a list is read once, as two arrays, and the rows are weighed
together, by the engine's own formula and in its order of operations, so that the scores are the
same to the last bit. A list holds until the table changes; the table's own records say so, whoever
wrote.
"""

import math
import sys
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import apsw

from slowwave.adapters.store.scoring import BM25_B, BM25_K1, LEAST_IDF
from slowwave.adapters.store.sqlite.connection import rows, value
from slowwave.adapters.store.sqlite.rows import encode

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_POSTINGS = 12_000_000
"""Rows in all lists that a store keeps, six bytes each."""

PATIENCE = 12
"""Searches that the engine does while NumPy is not loaded: a single recall shall not wait for it,
and a process that goes on asking shall not do without."""

FEW = 1_000
"""Places up to which sorting them is cheaper than a pass over all rows."""

Terms = tuple[str, ...]


class _List(NamedTuple):
    """The rows that hold a phrase, by their places in the table, and how often they hold it."""

    places: "NDArray[np.int32]"
    counts: "NDArray[np.uint16]"


class _Table(NamedTuple):
    """What is known of one full-text table at one state of the file.

    `version` changes whenever the table does. `rowids` ascend, `lengths` count their terms,
    `norms` are what BM25 divides by, `newest` is the mark of what was written last.
    """

    version: tuple[bytes, ...]
    newest: int
    rowids: "NDArray[np.int64]"
    lengths: "NDArray[np.int64]"
    norms: "NDArray[np.float64]"
    lists: dict[Terms, _List]


class Postings:
    """The posting lists of one store. Safe to share between threads."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}
        self._used: OrderedDict[tuple[str, Terms], int] = OrderedDict()
        self._size = 0
        self._waited = 0
        self._lock = Lock()

    def worth_it(self) -> bool:
        """Whether the arrays are at hand, or this process has asked often enough to load them."""
        self._waited += 1
        return "numpy" in sys.modules or self._waited > PATIENCE

    def search(
        self, connection: apsw.Connection, name: str, phrases: Sequence[Sequence[str]], limit: int
    ) -> list[tuple[int, float]]:
        """(rowid, score) of the best rows that hold any of the phrases. Inside a transaction."""
        import numpy as np  # noqa: PLC0415 - slow to import: see `worth_it`

        table = self._current(connection, name)
        lists = self._lists(connection, name, table, [tuple(phrase) for phrase in phrases])
        places, reached = _scores(table, lists)
        if len(places) > limit:
            least = np.partition(reached, len(reached) - limit)[len(reached) - limit]
            best = reached >= least
            places, reached = places[best], reached[best]
        order = np.lexsort((places, -reached))[:limit]
        rowids = table.rowids[places[order]].tolist()
        return list(zip(rowids, reached[order].tolist(), strict=True))

    def _current(self, connection: apsw.Connection, name: str) -> _Table:
        sql = f"SELECT block FROM {name}_data WHERE id IN (1, 10) ORDER BY id"
        version = tuple(row[0] for row in rows(connection, sql))
        old = self._tables.get(name)
        if old is not None and old.version == version:
            return old
        fresh = _read(connection, name, version, old)
        with self._lock:
            self._tables[name] = fresh
            for key in [key for key in self._used if key[0] == name]:
                self._size -= self._used.pop(key)
        return fresh

    def _lists(
        self, connection: apsw.Connection, name: str, table: _Table, phrases: Sequence[Terms]
    ) -> list[_List]:
        """The list of each of these phrases: those that are not kept are read together."""
        found = {phrase: table.lists[phrase] for phrase in phrases if phrase in table.lists}
        if len(found) < len(phrases):
            missing = [phrase for phrase in phrases if phrase not in found]
            found.update(_positions(connection, name, table, missing))
        with self._lock:
            if self._tables.get(name) is table:
                for phrase, each in found.items():
                    table.lists[phrase] = each
                    self._size += len(each.places) - self._used.pop((name, phrase), 0)
                    self._used[name, phrase] = len(each.places)
                self._make_room()
        return [found[phrase] for phrase in phrases]

    def _make_room(self) -> None:
        """Lets go of the lists that nobody asked for the longest."""
        while self._size > MOST_POSTINGS and len(self._used) > 1:
            (name, phrase), size = self._used.popitem(last=False)
            self._size -= size
            self._tables[name].lists.pop(phrase, None)


def _scores(
    table: _Table, lists: Sequence[_List]
) -> "tuple[NDArray[np.intp], NDArray[np.float64]]":
    """The rows of these lists, ascending, and their scores: FTS5's BM25, added up in its order."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    total = len(table.rowids)
    lengths = [len(each.places) for each in lists]
    rarities = [math.log((total - each + 0.5) / (each + 0.5)) if each else 0 for each in lengths]
    places = np.concatenate([each.places for each in lists]).astype(np.intp)
    counts = np.concatenate([each.counts for each in lists]).astype(np.float64)
    adds = (counts * (BM25_K1 + 1)) / (counts + table.norms[places])
    adds *= np.repeat([rarity if rarity > 0 else LEAST_IDF for rarity in rarities], lengths)
    if len(places) < FEW:
        rows_found, which = np.unique(places, return_inverse=True)
        return rows_found, np.bincount(which, adds).astype(np.float64, copy=False)
    scores = np.bincount(places, adds, minlength=total).astype(np.float64, copy=False)
    rows_found = np.flatnonzero(scores > 0)
    return rows_found, scores[rows_found]


def _read(
    connection: apsw.Connection, name: str, version: tuple[bytes, ...], old: _Table | None
) -> _Table:
    """The rows of a table: those that were written since `old`, or all where that is not enough."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    count, total = _totals(version[0]) if version else (0, 0)
    newest = value(connection, f"SELECT max(origin) FROM {name}_docsize") or 0
    rowids, lengths = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if old is not None and newest >= old.newest:
        since, sizes = _sizes(connection, name, old.newest)
        kept = ~np.isin(old.rowids, since, assume_unique=True)
        rowids = np.concatenate((old.rowids[kept], since))
        lengths = np.concatenate((old.lengths[kept], sizes))
        order = np.argsort(rowids, kind="stable")
        rowids, lengths = rowids[order], lengths[order]
    if (len(rowids), int(lengths.sum())) != (count, total):
        rowids, lengths = _sizes(connection, name, -1)
    average = lengths.sum() / max(1, len(lengths)) or 1.0
    norms = BM25_K1 * ((1 - BM25_B) + (BM25_B * lengths) / average)
    return _Table(version, newest, rowids, lengths, norms, {})


def _sizes(
    connection: apsw.Connection, name: str, after: int
) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """The rows written after a mark, and how many terms each has."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    sql = f"SELECT group_concat(id), group_concat(hex(sz), '') FROM {name}_docsize WHERE origin > ?"
    ids, sizes = rows(connection, sql, (after,))[0]
    return _numbers(ids), _varints(np.frombuffer(bytes.fromhex(sizes or ""), np.uint8))


def _totals(averages: bytes) -> tuple[int, int]:
    """How many rows a table has and how many terms: the first numbers of its own record."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    count, total, *_ = chain(_varints(np.frombuffer(averages, np.uint8)).tolist(), (0, 0))
    return count, total


def _varints(data: "NDArray[np.uint8]") -> "NDArray[np.int64]":
    """SQLite's numbers of variable length: seven bits to a byte, the last byte below 128."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    ends = np.flatnonzero(data < 0x80)
    lengths = np.diff(ends, prepend=-1)
    found = np.zeros(len(ends), np.int64)
    for back in range(int(lengths.max(initial=0)) - 1, -1, -1):
        has = lengths > back
        found[has] = (found[has] << 7) | (data[ends[has] - back] & 0x7F)
    return found


def _positions(
    connection: apsw.Connection, name: str, table: _Table, phrases: Sequence[Terms]
) -> Iterator[tuple[Terms, _List]]:
    """The rows that hold each of these phrases, from the engine's lists of their terms."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    vocabulary = f"temp.terms_of_{name}"
    connection.execute(
        f"CREATE VIRTUAL TABLE IF NOT EXISTS {vocabulary} USING fts5vocab(main, {name}, instance)"
    )
    single: list[Terms] = [phrase for phrase in phrases if len(phrase) == 1]
    sql = f"""
        SELECT (SELECT group_concat(doc) FROM {vocabulary} WHERE term = value) FROM json_each(?)
    """
    terms = encode([term for (term,) in single])
    read = [row[0] or "" for row in rows(connection, sql, (terms,))]
    counted = [joined.count(",") + 1 if joined else 0 for joined in read]
    docs = [_numbers(",".join(filter(None, read)))]
    for phrase in phrases:
        if len(phrase) > 1:
            single.append(phrase)
            docs.append(_together(connection, vocabulary, phrase))
            counted.append(len(docs[-1]))
    # All of them at once: most lists are short, and each of these steps costs the same for many.
    every = np.concatenate(docs)
    ends = np.cumsum(counted)
    new = np.diff(every, prepend=-1) != 0
    new[(ends - counted)[np.asarray(counted) > 0]] = True
    firsts = np.flatnonzero(new)
    counts = np.minimum(np.diff(firsts, append=len(every)), 0xFFFF).astype(np.uint16)
    places = np.searchsorted(table.rowids, every[firsts]).astype(np.int32)
    cuts = [0, *np.searchsorted(firsts, ends).tolist()]
    for at, phrase in enumerate(single):
        part = slice(cuts[at], cuts[at + 1])
        yield phrase, _List(places[part].copy(), counts[part].copy())


def _together(connection: apsw.Connection, vocabulary: str, phrase: Terms) -> "NDArray[np.int64]":
    """The rows of all places where the terms follow each other, ascending, once per place."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    sql = f"SELECT group_concat(doc), group_concat(offset) FROM {vocabulary} WHERE term = ?"
    starts: NDArray[np.int64] | None = None
    for at, term in enumerate(phrase):
        docs, offsets = map(_numbers, rows(connection, sql, (term,))[0])
        begins = (docs << 32) + offsets - at
        begins = begins[offsets >= at]
        if starts is not None:
            begins = np.intersect1d(starts, begins, assume_unique=True)
        starts = begins
        if not len(starts):
            break
    return starts >> 32 if starts is not None else np.zeros(0, np.int64)


def _numbers(joined: str | None) -> "NDArray[np.int64]":
    """The numbers of a comma-separated list."""
    import numpy as np  # noqa: PLC0415 - see `Postings.search`

    return np.fromstring(joined or "", np.int64, sep=",")
