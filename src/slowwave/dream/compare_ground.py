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

from slowwave.dream.compare_change import Clause, clauses, phrases, sentences
from slowwave.dream.compare_frame import refilled
from slowwave.dream.compare_opposites import without_poles
from slowwave.dream.compare_quantity import Quantity, other_value, same_value
from slowwave.dream.compare_reading import Reading, read
from slowwave.dream.compare_slots import other_filler
from slowwave.dream.compare_topic import topic_of

__all__ = ["beside", "ending", "mergeable"]

Weight = Callable[[str], float]

ALL, MOST, HALF, SOME = 0.9, 0.75, 0.5, 0.3
"""Shares of a topic's weight: all of it (a pair of characters over a word border may miss), most,
half, and the least for a thing to be what a clause is about at all."""
UNITS = 2
"""Least number of units that two wordings of one thing share."""
TWO = 0.2
"""The least where two values of a thing changed at once (day and hour)."""
PART = 0.35
"""Least share of what is over in Chinese, where a name is parted into several pairs."""
LONGEST = 12
"""Longest clause (words) that does nothing but give a thing its value."""
_OPEN_END = re.compile(r"\b(?:it|that|this|them|him|her|these|those|there)\W*$")
"""What it speaks of was named elsewhere."""
_MOOD = re.compile(
    r"\b(?:can|could|may|might|will|would|should|must|want|wants|wanted|hope|hoping|plan|planning|"
    r"try|trying|tried|going to|if|need|needs|let's|consider\w*|think\w*)\b|'ll\b|想|打算|可能|也许|要是|如果|"
    r"应该|希望|试"
)
_PERSON = re.compile(r"\b(?:(?P<one>i|we)|(?P<two>you)|(?P<three>he|she|they))\b|(?P<me>我)|(?P<thee>你)|(?P<he>[他她])")
_PRONOUN = re.compile(r"\b(?:it|that|this|them|these|those|one|everything|anything)\b|它|这个|那个")
_HABIT = re.compile(r"\bused to\b")
_UNDECIDED = re.compile(r"\b(?:whether|if|maybe|perhaps)\b|是否|要不要|会不会|如果|也许|可能")
_GIVES = re.compile(r"(?:(?:\b|')(?:is|are|s|re|m|be|costs?|takes?|runs?|set|starts?|opens?|closes?|listens?|answers?|has|have|need|needs|pay|pays|use|uses|drink|drinks|wakes?|gets?|keeps?|kept|stands?|lasts?)\b|=|: )[^,]*$")
_RELATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        r"早上|上午|中午|下午|傍晚|晚上|夜里|[早午晚]饭|睡前|\b(?:mornings?|noon|afternoons?|evenings?|"
        r"nights?|breakfast|lunch|dinner|bed)\b",
        r"[放存走在]|位于|\b(?:in|at|on|into|under|kept|stored|lives?|sits?|hosted)\b",
        r"用|使用|\b(?:uses?|using|with|runs? on|written in|via)\b",
        r"发|寄|送|交|\b(?:sends?|sent|to|goes|go|posted|mailed|reports?)\b",
        r"归|由|找|\b(?:by|owns?|owned|handles?|manages?|leads?|with)\b",
        r"[叫是为]|\b(?:is|are|called|named|means?)\b",
    )
)
"""Relations in which a thing has one partner at a time: time of day, place, means, addressee, owner, name."""
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
    if _event(earlier) != _event(later):
        return False
    if _told_whole(earlier, later):
        return True
    if ("like" in earlier.slots) != ("like" in later.slots):
        return False
    short, long = sorted((earlier, later), key=lambda one: (len(one.words), one.folded))
    parts = [part for part in sentences(short.folded) if part.topic]
    wholes = sentences(long.folded)
    return bool(parts) and all(_told(part, wholes, weight) for part in parts)


