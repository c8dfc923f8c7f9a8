"""Promote: which memories become active, and which wait as candidates.

A memory is promoted when any enabled route accepts it (`routes`). Every change tells which
route took it, or why each declined. What is not worth an entry keeps only its pointer in the
journal (N9).
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice

import msgspec

from slowwave.dream.promote.routes import Jury
from slowwave.dream.weigh.ageing import day_in, forgotten, today_of
from slowwave.dream.weigh.revise import Verdict, revise
from slowwave.dream.weigh.tally import Tally
from slowwave.model import Add, Change, Confirm, Memory, Merge, Rejected, Supersede, Update
from slowwave.settings import DreamSettings

__all__ = ["Promoted", "promote"]

SEED = "seed"
SUCCESSOR = "successor"


class Promoted(msgspec.Struct, frozen=True):
    """The changes of the plan with their routes, and the claims that get no entry."""

    changes: tuple[Change, ...]
    rejected: tuple[Rejected, ...]


def promote(
    changes: Sequence[Change],
    known: Sequence[Memory],
    settings: DreamSettings,
    now: datetime,
    *,
    dream_id: str = "",
    tallies: Mapping[str, Tally] | None = None,
) -> Promoted:
    """Decides every change of a plan, and the candidates that the plan does not touch.

    `now` carries the user's zone: days are the user's days. `dream_id` is that of the plan; left
    out, it is taken from its changes. `tallies` are the recall signals of memories, for route
    signals. Pure and deterministic.
    """
    replaced = {
        change.after.superseded_by: change.before.status
        for change in changes
        if isinstance(change, Supersede) and change.after.superseded_by
    }
    touched = {change.memory_id for change in changes}
    waiting = [memory for memory in known
               if memory.status == "candidate" and memory.id not in touched]  # fmt: skip
    spoken = [change.after for change in changes if change.after.status == "candidate"]
    jury = Jury(settings, now, tallies or {}, [*spoken, *waiting])
    decided: list[Change] = []
    rejected: list[Rejected] = []
    for change in changes:
        if _below(change, settings) and change.memory_id not in replaced:
            reason = (
                f"importance {change.after.importance} is under {settings.keep_importance}: "
                "only the journal keeps it"
            )
            rejected.append(Rejected("promote", reason, change.after.text, _event_of(change)))
            continue
        decided.append(_decide(change, replaced.get(change.memory_id, ""), jury))
    dream_id = dream_id or next((change.after.dream_id for change in changes), "")
    # A backlog is worked off in nights that the gate for runaway dreams lets pass.
    ripe = islice(_ripe(waiting, dream_id, jury), settings.gates.changes_per_day // 4)
    decided.extend(ripe)
    return Promoted(tuple(decided), tuple(rejected))


def _below(change: Change, settings: DreamSettings) -> bool:
    """A new memory that is not worth an entry (N9). A seed always is (N18)."""
    return (
        isinstance(change, Add)
        and change.after.importance < settings.keep_importance
        and not change.scores.get(SEED)
        and change.after.superseded_by is None
    )


def _event_of(change: Change) -> str:
    return change.after.evidence[0].event_id if change.after.evidence else ""


def _decide(change: Change, old_status: str, jury: Jury) -> Change:
    memory = change.after
    if not isinstance(change, Add | Update | Confirm | Merge) or memory.status == "retired":
        return change
    ended = _ended(memory, jury.now)
    if ended:
        # It was over when it was learned: kept as past.
        end = memory.valid_to or (memory.valid_from if memory.kind == "plan" else None) or ended
        over = msgspec.structs.replace(memory, status="retired", valid_to=end[:10])
        return _with(change, over, Verdict("expiry", f"its time ended on {ended}"))
    if memory.status == "cold":
        woken = msgspec.structs.replace(memory, status="active")
        reason = "it was spoken of again, so it comes back from cold"
        return _with(change, woken, Verdict("time", reason))
    if isinstance(change, Add) and memory.status == "active":
        return _with(change, memory, Verdict(SUCCESSOR, "what it was a part of was active"))
    if memory.status != "candidate":
        return change
    verdict = jury.ask(memory, seed=bool(change.scores.get(SEED)))
    if not verdict.route and old_status == "active":
        reason = "it replaces a memory that was active"
        verdict = Verdict(SUCCESSOR, reason, verdict.scores)
    status = "active" if verdict.route else "candidate"
    return _with(change, msgspec.structs.replace(memory, status=status), verdict)


def _with(change: Change, after: Memory, verdict: Verdict) -> Change:
    return msgspec.structs.replace(
        change,
        after=after,
        route=verdict.route,
        reason=f"{change.reason}; {verdict.reason}",
        scores={**change.scores, **verdict.scores},
    )


def _ripe(waiting: Sequence[Memory], dream_id: str, jury: Jury) -> Iterator[Change]:
    """Known candidates that a route takes by now. What is forgotten is left to `forget`."""
    for memory in waiting:
        if _ended(memory, jury.now):
            continue
        verdict = jury.ask(memory)
        late = verdict.route == "time" and forgotten(memory, jury.settings, jury.now)
        if verdict.route and not late:
            after = msgspec.structs.replace(memory, status="active")
            yield revise(Update, memory, after, dream_id, verdict)


def _ended(memory: Memory, now: datetime) -> str:
    """The last day on which it may be recalled, if that has passed; else ""."""
    end = day_in(memory.expires_at)
    over = end is not None and end < today_of(now) and not memory.pinned
    return end.isoformat() if end and over else ""
