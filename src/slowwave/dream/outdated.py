"""A plan that waited: whether what was applied or undone since makes other changes of it.

Versions guard the memories that a plan changes. But a new memory of one night may say what another
night, planned before that one was applied, learned as well: both applied as they are would stand
twice, or contradict each other.
"""

from collections.abc import Callable, Sequence

from slowwave import ledger
from slowwave.dream.cycle import revision
from slowwave.errors import StalePlan
from slowwave.model import Change, Dream
from slowwave.ports import Store

__all__ = ["refuse_outdated"]

Said = tuple[str, str, str, str]

MOST_NAMED = 3


def refuse_outdated(
    store: Store, planned: Dream, only: Sequence[str], again: Callable[[], Dream]
) -> None:
    """StalePlan when a chosen change of a night's plan would be another one by now.

    `again` plans the same night anew, without storing anything; it is asked only when the ledger
    moved on since the plan was made.
    """
    if planned.by != "night" or planned.basis in ("", revision(store.dreams(planned.space))):
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
            f"nothing was changed; plan it again: slowwave dream --date {planned.date}",
        )


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
