"""The ground on which one memory may end or take in another: positive evidence, or both stay.

`compare` answers how two statements relate that somebody lays side by side. In an archive nearly
all pairs have nothing to do with each other, so a relation alone is no reason to touch a memory.
To end one, the later statement must give the same attribute of the same thing another value, fill
the same single-valued slot of the same holder, say of the same thing that it changed or is over, or
deny the whole of what was said. Words in common are no evidence of any of these.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product

from slowwave.dream.compare_change import Clause, clauses, sentences
from slowwave.dream.compare_frame import refilled
from slowwave.dream.compare_opposites import without_poles
from slowwave.dream.compare_quantity import Quantity, conflict, same_value
from slowwave.dream.compare_reading import Reading, read
from slowwave.dream.compare_slots import other_filler
from slowwave.dream.compare_topic import topic_of

__all__ = ["beside", "ending", "mergeable"]

Weight = Callable[[str], float]

ALL, MOST, HALF, SOME = 0.9, 0.75, 0.5, 0.3
"""Shares of a topic's weight: all of it (a pair of characters over a word border may miss), most,
half, and the least for a thing to be what a clause is about at all."""
_NUMBERS = ("changed", "day_changed")
_UNMARKED = frozenset({"number", "clock", "weekday", "version", "code", "date"})
_RULING = frozenset({"universal", "forbid", "permit"})
_RELATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[放存走在]|位于|\b(?:in|at|on|into|under|kept|stored|lives?|sits?|hosted)\b",
        r"用|使用|\b(?:uses?|using|with|runs? on|written in|via)\b",
        r"发|寄|送|交|\b(?:sends?|sent|to|goes|go|posted|mailed|reports?)\b",
        r"归|由|找|\b(?:by|owns?|owned|handles?|manages?|leads?|with)\b",
        r"[叫是为]|\b(?:is|are|called|named|means?)\b",
    )
)
"""Relations in which a thing has one partner at a time: place, means, addressee, owner, name."""
_HAPPENED = re.compile(
    r"\b(?:i|we|he|she|they|i've|we've)\s+(?:just |also |already |only |recently |have |had |"
    r"finally )*(?!(?:need|limit|open|own|red|bed|hundred)\b)(?:\w{2,}ed|went|ran|ate|saw|met|"
    r"bought|got|had|made|took|did|won|lost|spent|came|read|wrote|built|sold|gave|caught|drove|"
    r"flew|found|began|left|heard|been|done|seen|gone)\b"
    r"|[^不没]了(?=[^，。；！!]*\d|[^，。；！!]{0,3}[一二两三四五六七八九十])|过(?=\d|[一二两三四五六七八九十])"
)
"""What was done once has no value that another occasion could change."""


def mergeable(earlier: Reading, later: Reading, weight: Weight) -> bool:
    """Whether two statements say one thing in so many words: all of one is told in the other."""
    if earlier.who != later.who and "" not in (earlier.who, later.who):
        return False
    if _told_whole(earlier, later):
        return True
    short, long = sorted((earlier, later), key=lambda one: (len(one.words), one.folded))
    parts = [part for part in sentences(short.folded) if part.topic]
    wholes = sentences(long.folded)
    return bool(parts) and all(_told(part, wholes, weight) for part in parts)


def _told_whole(a: Reading, b: Reading) -> bool:
    """One begins with all words of the other, or they fill one frame with the same."""
    size = min(len(a.words), len(b.words))
    if size > 1 and a.words[:size] == b.words[:size]:
        return a.words == b.words or bool(topic_of(min(a, b, key=_length).folded))
    if a.words == b.words != () or (size > 1 and sorted(a.words) == sorted(b.words)):
        return True
    return bool(a.filler and a.filler == b.filler and a.slots & b.slots)


def _length(reading: Reading) -> int:
    return len(reading.words)


def _told(part: Clause, wholes: tuple[Clause, ...], weight: Weight) -> bool:
    """Whether a sentence is told in one of the other statement's, in its order and close by."""
    for whole in wholes:
        if part.negators != whole.negators:
            continue
        if not _values_within(part.quantities, whole.quantities):
            continue
        here = _share_of(part.topic, whole.topic, weight)
        there = _share_of(whole.topic, part.topic, weight)
        equal = here >= MOST and there >= MOST
        within = here >= ALL and len(part.topic) > 1 and _in_order(part.text, whole.text)
        if equal or within:
            return True
    return False


