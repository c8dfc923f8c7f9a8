"""Signals and the injection ledger of a file from before recall knew who asked, and when."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.adapters.store.sqlite.migrate import migrate
from slowwave.model import InjectedItem, Injection, Signal
from slowwave.testing import samples

SAID = samples.event("The kiln fires on Tuesdays")
KNOWN = samples.quoting(SAID, id="me1")
ASKED = datetime(2031, 3, 14, 9, 30, 5, 250000, tzinfo=timezone(timedelta(hours=8)))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file of schema 3 with a memory, a signal of it, and a block that was handed out."""
    path = tmp_path / "memory.db"
    path.touch()
    entry = {
        "ts": ASKED.isoformat(), "query": "窑什么时候烧", "session": "s1",
        "items": [{"id": "me1", "score": 0.62}],
    }  # fmt: skip
    later = {**entry, "ts": "2031-03-14T03:00:00+00:00", "query": "and the kiln", "items": []}
    with closing(connect(path, Patience(5))) as connection:
        migrate(connection, path, target=3)
        connection.execute(
            "INSERT INTO events (id, space, identity, ts, offset_min, role, kind, origin, text,"
            " source, session, meta) VALUES (?, 'alder', 'i', '2031-03-14T00:30:00.000000Z', 480,"
            " 'user', 'message', 'owner', ?, 's', '', '{}')",
            (SAID.id, SAID.text),
        )
        connection.execute(
            "INSERT INTO memories (space, id, version, kind, subject, text, text_hash, status,"
            " importance, first_seen, access_count, body) VALUES ('alder', 'me1', 1, 'fact',"
            " 'user', ?, 'h', 'active', 60, '2031-03-14T00:30:00.000000Z', 1, ?)",
            (KNOWN.text, msgspec.json.encode(KNOWN).decode()),
        )
        connection.execute(
            "INSERT INTO signals (space, memory_id, ts, query_hash, score)"
            " VALUES ('alder', 'me1', '2031-03-14T01:30:05.250000Z', 'q1', 0.62)"
        )
        for key, kept in (("i1", entry), ("i2", later)):
            connection.execute(
                "INSERT INTO injections VALUES ('alder', ?, ?)", (key, json.dumps(kept).encode())
            )
    return path


def test_they_keep_their_values_and_get_those_of_a_person(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        assert store.signals("alder") == [
            Signal(memory_id="me1", ts=ASKED.astimezone(UTC), query_hash="q1", score=0.62,
                   session="", caller="person")
        ]  # fmt: skip
        later, first = store.injections("alder")
        assert first == Injection(
            id="i1", ts=ASKED, query="窑什么时候烧", session="s1",
            items=(InjectedItem(id="me1", score=0.62),),
        )  # fmt: skip
        assert (later.id, later.items) == ("i2", ())


def test_the_ledger_is_in_order_of_time_whatever_the_zone(file: Path) -> None:
    with closing(SqliteStore(file)) as store:
        assert [one.id for one in store.injections("alder", ASKED)] == ["i2", "i1"]
        assert [one.id for one in store.injections("alder", ASKED + timedelta(seconds=1))] == ["i2"]
        new = Injection(id="i3", ts=ASKED + timedelta(days=1), query="today")
        store.record_injection("alder", new, days=1)
        assert [one.id for one in store.injections("alder")] == ["i3", "i2", "i1"]
        store.record_injection("alder", new, days=0)
        moved = msgspec.structs.replace(new, ts=ASKED + timedelta(days=1, hours=1))
        store.record_injection("alder", moved, days=1)
        assert [one.id for one in store.injections("alder")] == ["i3", "i2"]
