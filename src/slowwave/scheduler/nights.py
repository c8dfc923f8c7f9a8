"""When to dream: which nights are due, when the next one comes, and trying again (N6, N16).

Pure: the clock, the ledger and sleeping are handed in. However often and whenever somebody calls,
each of the user's days is dreamed once (case 64); days that were missed come first. Days are those
of `model.day_of`, so a day of 23 or 25 hours is one night like any other.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import partial
from typing import TypeVar

from slowwave.errors import (
    AlreadyDecided,
    DreamError,
    SlowwaveError,
    StalePlan,
    StoreBusy,
    UsageError,
)
from slowwave.model import Dream, DreamStatus, clock_zone, day_bounds, day_of

T = TypeVar("T")

AT = time(2)
"""When a night is dreamed unless told otherwise, by the user's clock (N6)."""

NIGHTS_A_RUN = 62
"""The most nights of one run: years that wait are caught up with bit by bit, oldest first."""

PAUSES = (30.0, 60.0, 90.0)
"""Seconds before the second, third and fourth try (N16)."""

TOLD_WHOLE = 3
"""Of so many failed nights the error tells why; of the others the records in the vault do."""

PASSING: tuple[type[SlowwaveError], ...] = (StoreBusy, StalePlan)
"""Failures that can pass by waiting. A stale plan passes when `work` makes a new one."""

DECIDED: frozenset[DreamStatus] = frozenset(
    {"planned", "approved", "rejected", "rolled_back", "refused"}
)
"""A night in one of these waits for a person, or he wanted none of it: it is not dreamed again.

Of an applied one the events are read. What came in later for that day is due like any other.
"""


def due(
    dreams: Sequence[Dream],
    days_with_events: Sequence[date],
    now: datetime,
    at: time = AT,
    limit: int = NIGHTS_A_RUN,
) -> tuple[date, ...]:
    """The nights to dream now: finished days with undreamed events, oldest first, each once.

    `days_with_events` are the user's days (`model.day_of`) of undreamed events, in any order.
    Yesterday is due as soon as the user's clock has shown `at`; until then its night is not over.
    Raises UsageError for a `now` without a zone.
    """
    zone = clock_zone(now)
    today = day_of(now, zone)
    begun = _moment(today, at, zone) <= now.astimezone(UTC)
    over = 1 if begun else 2
    done = {dream.date for dream in dreams if _of_a_night(dream, zone)}
    waiting = sorted(day for day in set(days_with_events) if (today - day).days >= over)
    return tuple(day for day in waiting if day.isoformat() not in done)[:limit]


def learned_by_day(dreams: Sequence[Dream], zone: tzinfo) -> date | None:
    """The latest day of which turns were learned from at once, and no night came since.

    Such a day may have no unread event left; yet only a night promotes, consolidates and forgets.
    """
    days = [dream.date for dream in dreams if dream.by == "turn" and dream.status == "applied"]
    if not days:
        return None
    day = date.fromisoformat(max(days))
    _, end = day_bounds(day, zone)
    nights = (dream for dream in dreams if dream.by == "night" and dream.mode != "dry_run")
    return None if any(dream.run_at >= end for dream in nights) else day


def next_run(now: datetime, at: time = AT) -> datetime:
    """The next instant after `now` at which a night falls due, in the zone of `now`.

    Raises UsageError for a `now` without a zone, or too near the end of the calendar.
    """
    zone = clock_zone(now)
    today = day_of(now, zone)
    try:
        for ahead in range(3):  # a day that a zone skipped begins with the one after it
            moment = _moment(today + timedelta(days=ahead), at, zone)
            if moment > now.astimezone(UTC):
                return moment.astimezone(zone)
    except OverflowError:
        pass
    raise UsageError("the calendar ends before the next night", "give --now an earlier moment")


def time_of(text: str) -> time:
    """The time of day of `02:00`, `2:00` or `２：００`. Raises UsageError for anything else."""
    hours, colon, minutes = text.strip().replace("：", ":").partition(":")
    whole = hours.isdecimal() and minutes.isdecimal() and len(hours) <= 2 and len(minutes) == 2
    try:
        if colon and whole:
            return time(int(hours), int(minutes))
    except ValueError:
        pass
    raise UsageError(f"{text[:40]!r} is no time of day", "write it as 02:00, from 00:00 to 23:59")


