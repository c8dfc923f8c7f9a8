"""What asks for a dream by itself (P9), and which dream: pure, from what is known of one space.

clock    nights are due (N6), those that were missed first
forced   it is long since the last dream, and something was not dreamed
backlog  much was not dreamed, and more comes in than is dreamed
idle     the user has been silent for a while, and something new was not dreamed

The clock's dream is of nights. The other three dream the nights that are due, then the running day
(as `dream --date today`): where the clock is not among the triggers, no day is left out for it.
"""

from datetime import UTC, date, datetime
from math import inf

import msgspec

from slowwave.errors import UsageError
from slowwave.scheduler.brakes import Brake, Brakes
from slowwave.scheduler.nights import next_run, time_of
from slowwave.settings import ResidentSettings, Trigger

__all__ = ["HEAVY", "Seen", "Verdict", "decide"]

HEAVY = 5
"""A backlog so many times as large as the one that asks for a dream gets a lite one."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one space at a moment.

    `now` is the user's clock. `quiet` are the seconds since the user's last word (inf: none is
    known), `up` those since the resident began. `nights` are due; `unread` counts the events that a
    dream now could read, of nights and of the running day, and `today` tells whether that has any.
    `fresh`: some of them came in since the last dream that came to its end. `arrived` and `dreamed`
    are the events of the last hour. `waits`: a plan waits for a person, and nights wait for it.
    """

    now: datetime
    quiet: float = inf
    up: float = 0.0
    nights: tuple[date, ...] = ()
    today: bool = False
    unread: int = 0
    fresh: bool = False
    arrived: int = 0
    dreamed: int = 0
    waits: bool = False


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be done: dream now (`go`), or look again after `wait` seconds at the latest.

    `wait` is inf where no clock changes it, only what comes in. `trigger` is what asks for a dream,
    also where a `brake` holds it back. The dream is of these `nights` and of the running day
    (`today`); a `lite` one asks no model. `yields`: new words of the user stop it.
    """

    go: bool = False
    trigger: Trigger | None = None
    nights: tuple[date, ...] = ()
    today: bool = False
    lite: bool = False
    yields: bool = True
    brake: Brake | None = None
    wait: float = inf


def decide(settings: ResidentSettings, seen: Seen, brakes: Brakes, tick: float) -> Verdict:
    """Whether to dream now. `tick` is the monotonic clock of the brakes, in seconds.

    One at a time is not decided here: while a dream runs nobody asks, so nothing queues up.
    """
    rested = brakes.rested(tick)
    since = seen.up if rested == inf else rested
    trigger = _asking(settings, seen, since)
    if trigger is None:
        return Verdict(wait=_until_asked(settings, seen, since))
    today = seen.today and trigger != "clock"
    verdict = Verdict(trigger=trigger, nights=seen.nights, today=today)
    if seen.waits:
        return msgspec.structs.replace(verdict, brake="review")
    held = brakes.held(settings, trigger, seen.now, tick)
    if held is not None:
        return msgspec.structs.replace(verdict, brake=held[0], wait=held[1])
    return msgspec.structs.replace(
        verdict,
        go=True,
        lite=trigger == "backlog" and seen.unread > HEAVY * settings.backlog,
        yields=brakes.may_yield(settings, seen.now),
        wait=0.0,
    )


def _asking(settings: ResidentSettings, seen: Seen, since: float) -> Trigger | None:
    """The strongest trigger that asks for a dream, if any does."""
    something = bool(seen.nights) or seen.today
    asking: dict[Trigger, bool] = {
        "clock": bool(seen.nights),
        "forced": something and since >= settings.forced_hours * 3600,
        "backlog": something and seen.unread > settings.backlog and seen.arrived > seen.dreamed,
        "idle": something and seen.fresh and seen.quiet >= settings.idle_minutes * 60,
    }
    return next((name for name, asks in asking.items() if asks and name in settings.triggers), None)


def _until_asked(settings: ResidentSettings, seen: Seen, since: float) -> float:
    """Seconds until a trigger may ask, as far as a clock decides it."""
    waits = [_until_night(settings, seen.now)]  # a night may fall due then, whoever asks for it
    if seen.nights or seen.today:
        if "forced" in settings.triggers:
            waits.append(settings.forced_hours * 3600 - since)
        if "idle" in settings.triggers and seen.fresh:
            waits.append(settings.idle_minutes * 60 - seen.quiet)
    return max(0.0, min(waits))


def _until_night(settings: ResidentSettings, now: datetime) -> float:
    try:
        coming = next_run(now, time_of(settings.at))
    except UsageError:  # the calendar ends
        return inf
    return (coming.astimezone(UTC) - now.astimezone(UTC)).total_seconds()
