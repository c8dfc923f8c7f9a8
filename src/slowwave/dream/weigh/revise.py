"""A change to a memory that the night did not speak of: made by time, by signals, or by care."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from slowwave.model import Collapse, Demote, Memory, Merge, Retire, Supersede, Update, short_id

__all__ = ["Verdict", "revise"]


class Verdict(msgspec.Struct, frozen=True):
    """Which route decides ("" none), why, and with which numbers."""

    route: str
    reason: str
    scores: Mapping[str, float] = {}


T = TypeVar("T", Update, Retire, Demote, Collapse, Merge, Supersede)


def revise(kind: type[T], memory: Memory, after: Memory, dream_id: str, verdict: Verdict) -> T:
    """The change of one kind from how a memory stands to `after`, as its next version."""
    after = msgspec.structs.replace(
        after, version=memory.version + 1, dream_id=dream_id or memory.dream_id
    )
    # Without any dream id the version keeps the change's id apart from earlier ones.
    tail = (dream_id or f"{memory.version}", memory.id, kind.__name__.lower())
    basic = {"importance": float(memory.importance), "confidence": memory.confidence}
    return kind(
        id=short_id("c", *tail),
        memory_id=memory.id,
        before=memory,
        after=after,
        reason=verdict.reason,
        route=verdict.route,
        scores={**basic, **verdict.scores},
        evidence=memory.evidence,
    )
