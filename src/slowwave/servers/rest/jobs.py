"""Dreams under way: each on a thread of its own, watched by whoever likes, and stopped if asked.

A job goes on when its client is gone. It is kept for a while after its end, in this process only;
what came of it is in the ledger, and stays.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from hashlib import sha256
from threading import Lock, Thread
from typing import Literal

import msgspec

from slowwave.errors import DreamError, NotFound, SlowwaveError, UsageError
from slowwave.model import Dream
from slowwave.ports import Progress
from slowwave.servers.problems import Refused

__all__ = ["Job", "Jobs", "State", "Step", "Stopped", "Work"]

State = Literal["pending", "running", "completed", "failed", "canceled"]
PREFIX = "drm_"
MOST = 200
"""Jobs that are kept; beyond them the oldest that is over goes."""
PATIENCE = 3.0
"""Seconds that a stopping server waits for the dreams under way."""

Made = Dream | list[Dream]
Work = Callable[[Progress], Made]


class Stopped(UsageError):
    """A dream was stopped: by somebody who asked, or because the server stops.

    It is no failure of the dream, and leaves no record of one.
    """


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """How far a stage is; `total` 0: nobody knows."""

    stage: str
    done: int
    total: int


class Job:
    """One dream, from its start to its end. Safe from several threads."""

    def __init__(
        self, space: str, asked: msgspec.Struct, now: Callable[[], datetime], *,
        place: str = "", said: bytes = b"",
    ) -> None:  # fmt: skip
        self.id = PREFIX + secrets.token_hex(12)
        self.place, self.said = place, sha256(said).hexdigest()
        self.space, self.asked = space, asked
        self.created = now()
        self.ended: datetime | None = None
        self.archived: datetime | None = None
        self.made: Made | None = None
        self.error: SlowwaveError | None = None
        self.over: Future[None] = Future()
        self.over.set_running_or_notify_cancel()  # who waits for it and goes does not end it
        self.stopping = False
        self._now = now
        self._state: State = "pending"
        self._lock = Lock()
        self._steps: dict[str, tuple[int, Step]] = {}
        self._told = 0

    @property
    def state(self) -> State:
        """Where it is."""
        return self._state

    def heard(self, what: str, done: int, total: int) -> None:
        """Takes a report of its progress. Raises Stopped where it is to go no further."""
        if self.stopping:
            raise Stopped("the dream was stopped", "nothing was changed; dream again")
        with self._lock:
            self._told += 1
            self._steps[what] = (self._told, Step(stage=what, done=done, total=total))

    def since(self, seen: int) -> tuple[int, list[Step]]:
        """What was reported since, of each stage the latest; and the mark to ask with next."""
        with self._lock:
            news = sorted((at, step) for at, step in self._steps.values() if at > seen)
            return self._told, [step for _, step in news]

    def run(self, work: Work, after: Callable[[], None]) -> None:
        """Does the work, on the thread it is called on; `after` is called at its end."""
        self._state = "running"
        end: State = "failed"
        try:
            self.made = work(self.heard)
            end = "completed"
        except Stopped as error:
            self.error, end = error, "canceled"
        except SlowwaveError as error:
            self.error = error
        finally:
            if end == "failed" and self.error is None:  # what nobody expected passes on to the log
                self.error = DreamError("the dream broke", "please report it; see the server's log")
            after()
            self.ended = self._now()
            self._state = end
            self.over.set_result(None)


class Jobs:
    """The jobs of one server. Safe from several threads."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = Lock()
        self._known: OrderedDict[str, Job] = OrderedDict()
        self._closed = False

    def start(self, job: Job, work: Work, after: Callable[[], None]) -> Job:
        """Runs a job on a thread of its own; `after` is called at its end, whatever comes."""
        with self._lock:
            if self._closed:
                after()
                raise Stopped("the server stops", "ask again when it runs")
            self._known[job.id] = job
            for known in [one for one in self._known.values() if one.over.done()]:
                if len(self._known) <= self._most:
                    break
                del self._known[known.id]
        Thread(target=job.run, args=(work, after), name=f"dream {job.id}", daemon=True).start()
        return job

    def find(self, space: str, job_id: str) -> Job | None:
        """A job of a space, by its whole id."""
        with self._lock:
            job = self._known.get(job_id)
        return job if job is not None and job.space == space else None

    def again(self, place: str, said: bytes) -> Job | None:
        """The job that the same request with the same idempotency key started; None for none.

        Raises Refused where the key stood for another request.
        """
        if not place:
            return None
        with self._lock:
            same = [job for job in self._known.values() if job.place == place and not job.error]
        found = same[-1] if same else None
        if found is not None and found.said != sha256(said).hexdigest():
            raise Refused(422, "this Idempotency-Key stood for another request",
                          "use a new key for a new request")  # fmt: skip
        return found

    def get(self, space: str, job_id: str) -> Job:
        """As `find`. Raises NotFound."""
        job = self.find(space, job_id)
        if job is None:
            raise NotFound(f"there is no dream {job_id[:40]!r}", "GET /v1/dreams lists them")
        return job

    def of(self, space: str) -> Sequence[Job]:
        """The jobs of a space, newest first."""
        with self._lock:
            return [job for job in reversed(self._known.values()) if job.space == space]

    @property
    def running(self) -> int:
        """How many are not over."""
        with self._lock:
            return sum(not job.over.done() for job in self._known.values())

    def close(self) -> None:
        """Stops all of them, and waits a moment."""
        with self._lock:
            self._closed = True
            left = [job for job in self._known.values() if not job.over.done()]
        for job in left:
            job.stopping = True
        for job in left:
            try:
                job.over.result(PATIENCE)
            except TimeoutError:
                continue  # what it has not committed is not there
