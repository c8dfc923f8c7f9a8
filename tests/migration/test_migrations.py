"""The schema is the sum of its migrations, and files of any age get there, also all at once."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.adapters.store.sqlite.migrate import (
    CURRENT,
    FOLDER,
    backup_path,
    migrate,
)
from slowwave.errors import NewerHome, StoreError
from slowwave.testing.samples import event

SECOND = "ALTER TABLE events ADD COLUMN mood TEXT; CREATE TABLE kilns (name TEXT);"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def two_steps(tmp_path: Path) -> Path:
    """A folder with the first migration and one after the present."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    first = next(FOLDER.glob("0001_*.sql"))
    (folder / first.name).write_text(first.read_text("utf-8"), "utf-8")
    (folder / "0002_mood.sql").write_text(SECOND, "utf-8")
    return folder


def _schema(connection: apsw.Connection) -> list[tuple[str, ...]]:
    sql = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
    return list(connection.execute(sql))


def _old_file(file: Path, folder: Path) -> None:
    """A file at schema 1 with one event, made as a program of that age would."""
    file.touch()
    with closing(connect(file, Patience(5))) as connection:
        migrate(connection, file, folder=folder, target=1)
        connection.execute(
            "INSERT INTO events (id, space, identity, ts, offset_min, role, kind, origin, text,"
            " source, session, meta) VALUES ('ev1', 'alder', 'i', '2031-01-01T00:00:00.000000Z',"
            " 0, 'user', 'message', 'owner', 'old pot', 's', '', '{}')"
        )


def test_the_schema_is_the_sum_of_the_migrations(file: Path) -> None:
    SqliteStore(file).close()
    with closing(apsw.Connection(str(file))) as made, closing(apsw.Connection(":memory:")) as told:
        told.execute((FOLDER.parent / "schema.sql").read_text("utf-8"))
        assert _schema(told) == _schema(made)


def test_migrations_are_numbered_without_gaps() -> None:
    numbers = [int(path.name[:4]) for path in sorted(FOLDER.glob("*.sql"))]
    assert numbers == list(range(1, CURRENT + 1))


def test_a_current_file_is_opened_without_reading_migrations(file: Path, tmp_path: Path) -> None:
    SqliteStore(file).close()
    with closing(connect(file, Patience(5))) as connection:
        migrate(connection, file, folder=tmp_path / "nowhere")
    assert not list(tmp_path.glob("*.backup"))


def test_an_old_file_is_copied_and_then_migrated(file: Path, two_steps: Path) -> None:
    _old_file(file, two_steps)
    with closing(connect(file, Patience(5))) as connection:
        migrate(connection, file, folder=two_steps, target=2)
        assert list(connection.execute("SELECT text, mood FROM events")) == [("old pot", None)]
        assert list(connection.execute("PRAGMA user_version")) == [(2,)]
    copy = backup_path(file, 1)
    assert copy.stat().st_mode & 0o077 == 0
    with closing(SqliteStore(copy)) as store:
        assert [found.text for found in store.events_after("alder", 0, 9)] == ["old pot"]
        assert store.check() == []
        store.append([event("and it goes on")])


def test_a_migration_that_fails_leaves_the_file_as_it_was(file: Path, two_steps: Path) -> None:
    _old_file(file, two_steps)
    (two_steps / "0002_mood.sql").write_text(SECOND + "CREATE TABLE kilns (again);", "utf-8")
    with closing(connect(file, Patience(5))) as connection:
        before = _schema(connection)
        with pytest.raises(apsw.SQLError):
            migrate(connection, file, folder=two_steps, target=2)
        assert _schema(connection) == before
        assert list(connection.execute("PRAGMA user_version")) == [(1,)]


def test_a_newer_file_is_refused_and_left_alone(file: Path) -> None:
    SqliteStore(file).close()
    newer = CURRENT + 3
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(f"PRAGMA user_version = {newer}")
    before = file.read_bytes()
    with pytest.raises(NewerHome, match=f"schema {newer}, this one knows {CURRENT}") as refused:
        SqliteStore(file)
    assert "update" in refused.value.hint
    assert file.read_bytes() == before


@pytest.mark.parametrize("version", [0, CURRENT])
def test_a_database_of_another_program_is_refused_and_left_alone(file: Path, version: int) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(f"CREATE TABLE events (guests); PRAGMA user_version = {version}")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(file)
    assert file.read_bytes() == before


def _all_at_once(count: int, code: str, *arguments: str) -> None:
    """Runs a program several times at once; all must succeed."""
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        child.communicate(timeout=60)
        assert child.returncode == 0


OPEN = """
import sys
from pathlib import Path
from slowwave.adapters.store.sqlite import SqliteStore
print("ready", flush=True); sys.stdin.readline()
SqliteStore(Path(sys.argv[1])).close()
"""

MIGRATE = """
import sys
from pathlib import Path
from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.adapters.store.sqlite.migrate import migrate
print("ready", flush=True); sys.stdin.readline()
file, folder = map(Path, sys.argv[1:])
migrate(connect(file, Patience(60)), file, folder=folder, target=2)
"""


def test_several_processes_may_make_the_file_at_once(file: Path) -> None:
    _all_at_once(4, OPEN, str(file))
    with closing(SqliteStore(file)) as store:
        assert store.check() == []


def test_several_processes_may_migrate_the_file_at_once(file: Path, two_steps: Path) -> None:
    _old_file(file, two_steps)
    _all_at_once(4, MIGRATE, str(file), str(two_steps))
    with closing(apsw.Connection(str(file))) as connection:
        assert list(connection.execute("PRAGMA user_version")) == [(2,)]
    assert [path.name for path in file.parent.glob("*.backup*")] == [backup_path(file, 1).name]
