"""Are two statements about the same thing at all? The ground on which one may touch the other.

`compare` answers how two statements relate that somebody lays side by side. In an archive nearly
all pairs have nothing to do with each other, so a relation alone is no reason to end a memory: the
two must share what they are about, and a changed number must be a number of the same attribute.
Words of time, quantity, change, permission and liking are never what something is about.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from slowwave.dream.compare import MERGES, REPLACES
from slowwave.dream.compare_frame import refilled
from slowwave.dream.compare_lexicon import AVERSION, FRAME_SLOTS, LIGHT, MARKS, SLOTS
from slowwave.dream.compare_opposites import opposed
from slowwave.dream.compare_quantity import Quantity, blank, conflict, quantities
from slowwave.dream.compare_reading import Reading, units_of
from slowwave.model import Relation

__all__ = ["anchored", "topic_of"]

Weight = Callable[[str], float]

MERGE_SHARE, DENIAL_SHARE, CHANGE_SHARE, CLASH_SHARE = 0.5, 0.5, 0.5, 0.3
"""Least share of the topic (of the statement that has less of it) that both must have: to become
one; for a denial to meet what it denies; for a new filler to end an old one."""
SLOT_WORDS = 12
"""Longest statement (words) that is about the slot it fills and hardly anything else."""

UNITS, ALL_BUT = 2, 0.6
"""Least number of units in common, and the share from which one of them is enough."""
CLASH_WORDS = 20
"""Longest statement (words; Han characters count one each) that can end another one."""

_RULING = frozenset({"universal", "forbid", "permit"})
_OWN_SLOTS = frozenset({"home", "love"})
_NOT_TOPIC = re.compile(
    "|".join(
        f"(?:{MARKS[name].pattern})"
        for name in ("change", "now", "no_longer", "done", "once", "universal", "permit", "forbid",
                     "restate")
    )
    + r"|今[天晚日年]|明[天晚日年]|后天|昨[天晚日]|前天|去年|[上下这本][个]?(?:周|月|星期|礼拜)"
    r"|\b(?:today|tonight|tomorrow|yesterday|morning|afternoon|evening|night|day|week|month|year)s?\b"

)  # fmt: skip
_CLAUSE = re.compile(r"[，,。；;！!？?、()（）\n]+|[.:](?=\s|$)|\b(?:and|but|so)\b")


@lru_cache(maxsize=16_384)
def topic_of(folded: str) -> frozenset[str]:
    """What a canonical text is about: its units without quantities, frames and words of grammar."""
    bare = _NOT_TOPIC.sub(" ", AVERSION.sub(" ", blank(folded)))
    for name in FRAME_SLOTS:
        bare = SLOTS[name].sub(" ", bare)
    return units_of(LIGHT.sub(" ", bare))


def anchored(
    relation: Relation, earlier: Reading, later: Reading, weight: Weight, *, rules: bool = False
) -> bool:
    """Whether a relation rests on a common topic. `weight` says how telling a unit is.

    `rules`: both are instructions or preferences; these are short and to the point, so that less
    in common is enough than for what people tell.
    """
    one, other = topic_of(earlier.folded), topic_of(later.folded)
    share = _share(one, other, weight)
    # One word in common carries little, unless there is hardly another.
    enough = len(one & other) >= UNITS or share >= (CLASH_SHARE if rules else ALL_BUT)
    if relation in MERGES:
        return _told_whole(earlier, later) or (len(one & other) >= UNITS and share >= MERGE_SHARE)
    if relation not in REPLACES:
        return enough and share >= CLASH_SHARE
    if _event(earlier) or _event(later):
        return False
    if relation == "number_changed" or conflict(earlier.numbers, later.numbers) == "day_changed":
        return _same_attribute(earlier.folded, later.folded, weight)
    if _same_slot(earlier, later) or refilled(earlier, later):
        return True
    return enough and _clashing(earlier, later, share, CLASH_SHARE if rules else CHANGE_SHARE)


def _told_whole(a: Reading, b: Reading) -> bool:
    """One begins with all words of the other, or they fill one frame with the same."""
    size = min(len(a.words), len(b.words))
    if size > 1 and a.words[:size] == b.words[:size]:
        return True
    return a.words == b.words or bool(a.filler and a.filler == b.filler)


def _event(reading: Reading) -> bool:
    """Something that took place once: neither ended by what comes later, nor ending anything."""
    return "event" in reading.marks and not reading.marks & {"change", "no_longer"}


def _clashing(earlier: Reading, later: Reading, share: float, least: float) -> bool:
    """Whether the later one says in its build that the earlier one does not hold any more."""
    if max(len(earlier.words), len(later.words)) > CLASH_WORDS:
        return False  # a story that shares words with another story does not end it
    if bool(earlier.negators) != bool(later.negators):
        # A denial in passing denies nothing of what the other statement says.
        return earlier.denied != later.denied and share >= DENIAL_SHARE
    if earlier.attitude * later.attitude < 0 or opposed(earlier.folded, later.folded):
        return share >= DENIAL_SHARE
    ruled = bool(earlier.marks & _RULING) and bool(later.marks & _RULING)
    changed = bool(later.marks & {"change", "no_longer"})
    return (ruled or changed) and share >= least


def _share(one: frozenset[str], other: frozenset[str], weight: Weight) -> float:
    least = min(sum(map(weight, sorted(one))), sum(map(weight, sorted(other))))
    return sum(map(weight, sorted(one & other))) / least if least else 0.0


def _same_slot(a: Reading, b: Reading) -> bool:
    """Two short statements that fill the same slot of the same person."""
    short = max(len(a.words), len(b.words)) <= SLOT_WORDS
    return short and a.who == b.who and bool(a.slots & b.slots & _OWN_SLOTS)


def _same_attribute(earlier: str, later: str, weight: Weight) -> bool:
    """Whether a quantity that differs stands beside the same words in both statements."""
    return any(
        conflict(mine, theirs) in ("changed", "day_changed")
        and _share(about, context, weight) >= CLASH_SHARE
        for theirs, context in _attributes(earlier)
        for mine, about in _attributes(later)
    )


@lru_cache(maxsize=16_384)
def _attributes(folded: str) -> tuple[tuple[tuple[Quantity, ...], frozenset[str]], ...]:
    """The quantities of every clause with what the clause is about; a clause of nothing but a
    quantity speaks of what the clauses before it are about."""
    found = []
    before: frozenset[str] = frozenset()
    for clause in _CLAUSE.split(folded):
        topic = topic_of(clause)
        before = topic or before
        here = quantities(clause)
        if here:
            found.append((here, before))
    return tuple(found)
