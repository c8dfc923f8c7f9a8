"""Whether a question can be answered from what is known at all: one number, 0–1.

A score says which candidate is first; that the first is any good is another question (X6). Signs
of it are read off the turns that were found, each in a form that means the same for every question:
how much of what is asked one turn holds, or an exchange of some turns; how near the nearest comes
in meaning; how rare the words are that were found, and whether some were found nowhere.

The strongest sign is *whose* the evidence is. "What did Ana buy?" finds turns in which Ben tells
what he bought: same words, same meaning, wrong person. So each sentence is given to somebody: what
one says with "I" is the speaker's own, what one asks with "you" is the other's. `answerable_table`
weighs the signs, and holds how that was measured.
"""

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from slowwave.model import USER, Event, Memory, day_of
from slowwave.recall import centred, new_request, rank, whose
from slowwave.recall.answerable_table import TABLE, Worth
from slowwave.recall.coverage import (
    ANY,
    HAN,
    HIS,
    LOOKED_AT,
    OTHER,
    Holding,
    Turn,
    columns,
    dot,
    exchanges,
    holding_of,
    most,
    rarity,
)
from slowwave.recall.found import Found, words_of
from slowwave.recall.guidance import guides
from slowwave.recall.question import Asked
from slowwave.text.later import later
from slowwave.text.noise import noise_reason
from slowwave.text.related import related
from slowwave.text.segment import Phrase, fold, query_phrases, terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

ANOTHER_DAY = 0.5
"""Factor below which it is out of the question, for one about today: it held on another day."""

BEST = 10
"""Best exchanges that tell whose the evidence is."""

SEVERAL = 8
"""Best exchanges whose mean is taken."""

SHARPNESS = 8.0
"""How much more the first of them counts than the others."""

EITHER = 0.05
"""What each side has of an exchange to begin with: where little is told, nobody owns it."""

READ_CHARS = 2_000

SMALL_TALK = frozenset({"blank", "greeting", "acknowledgement"})
"""Messages that ask nothing, however often the same was said before."""

TOLD_OTHERWISE = 0.35
"""Nearness of a statement that is asked for in other words (`text.related`)."""

FAIR_PART = 0.05
"""Share of the turns from which somebody is one who speaks, and not one who is mostly told of."""

WORDS = "words"
"""The table for words alone, and for an embedder that was not measured."""

NONE = -0.2
"""Least nearness that is told apart, and that of what has no vector."""

MEANT = 1.2
"""What nearness counts beside the words, where the best exchanges are sought."""

FOREIGN = 0.5
"""Difference of the shares of Chinese from which two texts have no words in common to expect."""

HIS_OWN = 0.05
"""How much nearer what is told in another language counts, where one asks about himself: few ask
that who never told it. On three invented bilingual logs the threshold has 21 instead of 15 of 24
such questions that can be answered above it, and 1 instead of none of 18 that cannot."""

DATED = 0.1
"""Nearness from which what was told on the very day that is asked about may answer."""

_NAME = later(r"(?<=[a-z,;'’] )[A-Z][a-z]+")


class Signs(NamedTuple):
    """What speaks for an answer and against it. Shares are 0–1 unless said otherwise.

    `held` is the share of what is asked that one turn holds, `exchange` that some turns beside each
    other do. Where one who speaks is `named`, these are what is told of him, `other_held` and
    `other_exchange` what is told of somebody else, and `own` is whose the best exchanges are (-0.5
    somebody else's … 0.5 his). `alike`: the nearest meaning (-0.2–1). `rare`: how rare the words
    are that were found (logarithm of a sum of logarithms). `missing`: share of what is asked that
    was found nowhere. `stranger`: a name in the question was found nowhere. `request`: it asks for
    something to be done, and not for what is known. `dated`: of the day that it names something is
    told that has to do with it. `several`: what the best exchanges
    tell of him in the mean: who did something speaks of it more than once.
    """

    named: bool
    held: float
    exchange: float
    other_held: float
    other_exchange: float
    own: float
    alike: float
    rare: float
    missing: float
    stranger: float
    request: float
    dated: float
    several: float


class Chances(NamedTuple):
    """How likely the question can be answered, 0–1: by what is told in its own words and language,
    and by what is told in another language."""

    own: float
    across: float


def chances(turns: Sequence[Found], found: Sequence[Found], asked: Asked) -> Chances:
    """How likely the question can be answered: from `turns` of the journal, and memories.

    0.5 is the threshold that was calibrated: at least 95 % of answerable questions are above it.
    """
    if noise_reason(asked.query.text) in SMALL_TALK:
        return Chances(0.0, 0.0)
    both = (*turns, *found)
    measured = any(each.meaning is not None for each in both)
    by = asked.embedder.partition("/")[0] if measured else WORDS
    worth = TABLE.get(by, TABLE[WORDS])
    foreign = [each for each in both if is_foreign(each, asked) and _fit(each, asked)]
    other = _across(max(map(_near, foreign), default=NONE), asked)
    return Chances(
        weighed(signs(turns, found, asked), worth, asked.share),
        weighed(other, worth, asked.share, "across"),
    )


