"""What a memory is when only some of the dreams that changed it count. Pure.

A version is what one dream made of the version before it. Taking a dream out is doing the others
again in their order: a field is what the last dream that set it made it, evidence is what the
dreams brought less what they took out. So the order in which dreams are undone does not matter,
and bringing one back gives what would stand had it never gone.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from slowwave.model import Evidence, Memory, Version

__all__ = ["content", "replay"]

RECKONED = frozenset({"version", "dream_id", "access_count", "last_access", "evidence",
                      "mention_count", "first_seen", "last_seen"})  # fmt: skip
"""Fields that are reckoned, not taken from the last dream that set them."""


def replay(
    versions: Sequence[Version], counts: Callable[[str], bool], gone: Collection[str] = ()
) -> Memory | None:
    """The memory that the counting dreams add up to; None when no words are left that support it.

    `versions` are all of one memory, oldest first; `gone` are memories that nobody may give way
    to: what was ended for one of them did not end.
    """
    state: Memory | None = None
    before: Memory | None = None
    for version in versions:
        if counts(version.dream_id):
            state = _after(state, before, _not_ended(before, version.memory, gone))
        before = version.memory
    return state if state is not None and state.evidence else None


def content(memory: Memory) -> Memory:
    """Without what recall raises and every version changes."""
    return msgspec.structs.replace(memory, version=0, dream_id="", access_count=0, last_access=None)


def _not_ended(before: Memory | None, now: Memory, gone: Collection[str]) -> Memory:
    """The step without the ending, where it ended the memory for one that is gone."""
    if now.superseded_by not in gone:
        return now
    if before is None:
        return msgspec.structs.replace(now, status="active", superseded_by=None, valid_to=None)
    if before.superseded_by == now.superseded_by:
        return now
    return msgspec.structs.replace(
        now, status=before.status, superseded_by=before.superseded_by, valid_to=before.valid_to
    )


def _after(state: Memory | None, before: Memory | None, now: Memory) -> Memory | None:
    """What one dream makes of a state that need not be the one it was made for."""
    if before is None:
        return now
    if state is None:
        return _started(before, now)
    if content(state) == content(before):
        return now
    fields: dict[str, Any] = {
        name: getattr(now, name)
        for name in Memory.__struct_fields__
        if name not in RECKONED and getattr(now, name) != getattr(before, name)
    }
    moments = _moments(span for span in now.evidence if span not in before.evidence)
    first = now.first_seen if now.first_seen != before.first_seen else state.first_seen
    last = now.last_seen if now.last_seen != before.last_seen else state.last_seen
    changed = msgspec.structs.replace(
        state,
        evidence=_evidence(state, before, now),
        mention_count=max(1, state.mention_count + now.mention_count - before.mention_count),
        first_seen=min([first, *moments]),
        last_seen=max([last, *moments]),
        **fields,
    )
    return changed if changed.evidence else None


def _evidence(state: Memory, before: Memory, now: Memory) -> tuple[Evidence, ...]:
    """The state's quotes with those of the step, without those that it took out."""
    held, had, has = set(state.evidence), set(before.evidence), set(now.evidence)
    left = (span for span in now.evidence if span in held or span not in had)
    return (*left, *(span for span in state.evidence if span not in has and span not in had))


def _started(before: Memory, now: Memory) -> Memory | None:
    """A memory that begins here, since what came before does not count: in words brought here."""
    brought = tuple(span for span in now.evidence if span not in before.evidence)
    if not brought:
        return None
    moments = _moments(brought)
    begun = msgspec.structs.replace(
        now,
        evidence=brought,
        mention_count=max(1, now.mention_count - before.mention_count),
        first_seen=min(moments, default=now.first_seen),
        last_seen=max(moments, default=now.last_seen),
    )
    if now.text != before.text:
        return begun
    return msgspec.structs.replace(begun, **_in_words_of(brought[0], begun))


def _in_words_of(span: Evidence, memory: Memory) -> dict[str, Any]:
    """Text that its remaining evidence supports, since the first words are gone."""
    quote = " ".join(span.quote.split())
    if memory.text in quote:
        return {}
    names = tuple(name for name in memory.entities if name in quote)
    return {"text": quote, "title": quote[:60], "entities": names}


def _moments(spans: Iterable[Evidence]) -> list[datetime]:
    return [span.ts for span in spans if span.ts]
