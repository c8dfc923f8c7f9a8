"""The items follow the ledger: each applied night, and each change by hand or undoing."""

from collections.abc import Iterator, Mapping
from datetime import datetime

import msgspec

from slowwave.model import READERS, Change, Dream, WorkItem
from slowwave.ports import Store
from slowwave.working import state

__all__ = ["follow", "heed"]

FOLLOWED = "followed"
"""The id under which the store keeps, beside the stages of dreams, which dreams were followed."""
LATELY = 7
"""Applied dreams that are made up for, where a kill came between a dream and its items."""
LOOKED_AT = 50
"""Dreams among which they are looked for: of turns there are thousands."""
LAPSES = ("expiry", "time", "forget")
"""Routes that end a memory because its time passed, not because anything was said."""
DEEPEST = 50
"""Undoings of undoings that are followed back to the night they are about."""


def follow(store: Store, dream: Dream, now: datetime) -> None:
    """Brings the items up to date with an applied dream, and with any lately that a kill left out.

    Safe to repeat.
    """
    space = dream.space
    done = store.stages(space, FOLLOWED)
    lately = [
        head.dream_id
        for head in store.dreams(space, ("applied",), LOOKED_AT)
        if head.by in READERS and head.dream_id != dream.dream_id
    ][:LATELY]
    for missed in (store.dream(space, one) for one in reversed(lately) if one not in done):
        if missed is not None:
            _follow(store, missed, now)
    _follow(store, dream, now)
    stale = done.keys() - set(lately)
    if len(stale) > LATELY:
        store.drop_stages(space, FOLLOWED)
        for dream_id in (*lately, dream.dream_id):
            store.put_stage(space, FOLLOWED, dream_id, b"")


def _follow(store: Store, dream: Dream, now: datetime) -> None:
    events = store.events_by_id(dream.space, dream.event_ids)
    changes = [change for change in dream.changes if change.approved is not False]
    lapsed = {change.memory_id for change in changes if change.route in LAPSES}
    left_out = _left_out(dream)
    # It reads language: only where a night was applied.
    from slowwave.working.scan import scan  # noqa: PLC0415

    changed = scan(
        store.working(dream.space),
        [change.after for change in changes],
        [event for event in events.values() if event.id not in left_out],
        now,
        lapsed=lapsed,
    )
    store.put_working(dream.space, changed)
    store.put_stage(dream.space, FOLLOWED, dream.dream_id, b"")


def _left_out(dream: Dream) -> frozenset[str]:
    """The events of which a person wanted nothing: all that was learned from them was rejected."""
    said: dict[bool, set[str]] = {True: set(), False: set()}
    for change in dream.changes:
        said[change.approved is not False].update(span.event_id for span in change.quotes)
    return frozenset(said[False] - said[True])


def heed(store: Store, dream: Dream, now: datetime) -> None:
    """Brings the items in line with a change set that is no night's: by hand, or an undoing.

    An item goes with its memory: closed when that ends, set aside when it was never to be, open
    again when it is back. Undoing a night also takes back what its events opened and closed.
    """
    items = {item.id: item for item in store.working(dream.space)}
    changes = [change for change in dream.changes if change.approved is not False]
    changed = {item.id: item for change in changes for item in _with_memory(items, change, now)}
    night = _night_undone(store, dream) if dream.undoes else None
    if night is not None:
        standing = items | changed
        changed |= {item.id: item for item in _without_night(standing, night, dream)}
    store.put_working(dream.space, list(changed.values()))
    if night is not None and night.status == "applied":
        _follow(store, night, now)


def _with_memory(
    items: Mapping[str, WorkItem], change: Change, now: datetime
) -> Iterator[WorkItem]:
    """The item of a changed memory, if that changes it."""
    before, after = change.before, change.after
    had = items.get("w" + after.id)
    stood = before is not None and state.lives(before)
    if had is None:
        opened = state.of_memory(after, had, (), now)
        if opened is not None:
            yield opened
    elif not state.lives(after):
        if had.state == "open":
            never = after.undone or after.status != "retired"
            ended = "stalled" if never else "done"
            yield msgspec.structs.replace(had, state=ended, closed_by=change.after.dream_id)
    elif not stood and state.under_way(after, now):
        yield msgspec.structs.replace(had, state="open", text=after.text, closed_by="")
    elif had.text != after.text:
        yield msgspec.structs.replace(had, text=after.text)


def _without_night(
    items: Mapping[str, WorkItem], night: Dream, undoing: Dream
) -> Iterator[WorkItem]:
    """What the events of a night opened and closed, when it is undone or brought back."""
    events = frozenset(night.event_ids)
    of_memories = {"w" + change.memory_id for change in (*night.changes, *undoing.changes)}
    for item in items.values():
        if night.status == "applied":
            if item.closed_by == night.dream_id:
                yield msgspec.structs.replace(item, state="open", closed_by="")
        elif item.closed_by in events:
            yield msgspec.structs.replace(item, state="open", closed_by="")
        elif item.event_id in events and item.state == "open" and item.id not in of_memories:
            yield msgspec.structs.replace(item, state="stalled", closed_by=night.dream_id)


def _night_undone(store: Store, dream: Dream) -> Dream | None:
    """The night that an undoing, or an undoing of one, is about, as it stands; None for others."""
    found: Dream | None = dream
    for _ in range(DEEPEST):
        if found is None or not found.undoes:
            break
        found = store.dream(dream.space, found.undoes)
    return found if found is not None and found.by in READERS else None
