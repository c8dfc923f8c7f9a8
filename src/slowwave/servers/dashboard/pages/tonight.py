"""The first page: what the last night did, what waits for a person, when the next one comes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from starlette.responses import Response

from slowwave import scheduler
from slowwave.model import READERS, Change, Dream
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.pages.telling import outcome
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES", "Bar", "bars"]

NIGHTS = 14
"""As many are drawn."""
SHOWN = 6
"""Changes of the last night that are told of here."""
HIGH = 100
"""Units of height of the drawing."""
TELLING = ("add", "supersede", "update", "merge", "restore", "retire", "demote")
"""Operations that people want to hear of, first those they want to hear of most."""


class Bar(NamedTuple):
    """One night as it is drawn: what was new, changed, and put away; each a height and its top."""

    dream: Dream
    new: tuple[float, float]
    changed: tuple[float, float]
    archived: tuple[float, float]


def tonight(visit: Visit) -> Response:
    """`/`"""
    memory = visit.memory
    heads = memory.dreams()
    last = next((head for head in heads if head.by in READERS and head.mode != "dry_run"), None)
    dream = memory.dream_by_id(last.dream_id) if last is not None else None
    worth = _told(dream.changes) if dream is not None else []
    nights = [head for head in heads if head.by == "night" and head.status == "applied"][:NIGHTS]
    now = memory.now()
    at, itself = memory.parts.settings.resident.at, _itself(visit)
    return visit.page(
        "tonight.html",
        dream=dream,
        told=worth[:SHOWN],
        left_out=len(worth[SHOWN:]),
        outcome=outcome,
        bars=bars(nights[::-1]),
        waiting=memory.undecided(),
        due=memory.due(scheduler.time_of(at)),
        next_run=itself.next or scheduler.next_run(now, scheduler.time_of(at)),
        itself=itself,
        counts=memory.counts(),
        remarks=[*memory.remarks, *filter(None, (itself.trouble,))],
        job=visit.shared.jobs.of(memory.space),
        today=now.date(),
    )


class Itself(NamedTuple):
    """Whether somebody dreams by himself, when this space is next, and what troubled him."""

    role: str
    next: datetime | None = None
    trouble: str = ""


def _itself(visit: Visit) -> Itself:
    resident = visit.shared.doors.resident
    if resident is None:
        return Itself("off")
    state = resident.state()
    space = next((one for one in state.spaces if one.space == visit.memory.space), None)
    if state.dreaming is not None and state.dreaming.space == visit.memory.space:
        return Itself("now")
    if space is None:
        return Itself(state.role)
    return Itself(state.role, space.next, space.trouble)


def _told(changes: Sequence[Change]) -> list[Change]:
    """The changes of a night that are worth a line on the first page, the weightiest first."""
    kept = [
        one
        for one in changes
        if one.approved is not False
        and one.op in TELLING
        and (one.before is None or one.op != "update" or one.before.text != one.after.text)
    ]
    kept.sort(key=lambda one: (TELLING.index(one.op), -one.after.importance))
    return kept


def bars(nights: Sequence[Dream]) -> list[Bar]:
    """Nights as stacked bars of one scale, oldest first."""
    most = max((sum(_parts(night)) for night in nights), default=0) or 1
    drawn = []
    for night in nights:
        top = float(HIGH)
        stacked = []
        for value in _parts(night):
            height = round(value / most * HIGH, 1)
            top = round(top - height, 1)
            stacked.append((height, top))
        drawn.append(Bar(night, stacked[0], stacked[1], stacked[2]))
    return drawn


def _parts(night: Dream) -> tuple[int, int, int]:
    changed = night.updated_entries + night.merged_entries + night.confirmed_entries
    return night.new_entries, changed, night.archived_entries


PAGES = (Page("/", tonight),)
