"""Forget: what is over is retired, what nobody needs goes to cold, what settled is collapsed.

After `promote`, over the memories that the night did not touch. What had a last day retires after
it (case 78). A candidate that no route ever took is archived (L6): none waits for ever. To cold
goes only what is idle, hardly accessed and of little importance (N8); what is pinned, personal
facts (R2) and what is known of people who are still around stay. A night takes at most a set
share, the most idle first. Nothing is lost: cold memories are found on request, and all of them
can be restored.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import takewhile

import msgspec

from slowwave.dream.weigh.ageing import day_in, forgotten, today_of, unsaid, unseen
from slowwave.dream.weigh.revise import Verdict, revise
from slowwave.dream.weigh.scope import scope_of
from slowwave.model import Change, Collapse, Demote, Kind, Memory, Retire, Version
from slowwave.settings import DreamSettings, ForgetSettings
from slowwave.text.counting import plural
from slowwave.text.entities import find_entities
from slowwave.text.segment import fold

__all__ = ["Settled", "forget", "sleepers"]

EVERGREEN: frozenset[Kind] = frozenset({"profile", "relationship", "rule"})
"""Personal facts and rules: they do not fade (R2)."""
NOBODY = frozenset({"user", "agent", "world", ""})
"""Subjects that are no person with a name."""
PATIENCE = 2
"""A candidate said more than once is given so many times the time of one said once."""
COLLAPSED = 50
"""Memories whose versions are read in one night, at most."""

Versions = Callable[[str], Sequence[Version]]


class Settled(msgspec.Struct, frozen=True):
    """What `forget` knows of the ledger's past: how to read versions, and the latest dreams.

    Only what one of the `latest` dreams touched can have become settled since.
    """

    versions: Versions
    latest: Collection[str] = ()


def forget(
    known: Sequence[Memory],
    touched: Collection[str],
    settings: DreamSettings,
    now: datetime,
    *,
    dream_id: str,
    settled: Settled | None = None,
) -> tuple[Change, ...]:
    """The changes that time makes to memories that the night did not touch. Deterministic.

    `now` carries the user's zone. One pass over what is known; versions are read of few. A backlog
    is worked off in nights that the gate for runaway dreams lets pass.
    """
    live = [
        memory
        for memory in known
        if memory.status in ("candidate", "active")
        and memory.id not in touched
        and not memory.pinned
    ]
    most = settings.gates.changes_per_day // 2
    changes: list[Change] = []
    for memory in live:
        change = _over(memory, dream_id, now) or _given_up(memory, dream_id, settings, now)
        if change and len(changes) < most:
            changes.append(change)
    gone = {change.memory_id for change in changes}
    rest = [memory for memory in live if memory.id not in gone]
    around = _around(known, now - timedelta(days=settings.forget.idle_days))
    active = sum(memory.status == "active" for memory in known)
    room = min(_share(active, settings), most - len(changes))
    idle = [memory for memory in rest if memory.subject not in around]
    for memory in sleepers(idle, settings, now)[:room]:
        changes.append(_to_cold(memory, dream_id, settings, now))
        gone.add(memory.id)
    if settled is not None:
        left = [memory for memory in rest if memory.id not in gone]
        changes.extend(_collapsed(left, dream_id, settings, settled))
    return tuple(changes)


def _around(known: Sequence[Memory], since: datetime) -> set[str]:
    """The people by name who spoke, or were spoken of, since then.

    What is known of a person fades when that person does: as long as somebody is around, nobody
    needs to have asked about him for it to matter. The owner is always around, so of him, of the
    agent and of the world each memory counts for itself.
    """
    people = {memory.subject for memory in known if memory.last_seen >= since}
    return people - NOBODY


def _share(active: int, settings: DreamSettings) -> int:
    """How many a night may take to cold: the set share, never so much that the gate refuses it."""
    share = min(settings.forget.share, settings.gates.shrink)
    return max(1, int(share * active)) if share > 0 else 0


def _over(memory: Memory, dream_id: str, now: datetime) -> Retire | None:
    """What had a last day, and that day has passed."""
    end = day_in(memory.expires_at)
    if end is None or end >= today_of(now):
        return None
    day = memory.valid_from if memory.kind == "plan" else None
    closed = (memory.valid_to or day or end.isoformat())[:10]
    after = msgspec.structs.replace(memory, status="retired", valid_to=closed)
    reason = f"its time ended on {end.isoformat()}"
    return revise(Retire, memory, after, dream_id, Verdict("expiry", reason))


def _given_up(
    memory: Memory, dream_id: str, settings: DreamSettings, now: datetime
) -> Retire | None:
    """A candidate that no route took in time: every one ends confirmed or archived (L6)."""
    if memory.status != "candidate":
        return None
    days = unseen(memory, now)
    said = unsaid(memory, now)
    if forgotten(memory, settings, now):
        reason = f"mentioned once and not seen again for {plural(days, 'day')}"
    elif days > PATIENCE * settings.time_expire_days:
        reason = f"mentioned {plural(memory.mention_count, 'time')}, but no route took it and it "
        reason += f"was not seen for {plural(days, 'day')}"
    elif said > 2 * PATIENCE * settings.time_expire_days:
        reason = f"recalled at times, but not said for {plural(said, 'day')}, and no route took it"
    else:
        return None
    closed = memory.valid_to or today_of(now).isoformat()
    after = msgspec.structs.replace(memory, status="retired", valid_to=closed[:10])
    return revise(Retire, memory, after, dream_id, Verdict("time", reason))


def sleepers(memories: Sequence[Memory], settings: DreamSettings, now: datetime) -> list[Memory]:
    """The active memories for which all three of N8 hold, the most idle first."""
    rule = settings.forget
    before = now - timedelta(days=rule.idle_days)
    idle = [
        memory
        for memory in memories
        if memory.status == "active"
        and not memory.pinned
        and memory.importance < rule.importance_under
        and memory.access_count < rule.access_under
        and not _evergreen(memory, rule)
        # A first cheap look; days are counted for the few that are left.
        and memory.last_seen < before
        and unseen(memory, now) > rule.idle_days
        and not _ahead(memory, now)
    ]
    idle.sort(key=lambda memory: (-unseen(memory, now), memory.importance, memory.id))
    return idle


def _evergreen(memory: Memory, rule: ForgetSettings) -> bool:
    """Whether no age takes it to cold (R2)."""
    personal = rule.evergreen == "personal" and scope_of(memory) == "personal"
    return personal or memory.kind in EVERGREEN


def _ahead(memory: Memory, now: datetime) -> bool:
    """Whether its day is still to come."""
    days = (day_in(memory.valid_from), day_in(memory.valid_to))
    return any(day is not None and day >= today_of(now) for day in days)


def _to_cold(memory: Memory, dream_id: str, settings: DreamSettings, now: datetime) -> Demote:
    rule = settings.forget
    reason = (
        f"not accessed for {plural(unseen(memory, now), 'day')} (over {rule.idle_days}), accessed "
        f"{plural(memory.access_count, 'time')} (under {rule.access_under}), importance "
        f"{memory.importance} (under {rule.importance_under})"
    )
    after = msgspec.structs.replace(memory, status="cold")
    return revise(Demote, memory, after, dream_id, Verdict("forget", reason))


def _collapsed(
    memories: Sequence[Memory], dream_id: str, settings: DreamSettings, settled: Settled
) -> Iterator[Collapse]:
    """Memories updated many times in a row whose core stayed the same (N8)."""
    over = settings.forget.collapse_over
    many = [
        memory
        for memory in memories
        if memory.version > over and memory.status == "active" and memory.dream_id in settled.latest
    ]
    many.sort(key=lambda memory: (-memory.version, memory.id))
    for memory in many[:COLLAPSED]:
        row = _updates_in_a_row(settled.versions(memory.id))
        if row > over:
            reason = f"updated {row} times in a row (over {over}) and its core did not change"
            yield revise(Collapse, memory, memory, dream_id, Verdict("forget", reason))


def _updates_in_a_row(versions: Sequence[Version]) -> int:
    """How many of the last versions are updates that left the core as it is."""
    if not versions:
        return 0
    core = _core(versions[-1].memory)
    row = takewhile(
        lambda version: version.op in ("update", "merge", "confirm"), reversed(versions)
    )
    before = list(versions)
    count = 0
    for version in row:
        before.pop()
        if _core(version.memory) != core or not before or _core(before[-1].memory) != core:
            break
        count += 1
    return count


def _core(memory: Memory) -> tuple[str, str, bool, str, frozenset[str]]:
    """What must not change for two versions to be one: kind, subject, polarity, standing, details.

    Details are the numbers, dates and names of the text.
    """
    details = frozenset(fold(entity.text) for entity in find_entities(memory.text))
    return memory.kind, memory.subject, memory.negated, memory.standing, details
