"""Vectors of long texts from before passages had their own are made anew; short ones stay."""

from contextlib import closing
from pathlib import Path

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.adapters.store.sqlite.migrate import migrate

TEXTS = (
    "A short word about the kiln.",
    "The kiln was cold. " * 40,
    "窑是凉的。",
    "窑今天是凉的。" * 30,
)


def test_only_long_texts_lose_their_vectors(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    file.touch()
    with closing(connect(file, Patience(5))) as connection:
        migrate(connection, file, target=3)
        connection.execute(
            "INSERT INTO vector_sets (space, unit, embedder, written, settled)"
            " VALUES ('alder', 'event', 'compass', 4, 4)"
        )
        for seq, text in enumerate(TEXTS, start=1):
            connection.execute(
                "INSERT INTO events (id, space, identity, ts, offset_min, role, kind, origin, text,"
                " source, session, meta) VALUES (?, 'alder', ?, '2031-01-01T00:00:00.000000Z',"
                " 0, 'user', 'message', 'owner', ?, 's', '', '{}')",
                (f"ev{seq}", str(seq), text),
            )
            connection.execute(
                "INSERT INTO vectors VALUES (1, ?, ?, ?, ?)", (seq, seq, f"h{seq}", b"\x7f\x00")
            )
    with closing(SqliteStore(file)) as store:
        waiting = store.unembedded("alder", "event", "compass", 9)
        assert [one.id for one in waiting] == ["ev4", "ev2"]
        near = store.nearest("alder", "event", "compass", b"\x7f\x00", 9)
        assert [hit.id for hit in near] == ["ev1", "ev3"]
        assert store.check() == []
