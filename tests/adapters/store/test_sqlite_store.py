"""What the SQLite store does beyond the contract: the file itself, other users of it, damage."""

import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.adapters.store.sqlite.connection import value
from slowwave.errors import DiskFull, StoreBusy, StoreError
from slowwave.model import Event
from slowwave.ports import Match, Phrase, Store
from slowwave.testing.samples import MORNING, add, dream, event, memory, quoting, words


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def store(file: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(file)) as opened:
        yield opened


def spoil(file: Path, sql: str) -> None:
    """Changes the file behind the store's back."""
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(sql)


def test_any_sqlite_tool_can_read_the_journal(store: SqliteStore, file: Path) -> None:
    store.append([event("泥料 arrived", session="s1", meta={"kg": "25"})])
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as plain:
        sql = """SELECT space, ts, offset_min, role, kind, origin, text, session,
                 json_extract(meta, '$.kg') FROM events"""
        assert plain.execute(sql).fetchall() == [
            (
                *("alder", "2031-03-14T00:30:00.000000Z", 480),
                *("user", "message", "owner", "泥料 arrived", "s1", "25"),
            )
        ]
        assert plain.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_closed_file_stands_alone_and_is_its_owners(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        store.append([event()])
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.stat().st_mode & 0o077 == 0


def test_what_was_stored_is_there_when_opened_again(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        said = store.append([event()]).stored[0]
        plan = dream(add(quoting(said, id="me1")), event_ids=(said.id,))
        store.commit(plan, [words("me1", "kiln")], MORNING)
    with closing(SqliteStore(file)) as store:
        assert store.events_after("alder", 0, 9) == [said]
        assert store.dream("alder", "dr1") == plan
        assert [
            hit.id
            for hit in store.match("alder", "memory", "own", [("kiln",)], mode="any", limit=1)
        ] == ["me1"]
        assert store.undreamed("alder", None, None) == []


def test_the_journal_cannot_be_edited(store: SqliteStore, file: Path) -> None:
    store.append([event()])
    with pytest.raises(apsw.ConstraintError, match="append-only"):
        spoil(file, "UPDATE events SET text = 'never said'")


def test_times_at_the_edges_of_the_calendar(store: SqliteStore) -> None:
    edges = [
        datetime.min.replace(tzinfo=UTC),
        datetime.max.replace(tzinfo=UTC),
        datetime(1, 1, 1, 3, tzinfo=timezone(timedelta(hours=2))),
        datetime(9999, 12, 31, 20, tzinfo=timezone(timedelta(hours=-3))),
    ]
    store.append([event(f"edge {n}", ts=ts) for n, ts in enumerate(edges)])
    assert [found.ts for found in store.events_after("alder", 0, 9)] == edges
    found = store.undreamed("alder", None, None)
    assert [kept.ts for kept in found] == sorted(edges)
    for bad in (datetime(2031, 1, 1), datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))):  # noqa: DTZ001
        with pytest.raises(StoreError, match="cannot be stored"):
            store.append([event("whole batch"), event("when?", ts=bad)])
    assert store.counts("alder").events == 4


def test_another_process_sees_vectors_at_once(store: SqliteStore, file: Path) -> None:
    kept = store.append([event("one"), event("two")]).stored
    with closing(SqliteStore(file)) as other:
        for unit_id in (kept[0].id, kept[1].id, kept[0].id):
            other.put_vectors("alder", "event", "e", [(unit_id, bytes([100, 1]))])
            mine, theirs = (
                s.nearest("alder", "event", "e", b"\x64\x01", 9) for s in (store, other)
            )
            assert mine == theirs
            assert unit_id in {hit.id for hit in mine}


