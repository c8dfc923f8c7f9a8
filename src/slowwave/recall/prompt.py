"""What of the hits is fit for a prompt that nobody checks: rather nothing than merely similar (X6).

First the question: can it be answered from what is known (`answerable`)? That chance becomes the
score of the best hit, so that `min_score` means the same for every question; what stands beside the
best must be near it. Then the single hits.

A question asks something of somebody or something: "where does Ottilie live". What only has the
name, and neither a word nor the meaning of what is asked, answers it by chance.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from slowwave.model import USER, Event, Memory
from slowwave.ports import Store
from slowwave.recall import answerable, nearness, new_request, rank, sought, whose
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

MEANT = (0.25, 0.3)
"""Nearness (`centred`) from which a hit that is not so near goes in too, when it has a word that
was asked; for an embedder without means the likeness in its range."""

ALIKE = (0.3, 0.45)
"""The same from which a text means what is asked in other words."""

OWN_MEANING, OF_THE_NEAREST = 0.15, 0.5
"""Nearness that a message to an agent must have by itself, at least and as a share of the nearest.
What people say to each other answers what was said right before, and is found by that; a message
to an agent stands for itself, and its neighbours are about something else."""

NEARLY = 0.8
"""Share of the nearest for a message that tells nothing itself: a question, an agent's reply."""

KEPT = 0.5
"""Share of the nearness of what was said that a memory must have to stand for it."""

OWN_WORDS = 0.5
"""Share of what is asked that it must hold where it means something else, or has no vector yet."""


def with_vital(found: Sequence[Found], vital: Sequence[Memory]) -> list[Found]:
    """`found` and the vital memories, which have at least `VITAL_SCORE`; best first."""
    known = {each.unit.id: each for each in found}
    for memory in vital:
        each = known.setdefault(memory.id, Found(memory, NOTHING, 0.0))
        if each.score < VITAL_SCORE:
            each.given = VITAL_SCORE
    return sorted(known.values(), key=lambda each: (-each.score, each.unit.id))


def fit(store: Store, found: Sequence[Found], turns: Sequence[Found], asked: Asked) -> list[Found]:
    """Those of `found` (best first) that may go into a prompt, best first, scored anew.

    `turns` are all candidates of the journal, also those that a memory stands for.
    """
    nearness.measure(store, turns, found, asked)
    chances = answerable.chances(turns, found, asked)
    whole = _in_full(found, turns)
    kept = [each for each in _telling(whole, asked) if answerable.counts(each, asked)]
    top = max((each.score for each in kept), default=0.0)
    nearest = max((each.meaning or 0.0 for each in kept), default=0.0)
    fitting = []
    for each in kept:
        told = asked.about_you or new_request.tells(each.unit)
        if _stands_alone(each.unit) and not sought.gives(each.unit.text, asked.query.text):
            continue
        share = _share(each, each.score / top if top > 0 else 0.0, nearest, told=told)
        if share <= 0:
            continue
        near = share >= NEAR_THE_BEST or (each.coverage > 0 and _means(each, asked, MEANT))
        each.chance = chances.own
        if answerable.is_foreign(each, asked):
            each.chance = max(chances) if each.coverage > 0 else chances.across
        # What is not near the best stays below the threshold, in the order it had.
        each.given = min(1.0, scaled(each.chance) * share**CLOSENESS) if near else THRESHOLD * share
        fitting.append(each)
    return sorted(fitting, key=lambda each: (-each.score, each.unit.id))


def _in_full(found: Sequence[Found], turns: Sequence[Found]) -> list[Found]:
    """`found`, with what was said in place of a memory that kept another part of it."""
    said = {each.unit.id: each for each in turns}
    full = []
    for each in found:
        turn = said.get(each.best)
        near = turn.meaning if turn is not None and not turn.over else None
        if turn is None or near is None or (each.meaning or 0.0) >= KEPT * near:
            full.append(each)
        else:
            turn.given = each.score
            full.append(turn)
    return list({each.unit.id: each for each in reversed(full)}.values())[::-1]


