"""What a topic of the week is called: words of its own that set it apart from the others.

What may be a name is gathered by `words`. Of that, what counts is frequent in the topic,
rare outside, and near in meaning to what it is about.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log
from typing import TYPE_CHECKING, NamedTuple

from slowwave.dream.topics.words import Key, Possible, gathered

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]

__all__ = ["Directions", "named"]

Directions = Callable[[Sequence[str]], "Numbers | None"]
"""Of texts, one row each of length 1 (0: it has none), freed of what all texts share; None where
there is no embedder."""

WORDS = 4
"""A name, and further words of the topic."""
SHORTLIST = 14
"""Names of a topic whose meaning is asked for: each costs a few thousandths of a second."""
ALSO = 0.7
"""Share of a word's texts from which a longer name that holds it is said in its place."""
SEVERAL = 2
"""Texts of the topic that a name stands in."""
SURE = 0.5
"""Least weight of a word by its form: what is hardly a noun names nothing."""
COVERS = 0.75
"""How much it counts that a name stands in many of the topic's texts, beside how telling it is."""
NAME_LEAST, WORD_LEAST = 0.12, 0.4
"""Least share of the topic's texts that its name stands in; least score beside that of the name
for the further words."""


class _Scored(NamedTuple):
    """A possible name of one topic, and how good it is there."""

    score: float
    key: Key
    inside: frozenset[int]


def named(
    texts: Sequence[str],
    groups: Sequence[Sequence[int]],
    meaning: "Numbers | None",
    directions: Directions,
    people: Iterable[str],
) -> list[tuple[str, ...]]:
    """The name of each group of places, and up to three further words; () where nothing names it.

    No two groups have the same name. `people` take part in the talk: they name no topic.
    """
    possible = gathered(texts, people)
    taken: set[Key] = set()
    titles: list[tuple[str, ...]] = []
    for group in groups:
        scored = _scored(group, possible, len(texts))[:SHORTLIST]
        nearer = _by_meaning(scored, possible, group, meaning, directions)
        fit = [one for one in nearer if possible.weight(one.key) >= SURE]
        chosen = _chosen(fit, taken, len(group))
        taken.update(chosen[:1])
        titles.append(tuple(possible.written(key) for key in chosen))
    return titles


def _scored(group: Sequence[int], possible: Possible, total: int) -> list[_Scored]:
    """What may name a group, best first, without words that a longer name says as well."""
    members = frozenset(group)
    inside: dict[Key, frozenset[int]] = {}
    for at in group:
        for key in possible.of_text(at):
            if key not in inside:
                inside[key] = possible.texts(key) & members
    several = {key: own for key, own in inside.items() if len(own) >= SEVERAL}
    found: list[_Scored] = []
    for key, own in _longest(several).items():
        everywhere = len(possible.texts(key))
        telling = log(1 + total / everywhere) * (len(own) / everywhere) ** 0.5
        score = (len(own) / len(group)) ** COVERS * telling * possible.weight(key)
        found.append(_Scored(score, key, own))
    return sorted(found, key=lambda one: (-one.score, one.key))


def _longest(found: Mapping[Key, frozenset[int]]) -> dict[Key, frozenset[int]]:
    """Without what a longer name says in most of the texts it stands in."""
    covered: set[Key] = set()
    for key, own in found.items():
        for part in key.parts():
            if part in found and len(own) >= ALSO * len(found[part]):
                covered.add(part)
    return {key: own for key, own in found.items() if key not in covered}


def _by_meaning(
    scored: Sequence[_Scored],
    possible: Possible,
    group: Sequence[int],
    meaning: "Numbers | None",
    directions: Directions,
) -> list[_Scored]:
    """The same, with what is near to the middle of the group first."""
    rows = None
    if meaning is not None and scored:
        rows = directions([possible.written(one.key) for one in scored])
    if meaning is None or rows is None:
        return list(scored)
    middle = meaning[list(group)].mean(axis=0)
    middle = middle / (float((middle**2).sum()) ** 0.5 + 1e-9)
    near = (rows @ middle).round(4).tolist()
    again = [
        one._replace(score=one.score * (0.35 + max(0.0, cosine)))
        for one, cosine in zip(scored, near, strict=True)
    ]
    return sorted(again, key=lambda one: (-one.score, one.key))


def _chosen(scored: Sequence[_Scored], taken: set[Key], size: int) -> list[Key]:
    """The name and further words, none of which says what another one does."""
    chosen: list[_Scored] = []
    for one in scored:
        if len(chosen) >= WORDS:
            break
        if chosen and one.score < WORD_LEAST * chosen[0].score:
            break
        if not chosen and (one.key in taken or len(one.inside) < NAME_LEAST * size):
            continue
        if not any(one.key.overlaps(other.key) for other in chosen):
            chosen.append(one)
    return [one.key for one in chosen]
