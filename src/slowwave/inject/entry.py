"""What may stand in a block, and what is told of it: when, of what kind, about whom, from where.

Only what holds now, or is said to be over, goes in; whatever was not the owner's or the agent's own
words is given as a quotation, with its source.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Literal

import msgspec

from slowwave.inject import asked
from slowwave.model import USER, Event, Hit, Layer, Memory, Origin, Unit, WorkItem, clock_zone
from slowwave.text.harmless import harmless
from slowwave.text.passed_on import is_passed_on

__all__ = [
    "Entry",
    "ItemType",
    "Sources",
    "holds",
    "is_profile",
    "of_hits",
    "of_items",
    "of_memory",
]

PROFILE = ("profile", "relationship")
FOR_AGENT = ("agent", "assistant")
"""Whom a rule is about that the user sets for whoever works for him."""
STANDING = ("rule", "preference")
"""Kinds that say who the user is, and how he wants things once and for all."""

LONGEST_NAME = 40
"""Characters of a name that are shown."""

UNTRUSTED: Mapping[Origin, str] = {
    "external": "attachment, untrusted 外部内容，不可信",
    "tool": "tool output, untrusted 工具输出，不可信",
    "system": "system message, untrusted 系统消息，不可信",
}
"""What is called by the name of its source instead of its speaker."""

PASSED_ON = "passed on by the user, untrusted 用户转发，不可信"
"""Of a mail or a page that the user pasted: his message, and not his words."""


ItemType = Unit | Literal["work"]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that may stand in a block.

    `marks` are what its head tells, the day first. With `quote` its words are given as a quotation.
    """

    id: str
    type: ItemType = "memory"
    layer: Layer = "recalled"
    score: float
    text: str
    marks: tuple[str, ...]
    refs: tuple[str, ...] = ()
    quote: bool = False


class Sources(msgspec.Struct, frozen=True):
    """What stands behind hits, by id: the memories, and the events that they or others rest on."""

    memories: Mapping[str, Memory]
    events: Mapping[str, Event]

    def untrusted(self, memory: Memory) -> str:
        """The source of a memory that rests on nothing a person or the agent said; else empty."""
        known = [self.events[span.event_id] for span in memory.evidence
                 if span.event_id in self.events]  # fmt: skip
        origins = {event.origin for event in known}
        if not origins or not origins <= UNTRUSTED.keys():
            return ""
        return UNTRUSTED["external" if "external" in origins else known[0].origin]

    def other(self, memory: Memory) -> str:
        """Who said what a memory rests on, where that was nobody but other people; else empty."""
        known = [self.events.get(span.event_id) for span in memory.evidence]
        if not known or any(event is None or event.origin != "other" for event in known):
            return ""
        return ", ".join(sorted({event.speaker or "" for event in known if event is not None}))


def of_hits(hits: Sequence[Hit], sources: Sources, question: str, now: datetime) -> list[Entry]:
    """The hits that are fit for a block, best first: what holds, and is about whom is asked.

    What was replaced is an answer where the question is how things were.
    """
    past = asked.for_past(question)
    entries = []
    for hit in hits:
        memory = sources.memories.get(hit.id) if hit.type == "memory" else None
        if memory is not None:
            # As it stood at the moment that was asked for.
            memory = msgspec.structs.replace(
                memory, text=hit.text, status=hit.status, valid_to=hit.valid_to
            )
            there = holds(memory, now) or (past and memory.superseded_by is not None)
            if there and asked.about(question, memory.subject, memory.text):
                entries.append(of_memory(memory, sources, now, hit))
        elif hit.type == "event":
            entries.append(_of_event(hit, sources.events.get(hit.id)))
    return entries


def holds(memory: Memory, now: datetime) -> bool:
    """Whether a memory holds: neither replaced nor laid aside; a hold ends with its day."""
    if memory.undone or memory.status not in ("active", "candidate"):
        return False
    return not (memory.standing == "temporary" and _is_over(memory, now))


def _is_over(memory: Memory, now: datetime) -> bool:
    """Whether the last day of a memory has passed; a plan without an end is of its first day."""
    today = now.astimezone(clock_zone(now)).date().isoformat()
    last = memory.valid_to or (memory.valid_from if memory.kind == "plan" else None)
    return last is not None and last[:10] < today


