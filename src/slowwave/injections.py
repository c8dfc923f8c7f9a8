"""The injection ledger read backwards: from "this was wrong" to the words it came from (promise 9).

A correction is a change set by hand that waits for a person like any plan, or is applied at once.
While it waits, what it would end goes into no prompt: nothing is written for that, so that
rejecting the plan is enough to take it back.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from slowwave import ledger, review
from slowwave.errors import InputError, NotFound, UsageError
from slowwave.model import (
    USER,
    Add,
    Change,
    Dream,
    Event,
    Evidence,
    InjectedItem,
    Injection,
    Memory,
    Retire,
    Supersede,
    Verdict,
    Version,
    clock_zone,
    day_of,
    short_id,
)
from slowwave.ports import Store

__all__ = [
    "Given", "Step", "Trail", "correction", "held", "holding", "marked", "one_item", "trace",
    "waiting_for",
]  # fmt: skip

INSTANT = timedelta(microseconds=1)
ENDS = ("retire", "supersede")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """One prompt that something entered: its entry in the ledger."""

    id: str
    ts: datetime
    query: str
    session: str = ""
    verdict: Verdict = ""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One change of a memory: the dream and the route that made it, by what, and why."""

    dream_id: str
    date: str
    by: str
    made_by: str
    op: str
    route: str
    reason: str
    recorded_at: datetime


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """Where an injected item comes from: the prompts, the memory and its changes, the exact words.

    A raw event is its own origin; `memories` are those that rest on it.
    """

    id: str
    type: str
    text: str
    prompts: tuple[Given, ...] = ()
    memory: Memory | None = None
    steps: tuple[Step, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    event: Event | None = None
    memories: tuple[str, ...] = ()


# --- the ledger -----------------------------------------------------------------------------------


def holding(entries: Sequence[Injection], ids: Collection[str]) -> list[Injection]:
    """The entries of the ledger that gave one of these to a prompt, or on trial would have."""
    return [entry for entry in entries if any(item.id in ids for item in entry.items)]


def one_item(entry: Injection, named: str) -> InjectedItem:
    """The item of a block by its number (from 1) or the beginning of its id; of one item that one.

    Raises UsageError, NotFound.
    """
    listed = ", ".join(f"{number} = {item.id}" for number, item in enumerate(entry.items, start=1))
    if not entry.items:
        raise NotFound(f"{entry.id} gave nothing to the prompt", "`slowwave injections` lists them")
    if not named:
        if len(entry.items) > 1:
            raise UsageError(f"which item of {entry.id}?", f"name it with --item: {listed}")
        return entry.items[0]
    if named.isdecimal() and 1 <= int(named) <= len(entry.items):
        return entry.items[int(named) - 1]
    found = [item for item in entry.items if item.id.startswith(named)]
    if len(found) != 1:
        raise NotFound(f"{entry.id} has no single item {named!r}", f"it has {listed}")
    return found[0]


def marked(entry: Injection, item_id: str, verdict: Verdict) -> Injection:
    """The entry with a person's verdict on one of its items."""
    items = tuple(
        msgspec.structs.replace(item, verdict=verdict) if item.id == item_id else item
        for item in entry.items
    )
    return msgspec.structs.replace(entry, items=items)


def _given(entry: Injection, item_id: str) -> Given:
    verdict = next(item.verdict for item in entry.items if item.id == item_id)
    return Given(
        id=entry.id, ts=entry.ts, query=entry.query, session=entry.session, verdict=verdict
    )


# --- the way back ---------------------------------------------------------------------------------


def trace(store: Store, space: str, item_id: str, entries: Sequence[Injection]) -> Trail:
    """From an injected memory, event or open item back to where it comes from. Raises NotFound."""
    given = (entry for entry in holding(entries, [item_id]) if not entry.trial)
    prompts = tuple(_given(entry, item_id) for entry in given)
    memory = store.memories_by_id(space, [item_id]).get(item_id)
    if memory is not None:
        versions = store.versions(space, item_id)
        return Trail(
            id=item_id, type="memory", text=memory.text, prompts=prompts, memory=memory,
            steps=tuple(_steps(store, space, versions)), evidence=memory.evidence,
        )  # fmt: skip
    event = store.events_by_id(space, [item_id]).get(item_id)
    if event is not None:
        return Trail(
            id=item_id, type="event", text=event.text, prompts=prompts, event=event,
            evidence=(ledger.whole(event),), memories=tuple(_resting_on(store, event)),
        )  # fmt: skip
    item = next((one for one in store.working(space) if one.id == item_id), None)
    if item is None:
        raise NotFound(f"{item_id} is not there any more", "it may have been forgotten for good")
    source = store.events_by_id(space, [item.event_id] if item.event_id else [])
    return Trail(
        id=item_id, type="work", text=item.text, prompts=prompts, event=source.get(item.event_id)
    )


def _steps(store: Store, space: str, versions: Sequence[Version]) -> Iterator[Step]:
    for version in versions:
        dream = store.dream(space, version.dream_id)
        change = next((one for one in dream.changes if one.id == version.change_id), None) \
            if dream else None  # fmt: skip
        yield Step(
            dream_id=version.dream_id, op=version.op, reason=version.reason,
            recorded_at=version.recorded_at, date=dream.date if dream else "",
            by=dream.by if dream else "", made_by=dream.model_used if dream else "",
            route=change.route if change else "",
        )  # fmt: skip


def _resting_on(store: Store, event: Event) -> Iterator[str]:
    """The memories that quote an event and still stand."""
    for memory in store.memories(event.space, ("active", "candidate", "cold")):
        if any(span.event_id == event.id for span in memory.evidence):
            yield memory.id


# --- the correction -------------------------------------------------------------------------------


def correction(store: Store, by: review.By, origin: Trail, right: str, told: str) -> Dream:
    """The plan that ends what is wrong, and with `right` puts that in its place.

    `told` says where the mistake was seen. The right words are journaled as the owner's correction
    and quoted. A raw event is never changed: a retired memory of its words tells that they do not
    count, which recall honours. Raises InputError where there is nothing to correct.
    """
    memory = origin.memory
    if memory is not None and memory.status == "retired" and not right:
        raise InputError(
            f"memory {memory.id} is not believed any more", "nothing was changed; give --right TEXT"
        )
    review.check_words(right)
    if right.strip() == origin.text.strip():
        raise InputError("what is right is just what it says", "nothing was changed")
    reason = f"said to be wrong{told}, by hand"
    said: tuple[Event, ...] = ()
    changes: list[Change] = []
    heir = _said_already(store, by.space, origin, right)
    if heir and memory is not None and memory.status == "retired":
        raise InputError(f"memory {heir} says just that already", "nothing was changed")
    if right.strip() and not heir:
        event, span = review.said(store, by, right, "correction", origin.id)
        added = _right(by, event, span, memory)
        changes, said, heir = [added], (event,), added.memory_id
    changes += _ending(by, origin, heir, reason)
    if origin.event is not None and origin.type == "event" and _unread(store, origin.event):
        said = (*said, origin.event)  # no night is to learn it
    return ledger.count(plan := review.change_set(by, changes, said), plan.changes)


def _said_already(store: Store, space: str, origin: Trail, right: str) -> str:
    """The memory that says already what is right, of whom the mistake is about; else empty."""
    subject = origin.memory.subject if origin.memory is not None else USER
    words = right.strip()
    known = store.memories(space, ("active",)) if words else ()
    same = (one.id for one in known if one.subject == subject and one.text.strip() == words)
    return next((memory_id for memory_id in same if memory_id != origin.id), "")


def _right(by: review.By, event: Event, span: Evidence, wrong: Memory | None) -> Add:
    """What is right, in the place of what was wrong: of its kind and about whom that was."""
    if wrong is None:
        return review.added(by, event, span)
    added = review.added(by, event, span, wrong.kind, max(wrong.importance, review.IMPORTANCE))
    # Dates take a tenth of a recall to import, and only a correction reads them.
    from slowwave.text.corrected_days import dated_as  # noqa: PLC0415

    after = msgspec.structs.replace(
        added.after, subject=wrong.subject, standing=wrong.standing, pinned=wrong.pinned
    )
    return msgspec.structs.replace(added, after=dated_as(after, wrong, by.now))


def _ending(by: review.By, origin: Trail, heir: str, reason: str) -> Iterator[Change]:
    """The change that ends a memory, or says of a raw event that it does not count."""
    today = day_of(by.now, clock_zone(by.now)).isoformat()
    memory = origin.memory
    if memory is not None:
        if memory.status == "retired":
            return
        ended = msgspec.structs.replace(
            memory, status="retired", valid_to=min(memory.valid_to or today, today),
            superseded_by=heir or None, pinned=False, conflicts_with=(),
        )  # fmt: skip
        yield review.by_hand(Supersede if heir else Retire, memory, ended, reason, by)
        return
    event = origin.event
    assert event is not None
    plain = review.added(by, event, ledger.whole(event))
    memory_id = short_id("m", event.id, "wrong", by.now.isoformat())
    after = msgspec.structs.replace(
        plain.after, id=memory_id, status="retired", valid_to=today, superseded_by=heir or None,
        importance=0,
    )  # fmt: skip
    change_id = short_id("c", memory_id)
    yield msgspec.structs.replace(
        plain, id=change_id, memory_id=memory_id, after=after, reason=reason
    )


def _unread(store: Store, event: Event) -> bool:
    """Whether no night has read an event yet."""
    return any(
        one.id == event.id for one in store.undreamed(event.space, event.ts, event.ts + INSTANT)
    )


# --- while it waits -------------------------------------------------------------------------------


def held(store: Store, space: str) -> Mapping[str, str]:
    """What goes into no prompt while a correction of it waits: memories and events, by id, with
    the waiting plan."""  # fmt: skip
    found: dict[str, str] = {}
    for head in store.dreams(space):
        if head.by != "person" or head.status not in ledger.WAITING:
            continue
        plan = store.dream(space, head.dream_id)
        for change in plan.changes if plan is not None else ():
            if change.approved is False:
                continue
            if change.op in ENDS:
                found.setdefault(change.memory_id, head.dream_id)
            elif change.after.status == "retired":
                for span in change.after.evidence:
                    found.setdefault(span.event_id, head.dream_id)
    return found


def waiting_for(store: Store, space: str, item_id: str) -> Dream | None:
    """The correction of this item that waits, if there is one."""
    dream_id = held(store, space).get(item_id)
    return store.dream(space, dream_id) if dream_id else None
