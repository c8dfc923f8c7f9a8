"""What speaks for one memory, counted: on which days it was said, and which questions found it.

Sightings and recalls are counted on the same unit, the memory, so that they add up (O11: signals
that never join promote nothing). A sighting is a day on which somebody said it; what came out of a
memory, a tool or a web page is none. Only recalls by a question count as such.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo

import msgspec

from slowwave.dream.weigh import score as signal_score
from slowwave.dream.weigh.concepts import tags
from slowwave.dream.weigh.score import Score
from slowwave.model import (
    EMBEDDED_ORIGINS,
    Event,
    Memory,
    Phase,
    PhaseHit,
    Signal,
    day_of,
)

__all__ = ["Tally", "gather", "merged", "score_of"]

NOTED, TOLD = 0.62, 0.58
"""Score of a sighting in a daily note, and in a session (openclaw.md 2e)."""


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """The signals of one memory. `total` is the sum of their scores, `last` the day of the last.

    `sightings` are days, `grounded` the events in which its words were read again, byte for byte.
    `light` and `rem` count the phases that considered it; `lit` and `dreamt` are the last days.
    """

    recalls: int = 0
    sightings: int = 0
    grounded: int = 0
    total: float = 0.0
    best: float = 0.0
    queries: frozenset[str] = frozenset()
    recall_days: frozenset[date] = frozenset()
    seen_days: frozenset[date] = frozenset()
    tags: int = 0
    light: int = 0
    lit: date | None = None
    rem: int = 0
    dreamt: date | None = None

    @property
    def signals(self) -> int:
        """All signals: recalls, sightings and what was found again."""
        return self.recalls + self.sightings + self.grounded

    @property
    def days(self) -> frozenset[date]:
        """The days on which it came up, in talk or in a recall."""
        return self.recall_days | self.seen_days

    @property
    def last(self) -> date | None:
        """The last of these days."""
        return max(self.days, default=None)

    @property
    def average(self) -> float:
        """The mean score of its signals, 0-1."""
        return signal_score.relevance(self.total, self.signals)

    def considered(self, phase: Phase, day: date) -> "Tally":
        """The tally after one more phase considered the memory."""
        if phase == "light":
            return msgspec.structs.replace(self, light=self.light + 1, lit=day)
        return msgspec.structs.replace(self, rem=self.rem + 1, dreamt=day)


def gather(
    memories: Iterable[Memory],
    signals: Sequence[Signal],
    hits: Sequence[PhaseHit],
    events: Mapping[str, Event],
    zone: tzinfo | None,
) -> dict[str, Tally]:
    """The tally of each memory, by id. One pass over the signals, whatever the archive holds.

    `events` are those that the memories quote, as the journal holds them now: what is not among
    them, or does not hold the quoted words, counts for nothing. Days are those of `zone`.
    """
    zone = zone or UTC
    wanted = {memory.id: memory for memory in memories}
    recalls: dict[str, list[Signal]] = {}
    for signal in signals:
        if signal.memory_id in wanted and signal.query_hash:
            recalls.setdefault(signal.memory_id, []).append(signal)
    phases: dict[str, list[PhaseHit]] = {}
    for hit in hits:
        if hit.memory_id in wanted:
            phases.setdefault(hit.memory_id, []).append(hit)
    return {
        memory_id: _tally(
            memory, recalls.get(memory_id, ()), phases.get(memory_id, ()), events, zone
        )
        for memory_id, memory in wanted.items()
    }


def _tally(
    memory: Memory,
    recalls: Sequence[Signal],
    hits: Sequence[PhaseHit],
    events: Mapping[str, Event],
    zone: tzinfo,
) -> Tally:
    sighted = _sightings(memory, events)
    seen: dict[date, float] = {}
    for ts, score in sighted.values():
        day = day_of(ts, zone)
        seen[day] = max(score, seen.get(day, 0.0))
    scores = [signal.score for signal in recalls]
    light = [day_of(hit.ts, zone) for hit in hits if hit.phase == "light"]
    rem = [day_of(hit.ts, zone) for hit in hits if hit.phase == "rem"]
    again = sum(score for _, score in sighted.values())
    return Tally(
        recalls=len(scores),
        sightings=len(seen),
        grounded=len(sighted),
        total=sum(scores) + sum(seen.values()) + again,
        best=max([*scores, *seen.values()], default=0.0),
        queries=frozenset(signal.query_hash for signal in recalls),
        recall_days=frozenset(day_of(signal.ts, zone) for signal in recalls),
        seen_days=frozenset(seen),
        tags=tags(memory),
        light=len(light),
        lit=max(light, default=None),
        rem=len(rem),
        dreamt=max(rem, default=None),
    )


def _sightings(memory: Memory, events: Mapping[str, Event]) -> dict[str, tuple[datetime, float]]:
    """The events whose words were found again in the journal: when, and for how much each counts.

    A second quote of the same message is no second sighting.
    """
    found: dict[str, tuple[datetime, float]] = {}
    for span in memory.evidence:
        event = events.get(span.event_id)
        if event is None or event.origin not in EMBEDDED_ORIGINS:
            continue
        if span.quote and event.text[span.start : span.end] == span.quote:
            found[event.id] = event.ts, TOLD if event.kind == "message" else NOTED
    return found


def merged(one: Tally, other: Tally) -> Tally:
    """Two tallies of one statement: the larger counts, and the union of questions and days (O5)."""
    larger = one if one.total >= other.total else other
    return msgspec.structs.replace(
        larger,
        recalls=max(one.recalls, other.recalls),
        sightings=max(one.sightings, other.sightings),
        grounded=max(one.grounded, other.grounded),
        best=max(one.best, other.best),
        queries=one.queries | other.queries,
        recall_days=one.recall_days | other.recall_days,
        seen_days=one.seen_days | other.seen_days,
        tags=max(one.tags, other.tags),
    )


def score_of(tally: Tally, today: date) -> Score:
    """The six components and the boosts of a tally on a day."""
    days = sorted(tally.days)
    apart = (days[-1] - days[0]).days if days else 0
    return Score(
        relevance=tally.average,
        frequency=signal_score.frequency(tally.signals),
        diversity=signal_score.diversity(len(tally.queries)),
        recency=signal_score.recency((today - days[-1]).days) if days else 0.0,
        consolidation=signal_score.consolidation(len(days), apart, tally.grounded),
        conceptual=signal_score.conceptual(tally.tags),
        light=_boost(tally.light, tally.lit, today, signal_score.LIGHT),
        rem=_boost(tally.rem, tally.dreamt, today, signal_score.REM),
    )


def _boost(hits: int, last: date | None, today: date, weight: float) -> float:
    return signal_score.boost(hits, (today - last).days, weight) if last else 0.0
