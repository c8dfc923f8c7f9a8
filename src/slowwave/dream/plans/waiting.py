"""Plans that wait for a person: which there are, and what becomes of those that were overtaken.

Of the same events only one plan waits. When a newer one is made, or a dream that read some of them
is applied, the older plan is rejected with the reason; what a person decided of it stays known.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

import msgspec

from slowwave.errors import AlreadyDecided, StalePlan
from slowwave.ledger import WAITING
from slowwave.model import Dream, DreamStatus, Event
from slowwave.ports import Store
from slowwave.text.counting import plural

__all__ = ["UNSETTLED", "blocks", "drop", "held", "planned", "plans", "settle", "unclaimed"]

UNSETTLED: tuple[DreamStatus, ...] = (*WAITING, "rolled_back")
"""Of these dreams the events may be spoken for."""
LATELY = 7
"""Applied dreams that are looked at, beside the newest: a kill may have come in between."""
MOST_NAMED = 5


def plans(dreams: Sequence[Dream]) -> list[Dream]:
    """The plans of nights that wait, oldest night first."""
    found = [
        dream
        for dream in dreams
        if dream.status in WAITING and dream.by == "night" and dream.mode != "dry_run"
    ]
    return sorted(found, key=lambda dream: (dream.date, dream.run_at))


def blocks(dreams: Sequence[Dream]) -> bool:
    """Whether a plan waits whose outcome another night must know: one that changes anything."""
    return any(
        plan.new_entries
        + plan.updated_entries
        + plan.merged_entries
        + plan.archived_entries
        + plan.confirmed_entries
        for plan in plans(dreams)
    )


def unclaimed(store: Store, events: Sequence[Event], dreams: Sequence[Dream]) -> list[Event]:
    """The events without those of a change by hand that waits: what a person said for it, or said
    of them, is his to decide before a night learns from it. Nor those of a turn that was undone:
    to learn them all the same would bring back what a person took back."""  # fmt: skip
    claimed: set[str] = set()
    for head in dreams:
        by_hand = head.status in WAITING and head.by == "person"
        if by_hand or (head.status == "rolled_back" and head.by == "turn"):
            plan = store.dream(head.space, head.dream_id)
            claimed.update(plan.event_ids if plan is not None else ())
    return [event for event in events if event.id not in claimed]


def planned(store: Store, dreams: Sequence[Dream]) -> set[str]:
    """The ids of the events that plans of nights have read which still wait."""
    found = (store.dream(head.space, head.dream_id) for head in plans(dreams))
    return {event_id for plan in found if plan is not None for event_id in plan.event_ids}


def settle(store: Store, newest: Dream) -> list[Dream]:
    """Rejects the waiting plans for events that the newest plan, or applied dreams, have read.

    Returns them as they were. `newest` is stored already, with its events.
    """
    heads = store.dreams(newest.space)
    others = [head for head in plans(heads) if head.dream_id != newest.dream_id]
    if not others:
        return []
    readers = [newest, *_applied(store, heads, newest)]
    replaced = []
    for head in others:
        plan = store.dream(head.space, head.dream_id)
        by = next((one for one in readers if plan and _overtakes(one, plan)), None)
        if plan is not None and by is not None:
            drop(store, plan, _why(by), by.dream_id)
            replaced.append(plan)
    return replaced


def drop(store: Store, plan: Dream, reason: str, by: str) -> None:
    """Rejects a plan that another dream took the place of, unless somebody decides it just now."""
    gone = msgspec.structs.replace(plan, status="rejected", reason=reason, replaced_by=by)
    with suppress(AlreadyDecided, StalePlan):
        store.save_dream(gone, was=plan)
        store.drop_stages(plan.space, plan.dream_id)


def held(store: Store, before: Sequence[Dream], planned: Dream) -> tuple[str, ...]:
    """A warning about the plans that wait for some of the events of a new one.

    `before` are the plans that waited before it was made.
    """
    events = frozenset(planned.event_ids)
    shared: dict[str, int] = {}
    for head in before:
        plan = store.dream(head.space, head.dream_id) if head.dream_id != planned.dream_id else None
        if plan is not None and not events.isdisjoint(plan.event_ids):
            shared[f"{plan.dream_id} ({plan.date})"] = len(events.intersection(plan.event_ids))
    if not shared:
        return ()
    number, found = plural(len(shared), "plan"), plural(sum(shared.values()), "event")
    text = (
        f"{found} of these are in {number} that will be replaced: "
        if planned.mode == "dry_run"
        else f"takes the place of {number} that waited for {found} of these: "
    )
    return (text + ", ".join(_first(list(shared))),)


def _first(names: Sequence[str]) -> Iterator[str]:
    yield from names[:MOST_NAMED]
    if len(names) > MOST_NAMED:
        yield f"and {len(names) - MOST_NAMED} more"


def _applied(store: Store, heads: Sequence[Dream], newest: Dream) -> list[Dream]:
    """The latest applied nights but the newest, whole."""
    ids = [
        head.dream_id
        for head in heads
        if head.status == "applied" and head.by == "night" and head.dream_id != newest.dream_id
    ]
    found = (store.dream(newest.space, dream_id) for dream_id in ids[:LATELY])
    return [dream for dream in found if dream is not None]


def _overtakes(reader: Dream, plan: Dream) -> bool:
    """Whether a dream read events of a plan, or is a later plan of the same night without any."""
    events: Collection[str] = frozenset(reader.event_ids)
    if plan.event_ids:
        return any(event_id in events for event_id in plan.event_ids)
    return reader.date == plan.date and reader.run_at >= plan.run_at


def _why(by: Dream) -> str:
    if by.status == "applied":
        return f"dream {by.dream_id} was applied, which has read the same events"
    return f"dream {by.dream_id} was planned later, of the same events"
