"""OpenClaw's agent database: order, packed rows, archives, a live log, damage."""

import json
from datetime import timedelta, timezone
from pathlib import Path

import apsw
import pytest
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers.openclaw_session import FORMAT
from slowwave.errors import InputError
from slowwave.model import Record, Skipped

ZONE = timezone(timedelta(hours=8))
SESSION = "6b1c2f5e-0d0b-4a57-9f0e-0b7f3a1d9c33"
GROUP = "7c1c2f5e-0d0b-4a57-9f0e-0b7f3a1d9c44"
pack = zstandard.ZstdCompressor().compress


def rows_of(session: str, *words: str) -> list[str]:
    rows: list[dict] = [
        {"type": "session", "version": 3, "id": session, "timestamp": "2026-03-05T01:00:00.000Z"}
    ]
    for number, text in enumerate(words, 1):
        rows.append({
            "type": "message", "id": f"{number:08x}",
            "parentId": f"{number - 1:08x}" if number > 1 else None,
            "timestamp": f"2026-03-05T01:{number:02d}:00.000Z",
            "message": {"role": "user", "content": [{"type": "text", "text": text}]},
        })  # fmt: skip
    return [json.dumps(row) for row in rows]


def build(path: Path, *, newest: bool = True) -> apsw.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = apsw.Connection(str(path))
    packed = ", event_zstd BLOB, event_utf8_bytes INTEGER" if newest else ""
    database.execute(
        "CREATE TABLE transcript_events (session_id TEXT NOT NULL, seq INTEGER NOT NULL, "
        f"event_json TEXT, created_at INTEGER NOT NULL{packed}, PRIMARY KEY (session_id, seq));"
        "CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT);"
        "CREATE TABLE session_transcript_archives "
        "(session_id TEXT, session_key TEXT, encoding TEXT, archive_blob BLOB);"
    )
    return database


def add(database: apsw.Connection, session: str, rows: list[str], *, zipped: int = -1) -> None:
    for seq in reversed(range(len(rows))):  # stored out of order on purpose
        if seq == zipped:
            database.execute(
                "INSERT INTO transcript_events(session_id, seq, created_at, event_zstd) "
                "VALUES (?, ?, ?, ?)",
                (session, seq, 1772673600000 + seq, pack(rows[seq].encode())),
            )
        else:
            database.execute(
                "INSERT INTO transcript_events(session_id, seq, created_at, event_json) "
                "VALUES (?, ?, ?, ?)",
                (session, seq, 1772673600000 + seq, rows[seq]),
            )


def read(path: Path) -> list[Record]:
    found = list(FORMAT.read(path, ZONE))
    assert all(isinstance(item, Record) for item in found), found
    return found  # type: ignore[return-value]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agents" / "studio" / "agent" / "openclaw-agent.sqlite"


def test_rows_in_order_packed_or_not(path: Path) -> None:
    database = build(path)
    add(database, SESSION, rows_of(SESSION, "first", "second", "third"), zipped=2)
    database.close()
    assert FORMAT.recognise(path, path.read_bytes()[:65536])
    records = read(path)
    assert [r.text for r in records] == ["first", "second", "third"]
    assert records[0].source == f"openclaw:studio/{SESSION}"
    assert records[0].key == "00000001"


def test_the_database_and_the_file_tell_the_same_story(path: Path, tmp_path: Path) -> None:
    rows = rows_of(SESSION, "first", "second")
    database = build(path)
    add(database, SESSION, rows)
    database.execute(
        "INSERT INTO session_transcript_archives VALUES (?, ?, ?, ?)",
        (SESSION, "agent:studio:main", "zstd", pack("\n".join(rows).encode())),
    )
    database.close()
    file = tmp_path / "agents" / "studio" / "sessions" / f"{SESSION}.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(rows))
    expected = [(r.source, r.key, r.text, r.ts) for r in read(file)]
    assert [(r.source, r.key, r.text, r.ts) for r in read(path)] == expected * 2


def test_session_keys_decide_who_speaks(path: Path) -> None:
    database = build(path)
    add(database, SESSION, rows_of(SESSION, "mine"))
    add(database, GROUP, rows_of(GROUP, "somebody's"))
    database.execute("INSERT INTO session_windows VALUES (?, 'agent:studio:main')", (SESSION,))
    database.execute(
        "INSERT INTO session_windows VALUES (?, 'agent:studio:irc:channel:7')", (GROUP,)
    )
    database.close()
    assert {r.text: r.origin for r in read(path)} == {"mine": "owner", "somebody's": "other"}