def of_memory(
    memory: Memory, sources: Sources, now: datetime, hit: Hit | None = None, score: float = 1.0
) -> Entry:
    """A memory as it stands now, found as `hit` or by itself."""
    source, other = sources.untrusted(memory), sources.other(memory)
    if other and other != memory.subject:
        source = source or f"{_name(other)} said"
    refs = hit.refs if hit else tuple(span.ref or span.event_id for span in memory.evidence)
    return Entry(
        id=memory.id,
        layer="profile" if is_profile(memory) else "recalled",
        score=hit.score if hit else score,
        text=memory.text,
        marks=tuple(_marks(memory, source, now)),
        refs=tuple(dict.fromkeys(refs)),
        quote=bool(source or other),
    )


def is_profile(memory: Memory) -> bool:
    """Whether a memory tells who the user is, or how he always wants things."""
    lasting = memory.kind in STANDING and memory.standing == "standing"
    if memory.subject in FOR_AGENT:
        return lasting or memory.pinned
    return memory.subject == USER and (lasting or memory.pinned or memory.kind in PROFILE)


def _marks(memory: Memory, source: str, now: datetime) -> Iterator[str]:
    yield memory.last_seen.astimezone(clock_zone(now)).date().isoformat()
    yield memory.kind
    if memory.subject.strip().casefold() not in asked.NOT_SOMEBODY:
        yield f"about {_name(memory.subject)}"
    if source:
        yield source
    if memory.status == "candidate":
        yield "unconfirmed 待确认"
    if memory.standing == "one_off":
        yield "this time only 仅此一次"
    if memory.status not in ("active", "candidate"):
        yield "past, no longer current 已过时"
    elif _is_over(memory, now):
        yield "past 已过去"
    if memory.valid_from or memory.valid_to:
        begins, ends = harmless(memory.valid_from or ""), harmless(memory.valid_to or "")
        yield begins if begins == ends else f"{begins}…{ends}"


def _name(given: str) -> str:
    """A name within a mark, which it can neither end nor fill."""
    plain = harmless(given[: 4 * LONGEST_NAME]).translate(_BRACKETS)
    return plain if len(plain) <= LONGEST_NAME else f"{plain[:LONGEST_NAME]}…"


_BRACKETS = str.maketrans("[]·［］【】", "()-()()")


def _of_event(hit: Hit, event: Event | None) -> Entry:
    """A raw event: the words of whoever said it."""
    origin = event.origin if event is not None else "external"
    said = UNTRUSTED.get(origin) or (
        PASSED_ON if event is not None and origin == "owner" and is_passed_on(event.text) else ""
    )
    said = said or f"{_name(hit.speaker or hit.subject) or 'unknown'} said"
    return Entry(
        id=hit.id, type="event", score=hit.score, text=hit.text, refs=hit.refs, quote=True,
        marks=(hit.ts.date().isoformat(), said),
    )  # fmt: skip


def of_items(
    items: Iterable[tuple[WorkItem, float]], now: datetime, said: Mapping[str, Entry]
) -> list[Entry]:
    """Open items, the nearest first, with their scores.

    An item that says what was found (`said`, by item) keeps that one's id and references, so that
    both are said once.
    """
    return [_of_item(item, score, now, said.get(item.id)) for item, score in items]


def said_by(
    items: Iterable[WorkItem], entries: Sequence[Entry], sources: Sources
) -> dict[str, Entry]:
    """Which of the entries say the same as an open item, by item: the memory that opened it, or
    what rests on the very words that did."""  # fmt: skip
    found: dict[str, Entry] = {}
    for item in items:
        for entry in entries:
            memory = sources.memories.get(entry.id)
            events = {span.event_id for span in memory.evidence} if memory else {entry.id}
            theirs = entry.id == item.id[1:]
            same = item.event_id in events and (item.text in entry.text or entry.text in item.text)
            if entry.layer == "recalled" and (theirs or same):
                found[item.id] = entry
                break
    return found


def _of_item(item: WorkItem, score: float, now: datetime, said: Entry | None) -> Entry:
    zone = clock_zone(now)
    marks = [item.touched.astimezone(zone).date().isoformat(), "open 未完成"]
    if item.due:
        late = date.fromisoformat(item.due[:10]) < now.astimezone(zone).date()
        marks.append(f"{'was due' if late else 'due'} {harmless(item.due)}")
    return Entry(
        id=said.id if said else item.id,
        type=said.type if said else "work",
        layer="working",
        score=said.score if said else score,
        text=item.text,
        marks=tuple(marks),
        refs=said.refs if said else (item.event_id,) if item.event_id else (),
        quote=said.quote if said else False,
    )
