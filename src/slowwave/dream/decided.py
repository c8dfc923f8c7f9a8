"""What a person decided on a plan stays decided when the same night is planned again."""

import msgspec

from slowwave.ledger import WAITING
from slowwave.model import Change, Dream
from slowwave.ports import Store

__all__ = ["keep_plan"]


def keep_plan(store: Store, dream: Dream) -> Dream:
    """Stores a plan, with what was decided on it before, and returns it as stored.

    Only what would do the same as before stays decided. A plan that was rejected as a whole is
    planned anew. Raises AlreadyDecided for a dream that was applied, StalePlan when somebody
    decides at this very moment.
    """
    stored = store.dream(dream.space, dream.dream_id)
    if stored is None or stored.status not in WAITING:
        store.save_dream(dream)
        return dream
    before = {change.id: change for change in stored.changes if change.approved is not None}
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