def test_older_and_foreign_databases(path: Path, tmp_path: Path) -> None:
    older = build(path, newest=False)
    add(older, SESSION, rows_of(SESSION, "old layout"))
    older.close()
    assert [r.text for r in read(path)] == ["old layout"]

    without = tmp_path / "bare" / "openclaw-agent.sqlite"
    without.parent.mkdir()
    database = apsw.Connection(str(without))
    database.execute("CREATE TABLE something (x)")
    database.close()
    assert FORMAT.recognise(without, without.read_bytes())
    assert list(FORMAT.read(without, ZONE)) == []
    foreign = tmp_path / "notes.db"
    foreign.write_bytes(without.read_bytes())
    assert not FORMAT.recognise(foreign, foreign.read_bytes())


def test_a_running_owner_and_its_log_are_left_alone(path: Path) -> None:
    database = build(path)
    database.execute("PRAGMA journal_mode=WAL")
    add(database, SESSION, rows_of(SESSION, "in the log"))
    names = sorted(p.name for p in path.parent.iterdir())
    before = path.read_bytes()
    assert [r.text for r in read(path)] == ["in the log"]
    assert sorted(p.name for p in path.parent.iterdir()) == names
    assert path.read_bytes() == before
    for beside in path.parent.glob("*-wal"):
        assert FORMAT.recognise(beside, beside.read_bytes()[:100])
        assert list(FORMAT.read(beside, ZONE)) == []
    database.close()


def test_a_copied_log_is_read_with_its_database(path: Path, tmp_path: Path) -> None:
    database = build(path)
    database.execute("PRAGMA journal_mode=WAL")
    add(database, SESSION, rows_of(SESSION, "in the log"))
    copy = tmp_path / "backup" / path.name
    copy.parent.mkdir()
    copy.write_bytes(path.read_bytes())
    log = Path(f"{copy}-wal")
    log.write_bytes(Path(f"{path}-wal").read_bytes())
    database.close()
    kept = log.read_bytes()
    assert [r.text for r in read(copy)] == ["in the log"]
    assert log.read_bytes() == kept
    assert sorted(p.name for p in copy.parent.iterdir()) == [copy.name, log.name]


def test_damaged_rows_are_skipped(path: Path) -> None:
    rows = rows_of(SESSION, "first", "second")
    database = build(path)
    add(database, SESSION, [*rows, '{"type": "mess', '"odd"'])
    database.execute(
        "INSERT INTO transcript_events(session_id, seq, created_at, event_zstd) VALUES (?,9,0,?)",
        (SESSION, pack(b"x" * 9000)[:20] + b"?"),
    )
    database.execute(
        "INSERT INTO session_transcript_archives VALUES ('s', NULL, 'zstd', ?)",
        (pack(b"y" * 900)[:14],),
    )
    database.close()
    found = list(FORMAT.read(path, ZONE))
    assert [item.text for item in found if isinstance(item, Record)] == ["first", "second"]
    assert len([item for item in found if isinstance(item, Skipped)]) >= 4


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("db") / "openclaw-agent.sqlite"
    database = build(path)
    add(database, SESSION, rows_of(SESSION, *["some words"] * 30))
    database.close()
    return path.read_bytes()


@example(cuts=[(0.34375, b"\x80")], end=1.0)
@settings(max_examples=60, deadline=None)
@given(
    cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=40)), max_size=5),
    end=st.floats(0, 2),
)
def test_mutated_databases(
    tmp_path_factory: pytest.TempPathFactory,
    valid: bytes,
    cuts: list[tuple[float, bytes]],
    end: float,
) -> None:
    data = bytearray(valid)
    for share, new in cuts:
        place = int(share * (len(data) - 1))
        data[place : place + len(new)] = new
    path = tmp_path_factory.mktemp("mutated") / "openclaw-agent.sqlite"
    path.write_bytes(data[: int(end * len(data))] if end < 1 else data)
    FORMAT.recognise(path, path.read_bytes()[:65536])
    try:
        for item in FORMAT.read(path, ZONE):
            assert isinstance(item, Record | Skipped)
    except InputError:
        pass
