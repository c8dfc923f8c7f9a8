"""Ways to make a `Day`: counted from now, once a year, once a month, one inside another."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date

from slowwave.text.calendar_math import (
    WEEKDAYS,
    Span,
    day,
    days_in,
    month_span,
    nearest,
    shift,
    year_span,
)
from slowwave.text.dates_sense import Day, Found, Frame, Grain, Named, Scene


def from_today(days: int, daytime: Named | None = None) -> Day:
    """今天, tomorrow, 今晚: a day counted from the speaker's."""
    return Day(lambda scene: shift(scene.today, days), daytime=daytime)


def absolute(found: Found, grain: Grain = "day") -> Day:
    """A full date, the same whenever it is said; None where the calendar has no such day."""
    return Day(lambda _scene: found, rank=3, grain=grain, explicit=True)


def known_year(year: Callable[[Scene], int], *, relative: bool = True) -> Day:
    """A year as a frame."""
    return Day(
        lambda scene: year_span(year(scene)),
        frame="year",
        rank=1 if relative else 3,
        grain="year",
        explicit=not relative,
    )


def annual(
    within_year: Callable[[int], Found],
    *,
    frame: Frame = "",
    label: str = "",
    rank: int = 2,
    grain: Grain = "day",
) -> Day:
    """What comes once a year; by itself the occurrence that is meant."""

    def alone(scene: Scene) -> Found:
        found = [f for y in (-1, 0, 1, 2) if (f := within_year(scene.today.year + y))]
        return choose(found, scene)

    return Day(
        alone,
        within=lambda span: within_year(span[0].year),
        needs="year",
        frame=frame,
        label=label,
        rank=rank,
        grain=grain,
        explicit=True,
    )


def yearly(within_year: Callable[[int], Found], *, label: str, grain: Grain = "month") -> Day:
    """A piece of the year (年底, Q3): by itself this year's, unless the tense forbids it."""

    def alone(scene: Scene) -> Found:
        year = scene.today.year
        found = within_year(year)
        if isinstance(found, tuple):
            over, ahead = found[1] < scene.today, found[0] > scene.today
            year += (over and scene.tense > 0) - (ahead and scene.tense < 0)
        return within_year(year)

    return Day(
        alone,
        within=lambda span: within_year(span[0].year),
        needs="year",
        label=label,
        rank=2,
        grain=grain,
    )


def monthly(within_month: Callable[[int, int], Found], label: str, rank: int = 1) -> Day:
    """What comes once a month (25号, the 3rd, 月底); by itself the occurrence that is meant."""

    def alone(scene: Scene) -> Found:
        first = scene.today.year * 12 + scene.today.month - 1
        months = [divmod(first + n, 12) for n in (-2, -1, 0, 1, 2)]
        found = [f for y, m in months if (f := within_month(y, m + 1))]
        return choose(found, scene)

    return Day(
        alone,
        within=lambda span: within_month(span[0].year, span[0].month),
        needs="month",
        label=label,
        rank=rank,
    )


def on_weekday(yearly_day: Day, label: str) -> Day:
    """A yearly day that is said to fall on a weekday: the year in which it does, the nearest."""
    within = yearly_day.within
    if within is None or label not in WEEKDAYS:
        return yearly_day
    if yearly_day.needs == "month":
        return _month_day_on(yearly_day, within, label)
    if yearly_day.needs != "year":
        return yearly_day

    def alone(scene: Scene) -> Found:
        years = (scene.today.year + n for n in (0, 1, -1))
        days = [d for y in years if (span := year_span(y)) and isinstance(d := within(span), date)]
        fitting = [d for d in days if WEEKDAYS[d.weekday()] == label]
        nearby = min(fitting, key=lambda d: abs((d - scene.today).days), default=None)
        return nearby or yearly_day.alone(scene)

    return replace(yearly_day, alone=alone)


def _month_day_on(monthly_day: Day, within: Callable[[Span], Found], label: str) -> Day:
    """Tuesday the 12th: the nearest month, at most a year off, whose 12th is a Tuesday."""

    def alone(scene: Scene) -> Found:
        first = scene.today.year * 12 + scene.today.month - 1
        ahead = range(-1, 13) if scene.tense >= 0 else range(0, -13, -1)
        months = (divmod(first + n, 12) for n in ahead)
        spans = (span for y, m in months if (span := month_span(y, m + 1)))
        days = [d for span in spans if isinstance(d := within(span), date)]
        fitting = [d for d in days if WEEKDAYS[d.weekday()] == label]
        if scene.tense >= 0:
            fitting = [d for d in fitting if d >= scene.today]
        return next(iter(fitting), None) or monthly_day.alone(scene)

    return replace(monthly_day, alone=alone)


def choose(found: Sequence[Found], scene: Scene) -> Found:
    """The occurrence that is meant: one that holds today, else the nearest (see `nearest`)."""
    starts = {_first(f): f for f in found if f is not None}
    for f in starts.values():
        if isinstance(f, tuple) and f[0] <= scene.today <= f[1]:
            return f
    start = nearest(list(starts), scene.today, scene.tense)
    return starts.get(start) if start else None


def _first(found: date | Span) -> date:
    return found if isinstance(found, date) else found[0]


def month(number: int) -> Day:
    """A month of the year, a frame for its days."""
    return annual(
        lambda year: month_span(year, number) if 1 <= number <= 12 else None,
        frame="month",
        label=f"{number:02}",
        grain="month",
    )


def month_day(month_number: int, number: int) -> Day:
    """A day and month without a year."""
    return annual(
        lambda year: day(year, month_number, number),
        label=f"{month_number:02}-{number:02}",
    )


def day_number(number: int) -> Day:
    """A day of the month without the month."""
    return monthly(lambda y, m: day(y, m, number), f"{number}")


def month_piece(first: int, last: int, label: str) -> Day:
    """A piece of a month by its day numbers; 0 as `last` is the month's last day."""

    def piece(year: int, number: int) -> Span | None:
        start = day(year, number, first)
        end = day(year, number, last or days_in(year, number)) if start else None
        return (start, end) if start and end else None

    return monthly(piece, label)


def month_end() -> Day:
    """The last day of the month."""
    return monthly(lambda y, m: day(y, m, days_in(y, m)) if 1 <= y <= 9999 else None, "last day")


def nested(outer: Day, inner: Day) -> Day | None:
    """`inner` in the frame of `outer` (去年 + 5月, 5月 + 20号); None where it does not fit."""
    slot = inner.within
    holds = outer.frame or (outer.grain != "day" and inner.needs == "any")
    if slot is None or not holds or inner.needs not in (outer.frame, "any"):
        return None

    def place(found: Found) -> Found:
        return slot(found) if isinstance(found, tuple) else None

    label = f"{outer.label}-{int(inner.label):02}" if inner.label.isdigit() else inner.label
    hold = outer.within
    if outer.needs == "year" and hold is not None:
        return annual(
            lambda year: place(hold(span)) if (span := year_span(year)) else None,
            frame=inner.frame,
            label=label,
            grain=inner.grain,
        )
    return Day(
        lambda scene: place(outer.alone(scene)),
        frame=inner.frame,
        label=label,
        rank=max(outer.rank, 1),
        grain=inner.grain,
        explicit=outer.explicit,
    )