def _in_order(short: str, long: str) -> bool:
    """Whether all words of one sentence stand in the other, in the same order, nearly together."""
    words, rest = read(short).words, read(long).words
    if not words or not set(words) <= set(rest):
        return False
    for start, word in enumerate(rest):
        if word != words[0]:
            continue
        at, used = start, 0
        while at < len(rest) and used < len(words):
            used += rest[at] == words[used]
            at += 1
        if used == len(words) and at - start <= len(words) + max(2, len(words) // 3):
            return True
    return False


def _values_within(few: tuple[Quantity, ...], many: tuple[Quantity, ...]) -> bool:
    return all(any(same_value(one, other) for other in many) for one in few)


def beside(earlier: Reading, later: Reading, weight: Weight, *, rules: bool) -> bool:
    """Whether one may be an exception to the other, or lift it: they share a topic."""
    one, other = topic_of(earlier.folded), topic_of(later.folded)
    both = one & other
    share = max(_share_of(one, other, weight), _share_of(other, one, weight))
    return bool(both) and (len(both) > 1 or share >= (SOME if rules else 0.6)) and share >= SOME


def ending(earlier: Reading, later: Reading, weight: Weight, *, rules: bool = False) -> str:
    """Why the later statement ends the earlier one, or "".

    `weight` says how telling a unit is. `rules`: both are instructions or preferences.
    """
    if not _one_holder(earlier, later) or "once" in later.marks:
        return ""
    if "past" in earlier.marks and not earlier.marks & {"now", "change"}:
        return ""
    if refilled(earlier, later) or other_filler(earlier, later):
        return "the same place is filled anew"
    if _event(earlier) and not _planned(earlier):
        return ""
    for old, new in product(clauses(earlier.folded), clauses(later.folded)):
        reason = _ends(old, new, earlier, later, weight, rules)
        if reason:
            return reason
    return ""


def _one_holder(a: Reading, b: Reading) -> bool:
    if a.who == b.who:
        return True
    persons = {a.who, b.who} - {"", "owner"}
    return not persons or (len(persons) == 1 and bool(persons & (a.kin & b.kin)))


def _event(reading: Reading) -> bool:
    """Something that took place once: later things do not end it."""
    return "event" in reading.marks and not reading.marks & {"change", "no_longer", "now"}


def _planned(reading: Reading) -> bool:
    return bool(
        re.search(r"\b(?:will|going to|scheduled|planned|due)\b|将|定在|约在|计划", reading.folded)
    )


def _ends(
    old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight, rules: bool
) -> str:
    if not old.topic or old.change == "over":
        return ""
    if _value_changed(old, new, later, weight):
        return "the later one gives another value for the same thing"
    if new.change == "over" and _over(old, new, earlier, later, weight):
        return "the later one says that it is over"
    if _reversed(old, new, weight):
        return "one denies what the other says"
    if not new.quantities and _thing_moved(old, new, weight, rules):
        return "the later one says that this thing has changed"
    return ""


def _value_changed(old: Clause, new: Clause, later: Reading, weight: Weight) -> bool:
    if conflict(old.quantities, new.quantities) not in _NUMBERS:
        return False
    here, there = (_share_of(old.topic, new.topic, weight), _share_of(new.topic, old.topic, weight))
    if new.change == "changed":
        if new.inherited and not _names(old.quantities, later.numbers):
            return False
        return _about(new.thing, old, weight)
    if new.change == "now":
        return (
            _about(new.thing, old, weight) and min(here, there) >= SOME and max(here, there) >= HALF
        )
    if min(here, there) < MOST or _HAPPENED.search(old.text) or _HAPPENED.search(new.text):
        return False
    kinds = {one.kind for one in new.quantities} & {one.kind for one in old.quantities}
    return bool(kinds & _UNMARKED)


def _about(thing: frozenset[str], old: Clause, weight: Weight) -> bool:
    """Whether a named thing is what a clause is about."""
    return (
        bool(thing & old.topic)
        and _share_of(thing, old.topic, weight) >= 0.6
        and _share_of(old.topic, thing, weight) >= SOME
    )


def _names(old: tuple[Quantity, ...], later: tuple[Quantity, ...]) -> bool:
    return any(same_value(one, other) for one in old for other in later)


def _over(old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight) -> bool:
    """Whether what is said to be over is what the earlier clause says."""
    if new.quantities:
        linked = bool(topic_of(earlier.folded) & topic_of(later.folded)) or not new.thing
        return _values_within(new.quantities, old.quantities) and linked
    if not new.thing or _share_of(new.thing, old.topic, weight) < 0.6:
        return False
    named = any(name in new.text for name in earlier.names if len(name) > 2)
    return named or _share_of(old.topic, new.thing, weight) >= HALF


def _reversed(old: Clause, new: Clause, weight: Weight) -> bool:
    """Whether one clause denies the other, or likes what the other dislikes, in full."""
    if not new.topic or new.topic != topic_of(new.text):
        return False
    one, other = read(old.text), read(new.text)
    here, there = (_share_of(old.topic, new.topic, weight), _share_of(new.topic, old.topic, weight))
    least = 0.8 if len(old.topic & new.topic) > 1 else ALL
    if bool(old.negators) != bool(new.negators) and one.denied != other.denied:
        # What is denied in general is denied in its details too.
        return there >= ALL and (here >= least or (bool(new.negators) and here >= HALF))
    if one.attitude * other.attitude < 0:
        return min(here, there) >= least
    bare = without_poles(old.text, new.text)
    if bare is None:
        return False
    first, second = map(topic_of, bare)
    return (
        bool(first & second)
        and min(_share_of(first, second, weight), _share_of(second, first, weight)) >= 0.8
    )


def _thing_moved(old: Clause, new: Clause, weight: Weight, rules: bool) -> bool:
    """Whether a thing is said to stand in another relation of the same kind."""
    if new.inherited or not (new.change == "changed" or (new.change == "now" and rules)):
        return False
    if old.quantities or not _about(new.thing, old, weight):
        return False
    return any(rel.search(old.text) and rel.search(new.text) for rel in _RELATIONS)


def _share_of(one: frozenset[str], other: frozenset[str], weight: Weight) -> float:
    """The share of the weight of `one` that `other` has too, 0–1; 0 for an empty topic."""
    total = sum(map(weight, sorted(one)))
    return sum(map(weight, sorted(one & other))) / total if total else 0.0
