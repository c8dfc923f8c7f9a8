"""Connections to the file: how they are opened, how they wait, and what their errors mean."""

import os
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from slowwave.adapters.store.rules import storable
from slowwave.errors import DiskFull, StoreBusy, StoreError

Row = tuple[Any, ...]

SHORTEST_NAP = 0.001
LONGEST_NAP = 0.025
"""Seconds between two tries for a lock that another process holds."""


class Patience:
    """Waits for a lock until a deadline, with short random naps so that nobody starves."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.deadline = 0.0

    def __call__(self, tries: int) -> bool:
        """SQLite's busy handler: True to try once more."""
        now = time.monotonic()
        if tries == 0 and self.deadline < now:
            self.deadline = now + self.seconds
        if now >= self.deadline:
            return False
        longest = min(LONGEST_NAP, SHORTEST_NAP * 1.5 ** min(tries, 20))
        time.sleep(random.uniform(SHORTEST_NAP / 2, longest))
        return True


def connect(path: Path, patience: Patience) -> apsw.Connection:
    """A connection to a file that exists."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_handler(patience)
    connection.execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL")
    return connection


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
            f"cannot write to {path}: {error}",
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
