"""Words for a change by hand that was rejected or undone.

What a person writes to change the memory is journaled first and quoted by that change. When the
change is rejected, or taken back, its words stay in the journal (which is never edited) and count
as little as an undone memory does: nobody finds them, and no prompt gets them. Redone, they count.
"""

from collections.abc import Iterable

from slowwave.ledger.commit import WAITING
from slowwave.model import SAID_BY_HAND, DreamStatus, Event
from slowwave.ports import Store

__all__ = ["in_force", "withdrawn"]

COUNTING: tuple[DreamStatus, ...] = (*WAITING, "applied")


def in_force(store: Store, space: str, events: Iterable[Event]) -> list[Event]:
    """These events, in their order, without the words that were taken back."""
    known = list(events)
    gone = withdrawn(store, space, known)
    return [event for event in known if event.id not in gone] if gone else known


def withdrawn(store: Store, space: str, events: Iterable[Event]) -> set[str]:
    """Which of these events are words for a change by hand that was rejected or undone."""
    said = {event.id: event.ts for event in events if event.source == SAID_BY_HAND}
    heads = store.dreams(space, COUNTING) if said else []
    heads = [head for head in heads if head.by == "person"]
    # A change and its words are of one moment: mostly those of that moment are all to look at.
    moments = set(said.values())
    heads.sort(key=lambda head: head.run_at not in moments)
    for head in heads:
        if not said:
            break
        plan = store.dream(space, head.dream_id)
        for event_id in plan.event_ids if plan is not None else ():
            said.pop(event_id, None)
    return set(said)
