"""Statistics: what the memory is made of, and how that changed over time (L11)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo

import msgspec

from slowwave.model import Dream, Event, Memory, Version, day_of
from slowwave.text.tokens import estimate

__all__ = ["Day", "Journal", "Month", "Night", "Past", "Stats", "Week", "journal_of", "reckon"]

SAMPLED = 10_000
"""Events whose tokens are counted; those of a longer journal are reckoned from their bytes."""
HEAD = 1000
"""Characters of a text that are counted: the rest of a long one is like its beginning."""


class Month(msgspec.Struct, frozen=True, kw_only=True):
    """What one month brought: new memories by kind, events read, and what the nights changed."""

    month: str
    kinds: dict[str, int]
    events: int
    new: int
    changed: int
    archived: int


class Week(msgspec.Struct, frozen=True, kw_only=True):
    """What was let go in one week (`week` is its Monday, ISO), of what is not current today.

    `replaced`: another memory took its place; `expired`: its own time ended; `faded`: it was never
    confirmed; `cold`: nobody needed it; `erased`: forgotten for good on request.
    """

    week: str
    replaced: int = 0
    expired: int = 0
    faded: int = 0
    cold: int = 0
    erased: int = 0


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One day (ISO) on which something was said, learned or let go, and what held at its end.

    `events` and `tokens` are those of the journal on that day; `new` memories were first said
    then, `ended` stopped to hold. `known` are those that held at its end by kind, and
    `known_tokens` what they cost a language model.
    """

    day: str
    events: int = 0
    tokens: int = 0
    new: int = 0
    ended: int = 0
    known: dict[str, int] = {}
    known_tokens: int = 0


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """One applied dream that read a log: the day it read, how long it took, what it made of it."""

    dream_id: str
    date: str
    run_at: datetime
    duration_sec: float
    events: int
    new: int
    changed: int
    archived: int
    model: str


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """How the memories that are current divide, and how it grew.

    `events_per_memory` is the compression: how many events stand behind one current memory. So are
    `journal_tokens`, what all of the log would cost a language model, and `memory_tokens`, what
    all current memories do. Days, weeks and nights are in order; those without anything are left
    out.
    """

    kinds: dict[str, int]
    subjects: dict[str, int]
    statuses: dict[str, int]
    months: tuple[Month, ...]
    dreams: dict[str, int]
    events_per_memory: float
    journal_tokens: int = 0
    memory_tokens: int = 0
    days: tuple[Day, ...] = ()
    weeks: tuple[Week, ...] = ()
    nights: tuple[Night, ...] = ()


class Journal(msgspec.Struct, frozen=True):
    """Events and tokens of the journal by day (ISO)."""

    events: dict[str, int] = {}
    tokens: dict[str, int] = {}


class Past(msgspec.Struct, frozen=True):
    """What is over: the last version of each memory that is not current, by its id, and of each
    forgetting for good when it was and how many memories it took."""

    ended: Mapping[str, Version] = {}
    erased: Sequence[tuple[datetime, int]] = ()


NOTHING_OVER, NOTHING_SAID = Past(), Journal()


