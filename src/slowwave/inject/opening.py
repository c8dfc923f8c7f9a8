"""The opening of a session, when nothing was asked yet: who the user is, how he wants things, what
was lately decided."""  # fmt: skip

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest

from slowwave.inject.entry import FOR_AGENT, Entry, Sources, holds, is_profile, of_memory
from slowwave.model import USER, Memory

__all__ = ["entries_of", "of_day"]

LATELY = timedelta(days=14)
WEIGHTY = 60
"""Importance from which something that was decided lately is worth an opening (N9)."""
DECIDED = ("project", "plan", "fact", "environment", "preference", "rule")
MOST = 24
"""Of each part: more does not fit into any budget."""
TURNS = 3
"""Entries about the user for each one about what was lately decided, while the budget lasts."""

_FIRST = {"profile": 0, "rule": 1, "preference": 2, "relationship": 3}


def of_day(memories: Sequence[Memory], now: datetime) -> list[Memory]:
    """The memories of an opening block, the most important first.

    Only what holds now, is confirmed, and is about the user or how he wants things.
    """
    standing = [
        memory
        for memory in memories
        if memory.status == "active"
        and memory.subject in (USER, *FOR_AGENT)
        and memory.standing != "one_off"
        and holds(memory, now)
    ]
    lasting = sorted(filter(is_profile, standing), key=_weight)[:MOST]
    latest = sorted(
        (memory for memory in standing if _is_latest(memory, now)),
        key=lambda memory: (-memory.last_seen.timestamp(), memory.id),
    )[:MOST]
    return list(_in_turns(lasting, latest))


def entries_of(memories: Sequence[Memory], sources: Sources, now: datetime) -> list[Entry]:
    """Their entries, without what rests on nobody's own words."""
    return [
        of_memory(memory, sources, now, score=round(memory.importance / 100, 2))
        for memory in memories
        if not sources.untrusted(memory)
    ]


def _weight(memory: Memory) -> tuple[bool, int, int, float, str]:
    """Pinned ones first, then by importance, kind and recency."""
    kind = _FIRST.get(memory.kind, len(_FIRST))
    band = -(memory.importance // 10)
    return not memory.pinned, band, kind, -memory.last_seen.timestamp(), memory.id


def _is_latest(memory: Memory, now: datetime) -> bool:
    recent = now - memory.last_seen <= LATELY
    weighty = memory.importance >= WEIGHTY and memory.kind in DECIDED
    return recent and weighty and memory.subject == USER and not is_profile(memory)


def _in_turns(lasting: Sequence[Memory], latest: Sequence[Memory]) -> Iterator[Memory]:
    groups = [lasting[at : at + TURNS] for at in range(0, len(lasting), TURNS)]
    for group, one in zip_longest(groups, latest):
        yield from group or ()
        if one is not None:
            yield one
