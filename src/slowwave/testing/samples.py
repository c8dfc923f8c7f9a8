"""Small nouns for tests: every field has a plain value, tests say only what matters to them."""

from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec

from slowwave.model import (
    Add,
    Change,
    Confirm,
    Dream,
    Event,
    Evidence,
    IndexRow,
    Memory,
    Update,
    short_id,
    text_hash,
)

MORNING = datetime(2031, 3, 14, 8, 30, tzinfo=timezone(timedelta(hours=8)))
"""When samples happen unless told otherwise."""


def event(text: str = "The kiln reaches 1240 degrees", **fields: Any) -> Event:
    """An event; its identity and id follow from its text unless they are given."""
    space = fields.get("space", "alder")
    identity = fields.setdefault("identity", text_hash(text))
    plain: dict[str, Any] = {
        "id": short_id("ev", space, identity),
        "space": space,
        "ts": MORNING,
        "role": "user",
        "kind": "message",
        "origin": "owner",
        "source": "sample",
    }
    return Event(text=text, **(plain | fields))


def memory(text: str = "The kiln reaches 1240 degrees", **fields: Any) -> Memory:
    """An active memory without evidence; its id follows from its text unless given."""
    plain: dict[str, Any] = {
        "id": short_id("me", text),
        "kind": "fact",
        "subject": "user",
        "title": text[:20],
        "entities": (),
        "importance": 60,
        "confidence": 0.7,
        "status": "active",
        "standing": "standing",
        "negated": False,
        "evidence": (),
        "dream_id": "dr1",
        "first_seen": MORNING,
        "last_seen": MORNING,
    }
    return Memory(text=text, **(plain | fields))


def quoting(source: Event, start: int = 0, end: int | None = None, **fields: Any) -> Memory:
    """A memory that says what an event says, and quotes it."""
    quote = source.text[start:end]
    span = Evidence(event_id=source.id, quote=quote, start=start, end=start + len(quote))
    return memory(quote, evidence=(span,), **fields)


def add(after: Memory, **fields: Any) -> Add:
    """The change that adds a memory."""
    return Add(**(_about(after, "add") | fields))


def confirm(before: Memory, **fields: Any) -> Confirm:
    """The change that raises a memory's version and nothing else."""
    after = msgspec.structs.replace(before, version=before.version + 1)
    return Confirm(**(_about(after, "confirm") | {"before": before} | fields))


def update(before: Memory, **changed: Any) -> Update:
    """The change that gives a memory other fields."""
    after = msgspec.structs.replace(before, version=before.version + 1, **changed)
    return Update(**(_about(after, "update") | {"before": before}))


def _about(after: Memory, op: str) -> dict[str, Any]:
    change_id = short_id("ch", op, after.id, str(after.version))
    return {"id": change_id, "memory_id": after.id, "after": after, "reason": f"sample {op}"}


def dream(*changes: Change, **fields: Any) -> Dream:
    """A dream with these changes, as it is handed to `commit`."""
    plain: dict[str, Any] = {
        "dream_id": "dr1",
        "space": "alder",
        "mode": "apply",
        "date": "2031-03-14",
        "run_at": MORNING,
        "status": "applied",
    }
    return Dream(changes=changes, **(plain | fields))


def words(unit_id: str, own: str, around: str = "") -> IndexRow:
    """The indexed words of a unit."""
    return IndexRow(unit_id, own, around)
