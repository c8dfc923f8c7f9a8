"""Statistics: what the memory is made of, and how that changed over time (L11)."""

from collections import Counter
from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from slowwave.model import Dream, Memory, day_of

__all__ = ["Month", "Stats", "reckon"]


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """What one month brought: new memories by kind, events read, and what the nights changed."""

    month: str
    kinds: dict[str, int]
    events: int
    new: int
    changed: int
    archived: int


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """How the memories that are current divide, and how it grew.

    `events_per_memory` is the compression: how many events stand behind one current memory.
    """

    kinds: dict[str, int]
    subjects: dict[str, int]
    statuses: dict[str, int]
    months: tuple[Month, ...]
    dreams: dict[str, int]
    events_per_memory: float


def reckon(memories: Sequence[Memory], dreams: Sequence[Dream], events: int, zone: tzinfo) -> Stats:
    """The statistics of a space. `zone` is the user's: months are those of his calendar. Pure."""
    current = [memory for memory in memories if memory.status in ("active", "candidate")]
    return Stats(
        kinds=_by_count(Counter(memory.kind for memory in current)),
        subjects=_by_count(Counter(memory.subject for memory in current)),
        statuses=_by_count(Counter(memory.status for memory in memories)),
        months=tuple(_months(memories, dreams, zone)),
        dreams=_by_count(Counter(dream.status for dream in dreams)),
        events_per_memory=round(events / len(current), 2) if current else 0.0,
    )


def _months(memories: Sequence[Memory], dreams: Sequence[Dream], zone: tzinfo) -> list[Month]:
    kinds: dict[str, Counter[str]] = {}
    for memory in memories:
        kinds.setdefault(_month(day_of(memory.first_seen, zone).isoformat()), Counter())[
            memory.kind
        ] += 1
    read: dict[str, list[Dream]] = {}
    for dream in dreams:
        if dream.status == "applied":
            day = day_of(dream.run_at, zone).isoformat()
            read.setdefault(_month(dream.date if dream.date[:1].isdigit() else day), []).append(
                dream
            )
    return [
        Month(
            month=month,
            kinds=_by_count(kinds.get(month, Counter())),
            events=sum(dream.input_events for dream in read.get(month, ())),
            new=sum(dream.new_entries for dream in read.get(month, ())),
            changed=sum(
                dream.updated_entries + dream.merged_entries + dream.confirmed_entries
                for dream in read.get(month, ())
            ),
            archived=sum(dream.archived_entries for dream in read.get(month, ())),
        )
        for month in sorted({*kinds, *read})
    ]


def _month(day: str) -> str:
    return day[:7]


def _by_count(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])))
