"""What of the hits is fit for a prompt that nobody checks: rather nothing than merely similar (X6).

First the question: can it be answered from what is known (`answerable`)? That chance becomes the
score of the best hit, so that `min_score` means the same for every question; what stands beside the
best must be near it. Then the single hits.

A question asks something of somebody or something: "where does Ottilie live". What only has the
name, and neither a word nor the meaning of what is asked, answers it by chance.
"""

from collections.abc import Iterator, Sequence

from slowwave.model import USER, Memory
from slowwave.recall import answerable, rank
from slowwave.recall.candidates import NOTHING
from slowwave.recall.found import Found, words_of
from slowwave.recall.question import Asked
from slowwave.text.segment import Phrase, terms

JUST_NAMED = 0.6
"""Score that is asked for where none of the best hits holds more of a question than its names."""

VITAL_SCORE = 0.5
"""Score of a vital memory that matches in no other way: it goes into a prompt, below clear hits."""

THRESHOLD = 0.35
"""Score of an even chance: the default of `RecallSettings.min_score`, so that the threshold which
was calibrated is the one that `context` asks for."""

CLOSENESS = 0.5
"""Exponent on a hit's share of the best score: what is half as good has 0.7 of the chance."""

NEAR_THE_BEST = 0.6
"""Share of the best score from which a hit goes into a prompt beside it. On two tuned talks of
LoCoMo with vectors (n=231) a prompt holds 5.8 instead of 7.3 items and the same 71.1 % of the
evidence; on an untuned one (n=178) 5.6 instead of 7.2, and 71.2 instead of 71.4 %."""

MEANT = 0.3
"""Likeness from which a hit that is not so near goes in too, when it has a word that was asked."""

ALIKE = 0.5
"""Likeness, 0–1 in the embedder's range, from which a text means what is asked in other words."""


def with_vital(found: Sequence[Found], vital: Sequence[Memory]) -> list[Found]:
    """`found` and the vital memories, which have at least `VITAL_SCORE`; best first."""
    known = {each.unit.id: each for each in found}
    for memory in vital:
        each = known.setdefault(memory.id, Found(memory, NOTHING, 0.0))
        if each.score < VITAL_SCORE:
            each.given = VITAL_SCORE
    return sorted(known.values(), key=lambda each: (-each.score, each.unit.id))


def fit(found: Sequence[Found], turns: Sequence[Found], asked: Asked) -> list[Found]:
    """Those of `found` (best first) that may go into a prompt, in the same order, scored anew.

    `turns` are all candidates of the journal, also those that a memory stands for.
    """
    chance = answerable.chance(turns, found, asked)
    kept = [each for each in _telling(found, asked) if answerable.counts(each, asked)]
    top = kept[0].score if kept else 0.0
    if top > 0:
        best = scaled(chance)
        for each, share in [(each, each.score / top) for each in kept]:
            near = share >= NEAR_THE_BEST or (each.coverage > 0 and _likeness(each, asked) >= MEANT)
            each.chance = chance
            # What is not near the best stays below the threshold, in the order it had.
            each.given = min(1.0, best * share**CLOSENESS) if near else THRESHOLD * share
        kept.sort(key=lambda each: (-each.score, each.unit.id))
    return kept


def scaled(chance: float) -> float:
    """A chance as a score: an even one is at the threshold."""
    if chance < 0.5:
        return THRESHOLD * chance / 0.5
    return THRESHOLD + (1 - THRESHOLD) * (chance - 0.5) / 0.5


def _telling(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Those that hold more of the question than its names."""
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
    return rank.likeness(each.part.cosine, rank.calibration(asked.embedder, asked.share))
