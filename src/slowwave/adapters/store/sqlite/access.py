"""Who reads the file, who writes it, and how long they wait for others.

Reading happens in the caller's thread, on a connection of its own; writing goes through the one
writer. WAL lets both go on at the same time. Where nothing can be written (a full disk, a folder of
somebody else) the file is read as it lies, and looked at again when it changes.
"""

import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import apsw

from slowwave.adapters.store.sqlite.connection import (
    Patience,
    connect_to_read,
    make_file,
    reason,
    state_of,
    translated,
)
from slowwave.adapters.store.sqlite.migrate import admit_unwritable, migrate
from slowwave.adapters.store.sqlite.writer import Writer
from slowwave.errors import StoreError

T = TypeVar("T")


class Access:
    """The part of the store that opens the file. One serves all threads of a process."""

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self._path = path
        self._busy_seconds = busy_seconds
        self._local = threading.local()
        self._readers: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._closed = False
        self._writer = Writer(path, busy_seconds)
        self._unwritable: apsw.Error | None = None
        make_file(path)
        try:
            with translated(path):
                self._admit(self._reader(), self._unwritable)
        except StoreError:
            self.close()
            raise

    def _admit(self, connection: apsw.Connection, unwritable: apsw.Error | None) -> None:
        if unwritable is None:
            migrate(connection, self._path)
        else:
            admit_unwritable(connection, self._path, unwritable)

    @property
    def trouble(self) -> str:
        """Why nothing can be written just now, as far as reading met it; else empty."""
        why = self._unwritable
        return "" if why is None else reason(self._path, why)

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """What this thread writes inside waits no longer than that, in all, for others."""
        outer: float | None = getattr(self._local, "left", None)
        given = seconds if outer is None else min(seconds, outer)
        self._local.left = given
        try:
            yield
        finally:
            used = given - self._local.left
            self._local.left = None if outer is None else max(0.0, outer - used)

    def _wait(self) -> float:
        """Seconds that this thread may wait for others now."""
        left: float | None = getattr(self._local, "left", None)
        return self._busy_seconds if left is None else left

    def _waited(self, seconds: float) -> None:
        left: float | None = getattr(self._local, "left", None)
        if left is not None:
            self._local.left = max(0.0, left - seconds)

    def _reader(self) -> apsw.Connection:
        """The reading connection of this thread."""
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is not None and not self._closed and not self._outdated():
            return connection
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._path} is closed already", "open the memory again")
            state = state_of(self._path)
            connection, self._unwritable = connect_to_read(self._path, self._patience())
            self._readers.add(connection)
        before, self._local.connection = getattr(self._local, "connection", None), connection
        if before is not None:
            before.close()
        # One that takes part in the locks sees what others write; the other would not.
        self._local.state = state if self._unwritable is not None else None
        return connection

    def _outdated(self) -> bool:
        """Whether somebody could write to a file that this thread reads without locks."""
        state: tuple[int, ...] | None = getattr(self._local, "state", None)
        return state is not None and state != state_of(self._path)

    def _read(self, work: Callable[[apsw.Connection], T]) -> T:
        with translated(self._path):
            return work(self._reader())

    def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        with translated(self._path):
            return self._writer.run(work, getattr(self._local, "left", None), self._waited)

    def _fresh(self) -> apsw.Connection:
        """A connection that nobody else uses."""
        return connect_to_read(self._path, self._patience())[0]

    def _patience(self) -> Patience:
        return Patience(self._busy_seconds)

    def close(self) -> None:
        """Waits for writes under way and lets go of the store."""
        self._writer.close()
        with self._lock:
            self._closed = True
            for connection in list(self._readers):
                with suppress(apsw.Error):
                    connection.close()