def _share(each: Found, share: float, nearest: float, *, told: bool) -> float:
    """How good a hit is beside the best, 0–1: by its score, and by its meaning alone.

    0 for what stands for itself and neither means nor says what is asked. `told`: it tells
    something, or what was only said is asked for.
    """
    if not _stands_alone(each.unit):
        return share
    if each.meaning is None or nearest <= 0:
        return share if each.coverage > 0 or each.meaning is not None else 0.0
    of_nearest = max(0.0, each.meaning) / nearest
    least, part = (OWN_MEANING, OF_THE_NEAREST) if told else (MEANT[0], NEARLY)
    if each.meaning >= least and of_nearest >= part:
        return max(of_nearest, share if each.coverage > 0 else 0.0)
    return share if told and each.coverage >= OWN_WORDS else 0.0


def _stands_alone(unit: Memory | Event) -> bool:
    """Whether it is a memory, or was said to an agent or by it."""
    return isinstance(unit, Memory) or not unit.speaker or unit.origin == "agent"


def scaled(chance: float) -> float:
    """A chance as a score: an even one is at the threshold."""
    if chance < 0.5:
        return THRESHOLD * chance / 0.5
    return THRESHOLD + (1 - THRESHOLD) * (chance - 0.5) / 0.5


def _telling(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Those that hold more of the question than its names."""
    current = [each for each in found if not each.over]
    own = _own_names(current)
    known = _names(current, _named) - own
    names = [phrase for phrase in asked.matter if known.issuperset(phrase)]
    more = [phrase for phrase in asked.matter if phrase not in names]
    if not names or not more:
        return current
    if not any(_holds(each, more) for each in current[: rank.JUDGED]):
        return [each for each in current if each.score >= JUST_NAMED or _means(each, asked, MEANT)]
    somebody = _names(current, _bearers) - own
    bearers = [phrase for phrase in names if somebody.issuperset(phrase)]
    return [
        each for each in current if _means(each, asked, ALIKE) or _says(each, names, more, bearers)
    ]


def _says(
    each: Found, names: Sequence[Phrase], more: Sequence[Phrase], bearers: Sequence[Phrase]
) -> bool:
    """Whether a hit says more of a question than its names.

    Of somebody who is asked about, what stands for itself must have the name, too: among people
    he is called nothing but "I" and "you".
    """
    if bearers and _stands_alone(each.unit) and not _holds(each, bearers):
        return False
    return _holds(each, more) or not _holds(each, names)


def _names(found: Sequence[Found], named: Callable[[Found], Iterator[str]]) -> set[str]:
    """The terms of names."""
    return {term for each in found for name in named(each) for term in terms(name)}


def _own_names(found: Sequence[Found]) -> set[str]:
    """The terms of what the owner calls himself: who asks by his name asks what he told as "I"."""
    own = (
        each.unit.text
        for each in found
        if (all(not span.speaker for span in each.unit.evidence)
            if isinstance(each.unit, Memory)
            else each.unit.origin == "owner" and not each.unit.speaker)
    )  # fmt: skip
    return {term for name in whose.called(own) for term in terms(name)}


def _named(each: Found) -> Iterator[str]:
    """All who and what are named, and those who speak; days and amounts are no names."""
    if isinstance(each.unit, Memory):
        yield from (name for name in each.unit.entities if not _DIGIT.search(name))
    yield from _bearers(each)


def _bearers(each: Found) -> Iterator[str]:
    """Those of whom something is known, and those who speak."""
    if isinstance(each.unit, Memory):
        if each.unit.subject not in _NO_NAMES:
            yield each.unit.subject
        yield from (span.speaker for span in each.unit.evidence if span.speaker)
    elif each.unit.speaker:
        yield each.unit.speaker


_DIGIT = re.compile(r"\d")
_NO_NAMES = frozenset({USER, "agent", "world"})
"""Subjects that name nobody."""


def _holds(each: Found, phrases: Sequence[Phrase]) -> bool:
    return any(rank.held(phrases, words_of(each.unit)))


def _means(each: Found, asked: Asked, least: tuple[float, float]) -> bool:
    """Whether a hit comes as near in meaning as asked for: by nearness, else by likeness."""
    if each.meaning is not None:
        return each.meaning >= least[0]
    if not each.part.cosine:
        return False
    scale = rank.calibration(asked.embedder, asked.share)
    return rank.likeness(each.part.cosine, scale) >= least[1]