def retry(
    work: Callable[[], T],
    pauses: Sequence[float],
    sleep: Callable[[float], None],
    tell: Callable[[SlowwaveError, float], None] = lambda _error, _pause: None,
) -> T:
    """What `work` returns; after a failure that can pass, tried again after each of the pauses.

    `tell` hears of each failure and the seconds until the next try. The last failure is raised,
    and so is at once every failure that waiting does not mend.
    """
    for pause in pauses:
        try:
            return work()
        except PASSING as error:
            tell(error, pause)
            sleep(pause)
    return work()


def catch_up(
    nights: Iterable[date],
    work: Callable[[date], T],
    sleep: Callable[[float], None],
    told: Callable[[T], None] = lambda _done: None,
) -> list[T]:
    """What `work` made of each night, in order; a night that fails does not stop the others.

    What can pass is tried again, once a run: a store that stays busy does not hold up every night.
    A night that another process was quicker with is left out. `told` hears of each that is done.
    At the end raises DreamError naming the nights that failed, and UsageError at once.
    """
    made: list[T] = []
    failed: list[tuple[date, SlowwaveError]] = []
    pauses: Sequence[float] = PAUSES
    for night in nights:
        try:
            done = retry(partial(work, night), pauses, sleep)
        except (UsageError, AlreadyDecided) as error:
            if isinstance(error, UsageError):
                raise
            continue
        except SlowwaveError as error:
            failed.append((night, error))
            pauses = () if isinstance(error, PASSING) else pauses
            continue
        made.append(done)
        told(done)
    if failed:
        raise _failure(failed, len(made))
    return made


def _failure(failed: Sequence[tuple[date, SlowwaveError]], others: int) -> DreamError:
    """One error that names all nights that failed, with the hint of the first."""
    nights = "; ".join(
        f"{night.isoformat()}: {error.message}" if place < TOLD_WHOLE else night.isoformat()
        for place, (night, error) in enumerate(failed)
    )
    _, first = failed[0]
    rest = f"; the other {others} were dreamed" if others else ""
    error = DreamError(
        f"{len(failed)} of {len(failed) + others} nights failed: {nights}",
        f"{first.hint or 'see the error records in the vault'}{rest}; these are tried again by "
        "the next `slowwave dream --due`",
    )
    error.__cause__ = first
    return error


def cut_off(dream: Dream) -> bool:
    """Whether a plan was to be applied at once, and something came between: no person decided that
    it waits. Dreamed again, it goes on where it was."""  # fmt: skip
    return dream.status == "planned" and dream.mode == "apply"


def _of_a_night(dream: Dream, zone: tzinfo) -> bool:
    """Whether this dream decides that a day is not dreamed (again).

    One made while the day still ran (`dream --date today` at noon) cannot have read the evening,
    so the night is still to come; nor is a change that a person made a night. A plan that another
    one took the place of decides nothing: that one does.
    """
    if dream.status not in DECIDED or dream.mode == "dry_run" or dream.by != "night":
        return False
    if dream.replaced_by or cut_off(dream):
        return False
    try:
        _, end = day_bounds(date.fromisoformat(dream.date), zone)
    except (ValueError, OverflowError):  # `all`, which is no single night
        return False
    return dream.run_at.astimezone(UTC) >= end.astimezone(UTC)


def _moment(day: date, at: time, zone: tzinfo) -> datetime:
    """The first instant, in UTC, at which the clock of a user's day shows `at` or later.

    An hour that comes twice counts the first time. A time that the clock skips counts from the
    very instant of the skip: timers of the system fire then, and must not come too early.
    """
    wall = datetime.combine(day, at)
    late = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    early = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    gap = range(max(0, round((late - early).total_seconds())))
    if not gap:
        return late
    skip = bisect_left(gap, True, key=lambda s: _shows(early + timedelta(seconds=s), zone) >= wall)
    return early + timedelta(seconds=skip)


def _shows(moment: datetime, zone: tzinfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)