def weighed(
    known: Signs, worth: Mapping[str, Mapping[str, Worth]], share: float, group: str = ""
) -> float:
    """The chance that a table gives to these signs; `share` of the question is Chinese.

    0 where it has no such group.
    """
    group = group or ("named" if known.named else "open")
    if group not in worth:
        return 0.0
    values = {**known._asdict(), "start": 1.0}
    logit = sum(
        (latin + (chinese - latin) * share) * values[name]
        for name, (latin, chinese) in worth[group].items()
    )
    return 1 / (1 + math.exp(-logit))


def counts(each: Found, asked: Asked) -> bool:
    """Whether it may answer.

    Not what only held on another day, when the question is of today, not the same message as it was
    sent before (what answered it then stands beside it), for what is asked anew nothing that was
    only asked, and for a text to work on only how things are to be done.
    """
    if asked.about_today and each.factor < ANOTHER_DAY:
        return False
    said = isinstance(each.unit, Event)
    if said and each.unit.text.strip().casefold() == asked.query.text.strip().casefold():
        return False
    if guides(each.unit):
        return True
    if new_request.has_material(asked.query.text):
        return False
    return not new_request.is_anew(asked.query.text) or new_request.tells(each.unit)


def is_foreign(each: Found, asked: Asked) -> bool:
    """Whether a unit is in another language than the question."""
    return abs(centred.share(each.unit.text) - asked.share) > FOREIGN


def _fit(each: Found, asked: Asked) -> bool:
    return counts(each, asked) and not each.over


def _near(each: Found) -> float:
    return NONE if each.meaning is None else max(NONE, each.meaning)


def _across(near: float, asked: Asked) -> Signs:
    """The signs of what is told in another language: there are no words to go by."""
    request = float(asked.for_work)
    near += HIS_OWN * (asked.about_me and not new_request.is_anew(asked.query.text))
    return Signs(False, 0.0, 0.0, 0.0, 0.0, 0.0, near, 0.0, 1.0, 0.0, request, 0.0, 0.0)


def _several(around: Sequence[Holding], weights: Sequence[float]) -> float:
    best = sorted((dot(each.his, weights) for each in around), reverse=True)[:SEVERAL]
    return sum(best) / len(best) if best else 0.0


def signs(turns: Sequence[Found], found: Sequence[Found], asked: Asked) -> Signs:
    """The signs of an answer among the turns that were found, and the memories `found`."""
    fit = [each for each in (*turns, *found) if _fit(each, asked)]
    said = _turns(fit, asked)
    speakers = _speakers(said)
    named = _named(speakers, said, asked)
    own = [turn.text for turn in said if not turn.speaker]
    phrases = _asked_for(speakers, _without(whose.called(own), asked))
    holding = [holding_of(turn, phrases, named) for turn in said]
    around = exchanges(said, holding)
    weights = rarity(phrases, holding)
    total = sum(weights) or 1.0
    missing = dot([not any(column) for column in columns(holding, len(phrases))], weights)
    side = ANY if named is None else HIS
    return Signs(
        named=named is not None,
        held=most(holding, side, weights) / total,
        exchange=most(around, side, weights) / total,
        other_held=most(holding, OTHER, weights) / total,
        other_exchange=most(around, OTHER, weights) / total,
        own=0.0 if named is None else _whose(said, holding, around, weights),
        alike=_likest(fit, phrases, asked),
        rare=math.log1p(most(holding, ANY, weights)),
        missing=missing / total if phrases else 1.0,
        stranger=_stranger(said, asked),
        request=float(asked.for_work),
        dated=_dated(said, holding),
        several=0.0 if named is None else _several(around, weights) / total,
    )


def _turns(fit: Sequence[Found], asked: Asked) -> list[Turn]:
    """The turns at hand, and the memories whose turns are not."""
    events = {each.unit.id: each for each in fit if isinstance(each.unit, Event)}
    best = sorted(events.values(), key=lambda each: -each.own)[:LOOKED_AT]
    said = [
        Turn(
            _read(each.unit.text), _speaker(each.unit), each.unit.session, each.unit.seq,
            _near(each), _of_the_days(each.unit, asked),
        )
        for each in best
        if isinstance(each.unit, Event)
    ]  # fmt: skip
    memories = [each for each in fit if isinstance(each.unit, Memory)]
    for each in memories[:LOOKED_AT]:
        memory = each.unit
        if isinstance(memory, Memory) and not _cites(memory, events):
            who = "" if memory.subject == USER else memory.subject
            said.append(Turn(words_of(memory), who, "", 0, _near(each)))
    return said


