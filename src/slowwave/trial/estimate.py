"""Hit rate and false-recall rate of a threshold, told from what a person judged.

A few items stand for all: those over the threshold and those below it are drawn apart, so each
judged one stands for as many as its group has of them (a stratified sample). Intervals are Wilson's
(1927) at 95 %, over the effective number of samples (Kish, 1965).
"""

from collections.abc import Sequence
from math import sqrt

import msgspec

from slowwave.trial.judge import Sample

Z = 1.959964
"""Of the normal distribution, for 95 %."""


class Rate(msgspec.Struct, frozen=True):
    """A share, 0-1, its 95 % interval, and how many judged items it rests on."""

    rate: float
    low: float
    high: float
    n: int


class Rates(msgspec.Struct, frozen=True):
    """Of one threshold; None where nothing was judged that could tell.

    `hit`: of the right items that were found, how many it lets in. `false_recall`: of the items it
    lets in, how many are wrong.
    """

    hit: Rate | None
    false_recall: Rate | None


def wilson(share: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share seen in `n` samples (`n` > 0)."""
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def rates(known: Sequence[Sample], threshold: float) -> Rates:
    """The rates that a threshold would have on these samples."""
    right = [(weight, one.item.score >= threshold) for one, weight in _weighted(known)
             if one.item.verdict == "right"]  # fmt: skip
    inside = _weighted([one for one in known if one.item.score >= threshold])
    wrong = [(weight, one.item.verdict == "wrong") for one, weight in inside]
    return Rates(_share(right), _share(wrong))


def _weighted(known: Sequence[Sample]) -> list[tuple[Sample, float]]:
    """The judged samples, each with how many it stands for; none where a group has no judged one.

    What nobody looked at cannot be told.
    """
    found: list[tuple[Sample, float]] = []
    for injected in (True, False):
        group = [one for one in known if one.injected is injected]
        told = [one for one in group if one.item.verdict]
        if group and not told:
            return []
        found += [(one, len(group) / len(told)) for one in told]
    return found


def _share(counted: Sequence[tuple[float, bool]]) -> Rate | None:
    total = sum(weight for weight, _ in counted)
    if not total:
        return None
    share = sum(weight for weight, yes in counted if yes) / total
    effective = total * total / sum(weight * weight for weight, _ in counted)
    low, high = wilson(share, effective)
    return Rate(round(share, 4), round(low, 4), round(high, 4), len(counted))
