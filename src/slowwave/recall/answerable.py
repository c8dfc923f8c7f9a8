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

from slowwave.model import USER, Event, Memory
from slowwave.recall import rank, whose
from slowwave.recall.answerable_table import TABLE, Worth
from slowwave.recall.found import Found, words_of
from slowwave.recall.question import Asked
from slowwave.text.later import later
from slowwave.text.noise import noise_reason
from slowwave.text.related import related
from slowwave.text.segment import Phrase, fold, query_phrases, terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

LOOKED_AT = 80
"""Best turns whose words are looked at; what none of them holds is hardly anywhere."""

BESIDE = 2
"""Turns before and after that belong to the same exchange."""

FADING = (1.0, 0.8, 0.6)
"""What a phrase is worth that was said so many turns away."""

ANOTHER_DAY = 0.5
"""Factor below which it is out of the question, for one about today: it held on another day."""

BEST = 10
"""Best exchanges that tell whose the evidence is."""

SHARPNESS = 8.0
"""How much more the first of them counts than the others."""

EITHER = 0.05
"""What each side has of an exchange to begin with: where little is told, nobody owns it."""

ANY, HIS, OTHER = range(3)
"""Sides of a `_Holding`."""

READ_CHARS = 2_000

SMALL_TALK = frozenset({"blank", "greeting", "acknowledgement"})
"""Messages that ask nothing, however often the same was said before."""

TOLD_OTHERWISE = 0.5
"""Likeness of a statement that is asked for in other words (`text.related`)."""

FAIR_PART = 0.05
"""Share of the turns from which somebody is one who speaks, and not one who is mostly told of."""

WORDS = "words"
"""The table for words alone, and for an embedder that was not measured."""

NONE, ALL = -0.5, 1.0
"""Least and greatest likeness that is told apart."""

_NAME = later(r"(?<=[a-z,;'’] )[A-Z][a-z]+")

