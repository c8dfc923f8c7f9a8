"""What of the hits is fit for a prompt that nobody checks: rather nothing than merely similar (X6).

A question asks something of somebody or something: "where does Ottilie live". What only has the
name, and neither a word nor the meaning of what is asked, answers it by chance.
"""

from collections.abc import Iterator, Sequence

from slowwave.model import USER, Memory
from slowwave.recall import rank
from slowwave.recall.candidates import NOTHING
from slowwave.recall.found import Found, words_of
from slowwave.recall.question import Asked
from slowwave.text.segment import Phrase, terms

JUST_NAMED = 0.6
"""Score that is asked for where none of the best hits holds more of a question than its names."""

VITAL_SCORE = 0.5
"""Score of a vital memory that matches in no other way: it goes into a prompt, below clear hits."""

ALIKE = 0.5
"""Likeness, 0–1 in the embedder's range, from which a text means what is asked in other words."""


def with_vital(found: Sequence[Found], vital: Sequence[Memory]) -> list[Found]:
    """`found` and the vital memories, which have at least `VITAL_SCORE`; best first."""
    known = {each.unit.id: each for each in found}
    for memory in vital:
        each = known.setdefault(memory.id, Found(memory, NOTHING, 0.0))
        if each.score < VITAL_SCORE:
            each.lent, each.factor = VITAL_SCORE, 1.0
    return sorted(known.values(), key=lambda each: (-each.score, each.unit.id))


def fit(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Those of `found` (best first) that may go into a prompt, in the same order."""
    current = [each for each in found if not each.over]
    asked_names = _names(current)
    names = [phrase for phrase in asked.matter if asked_names.issuperset(phrase)]
    more = [phrase for phrase in asked.matter if phrase not in names]
    if not names or not more:
        return current
    if not any(_holds(each, more) for each in current[: rank.JUDGED]):
        return [each for each in current if each.score >= JUST_NAMED]
    return [
        each
        for each in current
        if _holds(each, more) or _likeness(each, asked) >= ALIKE or not _holds(each, names)
    ]


def _names(found: Sequence[Found]) -> set[str]:
    """The terms of the names of all who are spoken of, and of those who speak."""
    return {term for each in found for name in _named(each) for term in terms(name)}


def _named(each: Found) -> Iterator[str]:
    if isinstance(each.unit, Memory):
        yield from each.unit.entities
        if each.unit.subject != USER:
            yield each.unit.subject
        yield from (span.speaker for span in each.unit.evidence if span.speaker)
    elif each.unit.speaker:
        yield each.unit.speaker


def _holds(each: Found, phrases: Sequence[Phrase]) -> bool:
    return any(rank.held(phrases, words_of(each.unit)))


def _likeness(each: Found, asked: Asked) -> float:
    if not each.part.cosine:
        return 0.0
    low, high = rank.calibration(asked.embedder, asked.share)
    return (each.part.cosine - low) / (high - low)