def _told_whole(a: Reading, b: Reading) -> bool:
    """One begins with all words of the other, or they fill one frame with the same."""
    short, long = sorted((a, b), key=lambda one: (len(one.words), one.folded))
    size = len(short.words)
    if a.words == b.words != () or (size > 1 and sorted(a.words) == sorted(b.words)):
        return True
    if size > 1 and short.words == long.words[:size]:
        return bool(topic_of(short.folded)) and not _OPEN_END.search(short.folded)
    return bool(a.filler and a.filler == b.filler and a.slots & b.slots)


def _told(part: Clause, wholes: tuple[Clause, ...], weight: Weight) -> bool:
    """Whether a sentence is told in one of the other statement's, in its order and close by."""
    for whole in wholes:
        if part.negators != whole.negators or not _one_mood(part.text, whole.text):
            continue
        if not _values_within(part.quantities, whole.quantities):
            continue
        here = _share_of(part.topic, whole.topic, weight)
        there = _share_of(whole.topic, part.topic, weight)
        if len(part.topic & whole.topic) < UNITS:
            continue
        equal = here >= MOST and there >= MOST
        if equal or (here >= ALL and _in_order(part.text, whole.text)):
            return True
    return False


def _one_mood(a: str, b: str) -> bool:
    """Both tell of the same person what is, or both what may be, is wanted or tried."""
    if bool(_MOOD.search(a)) != bool(_MOOD.search(b)):
        return False
    one, other = _PERSON.search(a), _PERSON.search(b)
    return one is None or other is None or one.lastgroup == other.lastgroup


def _in_order(short: str, long: str) -> bool:
    """Whether all words of one sentence stand in the other, in the same order, hardly parted."""
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
        if used == len(words) and at - start <= len(words) + len(words) // 3:
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
    if _event(later):
        return ""
    pairs = product(phrases(earlier.folded), phrases(later.folded))
    denied = any(_reversed(old, new, weight) for old, new in pairs)
    return "one denies what the other says" if denied else ""


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
    whole = topic_of(earlier.folded)
    if not old.topic or old.change == "over" or _share_of(whole, old.topic, weight) < SOME:
        return ""  # what is said in passing does not end the rest of what is said
    if _value_changed(old, new, later, weight):
        return "the later one gives another value for the same thing"
    if new.change == "over" and _over(old, new, earlier, later, weight):
        return "the later one says that it is over"
    if not new.quantities and _thing_moved(old, new, weight, rules):
        return "the later one says that this thing has changed"
    return ""


def _value_changed(old: Clause, new: Clause, later: Reading, weight: Weight) -> bool:
    """Whether a thing that has a value in the old clause is given another one in the new."""
    kinds = {
        (one.kind, one.unit)
        for one in old.quantities
        for other in new.values
        if other_value(one, other) and not _names((other,), old.quantities)
    }
    origin = [one for one in new.origin if (one.kind, one.unit) in kinds]
    if not kinds or (origin and not _names(tuple(origin), old.quantities)):
        return False  # a change from another value is a change of another thing
    here, there = _share_of(old.topic, new.topic, weight), _share_of(new.topic, old.topic, weight)
    if new.change == "changed" and new.inherited:
        linked = bool(new.thing & old.topic) and _names(old.quantities, later.numbers)
        return linked and _share_of(old.topic, new.thing, weight) >= SOME
    if new.change == "changed":
        return _about(new, old, weight, SOME if len(kinds) == 1 else TWO)
    shared = min(here, there) >= SOME and max(here, there) >= HALF
    if new.change == "now" and shared and _about(new, old, weight, SOME):
        return True
    told = "changed" in {clause.change for clause in clauses(later.folded)}
    alike = min(here, there) >= MOST or (told and max(here, there) >= ALL and shared)
    return alike and _gives_value(old) and _gives_value(new)


def _gives_value(clause: Clause) -> bool:
    """Whether a clause does nothing but give a thing one value."""
    if len(clause.quantities) > 1 or len(read(clause.text).words) > LONGEST:
        return False
    if _HAPPENED.search(clause.text) or clause.quantities[0].kind in ("ordinal", "month"):
        return False
    plain = not clause.text.isascii() or not re.search(r"\w+ing\b", clause.text)
    states = not clause.text.isascii() or bool(_GIVES.search(clause.text))
    return plain and (states or len(clause.topic) <= UNITS)


