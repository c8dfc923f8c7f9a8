"""The numbers of pictures as rows, in steps of a day, a week or a month. Pure.

A long history is drawn in longer steps, so that a picture has a readable number of marks.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from slowwave.pictures.words import Language, day_label
from slowwave.stats import Day, Stats, Week

__all__ = ["Step", "kinds_shown", "steps_of", "weeks_of"]

MOST_STEPS = 45
"""Marks side by side in one picture."""
SHOWN_KINDS = 8
"""Kinds with a colour of their own; the rest are one."""
NONE = Day(day="")
LET_GO = ("replaced", "expired", "faded", "cold", "erased")


class Step(NamedTuple):
    """One mark on the time axis: what came in during it, and what stood at its end."""

    at: str
    label: str
    events: int
    tokens: int
    known: dict[str, int]
    known_tokens: int


def steps_of(days: Sequence[Day], language: Language) -> list[Step]:
    """Days, weeks or months without gaps, from the first day to the last."""
    if not days:
        return []
    first, last = date.fromisoformat(days[0].day), date.fromisoformat(days[-1].day)
    unit = _unit(first, last)
    made: list[Step] = []
    waiting, state = list(reversed(days)), NONE
    for start in _starts(first, last, unit):
        end = _next(start, unit).isoformat()
        events = tokens = 0
        while waiting and waiting[-1].day < end:
            state = waiting.pop()
            events, tokens = events + state.events, tokens + state.tokens
        label = day_label(start, unit, language)
        made.append(Step(start.isoformat(), label, events, tokens, state.known, state.known_tokens))
    return made


def kinds_shown(steps: Sequence[Step]) -> list[str]:
    """The kinds that are drawn for themselves, most frequent first (at the end, then ever)."""
    last = steps[-1].known if steps else {}
    peak: dict[str, int] = {}
    for step in steps:
        for kind, number in step.known.items():
            peak[kind] = max(number, peak.get(kind, 0))
    return sorted(peak, key=lambda kind: (-last.get(kind, 0), -peak[kind], kind))[:SHOWN_KINDS]


def weeks_of(stats: Stats, language: Language) -> list[dict[str, Any]]:
    """A row for each week and each way in which memories were let go, also for quiet weeks."""
    if not stats.weeks:
        return []
    known = {week.week: week for week in stats.weeks}
    days = [day.day for day in stats.days] + list(known)
    first, last = date.fromisoformat(min(days)), date.fromisoformat(max(days))
    unit = "month" if (last - first).days > 7 * MOST_STEPS else "week"
    rows: list[dict[str, Any]] = []
    for start in _starts(first, last, unit):
        end = _next(start, unit).isoformat()
        inside = [week for key, week in known.items() if start.isoformat() <= key < end]
        rows += _let_go(start, day_label(start, unit, language), inside)
    return rows


def _let_go(start: date, label: str, weeks: Sequence[Week]) -> Iterator[dict[str, Any]]:
    for way in LET_GO:
        number = sum(getattr(week, way) for week in weeks)
        yield {"at": start.isoformat(), "label": label, "way": way, "number": number}


def _unit(first: date, last: date) -> str:
    span = (last - first).days + 1
    if span <= MOST_STEPS:
        return "day"
    return "week" if span <= 7 * MOST_STEPS else "month"


def _starts(first: date, last: date, unit: str) -> Iterator[date]:
    start = _first(first, unit)
    while start <= last:
        yield start
        start = _next(start, unit)


def _first(day: date, unit: str) -> date:
    if unit == "month":
        return day.replace(day=1)
    return day - timedelta(days=day.weekday()) if unit == "week" else day


def _next(start: date, unit: str) -> date:
    if unit == "month":
        return (start + timedelta(days=31)).replace(day=1)
    return start + timedelta(days=7 if unit == "week" else 1)
