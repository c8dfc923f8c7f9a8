"""What holds a dream of one space back, whatever asks for it (P10).

Time is measured by a monotonic clock, so that a clock which is set back or forth neither lets a
dream through nor keeps it away. Only over a restart the wall clock has to do.
"""

from datetime import UTC, date, datetime, timedelta
from math import inf
from typing import Literal

import msgspec

from slowwave.model import clock_zone, day_bounds, day_of
from slowwave.settings import ResidentSettings, Trigger

__all__ = ["YIELDS", "Brake", "Brakes", "Kept", "Outcome"]

Brake = Literal["gap", "backoff", "day", "review"]
"""What holds a dream back: the last one was just now, or failed; this day of the user had its
dreams; a plan waits for a person."""

Outcome = Literal["done", "unfinished", "failed", "preempted", "stopped"]
"""How a dream ended: all was dreamed; a model left parts of it undone; it failed; the user spoke;
the server was stopped."""

YIELDS = 3
"""So often in a row a dream is stopped by the user's words; the next one runs to its end."""

DAYS_KEPT = 10
"""Of so many days it is known how many dreams they had: the clock may be set back."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a space's dreams over a restart.

    `begun` are dreams begun by the resident, by the user's day. `ended` is when the last one ended
    (began, where it was cut off), `failed` when the last failure was. `failures` and `yielded` are
    those in a row. `read` is the place in the journal up to which a dream came to its end.
    """

    begun: dict[str, int] = {}
    ended: datetime | None = None
    failed: datetime | None = None
    failures: int = 0
    yielded: int = 0
    read: int = 0


class Brakes:
    """The brakes of one space. `tick` is always the monotonic clock, in seconds."""

    def __init__(self, kept: Kept, now: datetime, tick: float) -> None:
        self._begun = dict(kept.begun)
        self._ended = _tick_of(kept.ended, now, tick)
        self._failed = _tick_of(kept.failed, now, tick)
        self.failures = kept.failures
        self.yielded = kept.yielded
        self.read = kept.read

    def kept(self, now: datetime, tick: float) -> Kept:
        """What is to be known after a restart."""
        return Kept(
            begun=self._begun, ended=_moment_of(self._ended, now, tick),
            failed=_moment_of(self._failed, now, tick), failures=self.failures,
            yielded=self.yielded, read=self.read,
        )  # fmt: skip

    def rested(self, tick: float) -> float:
        """Seconds since the last dream; inf without one."""
        return inf if self._ended is None else max(0.0, tick - self._ended)

    def dreams_of(self, day: date) -> int:
        """How many dreams were begun on a day of the user."""
        return self._begun.get(day.isoformat(), 0)

    def held(
        self, settings: ResidentSettings, trigger: Trigger, now: datetime, tick: float
    ) -> tuple[Brake, float] | None:
        """What holds a dream back, and for how many seconds at least; None when nothing does.

        One dream of a day is kept for the clock's.
        """
        day = day_of(now, clock_zone(now))
        limit = settings.dreams_a_day
        if trigger != "clock" and "clock" in settings.triggers:
            limit -= 1
        if self.dreams_of(day) >= limit:
            return "day", _rest_of(day, now)
        backoff, gap = self.backoff(settings, tick), settings.gap_minutes * 60 - self.rested(tick)
        if backoff > max(0.0, gap):
            return "backoff", backoff
        return ("gap", gap) if gap > 0 else None

    def may_yield(self, settings: ResidentSettings, now: datetime) -> bool:
        """Whether a dream that begins now is stopped by the user's words.

        It is not after `YIELDS` of them were, nor is the last one of a day: it could not be taken
        up again.
        """
        last = self.dreams_of(day_of(now, clock_zone(now))) + 1 >= settings.dreams_a_day
        return self.yielded < YIELDS and not last

    def begin(self, now: datetime, tick: float) -> None:
        """A dream begins. To be kept at once: it counts also where it is cut off."""
        day = day_of(now, clock_zone(now)).isoformat()
        self._begun[day] = self._begun.get(day, 0) + 1
        for old in sorted(self._begun)[:-DAYS_KEPT]:
            if old != day:
                del self._begun[old]
        self._ended = tick

    def end(self, outcome: Outcome, tick: float, read: int, *, moved: bool = False) -> None:
        """The dream has ended. `read` is the place in the journal at which it began; `moved` tells
        that a night of it came to its end, though not all of them."""  # fmt: skip
        self._ended = tick
        match outcome:
            case "done":
                self.failures = self.yielded = 0
                self._failed = None
                self.read = max(self.read, read)
            case "preempted":
                self.yielded = 0 if moved else self.yielded + 1
            case "failed" | "unfinished":
                self.failures += 1
                self._failed = tick
            case "stopped":
                pass

    def ended_elsewhere(self, ago: float, tick: float) -> None:
        """Somebody else dreamed so many seconds ago: a person, or a timer of the system."""
        self._ended = max(tick - ago, -inf if self._ended is None else self._ended)

    def backoff(self, settings: ResidentSettings, tick: float) -> float:
        """Seconds until a dream may be tried again after failures; 0 or less where it may."""
        if not self.failures or self._failed is None:
            return 0.0
        doubled = settings.backoff_minutes * 2.0 ** min(self.failures - 1, 60)
        return min(doubled, settings.backoff_most) * 60 - max(0.0, tick - self._failed)


def _tick_of(moment: datetime | None, now: datetime, tick: float) -> float | None:
    """The monotonic time of a moment; of one still to come (the clock was set back) it is now."""
    if moment is None:
        return None
    return tick - max(0.0, (now.astimezone(UTC) - moment.astimezone(UTC)).total_seconds())


def _moment_of(at: float | None, now: datetime, tick: float) -> datetime | None:
    if at is None:
        return None
    try:
        return (now - timedelta(seconds=max(0.0, tick - at))).astimezone(UTC)
    except OverflowError:
        return None


def _rest_of(day: date, now: datetime) -> float:
    """Seconds until the user's day is over."""
    try:
        _, end = day_bounds(day, clock_zone(now))
    except (ValueError, OverflowError):
        return 86_400.0
    return max(0.0, (end.astimezone(UTC) - now.astimezone(UTC)).total_seconds())
