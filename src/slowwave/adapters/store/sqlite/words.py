"""The full-text index: FTS5 tables of terms, one set per space.

Tables of their own give each space exact BM25 statistics, posting lists as short as the space is
small, and no way to see another's words. They are contentless: the words are kept once, in the
journal. The terms arrive segmented and stemmed, so the tokenizer only splits at blanks: `ascii`
takes everything outside ASCII as part of a word, and `tokenchars` adds all ASCII punctuation.
"""

from collections.abc import Sequence

import apsw

from slowwave.adapters.store.rules import phrase_tokens
from slowwave.adapters.store.sqlite.connection import rows, snapshot, value
from slowwave.adapters.store.sqlite.names import Names, scored
from slowwave.adapters.store.sqlite.postings import Postings
from slowwave.model import IndexRow, Scored, Unit
from slowwave.ports import Field, Match, Phrase

PUNCTUATION = "".join(chr(code) for code in range(0x21, 0x7F) if not chr(code).isalnum())

TABLES: tuple[tuple[Unit, Field], ...] = (
    ("event", "own"),
    ("event", "around"),
    ("memory", "own"),
)


def table_name(space_number: int, unit: Unit, field: Field) -> str:
    """The FTS5 table of one kind of words of a space."""
    return f"words_{space_number}_{unit}_{field}"


def space_number(connection: apsw.Connection, space: str) -> int | None:
    """The number of a space that has words, or None."""
    number: int | None = value(connection, "SELECT number FROM spaces WHERE name = ?", (space,))
    return number


def _ready(connection: apsw.Connection, space: str) -> int:
    """The space's number, with its tables made if need be. Inside a transaction."""
    number = space_number(connection, space)
    if number is not None:
        return number
    made: int = value(connection, "INSERT INTO spaces (name) VALUES (?) RETURNING number", (space,))
    quoted = PUNCTUATION.replace("'", "''").replace('"', '""')
    for unit, field in TABLES:
        connection.execute(
            f"CREATE VIRTUAL TABLE {table_name(made, unit, field)} USING fts5(terms, content='', "
            f"contentless_delete=1, tokenize=\"ascii tokenchars '{quoted}'\")"
        )
    return made


def put_events(connection: apsw.Connection, space: str, index_rows: Sequence[IndexRow]) -> None:
    """Sets the words of events, and marks them as indexed. Unknown ids are ignored."""
    number = _ready(connection, space)
    for row in index_rows:
        seq = value(
            connection,
            "UPDATE events SET indexed = 1 WHERE space = ? AND id = ? RETURNING seq",
            (space, row.id),
        )
        if seq is not None:
            _put(connection, table_name(number, "event", "own"), seq, row.own)
            _put(connection, table_name(number, "event", "around"), seq, row.around)


def put_memories(connection: apsw.Connection, space: str, index_rows: Sequence[IndexRow]) -> None:
    """Sets the words of memories, and marks them as indexed. Unknown ids are ignored."""
    if not index_rows:
        return
    number = _ready(connection, space)
    for row in index_rows:
        place = value(
            connection,
            "UPDATE memories SET indexed = 1 WHERE space = ? AND id = ? RETURNING number",
            (space, row.id),
        )
        if place is not None:
            _put(connection, table_name(number, "memory", "own"), place, row.own)


def rebuild(connection: apsw.Connection, space: str, index_rows: Sequence[IndexRow]) -> None:
    """Empties the index of a space and puts the memories' words back; events wait to be indexed."""
    number = _ready(connection, space)
    for unit, field in TABLES:
        name = table_name(number, unit, field)
        rows(connection, f"INSERT INTO {name} ({name}) VALUES ('delete-all')")
        # An emptied table may come to look as it did, and kept lists would pass for its own. Each
        # setting (this one is as it was) raises a number in the record that they are known by.
        rows(connection, f"INSERT INTO {name} ({name}, rank) VALUES ('usermerge', 4)")
    rows(connection, "UPDATE events SET indexed = 0 WHERE space = ?", (space,))
    rows(connection, "UPDATE memories SET indexed = 0 WHERE space = ?", (space,))
    put_memories(connection, space, index_rows)


def _put(connection: apsw.Connection, table: str, rowid: int, terms: str) -> None:
    rows(connection, f"INSERT OR REPLACE INTO {table} (rowid, terms) VALUES (?, ?)", (rowid, terms))


class Words:
    """Word search in one store. Safe to share between threads."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._postings = Postings()

    def match(
        self,
        connection: apsw.Connection,
        space: str,
        table: tuple[Unit, Field],
        phrases: Sequence[Phrase],
        mode: Match,
        limit: int,
    ) -> list[Scored]:
        """BM25 over one table, best first; equal scores in the order they were stored."""
        wanted = phrase_tokens(phrases)
        if not wanted or table not in TABLES or limit <= 0:
            return []
        with snapshot(connection):
            number = space_number(connection, space)
            if number is None:
                return []
            name = table_name(number, *table)
            if mode == "any" and self._postings.worth_it():
                best = self._postings.search(connection, name, wanted, limit)
            else:
                best = _by_engine(connection, name, wanted, mode, limit)
            ids = self._names.of(connection, table[0], [rowid for rowid, _ in best])
        return scored(ids, [score for _, score in best])


def _by_engine(
    connection: apsw.Connection, name: str, wanted: Sequence[Sequence[str]], mode: Match, limit: int
) -> list[tuple[int, float]]:
    """(rowid, score) of the best rows, as the full-text engine weighs them."""
    quoted = ('"' + " ".join(phrase).replace('"', '""') + '"' for phrase in wanted)
    sql = f"""
        SELECT rowid, -bm25({name}) AS score FROM {name} WHERE {name} MATCH ?
        ORDER BY score DESC, rowid LIMIT ?
    """
    query = (" OR " if mode == "any" else " AND ").join(quoted)
    return [(row[0], row[1]) for row in rows(connection, sql, (query, limit))]
