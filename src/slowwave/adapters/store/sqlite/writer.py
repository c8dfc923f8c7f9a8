"""The one writer: a thread with a queue. Jobs that wait together are committed together.

A commit costs one sync of the disk however many jobs are in it, so sixteen threads that log one
event each share one. A job returns to its caller only after the COMMIT. Each job runs in a
savepoint: one that fails takes nothing with it but itself.
"""

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import apsw

from slowwave.adapters.store.sqlite.connection import Patience, connect
from slowwave.errors import StoreError

T = TypeVar("T")
Work = Callable[[apsw.Connection], Any]

LARGEST_GROUP = 512
LINGER_SECONDS = 0.0005
"""How long a group waits for one more of those that came last time: less than a sync costs."""


class _Job:
    """One piece of work, its outcome, and the latch its caller waits at."""

    __slots__ = ("done", "error", "result", "since", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.since = time.monotonic()
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Lock()
        self.done.acquire()


class Writer:
    """Runs work on the file, one transaction at a time, in the order it was handed in."""

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self._path = path
        self._patience = Patience(busy_seconds)
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._crowd = 1

    def run(self, work: Callable[[apsw.Connection], T]) -> T:
        """Does the work in a transaction; returns when it is durable. Raises what it raises.

        The work may run twice (when a group of jobs has to be taken apart), so it must change
        nothing but the file.
        """
        job = _Job(work)
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._path} is closed already", "open the memory again")
            if self._thread is None:
                # A daemon: whoever forgets to close does not hang, and nobody was told "done".
                self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
                self._thread.start()
            self._jobs.put(job)
        job.done.acquire()
        if job.error is not None:
            raise job.error
        return cast(T, job.result)

    def close(self) -> None:
        """Waits for the jobs that are in the queue."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
            if thread is not None:
                self._jobs.put(None)
        if thread is not None:
            thread.join()

    def _serve(self) -> None:
        connection: apsw.Connection | None = None
        while (job := self._jobs.get()) is not None:
            try:
                if connection is None:
                    connection = connect(self._path, self._patience)
            except apsw.Error as error:
                _finish([job], error)
                continue
            if not self._group(connection, job):
                break
        if connection is not None:
            with suppress(apsw.Error):
                connection.close()

    def _group(self, connection: apsw.Connection, first: _Job) -> bool:
        """One transaction with this job and all that arrive meanwhile. False: it was the last."""
        group: list[_Job] = []
        job: _Job | None = first
        last = False
        try:
            self._begin(connection, first)
            while job is not None and connection.in_transaction:
                group.append(job)
                _attempt(connection, job)
                job = None
                with suppress(queue.Empty):
                    if len(group) < LARGEST_GROUP and connection.in_transaction:
                        job = self._next(len(group))
                        last = job is None
            self._crowd = len(group)
            connection.execute("COMMIT")
        except apsw.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            self._apart(connection, group or [first], error)
        else:
            _finish(group)
        return not last

    def _next(self, so_far: int) -> "_Job | None":
        """The next job that is there; as long as fewer came than last time, one that comes soon.

        Those whose jobs were just committed are most likely on their way with the next ones.
        """
        if so_far < self._crowd:
            return self._jobs.get(timeout=LINGER_SECONDS)
        return self._jobs.get_nowait()

    def _begin(self, connection: apsw.Connection, job: _Job) -> None:
        # The wait counts from when the job was handed in, so a queue does not wait for ages.
        now = time.monotonic()
        self._patience.deadline = max(job.since + self._patience.seconds, now + 0.05)
        connection.execute("BEGIN IMMEDIATE")

    def _apart(self, connection: apsw.Connection, group: list[_Job], error: apsw.Error) -> None:
        """A transaction was lost. Alone, each job succeeds or fails on its own account."""
        if len(group) == 1:
            _finish(group, group[0].error or error)
            return
        for job in group:
            job.error = job.result = None
            try:
                self._begin(connection, job)
                _attempt(connection, job)
                connection.execute("COMMIT")
            except apsw.Error as own:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                _finish([job], job.error or own)
            else:
                _finish([job])


def _attempt(connection: apsw.Connection, job: _Job) -> None:
    """Runs one job in a savepoint and keeps its outcome."""
    connection.execute("SAVEPOINT job")
    try:
        job.result = job.work(connection)
    except BaseException as error:  # noqa: BLE001 - handed to the caller, whose error it is
        job.error = error
        if connection.in_transaction:
            connection.execute("ROLLBACK TO job")
    if connection.in_transaction:
        connection.execute("RELEASE job")


def _finish(group: list[_Job], error: BaseException | None = None) -> None:
    for job in group:
        job.error = error or job.error
        job.done.release()
