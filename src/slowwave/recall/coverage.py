"""What turns hold of what is asked: each by itself, and in an exchange of some turns.

Each phrase of a question is looked for in each turn; who the sentence tells of that holds it
decides whether the one asked about has it, or somebody else (`whose`).
"""

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

from slowwave.recall import rank, whose
from slowwave.text.later import later
from slowwave.text.segment import Phrase

__all__ = [
    "ANY", "HAN", "HIS", "LOOKED_AT", "OTHER", "Holding", "Turn", "columns", "dot",
    "exchanges", "holding_of", "most", "rarity",
]  # fmt: skip

LOOKED_AT = 80
"""Best turns whose words are looked at; what none of them holds is hardly anywhere."""

BESIDE = 2
"""Turns before and after that belong to the same exchange."""

FADING = (1.0, 0.8, 0.6)
"""What a phrase is worth that was said so many turns away."""

ANY, HIS, OTHER = range(3)
"""Sides of a `Holding`."""

HAN = later("[\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


class Turn(NamedTuple):
    """What somebody said, who ("" the owner), where it stands, and how near its meaning is.

    `of_the_days`: it tells of a day that the question names.
    """

    text: str
    speaker: str
    session: str
    seq: int
    alike: float
    of_the_days: bool = False


class Holding(NamedTuple):
    """For each phrase how far a turn holds it, of the one asked about and of somebody else."""

    any: list[float]
    his: list[float]
    other: list[float]


def holding_of(turn: Turn, phrases: Sequence[Phrase], named: str | None) -> Holding:
    """What a turn holds; `named` is the one who is asked about, where he is one who speaks."""
    holds = [float(held) for held in rank.held(phrases, turn.text)]
    if named is None or not any(holds):
        return Holding(holds, [0.0] * len(holds), [0.0] * len(holds))
    his, other = [0.0] * len(holds), [0.0] * len(holds)
    for sentence, own, others in whose.given(turn.text):
        mine, not_mine = (own, others) if turn.speaker == named else (others, own)
        if turn.speaker != named and own < 1.0 and whose.tells_of(sentence, named):
            mine, not_mine = whose.OF_HIM
        for at, held in enumerate(rank.held(phrases, sentence)):
            if held:
                his[at] = max(his[at], mine)
                other[at] = max(other[at], not_mine)
    return Holding(holds, his, other)


def columns(holding: Sequence[Holding], phrases: int) -> list[list[float]]:
    """By phrase what each turn holds of it."""
    return [[each.any[at] for each in holding] for at in range(phrases)]


def rarity(phrases: Sequence[Phrase], holding: Sequence[Holding]) -> list[float]:
    """How rare each phrase is, by how many of the turns that were found hold it.

    Bigrams that lie across two words are found nowhere and say nothing: one that was not found
    counts by those of its characters that no bigram which was found holds.
    """
    counts = [sum(column) for column in columns(holding, len(phrases))]
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
    if count or not HAN.fullmatch(text):
        return 1.0
    return sum(char not in known for char in text) / len(text)


def exchanges(said: Sequence[Turn], holding: Sequence[Holding]) -> list[Holding]:
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


def _joined(beside: Sequence[tuple[Holding, float]]) -> Holding:
    sides = (
        [
            max(values)
            for values in zip(
                *([fading * value for value in each[side]] for each, fading in beside), strict=True
            )
        ]
        for side in range(3)
    )
    return Holding(*sides)


def most(holding: Sequence[Holding], side: int, weights: Sequence[float]) -> float:
    """The greatest weighted sum of a side."""
    return max((dot(each[side], weights) for each in holding), default=0.0)


def dot(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted sum."""
    return sum(value * weight for value, weight in zip(values, weights, strict=True))
