"""What was believed on a day, and what that day changed."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from starlette.responses import Response

from slowwave.model import Memory, day_bounds, day_of
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.showing import Part, day_in, differences
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES", "Moved", "moved"]

DAY = timedelta(days=1)
BARS = 60
"""Days that are drawn, at most."""


class Moved(NamedTuple):
    """What one day changed of what was believed."""

    came: Sequence[Memory]
    went: Sequence[Memory]
    reworded: Sequence[tuple[Memory, Sequence[Part], Sequence[Part]]]


def timeline(visit: Visit) -> Response:
    """`/timeline`"""
    memory = visit.memory
    days = memory.spoken_days()
    today = day_of(memory.now(), visit.zone)
    first, last = (min(days[0], today), today) if days else (today, today)
    day = min(max(visit.date_asked("day") or last, first), last)
    ends = day_bounds(day, visit.zone)
    then, before = memory.believed(ends[1] - _instant()), memory.believed(ends[0] - _instant())
    paged = visit.paged(len(then))
    shown = sorted(then, key=lambda one: (one.kind, one.first_seen))
    return visit.page(
        "timeline.html",
        day=day,
        first=first,
        last=last,
        offset=(day - first).days,
        span=(last - first).days,
        earlier=day - DAY if day > first else None,
        later=day + DAY if day < last else None,
        believed=shown[paged.start : paged.stop],
        paged=paged,
        moved=moved(before, then),
        bars=_bars(memory.memories(), day, (first, last), visit),
        nothing=not days,
    )


def _instant() -> timedelta:
    return timedelta(microseconds=1)


def moved(before: Sequence[Memory], then: Sequence[Memory]) -> Moved:
    """The difference between what was believed at two moments."""
    old = {memory.id: memory for memory in before}
    new = {memory.id: memory for memory in then}
    reworded = []
    for one, memory in new.items():
        if one in old and old[one].text != memory.text:
            reworded.append((memory, *differences(old[one].text, memory.text)))
    return Moved(
        [memory for one, memory in new.items() if one not in old],
        [memory for one, memory in old.items() if one not in new],
        reworded,
    )


class Bar(NamedTuple):
    """One day of the drawing: how much was learned and ended on it, heights of 100."""

    day: date
    came: int
    went: int
    up: float
    down: float


def _bars(
    memories: Sequence[Memory], day: date, span: tuple[date, date], visit: Visit
) -> list[Bar]:
    """Days around the one that is looked at, oldest first, of one scale."""
    end = min(span[1], day + DAY * (BARS // 2))
    begin = max(span[0], end - DAY * (BARS - 1))
    came: dict[date, int] = {}
    went: dict[date, int] = {}
    for memory in memories:
        known = day_of(memory.first_seen, visit.zone)
        came[known] = came.get(known, 0) + 1
        if memory.status == "retired" and memory.valid_to:
            ended = day_in(memory.valid_to)
            if ended is not None:
                went[ended] = went.get(ended, 0) + 1
    days = [begin + DAY * n for n in range((end - begin).days + 1)]
    most = max((max(came.get(one, 0), went.get(one, 0)) for one in days), default=0) or 1
    return [
        Bar(one, came.get(one, 0), went.get(one, 0),
            round(came.get(one, 0) / most * 60, 1), round(went.get(one, 0) / most * 60, 1))
        for one in days
    ]  # fmt: skip


PAGES = (Page("/timeline", timeline),)
