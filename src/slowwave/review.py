"""What a person decides: approve or reject a plan, and changes by hand.

A change by hand is a small dream of its own: it has an id, versions, evidence, and can be undone
like any other. New words of a person are journaled first and quoted, so that promise 2 holds for
them as well.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import MappingProxyType
from typing import Literal

import msgspec

from slowwave import ledger
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.errors import InputError, NotFound, UsageError
from slowwave.model import (
    SAID_BY_HAND,
    Add,
    Change,
    Demote,
    Dream,
    Event,
    EventKind,
    Evidence,
    Kind,
    Memory,
    Record,
    Restore,
    Retire,
    Supersede,
    Update,
    clock_zone,
    day_of,
    short_id,
)
from slowwave.ports import Store
from slowwave.text.entities import find_entities
from slowwave.text.polarity import is_negated
from slowwave.text.wrappers import MEMORY_OPEN, strip_managed

__all__ = [
    "BY_HAND", "By", "ByHand", "add_by_hand", "added", "approve", "by_hand", "change_set",
    "check_importance", "check_words", "conflicts", "demote", "edit", "edited", "pin", "reject",
    "resolve", "restore", "restored", "said", "set_importance", "settle",
]  # fmt: skip

SOURCE = SAID_BY_HAND
"""The source of what a person writes into the memory directly."""
ROUTE = "person"
IMPORTANCE = 80
"""Of a memory that a person writes himself: he found it worth the trouble."""
TITLE = 60
LONGEST = 4_000
"""Characters of one statement that a person writes."""


class By(msgspec.Struct, frozen=True):
    """Whose hand, where and when: the space, its owner's name, and now in the user's zone."""

    space: str
    owner: str
    now: datetime


# --- plans ----------------------------------------------------------------------------------------


def approve(store: Store, dream: Dream, only: Sequence[str] = ()) -> Dream:
    """Approves a plan, or the listed changes of it. Nothing is applied yet.

    Raises AlreadyDecided for a dream that does not wait, UsageError for an unknown change.
    """
    ledger.refuse_decided(dream)
    wanted = ledger.pick_changes(dream.changes, only)
    changes = tuple(
        _marked(change, approved=True)
        if (change.id in wanted if only else change.approved is None)
        else change
        for change in dream.changes
    )
    whole = all(change.approved is not None for change in changes)
    return _save(store, dream, changes, "approved" if whole else dream.status)


def reject(store: Store, dream: Dream, only: Sequence[str] = ()) -> Dream:
    """Rejects a plan, or the listed changes of it and those that stand on them.

    Raises as `approve`.
    """
    ledger.refuse_decided(dream)
    if not only:
        changes = tuple(_marked(change, approved=False) for change in dream.changes)
        return _save(store, dream, changes, "rejected")
    wanted = ledger.with_dependants(dream.changes, ledger.pick_changes(dream.changes, only))
    changes = tuple(
        _marked(change, approved=False) if change.id in wanted else change
        for change in dream.changes
    )
    nothing_left = all(change.approved is False for change in changes)
    return _save(store, dream, changes, "rejected" if nothing_left else dream.status)


def _marked(change: Change, *, approved: bool) -> Change:
    return msgspec.structs.replace(change, approved=approved)


def _save(store: Store, dream: Dream, changes: tuple[Change, ...], status: str) -> Dream:
    decided = msgspec.structs.replace(dream, changes=changes, status=status)
    store.save_dream(decided, was=dream)
    if status == "rejected":
        store.drop_stages(dream.space, dream.dream_id)
    return decided


# --- changes by hand ------------------------------------------------------------------------------


def edit(store: Store, by: By, memory_id: str, text: str) -> Dream:
    """Sets the text of a memory to a person's own words. Raises NotFound, InputError."""
    memory = _find(store, by.space, memory_id)
    if text.strip() == memory.text:
        raise InputError("the text is the same as before", "nothing was changed")
    event, span = said(store, by, text, "correction", memory.id)
    change = by_hand(Update, memory, edited(memory, event, span), "edited by hand", by)
    return settle(store, by, [change], (event,))


def edited(memory: Memory, event: Event, span: Evidence) -> Memory:
    """A memory that says what a person just said in `event`."""
    return msgspec.structs.replace(
        memory,
        text=event.text,
        title=_title(event.text),
        entities=_names(event.text),
        negated=is_negated(event.text),
        evidence=(span, *memory.evidence),
        last_seen=event.ts,
        confidence=1.0,
    )


def add_by_hand(
    store: Store, by: By, text: str, kind: Kind = "fact", importance: int = IMPORTANCE
) -> Dream:
    """A new memory in a person's own words. Raises InputError when there are none."""
    event, span = said(store, by, text, "note", "")
    return settle(store, by, [added(by, event, span, kind, importance)], (event,))