def _likest(fit: Sequence[Found], phrases: Sequence[Phrase], asked: Asked) -> float:
    """The nearest meaning; what is known to be asked for in other words means what is asked."""
    own = [each for each in fit if not is_foreign(each, asked)]
    nearest = max(map(_near, own), default=NONE)
    if nearest < TOLD_OTHERWISE and any(
        more and any(rank.held(phrases, more)) for more in (related(one.unit.text) for one in own)
    ):
        return TOLD_OTHERWISE
    return nearest


def _of_the_days(event: Event, asked: Asked) -> bool:
    if not asked.days or event.origin == "agent":
        return False
    day = day_of(event.ts, asked.zone)
    return any(first <= day <= last for first, last in asked.days)


def _dated(said: Sequence[Turn], holding: Sequence[Holding]) -> float:
    return float(
        any(
            turn.of_the_days and (turn.alike >= DATED or any(each.any))
            for turn, each in zip(said, holding, strict=True)
        )
    )


def _read(text: str) -> str:
    """What is looked at of a turn, with the words that it is asked for by."""
    more = related(text)
    return f"{text[:READ_CHARS]}\n{more}" if more else text[:READ_CHARS]


def _cites(memory: Memory, events: Container[str]) -> bool:
    return any(span.event_id in events for span in memory.evidence)


def _speaker(event: Event) -> str:
    return event.speaker or ("" if event.origin == "owner" else event.origin)


def _speakers(said: Sequence[Turn]) -> frozenset[str]:
    """The names of those who speak a fair part of the turns at hand, each about himself."""
    turns = Counter(turn.speaker for turn in said if turn.session)
    least = FAIR_PART * sum(turns.values())
    return frozenset(name for name, count in turns.items() if name and count >= least)


def _named(speakers: Iterable[str], said: Sequence[Turn], asked: Asked) -> str | None:
    """Who is asked about, where it is one of two or more who speak."""
    named = rank.named_speaker(asked.query.text, speakers)
    return named if named is not None and len({turn.speaker for turn in said}) > 1 else None


def _stranger(said: Sequence[Turn], asked: Asked) -> float:
    """1 where the question names somebody or something, in capitals, that nobody ever named."""
    names = [terms(name) for name in _NAME.findall(asked.rest) if fold(name) not in ENGLISH]
    phrases = [tuple(name) for name in names if name]
    found = [rank.held(phrases, turn.text) for turn in said]
    speakers = {term for turn in said for term in terms(turn.speaker)}
    return float(
        any(
            not speakers.issuperset(phrase) and not any(row[at] for row in found)
            for at, phrase in enumerate(phrases)
        )
    )


def _without(names: Iterable[str], asked: Asked) -> list[Phrase]:
    """What is asked, without the owner's names; in Chinese the name without its surname, too."""
    text = asked.rest
    for name in names:
        for form in (name.strip(), name[-2:] if HAN.fullmatch(name) else name.split()[0]):
            text = text.replace(form, " ")
    return asked.matter if text == asked.rest else query_phrases(text)


def _asked_for(speakers: Iterable[str], asks: Sequence[Phrase]) -> list[Phrase]:
    """What is asked, without the names of those who speak: those are in every turn."""
    names = {term for speaker in speakers for term in terms(speaker)}
    asks = [phrase for phrase in asks if not names.issuperset(phrase)]
    return [phrase for phrase in asks if not _says_nothing(phrase)]


def _says_nothing(phrase: Phrase) -> bool:
    """Whether it is function words alone, which a question falls back to that has nothing else."""
    return all(
        term in _function_terms() or term in HAN_WORDS or HAN_CHARS.issuperset(term)
        for term in phrase
    )


@cache
def _function_terms() -> frozenset[str]:
    return frozenset(term for word in ENGLISH for term in terms(word))


def _whose(
    said: Sequence[Turn],
    holding: Sequence[Holding],
    around: Sequence[Holding],
    weights: Sequence[float],
) -> float:
    """How far the best exchanges are about the one who is asked about, -0.5 (not at all) … 0.5."""
    total = sum(weights)
    if not total:
        return 0.0
    good = [
        (0.5 * dot(turn.any, weights) + 0.25 * dot(each.any, weights)) / total + MEANT * one.alike
        for one, turn, each in zip(said, holding, around, strict=True)
    ]
    best = sorted(range(len(good)), key=lambda at: -good[at])[:BEST]
    pulls = [math.exp(SHARPNESS * (good[at] - good[best[0]])) for at in best]
    his = [(dot(around[at].his, weights) / total, dot(around[at].other, weights) / total)
           for at in best]  # fmt: skip
    shares = [(mine + EITHER) / (mine + others + 2 * EITHER) for mine, others in his]
    return dot(pulls, shares) / sum(pulls) - 0.5
