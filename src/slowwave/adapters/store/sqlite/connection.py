"""Connections to the file: how they are opened, how they wait, and what their errors mean."""

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from slowwave.adapters.store.rules import storable
from slowwave.errors import DiskFull, StoreBusy, StoreError

Row = tuple[Any, ...]

SHORTEST_NAP = 0.001
LONGEST_NAP = 0.025
"""Seconds between two tries for a lock that another process holds."""


UNWRITABLE = (
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.IOError,
    apsw.FullError,
)
"""What the engine says where it cannot make, or fill, the files that it needs beside the file."""

NO_ROOM = 65_536
"""Bytes free on a disk below which it is full: the index of the log alone takes half of them."""


class Patience:
    """Waits for a lock until a deadline, with short random naps so that nobody starves.

    `over` tells that nobody wants the lock any more.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.deadline = 0.0
        self.over: Callable[[], bool] = lambda: False

    def __call__(self, tries: int) -> bool:
        """SQLite's busy handler: True to try once more."""
        now = time.monotonic()
        if tries == 0 and self.deadline < now:
            self.deadline = now + self.seconds
        if now >= self.deadline or self.over():
            return False
        longest = min(LONGEST_NAP, SHORTEST_NAP * 1.5 ** min(tries, 20))
        time.sleep(random.uniform(SHORTEST_NAP / 2, longest))
        return True


def connect(path: Path, patience: Patience) -> apsw.Connection:
    """A connection to a file that exists."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_handler(patience)
    try:
        rows(connection, "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")
        rows(connection, "SELECT 1 FROM sqlite_schema LIMIT 1")
    except apsw.Error:
        connection.close()
        raise
    return connection


def connect_to_read(path: Path, patience: Patience) -> tuple[apsw.Connection, apsw.Error | None]:
    """A connection to read with, also where nothing can be written; then with the reason.

    A file in WAL mode is read with two files beside it, which a full disk or a folder that is not
    ours does not let the engine make. The file is read as it lies then.
    """
    try:
        connection = _connect_at_last(path, patience)
    except UNWRITABLE as error:
        try:
            return _connect_as_it_lies(path, patience), error
        except apsw.Error:
            raise error from None  # it is not the writing that fails
    if connection.readonly("main"):
        return connection, apsw.ReadOnlyError("it is write-protected")
    return connection, None


def _connect_at_last(path: Path, patience: Patience) -> apsw.Connection:
    """As `connect`, which reads and so makes the files; tried twice.

    Another process that just closes the file takes them away.
    """
    try:
        return connect(path, patience)
    except UNWRITABLE:
        time.sleep(LONGEST_NAP)
        return connect(path, patience)


def _connect_as_it_lies(path: Path, patience: Patience) -> apsw.Connection:
    """Without locks, as nobody can write, and without files beside it."""
    name, flags, vfs = str(path), apsw.SQLITE_OPEN_READONLY, None
    if _size(log_of(path)):
        # What was committed last is in the log still: its index is made in memory.
        vfs = "win32-none" if os.name == "nt" else "unix-none"
    else:
        name, flags = path.absolute().as_uri() + "?immutable=1", flags | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(name, flags=flags, vfs=vfs)
    try:
        connection.set_busy_handler(patience)
        rows(connection, "PRAGMA locking_mode = EXCLUSIVE")
        rows(connection, "SELECT 1 FROM sqlite_schema LIMIT 1")
    except apsw.Error:
        connection.close()
        raise
    return connection


def log_of(path: Path) -> Path:
    """Where the engine keeps what was committed last."""
    return path.with_name(path.name + "-wal")


def state_of(path: Path) -> tuple[int, ...]:
    """What changes when somebody writes to the file or its log."""
    found = []
    for each in (path, log_of(path)):
        try:
            told = each.stat()
        except OSError:
            found += [0, 0]
        else:
            found += [told.st_mtime_ns, told.st_size]
    return tuple(found)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def reason(path: Path, error: apsw.Error) -> str:
    """Why nothing can be written, in plain words."""
    with suppress(OSError):
        if shutil.disk_usage(path.parent).free < NO_ROOM:
            return f"cannot write to {path}: no room left on the disk"
    return f"cannot write to {path}: {error}"


def rows(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> list[Row]:
    """All rows of a query. Lone surrogates in the values are replaced."""
    try:
        return list(connection.execute(sql, values))
    except UnicodeEncodeError:
        clean = [storable(value) if isinstance(value, str) else value for value in values]
        return list(connection.execute(sql, clean))


def value(connection: apsw.Connection, sql: str, values: Sequence[Any] = ()) -> Any:
    """The first column of the first row, or None."""
    found = rows(connection, sql, values)
    return found[0][0] if found else None


@contextmanager
def snapshot(connection: apsw.Connection) -> Iterator[apsw.Connection]:
    """All queries inside see one state of the file."""
    connection.execute("BEGIN")
    try:
        yield connection
    finally:
        connection.execute("COMMIT")


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Engine errors as Slowwave's own, with what to do next."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError) as error:
        raise StoreBusy(
            f"{path} is in use by another process", "try again; nothing was lost or changed"
        ) from error
    except (apsw.FullError, apsw.IOError) as error:
        raise DiskFull(
            reason(path, error),
            "free some disk space and try again; what was acknowledged is safe",
        ) from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreError(
            f"{path} is damaged or no Slowwave file: {error}",
            "put a copy of it (a *.backup file beside it, or your own backup) in its place",
        ) from error
    except (apsw.CantOpenError, apsw.ReadOnlyError, apsw.PermissionsError) as error:
        raise StoreError(
            f"cannot open {path}: {error}", "check that the file and its folder are writable"
        ) from error
    except apsw.Error as error:
        raise StoreError(
            f"{path} cannot do that: {error}", "run `slowwave doctor` to check the file"
        ) from error


def make_file(path: Path) -> None:
    """An empty file that only its owner can read, with the folders above it."""
    if path.exists():
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError as error:
        raise StoreError(
            f"cannot make {path}: {error.strerror}", "check that its folder is writable"
        ) from error
