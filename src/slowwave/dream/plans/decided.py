"""What a person decided on a plan stays decided when the same events are planned again."""

from collections.abc import Iterator

import msgspec

from slowwave.ledger import WAITING, count, with_dependants
from slowwave.model import Change, Dream
from slowwave.ports import Store

__all__ = ["keep_plan", "marked", "refusing"]

MOST = 50
"""Earlier plans that are looked at: those of the same night are rarely more than a few."""

Said = tuple[str, str, str, int, int]
"""Whom a claim is about, its text, and one span of the words that were brought for it."""


def marked(store: Store, dream: Dream, *, again: bool = False) -> Dream:
    """The plan with what was rejected of it in earlier plans for the same events.

    A claim is the same when the same words say the same of the same one; what stands or falls with
    it goes too. With `again`, all is proposed anew.
    """
    decisions = {} if again else _decisions(store, dream)
    rejected = {
        change.id for change in dream.changes if any(decisions.get(key) for key in _says(change))
    }
    return refusing(dream, rejected)


def refusing(dream: Dream, ids: set[str]) -> Dream:
    """The plan with these changes refused, and with them what stands or falls with them."""
    if not ids:
        return dream
    refused = with_dependants(dream.changes, ids)
    changes = tuple(
        msgspec.structs.replace(change, approved=False) if change.id in refused else change
        for change in dream.changes
    )
    left = [change for change in changes if change.approved is not False]
    return msgspec.structs.replace(count(dream, left), changes=changes)


def keep_plan(store: Store, dream: Dream, *, again: bool = False) -> Dream:
    """Stores a plan, with what was decided on it before, and returns it as stored.

    Only what would do the same as before stays decided. One that was rejected as a whole is not
    stored: the rejected one is returned, unless it is asked for `again`. Raises AlreadyDecided for
    a dream that was applied, StalePlan when somebody decides at this very moment.
    """
    stored = store.dream(dream.space, dream.dream_id)
    if stored is not None and stored.status == "rejected" and not stored.replaced_by and not again:
        return stored
    if stored is None or not (stored.status in WAITING or stored.replaced_by):
        store.save_dream(dream)
        return dream
    before = {
        change.id: change
        for change in stored.changes
        if change.approved or (change.approved is False and not again)
    }
    changes = tuple(_as_decided(change, before.get(change.id)) for change in dream.changes)
    kept = msgspec.structs.replace(dream, changes=changes)
    still = dream.status == "planned" and all(change.approved is not None for change in changes)
    if stored.status == "approved" and still:
        kept = msgspec.structs.replace(kept, status="approved")
    store.save_dream(kept, was=stored)
    return kept


def _as_decided(change: Change, before: Change | None) -> Change:
    if before is None or before.op != change.op or before.after != change.after:
        return change
    return msgspec.structs.replace(change, approved=before.approved)


def _decisions(store: Store, dream: Dream) -> dict[Said, bool]:
    """Of what other plans for these events said: whether it was rejected, by the newest of them."""
    events = frozenset(dream.event_ids)
    found: dict[Said, bool] = {}
    for plan in _earlier(store, dream):
        if events.isdisjoint(plan.event_ids):
            continue
        for change in plan.changes:
            for key in _says(change):
                found.setdefault(key, change.approved is False)
    return found


def _earlier(store: Store, dream: Dream) -> Iterator[Dream]:
    """Plans that may be of the same events, newest first: of the same night, or of all nights."""
    known = [
        head.dream_id
        for head in store.dreams(dream.space, (*WAITING, "rejected"))
        if head.by == "night" and (head.date == dream.date or "all" in (head.date, dream.date))
    ]
    for dream_id in known[:MOST]:
        plan = store.dream(dream.space, dream_id)
        # A waiting plan of this very id carries its marks over by the ids of its changes.
        if plan is not None and (dream_id != dream.dream_id or plan.status == "rejected"):
            yield plan


def _says(change: Change) -> Iterator[Said]:
    """What a change says by words that it brings in; nothing for one that brings none."""
    had = change.before.evidence if change.before else ()
    for span in change.after.evidence:
        if span not in had:
            yield change.after.subject, change.after.text, span.event_id, span.start, span.end
