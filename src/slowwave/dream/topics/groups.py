"""Which exchanges of a week are about the same thing: by meaning, and by the words they share.

Average linkage: two groups become one while the mean likeness of their members is high enough, so
that no chain of neighbours ties a week into one heap.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING

from slowwave.dream.weigh.concepts import runs, words
from slowwave.text.segment import cjk_share

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]

__all__ = ["grouped", "units"]

BY_MEANING = 0.6
"""What meaning weighs beside shared words. Measured on week-long logs in English and Chinese."""
ACROSS = 1.5
"""What meaning weighs between two languages: there they share no words, and are never as near."""
ALIKE, SPREAD, ALIKE_LEAST = 0.9, 2.2, 0.08
"""Mean likeness from which groups are one: so many standard deviations above that of any two texts
of the log (`_least`). A log about one thing has topics as well, only finer ones."""
SAME = 0.9
"""From here on two texts are one, said again: how often it was tells nothing of what differs."""
NEAR = 0.6
"""Of that: what a text needs to a group that is there already."""
LENT, LENT_TO_SHORT = 0.25, 0.7
"""What an exchange takes over from the one before it, and one of few words of its own: "and then?"
is about what was spoken of."""
SHORT = 4
FEW = 20
"""So many texts are freed of half their mean, more texts of more of it: what many share is the
tone of a log, what a few share is what they are about."""


def grouped(
    texts: Sequence[str], before: Sequence[int], meaning: "Numbers | None"
) -> list[list[int]]:
    """Places of texts by group, the most typical text of a group first; every place once.

    `meaning`: a direction of length 1 for each text, freed of what all texts share.
    `before[at]` is the place of the text that it goes on with, −1 where there is none.
    """
    if len(texts) < 2:
        return [[at] for at in range(len(texts))]
    likeness = _likeness(texts, before, meaning)
    least = _least(likeness)
    groups = _joined(_merged(likeness, least), likeness, NEAR * least)
    return [_typical_first(group, likeness) for group in groups]


def units(text: str) -> Counter[str]:
    """What a text is about, to be counted: stems of words, pairs of Chinese characters."""
    found = Counter(stem for stem, _ in words(text))
    for run in runs(text):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return found


def _likeness(texts: Sequence[str], before: Sequence[int], meaning: "Numbers | None") -> "Numbers":
    """n × n, −1 to 1. Of words and of meaning each is taken with what its neighbours lend."""
    # Slow to import; only a picture of a week needs it.
    import numpy as np  # noqa: PLC0415

    counted = [units(text) for text in texts]
    lent = np.array(
        [
            0.0 if place < 0 else LENT_TO_SHORT if len(own) < SHORT else LENT
            for place, own in zip(before, counted, strict=True)
        ],
        dtype=np.float32,
    )
    shared = _with_neighbours(_weighed(counted), before, lent)
    by_words: Numbers = shared @ shared.T
    if meaning is None:
        return by_words
    near = _unit(meaning - len(texts) / (len(texts) + FEW) * meaning.mean(axis=0))
    near = _with_neighbours(near, before, lent)
    alike = near @ near.T
    both = BY_MEANING * alike + (1 - BY_MEANING) * by_words
    chinese = np.array([cjk_share(text) >= 0.5 for text in texts])
    made: Numbers = np.where(chinese[:, None] == chinese, both, ACROSS * alike)
    return made


def _weighed(counted: Sequence[Counter[str]]) -> "Numbers":
    """tf-idf rows of length 1 (0 where nothing is shared); what only one text has counts for none.

    Frequent is not telling: a word in every third text weighs a tenth of one in three of them.
    """
    import numpy as np  # noqa: PLC0415 - as above

    often = Counter(unit for own in counted for unit in own)
    place = {unit: at for at, unit in enumerate(sorted(u for u, n in often.items() if n > 1))}
    rows = np.zeros((len(counted), max(1, len(place))), dtype=np.float32)
    for at, own in enumerate(counted):
        for unit, times in own.items():
            if unit in place:
                rarity = log(1 + len(counted) / often[unit]) - log(2)
                rows[at, place[unit]] = (1 + log(times)) * max(0.05, rarity)
    return _unit(rows)


def _with_neighbours(rows: "Numbers", before: Sequence[int], lent: "Numbers") -> "Numbers":
    return _unit(rows + lent[:, None] * rows[list(before)])


def _unit(rows: "Numbers") -> "Numbers":
    import numpy as np  # noqa: PLC0415 - as above

    made: Numbers = rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9)
    return made


def _least(likeness: "Numbers") -> float:
    """From which likeness on groups are one.

    Where half of all pairs are of one topic, their mean says nothing: then the lower pairs, which
    are of two, tell how much any two texts differ.
    """
    import numpy as np  # noqa: PLC0415 - as above

    pairs = likeness[np.triu_indices(len(likeness), 1)].astype(np.float64)
    pairs = pairs[pairs < SAME]
    if not len(pairs):
        return ALIKE_LEAST
    tenth, quarter, half = np.quantile(pairs, (0.1, 0.25, 0.5))
    apart = quarter + SPREAD * (half - tenth)
    return max(ALIKE_LEAST, float(min(pairs.mean() + ALIKE * pairs.std(), apart)))


def _merged(likeness: "Numbers", least: float) -> list[list[int]]:
    """Average linkage down to `least`. O(n²) for each of at most n merges; n is bounded."""
    import numpy as np  # noqa: PLC0415 - as above

    near = likeness.astype(np.float64).round(6)  # so that ties fall alike on every machine
    np.fill_diagonal(near, -np.inf)
    groups = {at: [at] for at in range(len(near))}
    while len(groups) > 1:
        one, other = divmod(int(near.argmax()), len(near))
        if near[one, other] < least:
            break
        one, other = min(one, other), max(one, other)
        size, more = len(groups[one]), len(groups[other])
        row = (size * near[one] + more * near[other]) / (size + more)
        near[one], near[:, one] = row, row
        near[one, one] = near[other] = near[:, other] = -np.inf
        groups[one] += groups.pop(other)
    return [sorted(group) for group in groups.values()]


def _joined(groups: list[list[int]], likeness: "Numbers", least: float) -> list[list[int]]:
    """With what stands alone in the group that it is nearest to, where that is near enough."""
    large = [group for group in groups if len(group) > 1]
    made = [list(group) for group in large]
    for group in groups:
        if len(group) > 1:
            continue
        near = [round(float(likeness[group[0], other].mean()), 6) for other in large]
        best = max(range(len(large)), key=lambda at: (near[at], -at), default=-1)
        if best >= 0 and near[best] >= least:
            made[best].append(group[0])
        else:
            made.append(group)
    return made


def _typical_first(group: list[int], likeness: "Numbers") -> list[int]:
    inner = likeness[group][:, group].sum(axis=1).round(4).tolist()
    order = sorted(zip(inner, group, strict=True), key=lambda pair: (-pair[0], pair[1]))
    return [at for _, at in order]