def test_waiting_for_another_process_ends_in_success_or_store_busy(file: Path) -> None:
    with (
        closing(SqliteStore(file, busy_seconds=0.2)) as hasty,
        closing(SqliteStore(file, busy_seconds=30)) as patient,
        closing(apsw.Connection(str(file))) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy) as refused:
            hasty.append([event("dropped? no: refused")])
        assert "try again" in refused.value.hint
        waiting = threading.Thread(target=patient.append, args=([event("patient")],))
        waiting.start()
        assert hasty.events_after("alder", 0, 9) == []  # readers do not wait for writers
        other.execute("COMMIT")
        waiting.join()
        assert [found.text for found in hasty.events_after("alder", 0, 9)] == ["patient"]


LIMITED = """
import resource, sys
from pathlib import Path
from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.errors import DiskFull
from slowwave.testing.samples import event
store = SqliteStore(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
for n in range(1000):
    try:
        store.append([event(f"{n} " + "clay " * 2000)])
    except DiskFull as error:
        assert error.hint
        break
    print(n, flush=True)
assert len(store.events_after("alder", 0, 1000)) == n
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_a_disk_without_room_loses_nothing_that_was_acknowledged(file: Path) -> None:
    child = subprocess.run(
        [sys.executable, "-c", LIMITED, str(file)], stdout=subprocess.PIPE, text=True, check=True
    )
    acknowledged = child.stdout.split()
    assert 5 < len(acknowledged) < 1000
    with closing(SqliteStore(file)) as store:
        kept = [found.text.split()[0] for found in store.events_after("alder", 0, 1000)]
        assert kept == acknowledged
        assert store.check() == []
        assert store.append([event("room again")]).stored


def test_a_full_file_is_disk_full(store: SqliteStore) -> None:
    store.append([event("before")])
    store._write(lambda c: c.execute("PRAGMA max_page_count = 80"))
    with pytest.raises(DiskFull):
        store.append([event("clay " * 200_000)])
    assert store.append([event("small")]).stored


def test_a_damaged_file_is_said_with_a_hint(file: Path) -> None:
    file.write_bytes(b"this was never a database, whatever its name says " * 100)
    with pytest.raises(StoreError) as refused:
        SqliteStore(file)
    assert "copy" in refused.value.hint


def test_damage_inside_the_file_is_found(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        store.append([event(f"pot {n} " + "clay " * 100) for n in range(200)])
    content = bytearray(file.read_bytes())
    content[60_000:64_000] = b"\xff" * 4_000
    file.write_bytes(content)
    with closing(SqliteStore(file)) as store:
        assert store.check()


def test_a_place_that_cannot_hold_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file" / "memory.db", tmp_path):
        with pytest.raises(StoreError) as refused:
            SqliteStore(place)
        assert refused.value.hint


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("DELETE FROM words_1_event_own WHERE rowid = 1", "event 1 of alder"),
        ("DELETE FROM words_1_memory_own", "memory 1 of alder"),
        ("UPDATE events SET indexed = 0", "event 1 of alder"),
        ("DELETE FROM memory_versions", "its history does not"),
        ("UPDATE memories SET version = 5", "its history does not"),
        ("UPDATE vectors SET row = 99", "stands for nothing"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM dreams", "missing row of dreams"),
        ("DELETE FROM events", "missing row of events"),
        ("DROP TRIGGER events_never_change; UPDATE events SET text = 'x'", "quotes words"),
    ],
)
def test_check_finds_what_does_not_fit(
    store: SqliteStore, file: Path, sql: str, complaint: str
) -> None:
    said = store.append([event()]).stored[0]
    store.index_events("alder", [words(said.id, "kiln")])
    store.put_vectors("alder", "event", "e", [(said.id, b"\x01")])
    plan = dream(add(quoting(said, id="me1")), event_ids=(said.id,))
    store.commit(plan, [words("me1", "kiln")], MORNING)
    assert store.check() == []
    spoil(file, sql)
    assert any(complaint in problem for problem in store.check())


def test_a_closed_store_says_so(file: Path) -> None:
    store = SqliteStore(file)
    store.close()
    store.close()
    for use in (lambda: store.append([event()]), lambda: store.counts("alder")):
        with pytest.raises(StoreError, match="closed"):
            use()


def test_threads_come_and_go(store: SqliteStore) -> None:
    kept = store.append([event()]).stored
    found: list[Event] = []
    for _ in range(20):
        thread = threading.Thread(target=lambda: found.extend(store.events_after("alder", 0, 9)))
        thread.start()
        thread.join()
    assert found == list(kept) * 20
    assert len(store._readers) < 5  # a thread's connection goes with it


TERMS = st.lists(
    st.sampled_from(
        ["kiln", "cone", "glaze", "v1.2", "窑温", "温到", "é", '"', "*", "and", "\x00"]
    ),
    max_size=6,
)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    """Both stores, shared by all examples: each example takes a space of its own."""
    with closing(SqliteStore(tmp_path_factory.mktemp("pair") / "memory.db")) as store:
        yield InMemoryStore(), store


SPACES = (f"space{n}" for n in count())


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(TERMS, min_size=1, max_size=8),
    phrases=st.lists(TERMS.map(tuple), max_size=3),
    mode=st.sampled_from(["any", "all"]),
)
def test_both_stores_score_alike(
    pair: tuple[Store, Store], texts: list[list[str]], phrases: list[Phrase], mode: Match
) -> None:
    space, found = next(SPACES), []
    for store in pair:
        said = [event(f"text {n}", space=space) for n in range(len(texts))]
        kept = store.append(said).stored
        rows = [words(e.id, " ".join(terms)) for e, terms in zip(kept, texts, strict=True)]
        store.index_events(space, rows)
        hits = store.match(space, "event", "own", phrases, mode=mode, limit=99)
        found.append({hit.id: hit.score for hit in hits})
    assert found[0] == pytest.approx(found[1], rel=1e-6)


@settings(max_examples=60, deadline=None)
@given(question=st.lists(st.text(max_size=12), max_size=4), mode=st.sampled_from(["any", "all"]))
def test_no_question_is_a_syntax_error(
    pair: tuple[Store, Store], question: list[str], mode: Match
) -> None:
    space, found = next(SPACES), []
    for store in pair:
        kept = store.append([event(space=space)]).stored[0]
        store.index_events(space, [words(kept.id, " ".join(question))])
        hits = store.match(space, "event", "own", [tuple(question)], mode=mode, limit=9)
        found.append([hit.id for hit in hits])
    assert found[0] == found[1]


def test_a_memory_without_words_is_no_damage(store: SqliteStore) -> None:
    store.commit(dream(add(memory(id="me1"))), [], MORNING)
    assert store.check() == []


def test_every_connection_is_durable_and_checks_references(store: SqliteStore) -> None:
    for run in (store._read, store._write):
        assert run(lambda c: value(c, "PRAGMA synchronous")) == 2
        assert run(lambda c: value(c, "PRAGMA foreign_keys")) == 1
        assert run(lambda c: value(c, "PRAGMA journal_mode")) == "wal"


def test_the_check_is_not_deceived_by_an_index_it_read_earlier(store: SqliteStore) -> None:
    """Words that were merged since the checking connection last looked are no damage."""
    chance = random.Random(0)
    ids: list[str] = []
    for number in range(60):
        fresh = [
            memory(f"glaze {number}", id=f"me{number}-{place}")
            for place in range(chance.randint(0, 6))
        ]
        ids += [one.id for one in fresh]
        again = chance.sample(ids, min(len(ids), chance.randint(0, 3)))
        rows = [
            words(
                unit, " ".join(f"c{chance.randint(0, 3000)}" for _ in range(chance.randint(5, 60)))
            )
            for unit in dict.fromkeys((*(one.id for one in fresh), *again))
        ]
        store.commit(dream(*map(add, fresh), dream_id=f"dr{number}"), rows, MORNING)
        assert store.check() == []
