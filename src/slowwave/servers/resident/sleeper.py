"""The process of one dream: `python -m slowwave.servers.resident.sleeper`, started by the server.

Its job comes as a line on stdin; what happens goes to stdout, a line of JSON each. It stops when it
is asked to (SIGTERM), and when stdin ends: then the server is gone. It stops behind the stage it is
in, whose checkpoint is kept, or at `SOON` wherever it waits; what is being applied is applied to
its end. A stopped dream goes on at its first unfinished stage.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from time import sleep
from types import FrameType
from typing import Literal

import msgspec

from slowwave import scheduler
from slowwave.errors import AlreadyDecided, SlowwaveError, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Dream
from slowwave.servers.resident.job import Ending, Job, Made, Message, Staged
from slowwave.wiring import model_of, open_memory

__all__ = ["main"]

SOON = 2.0
"""Seconds after which a dream that is asked to stop no longer waits for the end of a stage."""

LITTLE = 512
"""Megabytes of address space with which even an ordinary dream can fail anywhere."""

LEFT_ALONE = 8.0
"""Seconds that it has to stop once the server is gone."""


class Stopped(KeyboardInterrupt):
    """The dream was asked to stop. No failure: nothing that handles errors must handle it."""


class Stop:
    """Whether the dream is to stop, and whether it may just now."""

    def __init__(self) -> None:
        self._asked = False
        self._shielded = 0

    def listen(self) -> None:
        """From now on signals and the end of stdin ask to stop. In the main thread."""
        for name in ("SIGTERM", "SIGINT"):
            signal.signal(getattr(signal, name), self._ask)
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._now)
        threading.Thread(target=_until_alone, args=(self,), name="alone", daemon=True).start()

    def ask(self) -> None:
        """The dream is to stop behind this stage."""
        self._asked = True

    def here(self) -> None:
        """Between two stages: raises Stopped if the dream is to stop."""
        if self._asked and not self._shielded:
            _disarm()
            raise Stopped

    @contextlib.contextmanager
    def shield(self) -> Iterator[None]:
        """What must come to its end."""
        self._shielded += 1
        try:
            yield
        finally:
            self._shielded -= 1

    def _ask(self, _number: int, _frame: FrameType | None) -> None:
        first, self._asked = not self._asked, True
        if first and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, SOON, SOON)

    def _now(self, _number: int, _frame: FrameType | None) -> None:
        if not self._shielded:
            _disarm()
            raise Stopped


def _disarm() -> None:
    """What is cleaned up from now on is not stopped again."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0)


class Sleeping(SlowMemory):
    """A memory whose plans, once being applied, are applied to the end."""

    stop: Stop

    def apply(self, *args: object, **more: object) -> Dream:
        """As always."""
        with self.stop.shield():
            return super().apply(*args, **more)  # type: ignore[arg-type]


def main() -> int:
    """Does the job on stdin; 0 also where the dream failed, as long as that could be told."""
    stop = Stop()
    line = sys.stdin.buffer.readline()
    if not line.strip():
        return 0  # the server was gone before it could say what to do
    job = msgspec.json.decode(line, type=Job)
    confine(job)
    stop.listen()
    try:
        say(_ended(job, stop))
    except BrokenPipeError:
        return 0
    return 0


def confine(job: Job) -> None:
    """Makes this process small and polite: cores, memory, priority. Where the system can do it."""
    if job.cores and hasattr(os, "sched_setaffinity"):
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-job.cores :])
    if job.nice and hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(job.nice)
    if job.memory_mb:
        with contextlib.suppress(ImportError, OSError, ValueError):
            import resource  # noqa: PLC0415 - not on every system

            most = job.memory_mb << 20
            resource.setrlimit(resource.RLIMIT_AS, (most, most))


def say(message: Message) -> None:
    """Tells the server."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


def _ended(job: Job, stop: Stop) -> Ending:
    """Dreams, and says how that ended."""
    memory: Sleeping | None = None
    try:
        memory = opened(job, stop)
        pending = dreamt(memory, job, stop)
    except Stopped:
        return Ending(outcome="preempted")
    except MemoryError:
        return Ending(
            outcome="failed", error="MemoryError", message="the dream needs more memory",
            hint="raise memory_mb under [resident] in slowwave.toml",
        )  # fmt: skip
    except (SlowwaveError, OSError) as error:
        known = error if isinstance(error, SlowwaveError) else None
        wrong = memory is None or isinstance(error, UsageError)
        hint = known.hint if known else ""
        if 0 < job.memory_mb < LITTLE:
            hint = f"memory_mb under [resident] is too little, it may be that; {hint}"
        return Ending(
            outcome="failed", error=type(error).__name__, recorded=not wrong,
            message=known.message if known else str(error), hint=hint,
        )  # fmt: skip
    finally:
        if memory is not None:
            with contextlib.suppress(SlowwaveError), stop.shield():
                memory.close()
    return Ending(outcome="unfinished" if pending else "done")


def opened(job: Job, stop: Stop) -> Sleeping:
    """The memory of the job; of its model's time-outs it has a share."""
    parts = open_memory(job.options).parts
    model = parts.settings.model
    model = msgspec.structs.replace(model, timeout=model.timeout * job.patience)
    settings = msgspec.structs.replace(parts.settings, model=model)
    memory = Sleeping(replace(parts, settings=settings, model=model_of(model)))
    memory.stop = stop
    return memory


def dreamt(memory: Sleeping, job: Job, stop: Stop) -> int:
    """Dreams what the job says, and tells of each dream; how many parts a model still owes."""
    pending = 0

    def moved(name: str, done: int, total: int) -> None:
        say(Staged(name, done, total))
        stop.here()

    def told(dream: Dream) -> None:
        nonlocal pending
        made = made_of(dream)
        pending += made.pending
        say(made)

    stop.here()
    distiller: Literal["rules"] | None = "rules" if job.lite else None
    if job.nights:
        memory.dream_due(moved, scheduler.time_of(job.at), told, distiller=distiller)
        stop.here()
    if job.today and not memory.held():
        auto = memory.parts.settings.dream.mode == "auto"
        work: Callable[[], Dream] = partial(
            memory.dream, "today", apply=auto, distiller=distiller, progress=moved
        )
        with contextlib.suppress(AlreadyDecided):  # another process was quicker
            told(scheduler.retry(work, scheduler.PAUSES, sleep))
    return pending


def made_of(dream: Dream) -> Made:
    """What the server is told of a dream."""
    return Made(
        dream_id=dream.dream_id, date=dream.date, status=dream.status, events=dream.input_events,
        added=dream.new_entries, archived=dream.archived_entries, seconds=dream.duration_sec,
        changed=dream.updated_entries + dream.merged_entries + dream.confirmed_entries,
        pending=sum(not part.given_up for part in dream.pending),
    )  # fmt: skip


def _until_alone(stop: Stop) -> None:
    """Waits until the server is gone, then for the dream to stop; not for long."""
    with contextlib.suppress(OSError):
        while os.read(0, 64):  # not by `sys.stdin`, whose lock may not be held at the exit
            pass
    stop.ask()
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    sleep(LEFT_ALONE)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