_HAN = later("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


class Signs(NamedTuple):
    """What speaks for an answer and against it. Shares are 0–1 unless said otherwise.

    `held` is the share of what is asked that one turn holds, `exchange` that some turns beside each
    other do. Where one who speaks is `named`, these are what is told of him, `other_held` and
    `other_exchange` what is told of somebody else, and `own` is whose the best exchanges are (-0.5
    somebody else's … 0.5 his). `alike`: the nearest meaning (-0.5–1). `rare`: how rare the words
    are that were found (logarithm of a sum of logarithms). `missing`: share of what is asked that
    was found nowhere. `stranger`: a name in the question was found nowhere. `request`: it asks for
    something to be done, and not for what is known.
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


class _Turn(NamedTuple):
    """What somebody said, who ("" the owner), where it stands, and how near its meaning is."""

    text: str
    speaker: str
    session: str
    seq: int
    alike: float


class _Holding(NamedTuple):
    """For each phrase how far a turn holds it, of the one asked about and of somebody else."""

    any: list[float]
    his: list[float]
    other: list[float]


def chance(turns: Sequence[Found], found: Sequence[Found], asked: Asked) -> float:
    """How likely the question can be answered, 0–1: from `turns` of the journal, and memories.

    0.5 is the threshold that was calibrated: at least 95 % of answerable questions are above it.
    """
    if noise_reason(asked.query.text) in SMALL_TALK:
        return 0.0
    by = asked.embedder.partition("/")[0] if asked.vector is not None else WORDS
    return weighed(signs(turns, found, asked), TABLE.get(by, TABLE[WORDS]), asked.share)


def weighed(known: Signs, worth: Mapping[str, Mapping[str, Worth]], share: float) -> float:
    """The chance that a table gives to these signs; `share` of the question is Chinese."""
    values = {**known._asdict(), "start": 1.0}
    logit = sum(
        (latin + (chinese - latin) * share) * values[name]
        for name, (latin, chinese) in worth["named" if known.named else "open"].items()
    )
    return 1 / (1 + math.exp(-logit))


def counts(each: Found, asked: Asked) -> bool:
    """Whether it may answer.

    Not what only held on another day, when the question is of today, and not the same message as
    it was sent before: what answered it then stands beside it.
    """
    if asked.about_today and each.factor < ANOTHER_DAY:
        return False
    said, now = each.unit.text, asked.query.text
    return not isinstance(each.unit, Event) or said.strip().casefold() != now.strip().casefold()


def signs(turns: Sequence[Found], found: Sequence[Found], asked: Asked) -> Signs:
    """The signs of an answer among the turns that were found, and the memories `found`."""
    fit = [each for each in (*turns, *found) if counts(each, asked) and not each.over]
    said = _turns(fit, asked)
    speakers = _speakers(said)
    named = _named(speakers, said, asked)
    own = [turn.text for turn in said if not turn.speaker]
    phrases = _asked_for(speakers, _without(whose.called(own), asked))
    holding = [_holding(turn, phrases, named) for turn in said]
    around = _exchanges(said, holding)
    weights = _rarity(phrases, holding)
    total = sum(weights) or 1.0
    missing = _dot([not any(column) for column in _columns(holding, len(phrases))], weights)
    side = ANY if named is None else HIS
    return Signs(
        named=named is not None,
        held=_best(holding, side, weights) / total,
        exchange=_best(around, side, weights) / total,
        other_held=_best(holding, OTHER, weights) / total,
        other_exchange=_best(around, OTHER, weights) / total,
        own=0.0 if named is None else _whose(said, holding, around, weights),
        alike=_likest(fit, phrases, asked),
        rare=math.log1p(_best(holding, ANY, weights)),
        missing=missing / total if phrases else 1.0,
        stranger=_stranger(said, asked),
        request=float(asked.for_work),
    )


def _turns(fit: Sequence[Found], asked: Asked) -> list[_Turn]:
    """The turns at hand, and the memories whose turns are not."""
    events = {each.unit.id: each for each in fit if isinstance(each.unit, Event)}
    best = sorted(events.values(), key=lambda each: -each.own)[:LOOKED_AT]
    said = [
        _Turn(
            _read(each.unit.text), _speaker(each.unit), each.unit.session, each.unit.seq,
            _alike(each.part.cosine, asked),
        )
        for each in best
        if isinstance(each.unit, Event)
    ]  # fmt: skip
    memories = [each for each in fit if isinstance(each.unit, Memory)]
    for each in memories[:LOOKED_AT]:
        memory = each.unit
        if isinstance(memory, Memory) and not _cites(memory, events):
            who = "" if memory.subject == USER else memory.subject
            said.append(_Turn(words_of(memory), who, "", 0, _alike(each.part.cosine, asked)))
    return said


def _likest(fit: Sequence[Found], phrases: Sequence[Phrase], asked: Asked) -> float:
    """The nearest meaning; what is known to be asked for in other words means what is asked."""
    nearest = _alike(max((each.part.cosine for each in fit), default=0.0), asked)
    if nearest < TOLD_OTHERWISE and any(
        more and any(rank.held(phrases, more)) for more in (related(one.unit.text) for one in fit)
    ):
        return TOLD_OTHERWISE
    return nearest


def _read(text: str) -> str:
    """What is looked at of a turn, with the words that it is asked for by."""
    more = related(text)
    return f"{text[:READ_CHARS]}\n{more}" if more else text[:READ_CHARS]


def _cites(memory: Memory, events: Container[str]) -> bool:
    return any(span.event_id in events for span in memory.evidence)


def _speaker(event: Event) -> str:
    return event.speaker or ("" if event.origin == "owner" else event.origin)


def _speakers(said: Sequence[_Turn]) -> frozenset[str]:
    """The names of those who speak a fair part of the turns at hand, each about himself."""
    turns = Counter(turn.speaker for turn in said if turn.session)
    least = FAIR_PART * sum(turns.values())
    return frozenset(name for name, count in turns.items() if name and count >= least)


def _named(speakers: Iterable[str], said: Sequence[_Turn], asked: Asked) -> str | None:
    """Who is asked about, where it is one of two or more who speak."""
    named = rank.named_speaker(asked.query.text, speakers)
    return named if named is not None and len({turn.speaker for turn in said}) > 1 else None


def _stranger(said: Sequence[_Turn], asked: Asked) -> float:
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
        for form in (name.strip(), name[-2:] if _HAN.fullmatch(name) else name.split()[0]):
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


def _holding(turn: _Turn, phrases: Sequence[Phrase], named: str | None) -> _Holding:
    holds = [float(held) for held in rank.held(phrases, turn.text)]
    if named is None or not any(holds):
        return _Holding(holds, [0.0] * len(holds), [0.0] * len(holds))
    his, other = [0.0] * len(holds), [0.0] * len(holds)
    for sentence, own, others in whose.given(turn.text):
        mine, not_mine = (own, others) if turn.speaker == named else (others, own)
        if turn.speaker != named and own < 1.0 and whose.tells_of(sentence, named):
            mine, not_mine = whose.OF_HIM
        for at, held in enumerate(rank.held(phrases, sentence)):
            if held:
                his[at] = max(his[at], mine)
                other[at] = max(other[at], not_mine)
    return _Holding(holds, his, other)


def _columns(holding: Sequence[_Holding], phrases: int) -> list[list[float]]:
    return [[each.any[at] for each in holding] for at in range(phrases)]


def _rarity(phrases: Sequence[Phrase], holding: Sequence[_Holding]) -> list[float]:
    """How rare each phrase is, by how many of the turns that were found hold it.

    Bigrams that lie across two words are found nowhere and say nothing: one that was not found
    counts by those of its characters that no bigram which was found holds.
    """
    counts = [sum(column) for column in _columns(holding, len(phrases))]
    known = {
        char
        for phrase, count in zip(phrases, counts, strict=True)
        if count
        for char in "".join(phrase)
    }
    return [
        math.log((LOOKED_AT + 1) / (min(LOOKED_AT, count) + 1)) * _unknown(phrase, count, known)
        for phrase, count in zip(phrases, counts, strict=True)
    ]


def _unknown(phrase: Phrase, count: float, known: Container[str]) -> float:
    text = "".join(phrase)
    if count or not _HAN.fullmatch(text):
        return 1.0
    return sum(char not in known for char in text) / len(text)


def _exchanges(said: Sequence[_Turn], holding: Sequence[_Holding]) -> list[_Holding]:
    """For each turn what it and the turns beside it hold together."""
    places = {(turn.session, turn.seq): at for at, turn in enumerate(said) if turn.session}
    joined = []
    for at, turn in enumerate(said):
        beside = [(holding[at], FADING[0])]
        for step in range(1, BESIDE + 1):
            for seq in (turn.seq - step, turn.seq + step):
                other = places.get((turn.session, seq))
                if other is not None:
                    beside.append((holding[other], FADING[step]))
        joined.append(_joined(beside))
    return joined


def _joined(beside: Sequence[tuple[_Holding, float]]) -> _Holding:
    sides = (
        [
            max(values)
            for values in zip(
                *([fading * value for value in each[side]] for each, fading in beside), strict=True
            )
        ]
        for side in range(3)
    )
    return _Holding(*sides)


def _best(holding: Sequence[_Holding], side: int, weights: Sequence[float]) -> float:
    return max((_dot(each[side], weights) for each in holding), default=0.0)


def _whose(
    said: Sequence[_Turn],
    holding: Sequence[_Holding],
    around: Sequence[_Holding],
    weights: Sequence[float],
) -> float:
    """How far the best exchanges are about the one who is asked about, -0.5 (not at all) … 0.5."""
    total = sum(weights)
    if not total:
        return 0.0
    good = [
        (0.5 * _dot(turn.any, weights) + 0.25 * _dot(each.any, weights)) / total
        + 0.5 * max(-0.2, one.alike)
        for one, turn, each in zip(said, holding, around, strict=True)
    ]
    best = sorted(range(len(good)), key=lambda at: -good[at])[:BEST]
    pulls = [math.exp(SHARPNESS * (good[at] - good[best[0]])) for at in best]
    his = [(_dot(around[at].his, weights) / total, _dot(around[at].other, weights) / total)
           for at in best]  # fmt: skip
    shares = [(mine + EITHER) / (mine + others + 2 * EITHER) for mine, others in his]
    return _dot(pulls, shares) / sum(pulls) - 0.5


def _dot(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(value * weight for value, weight in zip(values, weights, strict=True))


def _alike(cosine: float, asked: Asked) -> float:
    """How near a meaning is, in the embedder's range; 0 where there are no vectors."""
    if asked.vector is None:
        return 0.0
    near = rank.likeness(cosine, rank.calibration(asked.embedder, asked.share))
    return max(NONE, min(ALL, near))
