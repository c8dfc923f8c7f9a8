"""Brings a file to the present schema: numbered SQL files, each in a transaction of its own.

A file that is up to date costs one PRAGMA. Several processes may start at once: each takes the
write lock, looks again, and does only what is still missing. An old file is copied before.
"""

import os
import time
from contextlib import closing
from pathlib import Path

import apsw

from slowwave.adapters.store.sqlite.connection import Patience, value
from slowwave.errors import NewerHome, StoreError

CURRENT = 6
"""The number of migrations. A test compares it with the folder."""

FOLDER = Path(__file__).with_name("migrations")


APPLICATION_ID = 0x534C5756
"""Marks the file as Slowwave's ("SLWV"), for `file` and for us."""


def migrate(
    connection: apsw.Connection, path: Path, *, folder: Path = FOLDER, target: int = CURRENT
) -> None:
    """Brings the file to `target`.

    Raises NewerHome when it is beyond that, StoreError when it is another program's.
    """
    found = _version(connection)
    if found > target:
        raise NewerHome(
            f"{path} was written by a newer Slowwave (schema {found}, this one knows {target})",
            "update Slowwave: `pip install -U slowwave`",
        )
    if value(connection, "PRAGMA journal_mode") != "wal":
        _refuse_foreign(connection, path, found)
        _use_wal(connection)
    if found < target:
        _run(connection, path, sorted(folder.glob("[0-9][0-9][0-9][0-9]_*.sql"))[:target])
    _refuse_foreign(connection, path, target)


def admit_unwritable(connection: apsw.Connection, path: Path, why: apsw.Error) -> None:
    """A file that cannot be written must be up to date. Raises as `migrate`, or `why`."""
    found = _version(connection)
    if found < CURRENT:
        raise why
    if found > CURRENT:
        migrate(connection, path)
    _refuse_foreign(connection, path, found)


def _run(connection: apsw.Connection, path: Path, scripts: list[Path]) -> None:
    """Runs the scripts that the file does not have yet, each in a transaction of its own."""
    saved = _version(connection) == 0  # a new file holds nothing that could be lost
    while _version(connection) < len(scripts):
        connection.execute("BEGIN IMMEDIATE")
        try:
            done = _version(connection)  # another process may have been quicker
            if done < len(scripts):
                if done and not saved:
                    _backup(path, done)
                    saved = True
                for _ in connection.execute(scripts[done].read_text("utf-8")):
                    pass  # the cursor runs on only while it is asked for rows
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {done + 1}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")


def _refuse_foreign(connection: apsw.Connection, path: Path, version: int) -> None:
    """A file of another program is left as it is. An empty one is nobody's."""
    if value(connection, "PRAGMA application_id") == APPLICATION_ID:
        return
    if version or value(connection, "SELECT count(*) FROM sqlite_schema"):
        raise StoreError(
            f"{path} is a database of another program", "choose another folder as home"
        )


def backup_path(path: Path, version: int) -> Path:
    """Where the copy of a file of that schema goes."""
    return path.with_name(f"{path.name}.v{version}.backup")


def _version(connection: apsw.Connection) -> int:
    return int(value(connection, "PRAGMA user_version"))


def _use_wal(connection: apsw.Connection) -> None:
    """WAL is a property of the file. The switch does not wait for locks by itself."""
    deadline = time.monotonic() + 60
    while True:
        try:
            value(connection, "PRAGMA journal_mode = WAL")
            return
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _backup(path: Path, version: int) -> None:
    """Copies the last committed state. The caller holds the write lock, so it cannot move on."""
    goal = backup_path(path, version)
    unfinished = goal.with_name(goal.name + ".part")
    unfinished.unlink(missing_ok=True)
    os.close(os.open(unfinished, os.O_CREAT | os.O_WRONLY, 0o600))
    with (
        closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as source,
        closing(apsw.Connection(str(unfinished))) as copy,
    ):
        source.set_busy_handler(Patience(60))
        with copy.backup("main", source, "main") as work:
            work.step(-1)
        value(copy, "PRAGMA journal_mode = DELETE")  # one file, nothing beside it
    unfinished.replace(goal)