def added(
    by: By, event: Event, span: Evidence, kind: Kind = "fact", importance: int = IMPORTANCE
) -> Add:
    """The change that makes a memory of what a person just said in `event`."""
    memory_id = short_id("m", by.space, SOURCE, event.id)
    after = Memory(
        id=memory_id, kind=kind, subject="user", title=_title(event.text), text=event.text,
        entities=_names(event.text), importance=importance, confidence=1.0, status="active",
        standing="standing", negated=is_negated(event.text), evidence=(span,), dream_id="",
        first_seen=event.ts, last_seen=event.ts,
    )  # fmt: skip
    return Add(
        id=short_id("c", memory_id, by.now.isoformat()), memory_id=memory_id, after=after,
        reason="written by hand", route=ROUTE, evidence=(span,),
    )  # fmt: skip


def pin(store: Store, by: By, memory_id: str, *, pinned: bool = True) -> Dream:
    """Pins a memory (never forgotten, always loaded), or lets go of it. Raises NotFound."""
    memory = _find(store, by.space, memory_id)
    if memory.pinned == pinned:
        raise InputError(
            f"memory {memory.id} is {'' if pinned else 'not '}pinned already", "nothing was changed"
        )
    after = msgspec.structs.replace(memory, pinned=pinned)
    reason = "pinned by hand" if pinned else "unpinned by hand"
    return settle(store, by, [by_hand(Update, memory, after, reason, by)])


def set_importance(store: Store, by: By, memory_id: str, importance: int) -> Dream:
    """Sets the importance (0-100) of a memory. Raises NotFound, UsageError."""
    check_importance(importance)
    memory = _find(store, by.space, memory_id)
    after = msgspec.structs.replace(memory, importance=importance)
    change = by_hand(Update, memory, after, f"importance {importance} by hand", by)
    return settle(store, by, [change])


def check_importance(importance: int) -> None:
    """Raises UsageError for what is no importance."""
    if not 0 <= importance <= 100:
        raise UsageError(f"importance {importance} is not within 0-100", "90 and more is vital")


def demote(store: Store, by: By, memory_id: str) -> Dream:
    """To cold storage: out of ordinary recall, can be restored. Raises NotFound, InputError."""
    memory = _find(store, by.space, memory_id)
    if memory.status not in ("active", "candidate"):
        raise InputError(f"memory {memory.id} is {memory.status} already", "nothing was changed")
    after = msgspec.structs.replace(memory, status="cold")
    return settle(store, by, [by_hand(Demote, memory, after, "demoted by hand", by)])


def restore(store: Store, by: By, memory_id: str) -> Dream:
    """Back from cold, retired or quarantined; what had replaced or ended it is no more.

    Raises NotFound, InputError.
    """
    memory = _find(store, by.space, memory_id)
    if memory.status in ("active", "candidate"):
        raise InputError(f"memory {memory.id} is {memory.status} already", "nothing was changed")
    change = by_hand(Restore, memory, restored(memory, by), "restored by hand", by)
    return settle(store, by, [change])


def restored(memory: Memory, by: By) -> Memory:
    """A memory that is back."""
    return msgspec.structs.replace(
        memory,
        status="active",
        superseded_by=None,
        expires_at=None,
        valid_to=None if memory.status == "retired" else memory.valid_to,
        last_access=by.now,
    )


# --- conflicts ------------------------------------------------------------------------------------


def conflicts(store: Store, space: str) -> list[tuple[Memory, ...]]:
    """Groups of memories that cannot hold together, each once, oldest first."""
    known = {memory.id: memory for memory in store.memories(space, ("active", "candidate"))}
    groups = []
    seen: set[str] = set()
    for memory in known.values():
        others = [known[other] for other in memory.conflicts_with if other in known]
        if others and memory.id not in seen:
            seen.update((memory.id, *(other.id for other in others)))
            groups.append((memory, *others))
    return groups


def resolve(store: Store, by: By, memory_id: str, keep: str) -> Dream:
    """Settles a conflict: `keep` stays, the others of its group are superseded by it.

    `memory_id` is any of the group. Raises NotFound, UsageError.
    """
    group = next(
        (found for found in conflicts(store, by.space) if memory_id in {m.id for m in found}), None
    )
    if group is None:
        raise NotFound(f"memory {memory_id} is in no conflict", "run `slowwave conflicts`")
    kept = next((memory for memory in group if memory.id == keep), None)
    if kept is None:
        raise UsageError(
            f"memory {keep} is not part of that conflict",
            "keep one of " + ", ".join(memory.id for memory in group),
        )
    ids = {memory.id for memory in group}
    today = day_of(by.now, clock_zone(by.now)).isoformat()
    changes: list[Change] = []
    for memory in group:
        free = tuple(other for other in memory.conflicts_with if other not in ids)
        after = msgspec.structs.replace(memory, conflicts_with=free)
        if memory is kept:
            changes.append(by_hand(Update, memory, after, "kept in a conflict, by hand", by))
            continue
        closed = msgspec.structs.replace(
            after, status="retired", superseded_by=kept.id, valid_to=memory.valid_to or today
        )
        changes.append(
            by_hand(Supersede, memory, closed, f"gave way to “{kept.title}”, by hand", by)
        )
    return settle(store, by, changes)


