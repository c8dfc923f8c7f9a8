"""Weekly consolidation: what the nights missed, once a week (L10).

The newest memories of the week are laid beside older ones of the same subject that share words with
them. What says the same becomes one memory with the evidence of both; of preferences and rules that
cannot hold together the newer one stays, and the older is closed with its date (N12). How two
statements relate is decided by the function that the cycle hands in. Bounded: so many memories,
so few partners each.
"""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from slowwave.dream.weigh.revise import Verdict, revise
from slowwave.model import (
    USER,
    Change,
    Claim,
    Confirm,
    Dream,
    Kind,
    Memory,
    Merge,
    Supersede,
    Update,
    day_of,
)

__all__ = ["Compare", "consolidate", "due"]

Compare = Callable[[Claim, Memory], Sequence[Change]]
"""The changes that a claim makes to one memory, as a night would make them."""

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEK = 7
NEWEST = 100
"""Memories of the week that are compared, the newest first."""
PARTNERS = 3
"""Older memories that each of them is compared with."""
SHARED = 0.5
"""Least share of the shorter statement's words that a partner has too."""
SETTLED: frozenset[Kind] = frozenset({"preference", "rule"})
"""Kinds of which a newer one ends an older one here; other facts are left to what is said."""
COMMON = 10
"""What more of the week's memories share is too common to bring two of them together."""
_UNIT = re.compile("[^\\W\\d_\u3400-\u9fff]{3,}|\\d+|(?=([\u3400-\u9fff]{2}))")


def due(dreams: Sequence[Dream], weekly_on: str, now: datetime) -> bool:
    """Whether no night was applied yet since the day of the week that is set ("never": never).

    `dreams` are those of the space. So a week whose day was missed is made up for.
    """
    if weekly_on not in DAYS:
        return False
    zone = now.tzinfo or UTC
    today = day_of(now, zone)
    last = today - timedelta(days=(today.weekday() - DAYS.index(weekly_on)) % WEEK)
    return not any(
        dream.by == "night" and dream.status == "applied" and day_of(dream.run_at, zone) >= last
        for dream in dreams
    )


def consolidate(
    known: Sequence[Memory],
    touched: Collection[str],
    compare: Compare,
    now: datetime,
    *,
    dream_id: str,
) -> tuple[Change, ...]:
    """Merges and settled preferences among active memories that the night did not touch."""
    active = [memory for memory in known if memory.status == "active" and memory.id not in touched]
    since = now - timedelta(days=WEEK)
    fresh = [memory for memory in active if memory.last_seen >= since and not memory.pinned]
    fresh.sort(key=lambda memory: (memory.last_seen, memory.id))
    fresh = fresh[-NEWEST:]
    changed: dict[str, Change] = {}
    for newer, older in _pairs(fresh, active):
        if newer.id in changed or older.id in changed:
            continue
        for change in _settle(newer, older, compare, dream_id, now):
            changed[change.memory_id] = change
    return tuple(changed.values())


