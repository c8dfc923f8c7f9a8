"""Arithmetic on days, weeks, months and years. Knows no language and never raises.

A `Span` is an inclusive pair of days. Weeks begin on Monday (0). What leaves the years 1–9999 is
None.
"""

import calendar
from datetime import UTC, date, datetime, timedelta

Span = tuple[date, date]

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""Names of weekdays in recurring values."""

ORDINALS = ("first", "second", "third", "fourth", "fifth")
"""Names of the n-th in recurring values; -1 is `last`."""


def day(year: int, month: int, number: int) -> date | None:
    """A day, or None where the calendar has none (31 April, 29 February of a common year)."""
    try:
        return date(year, month, number)
    except (ValueError, OverflowError):
        return None


def shift(start: date | None, days: int) -> date | None:
    """`start` moved by days; None beyond the calendar."""
    if start is None:
        return None
    try:
        return start + timedelta(days=days)
    except OverflowError:
        return None


def add_months(start: date, months: int) -> date | None:
    """The same day some months on, cut to the last day of a shorter month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    return date(year, month + 1, min(start.day, days_in(year, month + 1)))


def days_in(year: int, month: int) -> int:
    """Length of a month in days."""
    return calendar.monthrange(year, month)[1]


def month_span(year: int, month: int) -> Span | None:
    """A whole month."""
    first = day(year, month, 1)
    return (first, first.replace(day=days_in(year, month))) if first else None


def months_span(first: date, months: int) -> Span | None:
    """Some whole months from the first of `first`'s month on."""
    start = first.replace(day=1)
    end = shift(add_months(start, months), -1)
    return (start, end) if end else None


def quarter_span(year: int, quarter: int) -> Span | None:
    """A quarter; numbers outside 1–4 run into the neighbouring years."""
    years, index = divmod(quarter - 1, 4)
    first = day(year + years, index * 3 + 1, 1)
    return months_span(first, 3) if first else None


def year_span(year: int) -> Span | None:
    """A whole year."""
    first = day(year, 1, 1)
    return (first, date(year, 12, 31)) if first else None


def week_span(today: date, weeks: int = 0) -> Span | None:
    """Monday to Sunday of the week some weeks from the one `today` is in."""
    monday = shift(today, weeks * 7 - today.weekday())
    sunday = shift(monday, 6)
    return (monday, sunday) if monday and sunday else None


def weekday_of_week(today: date, weeks: int, weekday: int) -> date | None:
    """A weekday in the week some weeks from today's."""
    return shift(today, weeks * 7 - today.weekday() + weekday)


def coming(today: date, weekday: int) -> date | None:
    """The next such weekday, today included."""
    return shift(today, (weekday - today.weekday()) % 7)


def latest(today: date, weekday: int) -> date | None:
    """The last such weekday before today."""
    return shift(today, -((today.weekday() - weekday - 1) % 7) - 1)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The n-th weekday of a month, -1 the last; None where there is none."""
    span = month_span(year, month)
    if span is None:
        return None
    if nth < 0:
        return shift(span[1], -((span[1].weekday() - weekday) % 7))
    found = shift(coming(span[0], weekday), (nth - 1) * 7)
    return found if found and found.month == month else None


def easter(year: int) -> date | None:
    """Easter Sunday of the Gregorian calendar (the anonymous computus)."""
    if not 1 <= year <= 9999:
        return None
    century, golden = year // 100, year % 19
    epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    epact -= (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
    week = (year + year // 4 + epact + 2 - century + century // 4) % 7
    offset = epact - week
    month = 3 + (offset + 40) // 44
    return date(year, month, offset + 28 - 31 * (month // 4))


def nearest(candidates: list[date], today: date, tense: int) -> date | None:
    """The occurrence of a yearly or monthly day that is meant.

    `tense` > 0 takes the next one from today on, < 0 the last one up to today, except when the
    next is much nearer; below -1 there is no next. Without a hint the next one, except when the
    last is much nearer.
    """
    past = max((c for c in candidates if c <= today), default=None)
    future = min((c for c in candidates if c >= today), default=None)
    if past is None or future is None:
        return future or past
    if tense < -1:
        return past
    if tense < 0:
        return future if (future - today).days * 5 < (today - past).days else past
    if tense > 0:
        return future
    return past if (today - past).days * 6 < (future - today).days else future


def elapse(moment: datetime, minutes: int) -> datetime | None:
    """A local moment some minutes of real time on, over changes of the clock."""
    try:
        later = moment.astimezone(UTC) + timedelta(minutes=minutes)
        return later.astimezone(moment.tzinfo)
    except (OverflowError, ValueError):
        return None


def settle(moment: datetime) -> datetime:
    """A local moment that exists: one in the gap of a clock change moves on by the gap."""
    try:
        return moment.astimezone(UTC).astimezone(moment.tzinfo)
    except (OverflowError, ValueError):
        return moment
