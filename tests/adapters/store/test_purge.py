"""Forgetting in the file: the bytes themselves, and every table there is."""

from contextlib import closing
from datetime import timedelta
from pathlib import Path

import apsw

from slowwave.adapters.store.sqlite import SqliteStore, purge, remains
from slowwave.erasure import Target, find_all
from slowwave.model import Event
from slowwave.testing.samples import MORNING, add, dream, event, quoting, words

HANDLED = {
    "events", "memories", "memory_versions", "dreams", "changes", "dreamed", "stages", "signals",
    "injections", "phase_hits", "working", "tombstones", "raw_answers",  # by their rows
    "model_calls",  # hashes and numbers, no words
    "vectors", "vector_sets", "spaces",  # by what they belong to
}  # fmt: skip


def told(store: SqliteStore, text: str, **fields: object) -> Event:
    source = store.append([event(text, **fields)]).stored[0]
    store.index_events(source.space, [words(source.id, text, text)])
    return source


def forget(store: SqliteStore, source: Event) -> str:
    target = Target(event_ids=frozenset([source.id]))
    plan = find_all(store, source.space, target, MORNING + timedelta(days=1))
    return store.erase(plan.purge).receipt.id


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.suffix != ".db-shm")


def test_every_table_is_thought_of(tmp_path: Path) -> None:
    """A new table may hold what is forgotten: think of it in `purge` and `remains`, then here."""
    with (
        closing(SqliteStore(tmp_path / "a.db")),
        closing(apsw.Connection(str(tmp_path / "a.db"))) as c,
    ):
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        assert {row[0] for row in c.execute(tables)} == HANDLED


def test_no_byte_is_left_in_file_log_or_copies(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(SqliteStore(path)) as store:
        for n in range(40):
            told(store, f"The kiln log says {n * 37} degrees")
        source = told(store, "Quillaxin is what Maren takes")
        fact = quoting(source)
        store.commit(dream(add(fact)), [words(fact.id, fact.text)], MORNING)
        (tmp_path / "a.db.v1.backup").write_bytes(path.read_bytes())
        assert b"Quillaxin" in bytes_of(tmp_path)
        forget(store, source)
        assert store.compact() == 1
        for form in (b"uillaxin", "uillaxin".encode("utf-16-le"), b"UILLAXIN"):
            assert form not in bytes_of(tmp_path)
        assert not (tmp_path / "a.db-wal").read_bytes()
        assert store.check() == []
        waiting = len(store.unindexed("alder", 99))  # the nearest ones are indexed anew
        found = store.match("alder", "event", "own", [("kiln",)], mode="any", limit=99)
        assert len(found) + waiting == 40
        assert waiting == purge.LENT


def test_an_old_copy_that_names_it_is_found(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(SqliteStore(path)) as store:
        source = told(store, "Quillaxin is what Maren takes")
        with closing(apsw.Connection(str(path))) as connection:
            connection.execute(f"VACUUM INTO '{path}.v1.backup'")
        forget(store, source)
        assert remains.copies_naming(path, "alder", [source.id]) == ["a.db.v1.backup: events"]
        assert store.traces("alder", [source.id]) == ["a.db.v1.backup: events"]
        store.compact()
        assert store.traces("alder", [source.id]) == []


def test_another_process_sees_its_matrix_change(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(SqliteStore(path)) as store, closing(SqliteStore(path)) as other:
        source, stays = told(store, "Quillaxin is what Maren takes"), told(store, "Tea is green")
        vectors = [(source.id, b"\1\2"), (stays.id, b"\2\1")]
        store.put_vectors("alder", "event", "e", vectors)
        assert len(other.nearest("alder", "event", "e", b"\1\2", 9)) == 2
        forget(store, source)
        assert [hit.id for hit in other.nearest("alder", "event", "e", b"\1\2", 9)] == [stays.id]


def test_neighbours_give_back_the_words_they_borrowed(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "a.db")) as store:
        source = told(store, "Quillaxin is what Maren takes")
        beside = store.append([event("every morning")]).stored[0]
        store.index_events("alder", [words(beside.id, "every morning", "every morning quillaxin")])
        forget(store, source)
        assert store.match("alder", "event", "around", [("quillaxin",)], mode="any", limit=9) == []
        assert [one.id for one in store.unindexed("alder", 9)] == [beside.id]
        assert store.check() == []


def test_the_constants_fit_the_index() -> None:
    from slowwave.recall.index import NEIGHBOURS

    assert purge.LENT >= 2 * NEIGHBOURS
