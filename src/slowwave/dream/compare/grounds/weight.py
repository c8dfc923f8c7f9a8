"""How much of what one text is about another one is about too, and small facts both grounds use."""

import re
from collections.abc import Callable

from slowwave.dream.compare.reading.quantity import Quantity, same_value
from slowwave.dream.compare.reading.statement import Reading

__all__ = [
    "ALL",
    "HALF",
    "HAPPENED",
    "MOST",
    "SOME",
    "UNITS",
    "Weight",
    "is_event",
    "share_of",
    "values_within",
]

Weight = Callable[[str], float]
"""How telling a unit is: the rarer among what is known, the more."""

ALL, MOST, HALF, SOME = 0.9, 0.75, 0.5, 0.3
"""Shares of a topic's weight: all of it (a pair of characters over a word border may miss), most,
half, and the least for a thing to be what a clause is about at all."""
UNITS = 2
"""Least number of units that two wordings of one thing share."""

HAPPENED = re.compile(
    r"\b(?:i|we|he|she|they|i've|we've)\s+(?:just |also |already |only |recently |have |had |"
    r"finally )*(?!(?:need|limit|open|own|red|bed|hundred)\b)(?:\w{2,}ed|went|ran|ate|saw|met|"
    r"bought|got|had|made|took|did|won|lost|spent|came|read|wrote|built|sold|gave|caught|drove|"
    r"flew|found|began|left|heard|been|done|seen|gone)\b"
    r"|[^不没]了(?=[^，。；！!]*\d|[^，。；！!]{0,3}[一二两三四五六七八九十])|过(?=\d|"
    r"[一二两三四五六七八九十])"
)
"""What was done once has no value that another occasion could change."""


def share_of(one: frozenset[str], other: frozenset[str], weight: Weight) -> float:
    """The share of the weight of `one` that `other` has too, 0–1; 0 for an empty topic."""
    total = sum(map(weight, sorted(one)))
    return sum(map(weight, sorted(one & other))) / total if total else 0.0


def is_event(reading: Reading) -> bool:
    """Something that took place once: later things do not end it."""
    return "event" in reading.marks and not reading.marks & {"change", "no_longer", "now"}


def values_within(few: tuple[Quantity, ...], many: tuple[Quantity, ...]) -> bool:
    """Whether all quantities of one are among those of the other."""
    return all(any(same_value(one, other) for other in many) for one in few)
