"""What counts at a moment: which memories are current, past, expired or out of sight. Pure."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal

import msgspec

from slowwave.model import Memory, Version, When, day_of

Standing = Literal["current", "past", "hidden"]

PLAN_GRACE = timedelta(days=7)
"""A plan stays in ordinary recall so long after its day (case 78)."""


def standing(memory: Memory, now: datetime, *, as_of: datetime | None, cold: bool) -> Standing:
    """Whether ordinary recall shows a memory as current, as past, or not at all.

    With `as_of` the question is what held then (case 34): who was not known yet, or had ended, is
    hidden, and what was replaced later is current.
    """
    zone = now.tzinfo or UTC
    if memory.undone or memory.status == "quarantined" or (memory.status == "cold" and not cold):
        return "hidden"
    if as_of is not None:
        if _held(memory, as_of, zone):
            return "current"
        known = memory.first_seen <= as_of and memory.superseded_by is not None
        return "past" if known else "hidden"
    if memory.status == "retired":
        shown = cold or memory.superseded_by is not None
    elif _ended(memory.expires_at, now, zone) or _over(memory, now, zone):
        shown = cold
    else:
        return "current"
    return "past" if shown else "hidden"


def as_known(
    versions: Sequence[Version], heir: Memory | None, moment: datetime, zone: tzinfo
) -> Memory | None:
    """The memory as it was known at a moment: its last version that rests on words said by then.

    What counts is when things were said, not when they were dreamed, so that a log that was
    imported late still tells what could be believed on each day. `valid_to` is a day; on that very
    day the moment at which the heir was told decides, so that never both are current at once.
    """
    said = [version.memory for version in versions if version.memory.last_seen <= moment]
    if not said:
        return None
    known = said[-1]
    day = day_of(moment, zone)
    gave_way = heir is not None and not heir.undone and heir.first_seen <= moment
    if gave_way and _day(known.valid_to, zone) == day:
        yesterday = (day - timedelta(days=1)).isoformat()
        return msgspec.structs.replace(known, status="retired", valid_to=yesterday)
    if known.status == "retired" and _held(known, moment, zone):
        # On that day it was as current as any other, whatever became of it.
        return msgspec.structs.replace(known, status="active")
    return known


def holds_on(memory: Memory, day: date, zone: tzinfo) -> bool:
    """Whether a memory speaks of that day: a lasting one does, a dated one on its own days."""
    if memory.standing == "standing" and memory.kind not in {"plan", "emotion", "quote"}:
        return True
    if memory.valid_from is None and memory.valid_to is None:
        return day_of(memory.last_seen, zone) == day
    begins = _day(memory.valid_from, zone) or date.min
    ends = _day(memory.valid_to, zone) or (begins if memory.standing == "dated" else date.max)
    return begins <= day <= max(begins, ends)


def falls_within(memory: Memory, first: date, last: date, zone: tzinfo) -> bool:
    """Whether a dated memory (a plan, an event, a hold) is about one of these days."""
    if memory.standing == "standing" and memory.kind not in {"plan", "fact"}:
        return False
    begins = _day(memory.valid_from, zone)
    if begins is None:
        return False
    ends = _day(memory.valid_to, zone) or begins
    return begins <= last and first <= max(begins, ends)


def _held(memory: Memory, moment: datetime, zone: tzinfo) -> bool:
    if memory.first_seen > moment:
        return False
    if memory.valid_to is None:
        return memory.status != "retired"
    return not _ended(memory.valid_to, moment, zone)


def _over(memory: Memory, now: datetime, zone: tzinfo) -> bool:
    dated = memory.kind == "plan" or memory.standing == "temporary"
    return dated and _ended(memory.valid_to, now - PLAN_GRACE, zone)


def _ended(when: When | None, moment: datetime, zone: tzinfo) -> bool:
    """Whether `when` (a day counts to its end) is over at the moment; False for None."""
    end = _end(when, zone)
    return end is not None and end <= moment


def _end(when: When | None, zone: tzinfo) -> datetime | None:
    if when is None:
        return None
    try:
        if len(when) <= len("2026-12-08"):
            return datetime.combine(date.fromisoformat(when), time.max, zone)
        parsed = datetime.fromisoformat(when)
    except ValueError:
        # A value we cannot read must not hide a memory.
        return None
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=zone)


def _day(when: When | None, zone: tzinfo) -> date | None:
    ends = _end(when, zone)
    return None if ends is None else day_of(ends, zone)
