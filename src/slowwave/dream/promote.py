"""Promote: which memories become active, which wait as candidates, which go.

A memory is promoted when any route accepts it. *salience*: important and sure enough, or a seed:
said once is enough (O11, N18). *time*: seen again on a later day, or quiet for some days (L6).
Every change tells which route took it, or why each declined. What is not worth an entry keeps only
its pointer in the journal (N9); what has expired, or was mentioned once and never again, retires.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime

import msgspec

from slowwave.model import (
    Add,
    Change,
    Confirm,
    Memory,
    Merge,
    Rejected,
    Retire,
    Supersede,
    Update,
    day_of,
    short_id,
)
from slowwave.settings import DreamSettings

__all__ = ["Promoted", "promote"]

FORGET_DAYS = 30
"""A candidate mentioned at most once and unseen for longer than this is retired (L6)."""
SEED = "seed"
SUCCESSOR = "successor"


class Promoted(msgspec.Struct, frozen=True):
    """The changes of the plan with their routes, and the claims that get no entry."""

    changes: tuple[Change, ...]
    rejected: tuple[Rejected, ...]


class _Verdict(msgspec.Struct, frozen=True):
    """The route that accepts ("" none) and what every route said."""

    route: str
    reason: str


def promote(
    changes: Sequence[Change],
    known: Sequence[Memory],
    settings: DreamSettings,
    now: datetime,
    *,
    dream_id: str = "",
) -> Promoted:
    """Decides every change of a plan, and revisits what is known and the plan does not touch.

    `now` carries the user's zone: days are the user's days. `dream_id` is that of the plan; left
    out, it is taken from its changes. Pure and deterministic.
    """
    replaced = {
        change.after.superseded_by: change.before.status
        for change in changes
        if isinstance(change, Supersede) and change.after.superseded_by
    }
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
        decided.append(_decide(change, replaced.get(change.memory_id, ""), settings, now))
    touched = {change.memory_id for change in changes}
    dream_id = dream_id or next((change.after.dream_id for change in changes), "")
    decided.extend(_revisit(known, touched, dream_id, settings, now))
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


def _decide(change: Change, old_status: str, settings: DreamSettings, now: datetime) -> Change:
    memory = change.after
    if not isinstance(change, Add | Update | Confirm | Merge):
        return change
    if memory.status == "retired":
        return change
    if _expired(memory, now):
        return _with(change, _retired(memory, now), "expiry", f"its time ended on {_end(memory)}")
    if memory.status == "cold":
        woken = msgspec.structs.replace(memory, status="active")
        return _with(change, woken, "time", "it was spoken of again, so it comes back from cold")
    if memory.status != "candidate":
        return change
    verdict = _route(memory, settings, now, seed=bool(change.scores.get(SEED)))
    if not verdict.route and old_status == "active":
        verdict = _Verdict(SUCCESSOR, "it replaces a memory that was active")
    status = "active" if verdict.route else "candidate"
    return _with(
        change, msgspec.structs.replace(memory, status=status), verdict.route, verdict.reason
    )


def _with(change: Change, after: Memory, route: str, reason: str) -> Change:
    return msgspec.structs.replace(
        change, after=after, route=route, reason=f"{change.reason}; {reason}"
    )


def _route(memory: Memory, settings: DreamSettings, now: datetime, *, seed: bool) -> _Verdict:
    """Asks every route in turn; the first that accepts takes the memory."""
    if seed:
        return _Verdict("salience", "route salience: marked as the day's most important")
    declined = []
    for name, ask in (("salience", _salience), ("time", _time)):
        accepted, reason = ask(memory, settings, now)
        if accepted:
            return _Verdict(name, f"route {name}: {reason}")
        declined.append(f"{name} declined: {reason}")
    return _Verdict("", "stays a candidate; " + "; ".join(declined))


def _salience(memory: Memory, settings: DreamSettings, _now: datetime) -> tuple[bool, str]:
    """Important enough and said plainly enough: once is enough."""
    if memory.importance < settings.salience_importance:
        return False, f"importance {memory.importance} is under {settings.salience_importance}"
    if memory.confidence < settings.salience_confidence:
        return False, f"confidence {memory.confidence:g} is under {settings.salience_confidence:g}"
    return True, f"importance {memory.importance}, confidence {memory.confidence:g}, said plainly"


def _time(memory: Memory, settings: DreamSettings, now: datetime) -> tuple[bool, str]:
    """Seen on several days; or unchallenged for some days, fewer at high confidence (L6)."""
    days = _days(memory, now)
    if len(days) > 1:
        return True, f"seen on {len(days)} days"
    quiet = (_today(now) - days[-1]).days
    fast = memory.confidence >= settings.time_fast_confidence
    needed = settings.time_fast_days if fast else settings.time_days
    if quiet >= needed:
        return True, f"{quiet} quiet days, {needed} needed"
    return False, f"seen on one day, {max(0, quiet)} of {needed} quiet days passed"


def _days(memory: Memory, now: datetime) -> list[date]:
    zone = now.tzinfo
    moments = {span.ts for span in memory.evidence if span.ts}
    moments |= {memory.first_seen, memory.last_seen}
    if zone is None:
        return sorted({moment.date() for moment in moments})
    return sorted({day_of(moment, zone) for moment in moments})


def _today(now: datetime) -> date:
    return now.date()


def _revisit(
    known: Sequence[Memory],
    touched: set[str],
    dream_id: str,
    settings: DreamSettings,
    now: datetime,
) -> Iterator[Change]:
    """What the night did not speak of: expired, forgotten, or confirmed by quiet days."""
    for memory in known:
        if memory.id in touched or memory.status not in ("candidate", "active"):
            continue
        change = _aged(memory, settings, now)
        if change is None:
            continue
        status, route, reason = change
        kind = Update if status == "active" else Retire
        after = _retired(memory, now) if kind is Retire else memory
        after = msgspec.structs.replace(
            after,
            status=status,
            version=memory.version + 1,
            dream_id=dream_id or memory.dream_id,
        )
        # Without any dream id the version keeps the change's id apart from earlier ones.
        tail = (dream_id or f"{memory.version}", memory.id, kind.__name__.lower())
        yield kind(
            id=short_id("c", *tail),
            memory_id=memory.id,
            before=memory,
            after=after,
            reason=reason,
            route=route,
            scores={"importance": float(memory.importance), "confidence": memory.confidence},
            evidence=memory.evidence,
        )


def _aged(memory: Memory, settings: DreamSettings, now: datetime) -> tuple[str, str, str] | None:
    """The status, route and reason a memory gets by time alone; None: it stays as it is."""
    if memory.pinned:
        return None
    if _expired(memory, now):
        return "retired", "expiry", f"its time ended on {_end(memory)}"
    if memory.status != "candidate":
        return None
    unseen = (_today(now) - _days(memory, now)[-1]).days
    verdict = _route(memory, settings, now, seed=False)
    if memory.mention_count <= 1 and unseen > FORGET_DAYS and verdict.route != "salience":
        reason = f"mentioned once and not seen again for {unseen} days"
        return "retired", "time", reason
    return ("active", verdict.route, verdict.reason) if verdict.route else None


def _expired(memory: Memory, now: datetime) -> bool:
    """Whether the last day on which it may be recalled has passed."""
    end = _end(memory)
    return not memory.pinned and end is not None and end < _today(now)


def _end(memory: Memory) -> date | None:
    try:
        return date.fromisoformat(memory.expires_at[:10]) if memory.expires_at else None
    except ValueError:
        return None


def _retired(memory: Memory, now: datetime) -> Memory:
    """Closed: a plan on its day, anything else that was open-ended today."""
    day = memory.valid_from if memory.kind == "plan" else memory.expires_at
    ended = memory.valid_to or (day or _today(now).isoformat())[:10]
    return msgspec.structs.replace(memory, status="retired", valid_to=ended)
