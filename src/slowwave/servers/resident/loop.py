"""When and of which space: one thread that asks `scheduler`, starts dreams, stops them and tells.

One dream at a time for the whole home. What asks for a dream meanwhile is dropped, not queued: when
the dream has ended every space is looked at anew.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from math import inf
from time import monotonic

import msgspec

from slowwave.errors import SlowwaveError
from slowwave.ports import Failure
from slowwave.scheduler import Outcome, Verdict
from slowwave.servers.nights import Busy, Nights
from slowwave.servers.resident.child import Process, Start, started
from slowwave.servers.resident.job import Ending, Job
from slowwave.servers.resident.lock import HomeLock, standing
from slowwave.servers.resident.state import Dreaming, ResidentState, Role, Tally
from slowwave.servers.resident.telling import ended, of_ending, of_start, space_state
from slowwave.servers.resident.watch import Watch
from slowwave.spaces import Spaces

__all__ = ["Resident"]

LISTEN = 5.0
"""Seconds between two looks at what came in, while nothing is dreamed."""
BESIDE = 0.5
"""The same while a dream runs: it stops for the user's words."""
GRACE = 10.0
"""Seconds that a dream has to stop, before it is ended."""
LAST_GRACE = 6.0
"""The same when the server stops."""
AGAIN = 60.0
"""Seconds after which a space that gave an error is looked at again."""
MOST_TOLD = 100
"""So many spaces are told of in the lock file."""


class Running:
    """The dream under way, and of what it is."""

    def __init__(self, watch: Watch, verdict: Verdict, process: Process, tick: float) -> None:
        assert verdict.trigger is not None
        self.watch, self.verdict, self.process, self.tick = watch, verdict, process, tick
        self.trigger = verdict.trigger
        self.since = watch.memory.now()
        self.stopping: float | None = None
        self.why: Outcome = "preempted"

    def told(self) -> Dreaming:
        """As others see it."""
        return Dreaming(
            space=self.watch.memory.space, trigger=self.trigger, since=self.since,
            pid=self.process.pid, lite=self.verdict.lite, stage=self.process.stage,
            stopping=self.stopping is not None,
        )  # fmt: skip


