"""The item of a memory: what memories open and end. Pure."""

from collections.abc import Collection
from datetime import date, datetime, timedelta

import msgspec

from slowwave.model import USER, Memory, WorkItem

__all__ = ["OPENING", "STALLED_AFTER", "lives", "of_memory", "silent", "taken_back", "under_way"]

OPENING = ("project", "plan")
STALLED_AFTER = timedelta(days=14)


def lives(memory: Memory) -> bool:
    """Whether a memory is believed, so that its item can be open."""
    return memory.status in ("active", "candidate") and not memory.undone


def silent(item: WorkItem, now: datetime) -> bool:
    """Whether its day passed without a word, or nobody spoke of it for long."""
    if item.due:
        day = date.fromisoformat(item.due)
        if now.date() <= day:
            return False
        if item.touched.astimezone(now.tzinfo).date() <= day:
            return True
    return now - item.touched > STALLED_AFTER


def taken_back(item: WorkItem) -> bool:
    """Whether an item was set aside because the dream that opened it was undone."""
    return item.state == "stalled" and item.closed_by.startswith("d")


def of_memory(
    memory: Memory, had: WorkItem | None, lapsed: Collection[str], now: datetime
) -> WorkItem | None:
    """The item of a memory, as a dream that changed it leaves it; None where there is none."""
    if had is not None and had.state != "done" and memory.status == "retired":
        return _ended(had, now, lapsed=memory.id in lapsed and memory.superseded_by is None)
    if not under_way(memory, now) or (had is not None and had.state == "done"):
        return None
    day = memory.valid_to or memory.valid_from
    due = day[:10] if day and memory.kind == "plan" else ""
    if had is None:
        return WorkItem(
            id="w" + memory.id, text=memory.text, state="open", opened=memory.first_seen,
            touched=memory.last_seen, due=due,
            event_id=memory.evidence[0].event_id if memory.evidence else "",
        )  # fmt: skip
    item = msgspec.structs.replace(had, text=memory.text, due=due)
    if memory.last_seen <= had.touched:
        return item
    return msgspec.structs.replace(item, state="open", touched=memory.last_seen)


def _ended(item: WorkItem, now: datetime, *, lapsed: bool) -> WorkItem:
    """The item of a memory that ended: done, or stalled where merely its time passed."""
    if lapsed:
        return msgspec.structs.replace(item, state="stalled")
    return msgspec.structs.replace(item, state="done", touched=now)


def under_way(memory: Memory, now: datetime) -> bool:
    """Whether a memory is a project or a plan of the owner himself that is not over."""
    if memory.kind not in OPENING or memory.subject != USER or memory.negated:
        return False
    if memory.kind == "plan":
        return memory.status in ("active", "candidate")
    ended = memory.valid_to is not None and memory.valid_to[:10] < now.date().isoformat()
    return memory.status == "active" and not ended