def _about(new: Clause, old: Clause, weight: Weight, least: float) -> bool:
    """Whether what is said to have changed is what a clause is about: its head stands there."""
    share = _share_of(new.thing, old.topic, weight)
    marked = _names(_codes(old), _codes(new))
    named = bool(new.head) and new.head <= old.topic
    if not (share >= 0.6 and named) and not (marked and share >= HALF):
        return False
    return _share_of(old.topic, new.thing, weight) >= least


def _codes(clause: Clause) -> tuple[Quantity, ...]:
    """The names with digits in a clause."""
    return tuple(one for one in clause.quantities if one.kind == "code")


def _names(old: tuple[Quantity, ...], later: tuple[Quantity, ...]) -> bool:
    return any(same_value(one, other) for one in old for other in later)


def _over(old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight) -> bool:
    """Whether what is said to be over is what the earlier clause says."""
    if new.quantities:
        linked = bool(topic_of(earlier.folded) & topic_of(later.folded))
        gone = _values_within(new.quantities, old.quantities)
        replaced = any(
            other_value(one, other) for one in new.quantities for other in later.numbers
        )
        return gone and linked and (replaced or not new.negators)
    if not new.thing or _share_of(new.thing, old.topic, weight) < MOST:
        return False
    named = any(name in new.text for name in earlier.names if len(name) > 2)
    least = MOST if _HABIT.search(new.text) else PART if later.han > 0.5 else HALF
    return named or _share_of(old.topic, new.thing, weight) >= least


def _reversed(old: Clause, new: Clause, weight: Weight) -> bool:
    """Whether one clause denies the other, or likes what the other dislikes, in full."""
    if not topic_of(new.text) or _UNDECIDED.search(new.text) or _UNDECIDED.search(old.text):
        return False
    one, other = read(old.text), read(new.text)
    here, there = _share_of(old.topic, new.topic, weight), _share_of(new.topic, old.topic, weight)
    few = len(old.topic & new.topic) < UNITS
    if few and not (_bare(one) and _bare(other) and here == there):
        return False
    if bool(old.negators) != bool(new.negators) and one.denied != other.denied:
        # What is denied in general is denied in its details too.
        return there >= ALL and (here >= 0.8 or (bool(new.negators) and here >= HALF))
    if one.attitude * other.attitude < 0:
        return min(here, there) >= 0.8
    return _opposite(old.text, new.text, weight)


def _bare(reading: Reading) -> bool:
    """Hardly anything but a predicate and its object."""
    short = len(reading.words) <= (8 if reading.han > 0.5 else 3)
    return short and not _PRONOUN.search(reading.folded)


def _opposite(old: str, new: str, weight: Weight) -> bool:
    """Whether a word has given way to its opposite and nearly nothing else differs."""
    bare = without_poles(old, new)
    if bare is None:
        return False
    first, second = map(topic_of, bare)
    alike = min(_share_of(first, second, weight), _share_of(second, first, weight))
    return bool(first & second) and alike >= ALL and len(read(bare[0]).words) <= LONGEST


def _thing_moved(old: Clause, new: Clause, weight: Weight, rules: bool) -> bool:
    """Whether a thing is said to stand in another relation of the same kind."""
    if new.inherited or not (new.change == "changed" or (new.change == "now" and rules)):
        return False
    if old.quantities or not _about(new, old, weight, SOME):
        return False
    return any(rel.search(old.text) and rel.search(new.text) for rel in _RELATIONS)


def _share_of(one: frozenset[str], other: frozenset[str], weight: Weight) -> float:
    """The share of the weight of `one` that `other` has too, 0–1; 0 for an empty topic."""
    total = sum(map(weight, sorted(one)))
    return sum(map(weight, sorted(one & other))) / total if total else 0.0