def journal_of(events: Iterable[Event], total: int, zone: tzinfo) -> Journal:
    """How much was said each day of the user's calendar. `total` is how many events there are."""
    step = max(1, -(-total // SAMPLED))
    counted: Counter[str] = Counter()
    size: Counter[str] = Counter()
    tokens: Counter[str] = Counter()
    seen_bytes = seen_tokens = 0
    for place, event in enumerate(events):
        day = day_of(event.ts, zone).isoformat()
        counted[day] += 1
        weight = len(event.text) if event.text.isascii() else len(event.text.encode())
        if place % step:
            size[day] += weight
            continue
        cost = _tokens(event.text)
        tokens[day] += cost
        seen_tokens, seen_bytes = seen_tokens + cost, seen_bytes + weight
    rate = seen_tokens / seen_bytes if seen_bytes else 0.0
    return Journal(
        dict(sorted(counted.items())),
        {day: tokens[day] + round(size[day] * rate) for day in sorted(counted)},
    )


def reckon(
    memories: Sequence[Memory],
    dreams: Sequence[Dream],
    events: int,
    zone: tzinfo,
    *,
    journal: Journal = NOTHING_SAID,
    past: Past = NOTHING_OVER,
) -> Stats:
    """The statistics of a space. `zone` is the user's: days are those of his calendar. Pure."""
    current = [memory for memory in memories if _is_current(memory)]
    read = {dream.dream_id: _night_of(dream, zone) for dream in dreams}
    ends = {
        key: read.get(version.dream_id) or day_of(version.recorded_at, zone).isoformat()
        for key, version in past.ended.items()
    }
    return Stats(
        kinds=_by_count(Counter(memory.kind for memory in current)),
        subjects=_by_count(Counter(memory.subject for memory in current)),
        statuses=_by_count(Counter(memory.status for memory in memories)),
        months=tuple(_months(memories, dreams, zone)),
        dreams=_by_count(Counter(dream.status for dream in dreams)),
        events_per_memory=round(events / len(current), 2) if current else 0.0,
        journal_tokens=sum(journal.tokens.values()),
        memory_tokens=sum(estimate(memory.text) for memory in current),
        days=tuple(_days(memories, journal, ends, zone)),
        weeks=tuple(_weeks(memories, past, ends, zone)),
        nights=tuple(_nights(dreams, zone)),
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
            read.setdefault(_month(_night_of(dream, zone)), []).append(dream)
    return [
        Month(
            month=month,
            kinds=_by_count(kinds.get(month, Counter())),
            events=sum(dream.input_events for dream in read.get(month, ())),
            new=sum(dream.new_entries for dream in read.get(month, ())),
            changed=sum(_changed(dream) for dream in read.get(month, ())),
            archived=sum(dream.archived_entries for dream in read.get(month, ())),
        )
        for month in sorted({*kinds, *read})
    ]


def _days(
    memories: Sequence[Memory], journal: Journal, ends: Mapping[str, str], zone: tzinfo
) -> list[Day]:
    """Each day on which something changed. What is over held from its first day to its last."""
    born: dict[str, list[Memory]] = {}
    over: dict[str, list[Memory]] = {}
    for memory in memories:
        first = day_of(memory.first_seen, zone).isoformat()
        born.setdefault(first, []).append(memory)
        if not _is_current(memory):
            over.setdefault(max(first, ends.get(memory.id, first)), []).append(memory)
    known: Counter[str] = Counter()
    cost = 0
    made: list[Day] = []
    for day in sorted({*journal.events, *born, *over}):
        new, ended = born.get(day, ()), over.get(day, ())
        known.update(memory.kind for memory in new)
        known.subtract(memory.kind for memory in ended)
        cost += sum(estimate(memory.text) for memory in new)
        cost -= sum(estimate(memory.text) for memory in ended)
        made.append(
            Day(
                day=day, events=journal.events.get(day, 0), tokens=journal.tokens.get(day, 0),
                new=len(new), ended=len(ended), known=_by_count(+known), known_tokens=cost,
            )
        )  # fmt: skip
    return made


def _weeks(
    memories: Sequence[Memory], past: Past, ends: Mapping[str, str], zone: tzinfo
) -> list[Week]:
    counted: dict[str, Counter[str]] = {}
    for memory in memories:
        version = past.ended.get(memory.id)
        if version is not None:
            week = _monday(date.fromisoformat(ends[memory.id]))
            counted.setdefault(week, Counter())[_how(memory, version)] += 1
    for moment, number in past.erased:
        counted.setdefault(_monday(day_of(moment, zone)), Counter())["erased"] += number
    return [Week(week=week, **numbers) for week, numbers in sorted(counted.items())]


def _how(memory: Memory, version: Version) -> str:
    """How a memory came to be over: a field of `Week`."""
    if memory.status in ("cold", "quarantined"):
        return "cold"
    if memory.superseded_by or version.op in ("supersede", "merge"):
        return "replaced"
    return "expired" if memory.expires_at else "faded"


def _nights(dreams: Sequence[Dream], zone: tzinfo) -> list[Night]:
    nights = [dream for dream in dreams if dream.status == "applied" and dream.by == "night"]
    return [
        Night(
            dream_id=dream.dream_id, date=_night_of(dream, zone), run_at=dream.run_at,
            duration_sec=dream.duration_sec, events=dream.input_events, new=dream.new_entries,
            changed=_changed(dream), archived=dream.archived_entries, model=dream.model_used,
        )
        for dream in sorted(nights, key=lambda dream: (dream.run_at, dream.date))
    ]  # fmt: skip


def _changed(dream: Dream) -> int:
    return dream.updated_entries + dream.merged_entries + dream.confirmed_entries


def _night_of(dream: Dream, zone: tzinfo) -> str:
    """The day a dream read; of one that read several, the day it ran."""
    try:
        return date.fromisoformat(dream.date).isoformat()
    except ValueError:
        return day_of(dream.run_at, zone).isoformat()


def _is_current(memory: Memory) -> bool:
    return memory.status in ("active", "candidate")


def _tokens(text: str) -> int:
    """`estimate`, of a long text by its head."""
    if len(text) <= HEAD:
        return estimate(text)
    return round(estimate(text[:HEAD]) * len(text) / HEAD)


def _monday(day: date) -> str:
    return (day - timedelta(days=day.weekday())).isoformat()


def _month(day: str) -> str:
    return day[:7]


def _by_count(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda pair: (-pair[1], pair[0])))
