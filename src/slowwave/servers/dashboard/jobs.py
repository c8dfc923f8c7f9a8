"""Dreams that a person started from a page: they go on while the page is looked at."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, Thread

from slowwave.errors import SlowwaveError
from slowwave.model import Dream
from slowwave.ports import Progress
from slowwave.servers.nights import Nights

__all__ = ["Job", "Jobs"]


@dataclass
class Job:
    """One dream under way, or over: how far it is, and what came of it."""

    date: str
    began: float = field(default_factory=time.monotonic)
    what: str = ""
    done: int = 0
    total: int = 0
    made: Dream | None = None
    error: SlowwaveError | None = None
    over: bool = False

    @property
    def seconds(self) -> int:
        """Since it began."""
        return round(time.monotonic() - self.began)

    def heard(self, what: str, done: int, total: int) -> None:
        """Takes a report of its progress."""
        self.what, self.done, self.total = what, done, total


class Jobs:
    """At most one dream of a space at a time, with those of the other doors. Safe from threads."""

    def __init__(self, nights: Nights) -> None:
        self._nights = nights
        self._lock = Lock()
        self._known: dict[str, Job] = {}

    def of(self, space: str) -> Job | None:
        """The last one of a space, running or over."""
        with self._lock:
            return self._known.get(space)

    def start(self, space: str, date: str, work: Callable[[Progress], Dream]) -> Job:
        """Dreams on a thread of its own. Raises Busy while this space dreams already."""
        self._nights.begin(space)
        with self._lock:
            job = self._known[space] = Job(date)
        Thread(target=self._run, args=(space, job, work), name="page dream", daemon=True).start()
        return job

    def _run(self, space: str, job: Job, work: Callable[[Progress], Dream]) -> None:
        try:
            job.made = work(job.heard)
        except SlowwaveError as error:
            job.error = error
        finally:  # whatever happened, the next one may begin
            job.over = True
            self._nights.end(space)