ByHand = Literal["edit", "pin", "unpin", "importance", "demote", "restore", "resolve"]

BY_HAND: Mapping[ByHand, Callable[..., Dream]] = MappingProxyType(
    {
        "edit": edit,
        "pin": pin,
        "unpin": partial(pin, pinned=False),
        "importance": set_importance,
        "demote": demote,
        "restore": restore,
        "resolve": resolve,
    }
)
"""What a person may do to a memory he names; each takes the store, `By`, the memory's id, and
its own options."""


# --- how it is written ----------------------------------------------------------------------------


def _find(store: Store, space: str, memory_id: str) -> Memory:
    found = store.memories_by_id(space, [memory_id]).get(memory_id)
    if found is None or found.undone:
        raise NotFound(f"no memory {memory_id}", "run `slowwave memories list`")
    return found


def check_words(text: str) -> None:
    """Raises InputError for what is no statement of a person: too long for one, without any word,
    or out of a memory (promise 5)."""  # fmt: skip
    if len(text) > LONGEST:
        raise InputError(
            f"the new text has {len(text)} characters, more than {LONGEST}",
            "a memory is one statement; write what matters, and `slowwave log` the rest",
        )
    if text.strip() and not any(character.isalnum() for character in text):
        raise InputError("the new text has no word in it", "nothing was changed")
    if MEMORY_OPEN in text.lower() or strip_managed(text) != text:
        raise InputError(
            "the new text holds a block that came out of a memory",
            "write it in your own words; memory is never its own evidence",
        )


def said(store: Store, by: By, text: str, kind: EventKind, about: str) -> tuple[Event, Evidence]:
    """A person's words as an event of the journal, and the span that quotes all of them.

    Raises InputError as `check_words`.
    """
    check_words(text)
    # Without a time and a key the record is always new: now, whatever was said before.
    record = Record(
        text=text.strip(), source=SOURCE, role="user", kind=kind, origin="owner",
        meta={"memory": about} if about else {},
    )  # fmt: skip
    taken = take_in(store, [record], Intake(by.space, by.owner, by.now), want_ids=True)
    if not taken.ids:
        reason = taken.skipped[0].reason if taken.skipped else "nothing was taken in"
        raise InputError(f"the new text cannot be kept: {reason}", "give it in other words")
    event = store.events_by_id(by.space, [taken.ids[0].id])[taken.ids[0].id]
    span = Evidence(
        event_id=event.id, quote=event.text, start=0, end=len(event.text), ts=event.ts,
        speaker=event.speaker,
    )  # fmt: skip
    return event, span


def by_hand(
    kind: type[Update] | type[Demote] | type[Restore] | type[Retire] | type[Supersede],
    before: Memory,
    after: Memory,
    reason: str,
    by: By,
) -> Change:
    """One change of a memory by a person; the next version of it."""
    return kind(
        id=short_id("c", before.id, str(before.version), by.now.isoformat(), reason),
        memory_id=before.id,
        before=before,
        after=msgspec.structs.replace(after, version=before.version + 1),
        reason=reason,
        route=ROUTE,
        evidence=after.evidence,
    )


def change_set(by: By, changes: Sequence[Change], events: Sequence[Event] = ()) -> Dream:
    """Changes by hand as one plan. `events` are what the person said for it."""
    dream_id = short_id("d", by.space, SOURCE, *(change.id for change in changes))
    owned = tuple(
        msgspec.structs.replace(
            change, after=msgspec.structs.replace(change.after, dream_id=dream_id)
        )
        for change in changes
    )
    return Dream(
        dream_id=dream_id, space=by.space, mode="plan", run_at=by.now, status="planned",
        date=day_of(by.now, clock_zone(by.now)).isoformat(), input_events=len(events),
        model_used="person", preset="", changes=owned, by="person",
        event_ids=tuple(event.id for event in events),
    )  # fmt: skip


def settle(store: Store, by: By, changes: Sequence[Change], events: Sequence[Event] = ()) -> Dream:
    """Applies changes by hand as one change set, which can be undone with one id."""
    return ledger.apply(store, change_set(by, changes, events), by.now)


def _title(text: str) -> str:
    first = text.strip().splitlines()[0]
    return first if len(first) <= TITLE else first[: TITLE - 1] + "…"


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entity.text for entity in find_entities(text)))
