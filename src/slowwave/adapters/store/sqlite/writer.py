"""The one writer: a thread with a queue. Jobs that wait together are committed together.

A commit costs one sync of the disk however many jobs are in it, so sixteen threads that log one
event each share one. A job returns to its caller only after the COMMIT. Each job runs in a
savepoint: one that fails takes nothing with it but itself.

Who hands in a job may leave before it was begun: then it is not done at all.
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


BARELY = 0.05
"""Seconds that a job is given at least: enough for one try where nobody is in the way."""


class _Job:
    """One piece of work, its outcome, and the latch its caller waits at."""

    __slots__ = ("_mine", "begun", "done", "error", "given_up", "result", "since", "wait", "work")

    def __init__(self, work: Work, wait: float) -> None:
        self.work = work
        self.wait = wait
        self.since = self.begun = time.monotonic()
        self.result: Any = None
        self.error: BaseException | None = None
        self.given_up = False
        self._mine = threading.Lock()
        self.done = threading.Lock()
        self.done.acquire()

    def begin(self) -> bool:
        """Whether the writer may do it: then nobody can give it up any more."""
        if self._mine.acquire(blocking=False):
            self.begun = time.monotonic()
        return not self.given_up

    def give_up(self) -> bool:
        """Whether it was not begun yet, and so will not be."""
        if self._mine.acquire(blocking=False):
            self.given_up = True
        return self.given_up

    def over(self) -> bool:
        """Whether nobody waits for it any more."""
        return self.given_up


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

    def run(
        self,
        work: Callable[[apsw.Connection], T],
        wait: float | None = None,
        waited: Callable[[float], None] | None = None,
    ) -> T:
        """Does the work in a transaction; returns when it is durable. Raises what it raises.

        The work may run twice (when a group of jobs has to be taken apart), so it must change
        nothing but the file. What was not begun after `wait` seconds (None: as long as the writer
        has patience) is not done: BusyError. `waited` is told how long it was not begun.
        """
        job = _Job(work, self._patience.seconds if wait is None else max(wait, BARELY))
        self._hand_in(job)
        try:
            # Whoever is patient waits for those before him as well.
            in_time = job.done.acquire(timeout=-1 if wait is None else job.wait)
        except BaseException:  # stopped by its user
            job.give_up()
            raise
        finally:
            if waited is not None:
                waited((job.begun if job.begun > job.since else time.monotonic()) - job.since)
        if not in_time:
            if job.give_up():
                raise apsw.BusyError("others write")
            job.done.acquire()
        if job.error is not None:
            raise job.error
        return cast(T, job.result)

    def _hand_in(self, job: _Job) -> None:
        with self._lock:
            if self._closed:
                raise StoreError(f"{self._path} is closed already", "open the memory again")
            if self._thread is None:
                # A daemon: whoever forgets to close does not hang, and nobody was told "done".
                self._thread = threading.Thread(target=self._serve, name="writer", daemon=True)
                self._thread.start()
            self._jobs.put(job)

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
            if job.given_up:
                continue
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
                if job.begin():
                    group.append(job)
                    _attempt(connection, job)
                job = None
                with suppress(queue.Empty):
                    if len(group) < LARGEST_GROUP and connection.in_transaction:
                        job = self._next(len(group))
                        last = job is None
            self._crowd = max(len(group), 1)
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
        self._patience.deadline = max(job.since + job.wait, now + BARELY)
        self._patience.over = job.over
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