def _pairs(fresh: Sequence[Memory], active: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Each fresh memory with the older ones that share most with it. One pass over the active."""
    units = {memory.id: _units(memory.text) for memory in fresh}
    where: dict[tuple[str, str], list[str]] = {}
    often = Counter(unit for own in units.values() for unit in own)
    for memory in fresh:
        units[memory.id] = frozenset(unit for unit in units[memory.id] if often[unit] <= COMMON)
        for unit in sorted(units[memory.id]):
            where.setdefault((_sphere(memory), unit), []).append(memory.id)
    partners: dict[str, list[tuple[float, str, Memory]]] = {memory.id: [] for memory in fresh}
    for other in active if fresh else ():
        sphere = _sphere(other)
        words = [unit for unit in _units(other.text) if often[unit] <= COMMON]
        shared = Counter(near for unit in words for near in where.get((sphere, unit), ()))
        for memory_id, count in shared.items():
            share = count / min(len(words), len(units[memory_id]))
            if share >= SHARED:
                partners[memory_id].append((-share, other.id, other))
    for memory in fresh:
        met = [entry for entry in partners[memory.id] if _may_meet(memory, entry[2])]
        for _, _, other in heapq.nsmallest(PARTNERS, met, key=lambda entry: entry[:2]):
            yield memory, other


def _may_meet(newer: Memory, older: Memory) -> bool:
    """Whether two memories are of the same kind, in order, and not in an open conflict."""
    in_order = (older.first_seen, older.id) < (newer.first_seen, newer.id)
    return (
        in_order
        and older.kind == newer.kind
        and older.standing == newer.standing
        and older.negated == newer.negated
        and newer.id not in older.conflicts_with
        and older.id not in newer.conflicts_with
    )


def _settle(
    newer: Memory, older: Memory, compare: Compare, dream_id: str, now: datetime
) -> list[Change]:
    """What becomes of two memories: one with the evidence of both, the newer one, or both stay."""
    for change in compare(_claim_of(newer), older):
        if change.memory_id != older.id:
            continue
        if isinstance(change, Confirm | Update | Merge):
            return _joined(newer, older, change, dream_id, now)
        if isinstance(change, Supersede) and older.kind in SETTLED and not older.pinned:
            return [_closed(older, newer, change, dream_id, now)]
    return []


def _joined(
    newer: Memory, older: Memory, found: Change, dream_id: str, now: datetime
) -> list[Change]:
    """The older memory with the evidence of both, and the newer one closed in its favour."""
    whole = msgspec.structs.replace(
        found.after,
        status=older.status,
        mention_count=older.mention_count + newer.mention_count,
        access_count=older.access_count,
        last_access=older.last_access,
    )
    reason = f"the week's review: says the same as “{newer.title}” ({found.reason})"
    scores = _numbers(found)
    taken = revise(Merge, older, whole, dream_id, Verdict("weekly", reason, scores))
    closed = _ended(newer, older, _day(now))
    why = f"the week's review: taken into “{older.title}”"
    gone = revise(Supersede, newer, closed, dream_id, Verdict("weekly", why, scores))
    return [taken, gone]


def _closed(older: Memory, newer: Memory, found: Change, dream_id: str, now: datetime) -> Supersede:
    said = day_of(newer.first_seen, now.tzinfo or UTC).isoformat()
    reason = f"the week's review: “{newer.title}” was said later ({found.reason})"
    verdict = Verdict("weekly", reason, _numbers(found))
    return revise(Supersede, older, _ended(older, newer, said), dream_id, verdict)


def _ended(memory: Memory, successor: Memory, day: str) -> Memory:
    return msgspec.structs.replace(
        memory,
        status="retired",
        valid_to=(memory.valid_to or day)[:10],
        superseded_by=successor.id,
    )


def _numbers(found: Change) -> Mapping[str, float]:
    return {key: value for key, value in found.scores.items() if key in ("overlap", "cosine")}


def _claim_of(memory: Memory) -> Claim:
    """A memory as the claim that it once was."""
    return Claim(
        kind=memory.kind,
        subject=memory.subject,
        text=memory.text,
        evidence=memory.evidence,
        entities=memory.entities,
        importance=memory.importance,
        confidence=memory.confidence,
        standing=memory.standing,
        negated=memory.negated,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        rule="weekly",
    )


def _units(text: str) -> frozenset[str]:
    """A cheap measure of what two texts share: long words by their beginning, pairs, numbers."""
    found = (match.group(1) or match.group()[:5] for match in _UNIT.finditer(text.casefold()))
    return frozenset(unit for unit in found if unit)


def _sphere(memory: Memory) -> str:
    return USER if memory.subject in (USER, "world", "agent") else memory.subject


def _day(now: datetime) -> str:
    today: date = day_of(now, now.tzinfo or UTC)
    return today.isoformat()
