"""A plan that waited: whether what was applied or undone since makes other changes of it.

Versions guard the memories that a plan changes. But a new memory of one night may say what another
night, planned before that one was applied, learned as well: both applied as they are would stand
twice, or contradict each other.
"""

from collections.abc import Callable, Sequence

import msgspec

from slowwave import ledger
from slowwave.dream.cycle.night import revision
from slowwave.dream.plans.waiting import drop
from slowwave.errors import AlreadyDecided, DreamError, SlowwaveError, StalePlan
from slowwave.model import Change, Dream
from slowwave.ports import Store

__all__ = ["apply_each", "refuse_outdated", "renewed"]

Said = tuple[str, str, str, str]

MOST_NAMED = 3


def refuse_outdated(
    store: Store, planned: Dream, only: Sequence[str], again: Callable[[], Dream]
) -> None:
    """StalePlan when a chosen change of a night's plan would be another one by now.

    `again` plans the same night anew, without storing anything; it is asked only when the ledger
    moved on since the plan was made.
    """
    read = planned.by in ("night", "refinement")
    if not read or planned.basis in ("", revision(store.dreams(planned.space))):
        return
    fresh = again()
    if fresh.event_ids != planned.event_ids:
        return  # more was said since: no way to compare, and `commit` sees what was read already
    said = set(map(_says, fresh.changes)) - _ending_more(planned, fresh)
    changed = [
        change
        for change in ledger.choose(planned.changes, only)
        if change.approved and _brings(change) and _says(change) not in said
    ]
    if changed:
        named = ", ".join(change.id for change in changed[:MOST_NAMED])
        more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        raise StalePlan(
            f"dream {planned.dream_id} was planned before other changes were applied; by now "
            f"{named}{more} would not be the same",
            f"nothing was changed; plan it again: slowwave dream --refine {planned.date}"
            if planned.by == "refinement"
            else f"nothing was changed; plan it again: slowwave dream --date {planned.date} (or "
            "apply all that wait, each planned anew: slowwave dreams apply --all)",
        )


def renewed(store: Store, plan: Dream, again: Callable[[], Dream]) -> Dream | None:
    """The plan on what stands now; None when all of its events have been read meanwhile.

    `again` plans the same night anew and stores it. Of a plan that a person approved in part, the
    rest stays left out.
    """
    if plan.basis == revision(store.dreams(plan.space)):
        return plan
    if any(change.approved for change in plan.changes):
        left_out = tuple(
            msgspec.structs.replace(change, approved=change.approved is True)
            for change in plan.changes
        )
        store.save_dream(msgspec.structs.replace(plan, changes=left_out), was=plan)
    fresh = again()
    if fresh.status != "nothing_to_do":
        return fresh
    stored = store.dream(plan.space, plan.dream_id)
    if stored is not None and stored.status in ledger.WAITING:
        drop(store, stored, "its events were read by other dreams", "")
    return None


def apply_each(
    store: Store,
    heads: Sequence[Dream],
    work: Callable[[Dream], Dream | None],
    told: Callable[[Dream], None],
) -> list[Dream]:
    """What `work` made of each plan that still waits, in order; `told` hears of each.

    One that cannot be applied does not stop the others; at the end DreamError names those.
    """
    done: list[Dream] = []
    failed: list[tuple[Dream, SlowwaveError]] = []
    for head in heads:
        plan = store.dream(head.space, head.dream_id)
        if plan is None or plan.status not in ledger.WAITING:
            continue  # what was applied before it has read its events
        try:
            applied = work(plan)
        except (AlreadyDecided, DreamError, StalePlan) as error:
            failed.append((plan, error))
            continue
        if applied is not None:
            done.append(applied)
            told(applied)
    if failed:
        named = "; ".join(f"{plan.date}: {error.message}" for plan, error in failed[:MOST_NAMED])
        raise DreamError(
            f"{len(failed)} of {len(failed) + len(done)} plans were not applied: {named}",
            "the others were applied; these still wait: slowwave dreams --waiting",
        )
    return done


def _ending_more(planned: Dream, fresh: Dream) -> set[Said]:
    """New memories for which another one would end that does not in the plan."""
    known = set(map(_says, planned.changes))
    heirs = {change.after.superseded_by for change in fresh.changes if _says(change) not in known}
    return {_says(change) for change in fresh.changes if change.memory_id in heirs}


def _brings(change: Change) -> bool:
    """Whether a change comes of what was said, not of the time that passed."""
    had = change.before.evidence if change.before else ()
    return change.op == "supersede" or any(span not in had for span in change.after.evidence)


def _says(change: Change) -> Said:
    known = change.memory_id if change.before else ""
    return change.op, change.after.subject, change.after.text, known
