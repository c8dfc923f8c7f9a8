"""The arithmetic of recall signals: six components and the boost of the sleep phases (O8).

Every function is pure and returns 0-1 (the boosts up to their weight). Numbers are those of O8;
where the two presets differ, it is in their gates, not here.
"""

from math import log, log1p

import msgspec

__all__ = [
    "Score",
    "boost",
    "conceptual",
    "consolidation",
    "diversity",
    "frequency",
    "recency",
    "relevance",
    "spacing",
    "span",
    "truth",
]

RELEVANCE, FREQUENCY, DIVERSITY = 0.30, 0.24, 0.15
RECENCY, CONSOLIDATION, CONCEPTUAL = 0.15, 0.10, 0.06
LIGHT, REM = 0.06, 0.09
HALF_LIFE_DAYS = 14
QUERIES, TAGS, GROUNDED, SPAN_DAYS, HITS = 5, 6, 3, 7, 6
"""How many of each are enough for a full component."""


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The components of one memory's score, each 0-1, and the two boosts as they are added."""

    relevance: float
    frequency: float
    diversity: float
    recency: float
    consolidation: float
    conceptual: float
    light: float = 0.0
    rem: float = 0.0

    @property
    def total(self) -> float:
        """The weighted sum with its boosts; it may exceed 1 before the gate."""
        return (
            RELEVANCE * self.relevance
            + FREQUENCY * self.frequency
            + DIVERSITY * self.diversity
            + RECENCY * self.recency
            + CONSOLIDATION * self.consolidation
            + CONCEPTUAL * self.conceptual
            + self.light
            + self.rem
        )

    def as_dict(self) -> dict[str, float]:
        """Components and total, rounded for people and for plans that are compared."""
        parts = {name: round(getattr(self, name), 4) for name in self.__struct_fields__}
        return {**parts, "total": round(min(1.0, self.total), 4)}


def frequency(signals: int) -> float:
    """How often it came up: ln(1 + signals) / ln 11, at most 1 (ten signals)."""
    return min(1.0, log1p(max(0, signals)) / log(11))


def relevance(total_score: float, signals: int) -> float:
    """How well it matched on average, over all of its signals."""
    return min(1.0, max(0.0, total_score / signals)) if signals else 0.0


def diversity(queries: int) -> float:
    """How many different questions found it: five are enough."""
    return min(1.0, queries / QUERIES)


def recency(age_days: float) -> float:
    """Half for each 14 days since its last signal."""
    return float(2 ** (-max(0.0, age_days) / HALF_LIFE_DAYS))


def spacing(days: int) -> float:
    """How many days it came up on: min(1, log1p(days - 1) / log1p(4))."""
    return min(1.0, log1p(days - 1) / log1p(4)) if days > 0 else 0.0


def span(span_days: float) -> float:
    """How far apart the first and the last of these days are: a week is enough."""
    return min(1.0, max(0.0, span_days) / SPAN_DAYS)


def consolidation(days: int, span_days: float, grounded: int) -> float:
    """Spread over days (none 0, one 0.2), or found again in the journal, whichever is more."""
    spread = 0.55 * spacing(days) + 0.45 * span(span_days)
    if days <= 1:
        spread = 0.2 * max(0, days)
    return max(spread, min(1.0, grounded / GROUNDED))


def conceptual(tags: int) -> float:
    """How many concepts it holds: six are enough."""
    return min(1.0, tags / TAGS)


def boost(hits: int, age_days: float, weight: float) -> float:
    """What the hits of one sleep phase add: up to `weight`, halved each 14 days."""
    if hits <= 0:
        return 0.0
    return weight * min(1.0, log1p(hits) / log1p(HITS)) * recency(age_days)


def truth(average: float, recalls: int, days: int, tags: int) -> float:
    """Confidence that something is a lasting truth (O6)."""
    strength = min(1.0, log1p(recalls) / log1p(HITS))
    return 0.45 * average + 0.25 * strength + 0.20 * min(1.0, days / 3) + 0.10 * conceptual(tags)
