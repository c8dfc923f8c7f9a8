"""What dreams and changes are told with on several pages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from slowwave.memory import SlowMemory
from slowwave.model import Change, Dream, Event, Evidence
from slowwave.servers.dashboard.showing import Part, differences
from slowwave.servers.dashboard.visit import Visit

__all__ = ["SIGNS", "STAGES", "Quote", "Told", "fact", "outcome", "quotes", "told", "voices"]

SIGNS: Mapping[str, str] = {
    "add": "plus", "restore": "plus", "update": "tilde", "merge": "tilde", "confirm": "tilde",
    "collapse": "tilde", "supersede": "minus", "demote": "minus", "retire": "minus",
}  # fmt: skip
"""What a change does to what is believed: comes in, changes, goes."""

STAGES: Mapping[str, str] = {
    "add": "reconcile", "update": "reconcile", "merge": "reconcile", "confirm": "reconcile",
    "supersede": "reconcile", "restore": "reconcile", "retire": "forget", "demote": "forget",
    "collapse": "forget",
}  # fmt: skip
"""The stage of a night that proposes a change."""

LATE = float("inf")
FACTS = ("status", "standing", "importance", "valid_from", "valid_to", "pinned")
"""What else of a memory may change."""


class Quote(NamedTuple):
    """Quoted words, and the event they are of where it is still there."""

    span: Evidence
    event: Event | None

    @property
    def owner(self) -> bool:
        """Whether the user said it."""
        return self.event is not None and self.event.origin == "owner"

    @property
    def speaker(self) -> str:
        """Who else said it."""
        if self.event is None:
            return self.span.speaker or ""
        return self.event.speaker or self.event.origin


class Told(NamedTuple):
    """A change as it is shown."""

    change: Change
    sign: str
    stage: str
    before: Sequence[Part]
    after: Sequence[Part]
    facts: Sequence[tuple[str, object, object]]
    quotes: Sequence[Quote]


def voices(memory: SlowMemory, spans: Iterable[Evidence]) -> dict[str, Event]:
    """The events that are quoted, by id."""
    return memory.events(sorted({span.event_id for span in spans}))


def quotes(spans: Iterable[Evidence], events: Mapping[str, Event]) -> list[Quote]:
    """Quotes with their events, oldest first."""
    found = [Quote(span, events.get(span.event_id)) for span in spans]
    return sorted(found, key=lambda one: one.span.ts.timestamp() if one.span.ts else LATE)


def told(change: Change, events: Mapping[str, Event], by: str) -> Told:
    """A change, with what differs. `by` is who made its dream."""
    before, after = change.before, change.after
    old: Sequence[Part] = ()
    new: Sequence[Part] = [Part(after.text)]
    facts = []
    if before is not None:
        if before.text != after.text:
            old, new = differences(before.text, after.text)
        facts = [
            (name, getattr(before, name), getattr(after, name))
            for name in FACTS
            if getattr(before, name) != getattr(after, name)
        ]
    stage = STAGES[change.op] if by == "night" else by
    spans = change.quotes
    return Told(change, SIGNS[change.op], stage, old, new, facts, quotes(spans, events))


def outcome(dream: Dream) -> list[tuple[str, int]]:
    """The numbers of a dream that are not nothing, by the name of their word."""
    counted = (
        ("new", dream.new_entries), ("updated", dream.updated_entries),
        ("merged", dream.merged_entries), ("confirmed", dream.confirmed_entries),
        ("archived", dream.archived_entries),
    )  # fmt: skip
    return [(name, number) for name, number in counted if number]


def fact(visit: Visit, name: str, value: object) -> str:
    """A field of a memory as people read it."""
    if value is None or value == "":
        return visit.t("fact.none")
    if isinstance(value, bool):
        return visit.t("fact.yes" if value else "fact.no")
    if name in ("status", "standing"):
        return visit.name(name, str(value))
    return visit.day(str(value)) if name.startswith("valid") else visit.shown(value)