class Resident:
    """The one of a home that dreams by itself. `told` hears, in words for people, what it does.

    `nights` is shared with the doors, so that a space has one dream at a time. `start` makes the
    process of a dream, `tick` is a monotonic clock in seconds.
    """

    def __init__(
        self, spaces: Spaces, told: Callable[[str], None], *,
        nights: Nights | None = None, start: Start | None = None,
        tick: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._spaces, self._told, self._tick = spaces, told, tick
        self._nights = nights or Nights()
        self._start = start or started(spaces.environment)
        home = spaces.first.parts.home
        self._home, self._lock = home, HomeLock(home)
        self._watches: dict[str, Watch] = {}
        self._troubled: dict[str, tuple[float, str]] = {}
        self._verdicts: dict[str, tuple[Verdict, datetime]] = {}
        self._running: Running | None = None
        self._role: Role = "off"
        self._since: datetime | None = None
        self._by = 0
        self._counts = Tally()
        self._shown = ResidentState(role="off", pid=os.getpid())
        self._wake = threading.Event()
        self._ending = threading.Event()

    @contextmanager
    def running(self, *, dreams: bool) -> Iterator[None]:
        """Dreams while the server runs; a dream under way is stopped at the end."""
        if not dreams:
            self._told("it does not dream by itself (--no-dreams)")
            self._show()
            yield
            return
        thread = threading.Thread(target=self._run, name="resident", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._ending.set()
            self._wake.set()
            thread.join(LAST_GRACE + GRACE)
            self._role = "stopped"
            self._show()

    def state(self) -> ResidentState:
        """What it does, and what comes next. Safe from every thread; costs nothing."""
        return self._shown

    @property
    def dreams(self) -> bool:
        """Whether this process is the one that dreams by itself."""
        return self._shown.role == "dreams"

    # the thread

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                wait = self._safely()
                self._show()
                self._wake.wait(wait)
                self._wake.clear()
        finally:
            self._leave()

    def _safely(self) -> float:
        try:
            wait = self.turn()
            self._troubled.pop("", None)
            return wait
        except (SlowwaveError, OSError) as error:
            self._trouble("", error)
        except Exception as error:  # noqa: BLE001 - nobody waits for this thread: it would end unseen
            self._trouble("", error)
        return AGAIN

    def turn(self) -> float:
        """Does what is to be done now; returns the seconds until it should be called again."""
        if not self._own():
            return LISTEN
        if self._running is not None:
            self._beside(self._running)
            if self._running is not None:
                return BESIDE
        return self._choose()

    def _own(self) -> bool:
        """Whether this is the resident of the home; becomes it when nobody else is."""
        if self._role == "dreams":
            return True
        if self._lock.take():
            again = " now: the other one has ended" if self._role == "stands_by" else ""
            self._role, self._by, self._since = "dreams", 0, self._now()
            triggers = ", ".join(self._spaces.first.parts.settings.resident.triggers)
            self._told(f"it dreams by itself{again} ({triggers or 'no triggers'})")
            return True
        if self._role != "stands_by":
            self._role = "stands_by"
            other = standing(self._home)
            self._by = other.pid if other else 0
            who = f"process {self._by}" if self._by else "another process"
            self._told(f"{who} dreams for this home: this one serves, and takes over if that ends")
        return False

    def _now(self) -> datetime:
        return self._spaces.first.now()

    # nothing is dreamed

    def _choose(self) -> float:
        """Starts the dream that is due, if one is; of several nights come first, then who waited
        longest."""  # fmt: skip
        tick = self._tick()
        wait, ready = LISTEN, []
        for watch in self._watched(tick):
            verdict = self._asked(watch, tick)
            if verdict is None:
                continue
            if verdict.go:
                ready.append((verdict.trigger != "clock", -watch.brakes.rested(tick), watch))
            else:
                wait = min(wait, verdict.wait)
        for _, _, watch in sorted(ready, key=lambda one: one[:2]):
            if self._begin(watch, tick):
                return BESIDE
        return max(0.05, wait)

    def _watched(self, tick: float) -> Iterator[Watch]:
        """The spaces that hold something and can be opened."""
        for name in self._spaces.names():
            if self._troubled.get(name, (-inf, ""))[0] > tick:
                continue
            known = self._watches.get(name)
            if known is None:
                try:
                    known = self._watches[name] = Watch(self._spaces.memory(name), tick)
                except (SlowwaveError, OSError) as error:
                    self._trouble(name, error)
                    continue
            yield known

    def _asked(self, watch: Watch, tick: float, *, fresh: bool = False) -> Verdict | None:
        """What is to be done with a space; None where it cannot be told."""
        space = watch.memory.space
        try:
            watch.hear(tick)
            verdict = watch.verdict(tick, fresh=fresh)
        except (SlowwaveError, OSError) as error:
            self._trouble(space, error)
            return None
        self._troubled.pop(space, None)
        watch.trouble = ""
        self._verdicts[space] = (verdict, watch.memory.now())
        return verdict

    def _begin(self, watch: Watch, tick: float) -> bool:
        """Starts a dream of a space, if that still is to be done when it is looked at again."""
        verdict = self._asked(watch, tick, fresh=True)
        if verdict is None or not verdict.go:
            return False
        space = watch.memory.space
        try:
            self._nights.begin(space)
        except Busy:
            self._counts.dropped += 1
            return False
        try:
            watch.begin(tick)
            process = self._start(self._job(watch, verdict), self._lock.fd, self._wake.set)
        except (SlowwaveError, OSError) as error:
            self._nights.end(space)
            self._failed(watch, verdict, error)
            return False
        self._counts.begun += 1
        self._running = Running(watch, verdict, process, tick)
        self._say(space, of_start(verdict))
        return True

    def _job(self, watch: Watch, verdict: Verdict) -> Job:
        own = watch.memory.parts.settings.resident
        return Job(
            options=msgspec.structs.replace(self._spaces.options, space=watch.memory.space),
            at=own.at, nights=bool(verdict.nights), today=verdict.today, lite=verdict.lite,
            cores=own.cores, memory_mb=own.memory_mb, nice=own.nice, patience=own.patience,
        )  # fmt: skip

    # a dream is under way

    def _beside(self, running: Running) -> None:
        """Watches over the dream: it ends, or is stopped for the user's words."""
        tick, watch = self._tick(), running.watch
        ending = running.process.poll()
        if ending is not None:
            self._ended(running, ending, tick)
            return
        try:
            spoke = watch.hear(tick)
        except (SlowwaveError, OSError):
            return  # whoever asks next tells
        if running.stopping is None:
            # One that may not be stopped may once a night of it is dreamed.
            if spoke and (running.verdict.yields or running.process.made):
                running.stopping = tick
                running.process.stop()
            elif spoke:
                self._counts.dropped += 1
        elif tick - running.stopping > GRACE:
            self._counts.killed += 1
            running.stopping = inf
            running.process.kill()

    def _ended(self, running: Running, ending: Ending, tick: float) -> None:
        """Takes down how a dream ended, and tells."""
        self._running = None
        self._nights.end(running.watch.memory.space)
        watch, outcome = running.watch, ending.outcome
        if outcome == "preempted":
            # Nobody asked it to: the process was told by somebody else.
            outcome = running.why if running.stopping is not None else "stopped"
        self._counts.seconds += tick - running.tick
        setattr(self._counts, outcome, getattr(self._counts, outcome) + 1)
        made, at = running.process.made, watch.memory.now()
        took = tick - running.tick
        watch.last = ended(running.trigger, outcome, made, at, took, ending.message)
        if outcome == "failed" and not ending.recorded:
            self._record(watch, running.verdict, ending)
        with suppress(SlowwaveError, OSError):  # a store that cannot write now: the brakes hold
            watch.end(outcome, tick, moved=bool(made))
        wait = watch.brakes.backoff(watch.memory.parts.settings.resident, tick)
        self._say(watch.memory.space, of_ending(watch.last, ending, wait))

    def _failed(self, watch: Watch, verdict: Verdict, error: SlowwaveError | OSError) -> None:
        """A dream could not even begin."""
        tick = self._tick()
        known = error if isinstance(error, SlowwaveError) else None
        ending = Ending(
            outcome="failed", error=type(error).__name__, hint=known.hint if known else "",
            message=known.message if known else str(error),
        )  # fmt: skip
        self._counts.failed += 1
        self._record(watch, verdict, ending)
        with suppress(SlowwaveError, OSError):
            watch.end("failed", tick)
        assert verdict.trigger is not None
        at = watch.memory.now()
        watch.last = ended(verdict.trigger, "failed", (), at, 0.0, ending.message)
        wait = watch.brakes.backoff(watch.memory.parts.settings.resident, tick)
        self._say(watch.memory.space, of_ending(watch.last, ending, wait))

    def _record(self, watch: Watch, verdict: Verdict, ending: Ending) -> None:
        """The record of a dream that failed where the dream itself could leave none (N16)."""
        now = watch.memory.now()
        day = verdict.nights[0] if verdict.nights else now.date()
        failure = Failure(
            date=day.isoformat(), run_at=now, error=ending.error, message=ending.message,
            hint=ending.hint,
        )  # fmt: skip
        with suppress(SlowwaveError, OSError):  # what stops the dream may stop its record as well
            watch.memory.parts.dream_log.failed(failure)

    # the end, and what is told

    def _leave(self) -> None:
        """Stops the dream under way, and gives the lock back."""
        running = self._running
        if running is not None:
            running.stopping, running.why = running.stopping or self._tick(), "stopped"
            running.process.stop()
            ending = running.process.wait(LAST_GRACE)
            if ending is None:
                self._counts.killed += 1
                running.process.kill()
                ending = running.process.wait(1.0)
            self._ended(running, ending or Ending(outcome="preempted"), self._tick())
        self._show()
        self._lock.let_go()

    def _trouble(self, space: str, error: Exception) -> None:
        """Tells of an error once, as long as it stays the same."""
        known = error if isinstance(error, SlowwaveError) else None
        hint = f" — {known.hint}" if known and known.hint else ""
        words = f"{known.message if known else f'{type(error).__name__}: {error}'}{hint}"
        if self._troubled.get(space, (0.0, ""))[1] != words:
            self._say(space, f"cannot tell whether to dream: {words}")
        self._troubled[space] = (self._tick() + AGAIN, words)

    def _say(self, space: str, words: str) -> None:
        alone = not space or space == self._spaces.default
        self._told(words if alone else f"space {space}: {words}")

    def _show(self) -> None:
        """Makes what `state` gives, and writes it down for other processes."""
        before = self._shown
        dreaming = self._running.told() if self._running is not None else None
        spaces = tuple(
            space_state(watch, self._verdicts.get(name), self._troubled.get(name, (0.0, ""))[1])
            for name, watch in self._watches.items()
        )
        self._shown = ResidentState(
            role=self._role, pid=os.getpid(), since=self._since, by=self._by, dreaming=dreaming,
            spaces=spaces, counts=msgspec.structs.replace(self._counts),
            triggers=self._spaces.first.parts.settings.resident.triggers,
        )  # fmt: skip
        if self._role == "dreams" and _told_otherwise(before, self._shown):
            with suppress(OSError):
                self._lock.tell(msgspec.structs.replace(self._shown, spaces=spaces[:MOST_TOLD]))


def _told_otherwise(before: ResidentState, now: ResidentState) -> bool:
    """Whether others would read something new: moments that only moved on by a breath are not."""
    if (before.role, before.dreaming, before.counts) != (now.role, now.dreaming, now.counts):
        return True
    if len(before.spaces) != len(now.spaces):
        return True
    return any(
        (old.trigger, old.brake, old.trouble) != (new.trigger, new.brake, new.trouble)
        or _apart(old.next, new.next)
        for old, new in zip(before.spaces, now.spaces, strict=True)
    )


def _apart(old: datetime | None, new: datetime | None) -> bool:
    if old is None or new is None:
        return old is not new
    return abs((new.astimezone(UTC) - old.astimezone(UTC)).total_seconds()) > 1
