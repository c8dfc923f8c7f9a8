"""The ground on which one memory may end or take in another: positive evidence, or both stay.

`compare` answers how two statements relate that somebody lays side by side. In an archive nearly
all pairs have nothing to do with each other, so a relation alone is no reason to touch a memory.
To end one, the later statement must give the same attribute of the same thing another value, fill
the same single-valued slot of the same holder, say of the same thing that it changed or is over, or
deny the whole of what was said. Words in common are no evidence of any of these.
"""

import re
from itertools import product

from slowwave.dream.compare.grounds.alike import laid_beside
from slowwave.dream.compare.grounds.frame import refilled
from slowwave.dream.compare.grounds.slots import other_filler
from slowwave.dream.compare.grounds.value import TIGHT
from slowwave.dream.compare.grounds.weight import (
    ALL,
    HALF,
    HAPPENED,
    MOST,
    SOME,
    UNITS,
    Weight,
    is_event,
    share_of,
    values_within,
)
from slowwave.dream.compare.reading.change import Clause, clauses, phrases
from slowwave.dream.compare.reading.label import things_apart
from slowwave.dream.compare.reading.opposites import without_poles
from slowwave.dream.compare.reading.quantity import Quantity, other_value, quantities, same_value
from slowwave.dream.compare.reading.statement import Reading, read, stem_of
from slowwave.dream.compare.reading.topic import head_of, topic_of
from slowwave.dream.compare.reading.turn import GOES_ON

__all__ = ["OVER", "announces", "beside", "ending", "one_holder", "over_already"]

OVER = "the later one says that it is over"
TWO = 0.2
"""The least where two values of a thing changed at once (day and hour)."""
PART = 0.25
"""Least share of what is over in Chinese, where a name is parted into several pairs."""
SHORT = 5
"""Longest clause (words) in which a denial can only be of the predicate."""
LONGEST = 12
"""Longest clause (words) that does nothing but give a thing its value."""
_PRONOUN = re.compile(r"\b(?:it|that|this|them|these|those|one|everything|anything)\b|它|这个|那个")
_STATES = re.compile(r"\b(?:is|are|goes|go|runs?|lives?|sits?|gets?|stays?|belongs?)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|goes|go|runs?|lives?|sits?|takes?|costs?|starts?|"
    r"listens?|answers?|closes?|opens?|stands?|gets?|needs?|keeps?|seats?|holds?|weighs?)\b|'s\b"
)
_LABEL = re.compile(r"([a-z][a-z-]+|[\u4e00-\u9fff]{2,4}) ?v?(?=\d)")
"""What stands right before a number and names it (Python 3, 端口 22)."""
_HE = re.compile(r"[他她]")
_SOMEBODY = re.compile(r"they\b")
"""Whoever is in charge ("they raised the fee")."""
_SINCE = re.compile(
    r"\b(?:starting|from|as of|effective|beginning|since)\b|[从自][^，。]{1,40}起|即日起"
)
_PLANNED = re.compile(r"\b(?:will|going to|scheduled|planned|due)\b|将|定在|约在|计划")
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of)\b|而不是|代替|取代")
_TAG = re.compile(r"\b\w+n't (?:they|it|you|he|she|we|i|that)\W*$")
"""A question tag denies nothing."""
_SORTS = frozenset(
    map(stem_of, ("deadline", "date", "time", "day", "slot", "start", "appointment"))
)
"""What of a thing is moved, where the other one only names the thing."""
_IS_SO = re.compile(
    r"^[a-z' -]*\b(?:is|are)(?: now)?(?: (?:very|so|too|much|quite|really))"
    r"* [a-z]+(?: now)?$"
)
_HABIT = re.compile(r"\bused to\b")
_UNDECIDED = re.compile(r"\b(?:whether|if|maybe|perhaps)\b|是否|要不要|会不会|如果|也许|可能")
_GIVES = re.compile(
    r"(?:(?:\b|')(?:is|are|s|re|m|be|costs?|takes?|runs?|set|starts?|opens?|closes?|listens?|"
    r"answers?|has|have|need|needs|pay|pays|use|uses|drink|drinks|wakes?|gets?|keeps?|kept|"
    r"stands?|lasts?)\b|=|: )[^,]*$"
)
_RELATIONS = tuple(
    re.compile(pattern)
    for pattern in (
        r"早上|上午|中午|下午|傍晚|晚上|夜里|[早午晚]饭|睡前|\b(?:mornings?|noon|afternoons?|"
        r"evenings?|"
        r"nights?|breakfast|lunch|dinner|bed)\b",
        r"[放存走在搬挪]|位于|\b(?:in|at|on|into|under|kept|stored|lives?|sits?|hangs?|hosted|"
        r"moved)\b",
        r"用|使用|\b(?:uses?|using|with|runs? on|written in|via)\b",
        r"发|寄|送|交|\b(?:sends?|sent|to|goes|go|posted|mailed|reports?)\b",
        r"归|由|找|\b(?:by|owns?|owned|handles?|manages?|leads?|with)\b",
        r"[叫是为]|\b(?:is|are|called|named|means?)\b",
    )
)
"""Relations in which a thing has one partner at a time: hour, place, means, addressee, owner,
name."""


def beside(earlier: Reading, later: Reading, weight: Weight, *, rules: bool) -> bool:
    """Whether one may be an exception to the other, or lift it: they share a topic."""
    one, other = topic_of(earlier.folded), topic_of(later.folded)
    both = one & other
    share = max(share_of(one, other, weight), share_of(other, one, weight))
    return bool(both) and (len(both) > 1 or share >= (SOME if rules else 0.6)) and share >= SOME


def ending(earlier: Reading, later: Reading, weight: Weight, *, rules: bool = False) -> str:
    """Why the later statement ends the earlier one, or "".

    `weight` says how telling a unit is. `rules`: both are instructions or preferences.
    """
    if over_already(earlier) or "once" in later.marks or not one_holder(earlier, later):
        return ""
    if things_apart(earlier.folded, later.folded):
        return ""
    if refilled(earlier, later) or other_filler(earlier, later):
        return "the same place is filled anew"
    if is_event(earlier) and not _PLANNED.search(earlier.folded):
        return ""
    pairs = product(clauses(earlier.folded), clauses(later.folded))
    reasons = (_ends(old, new, earlier, later, weight, rules) for old, new in pairs)
    reason = next(filter(None, reasons), "")
    if reason or is_event(later):
        return reason
    parts = product(phrases(earlier.folded), phrases(later.folded))
    denied = any(_reversed(old, new, weight) for old, new in parts)
    return "one denies what the other says" if denied else ""


def announces(later: Reading) -> bool:
    """Whether it says that something changes for good from some day on."""
    changed = any(clause.change == "changed" for clause in clauses(later.folded))
    return changed and bool(_SINCE.search(later.folded))


def over_already(earlier: Reading) -> bool:
    """Whether a statement speaks of the past itself: nothing is left to end."""
    return "past" in earlier.marks and not earlier.marks & {"now", "change"}


def one_holder(a: Reading, b: Reading) -> bool:
    """Whether two statements may be of one holder: no person is named in one of them alone."""
    if bool(_HE.match(a.folded)) != bool(_HE.match(b.folded)) and {a.who, b.who} == {"owner"}:
        return False
    if a.who == b.who:
        return True
    open_ended = {one.who for one in (a, b) if _SOMEBODY.match(one.folded)}
    persons = {a.who, b.who} - {"", "owner"} - open_ended
    return not persons or (len(persons) == 1 and bool(persons & (a.kin & b.kin)))


def _ends(
    old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight, rules: bool
) -> str:
    whole = topic_of(earlier.folded)
    least = TWO if earlier.folded.startswith(old.text) else SOME
    if not old.topic or old.change == "over" or share_of(whole, old.topic, weight) < least:
        return ""  # what is said in passing does not end the rest of what is said
    if _value_changed(old, new, earlier, later, weight):
        return TIGHT
    if new.change == "over" and _over(old, new, earlier, later, weight):
        return OVER
    if new.change == "instead" and _instead(old, new, weight):
        return "the later one puts something in its place"
    moved = not new.quantities and _thing_moved(old, new, weight, rules)
    if moved and not _quality(new, later):
        return "the later one says that this thing has changed"
    return ""


def _value_changed(
    old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight
) -> bool:
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
    if new.change == "changed" and new.inherited:
        announced = any(
            one.change == "changed" and not one.quantities and one.thing & old.topic
            for one in clauses(later.folded)
        )
        named = announced or _names(old.quantities, later.numbers)
        return bool(new.thing & old.topic) and named
    if new.change == "changed":
        if len(kinds) > 1 and _same_noun(old, new, earlier, later):
            return True
        return _about(new, old, weight, SOME if len(kinds) == 1 else TWO)
    # Where each names something that the other one does not, they are of two things.
    beside = laid_beside(old.text, new.text, later.han > 0.5)
    apart = _subjects_apart(old.text, new.text) or (beside.alone_first and beside.alone_second)
    return not apart and _told_again(old, new, later, weight)


def _told_again(old: Clause, new: Clause, later: Reading, weight: Weight) -> bool:
    """Whether a thing is said to have its value now, or told with it in nearly the same words."""
    here, there = share_of(old.topic, new.topic, weight), share_of(new.topic, old.topic, weight)
    shared = min(here, there) >= SOME and max(here, there) >= HALF
    labelled = bool(_LABEL.findall(old.text)) and set(_LABEL.findall(old.text)) & set(
        _LABEL.findall(new.text)
    )
    if new.change == "now" and shared and (labelled or _about(new, old, weight, SOME)):
        return True
    told = {"changed", "now"} & {clause.change for clause in clauses(later.folded)}
    alike = min(here, there) >= MOST or (bool(told) and max(here, there) >= ALL and shared)
    return alike and _gives_value(old) and _gives_value(new)


def _subjects_apart(old: str, new: str) -> bool:
    """Whether two English clauses say of two different things what is true of them."""
    ends = [_VERB.search(text) for text in (old, new)]
    named = [
        topic_of(text[: end.start()]) if end and text.isascii() else frozenset[str]()
        for text, end in zip((old, new), ends, strict=True)
    ]
    return bool(named[0] and named[1]) and not named[0] & named[1]


def _same_noun(old: Clause, new: Clause, earlier: Reading, later: Reading) -> bool:
    """A thing of a single character (课) whose day and hour both change, and a link besides."""
    linked = (topic_of(earlier.folded) & topic_of(later.folded)) - new.thing
    return bool(linked and new.noun) and new.noun in old.text and new.thing <= old.topic


def _gives_value(clause: Clause) -> bool:
    """Whether a clause does nothing but give a thing one value."""
    dated = any(one.kind == "date" for one in clause.quantities)
    told = [one for one in clause.quantities if not (dated and one.kind == "month")]
    if len(told) > 1 or len(read(clause.text).words) > LONGEST:
        return False
    if HAPPENED.search(clause.text) or told[0].kind in ("ordinal", "month"):
        return False
    plain = not clause.text.isascii() or not re.search(r"\w+ing\b", clause.text)
    states = not clause.text.isascii() or bool(_GIVES.search(clause.text))
    return plain and (states or len(clause.topic) <= UNITS)


def _about(new: Clause, old: Clause, weight: Weight, least: float) -> bool:
    """Whether what is said to have changed is what a clause is about: its head stands there."""
    # A pair of characters over the border of two words is there where both words are.
    there = {unit for unit in new.thing if not unit.isascii() and set(unit) <= set(old.text)}
    thing = new.thing - (_SORTS - old.topic) or new.thing
    share = share_of(thing, old.topic | there, weight)
    marked = _names(_codes(old), _codes(new))
    named = bool(new.head) and (new.head <= old.topic or new.head.isdisjoint(thing))
    if not (share >= 0.6 and named) and not (marked and share >= SOME):
        return False
    begins = head_of(old.text[: end.start()]) if (end := _STATES.search(old.text)) else None
    return begins == new.head or share_of(old.topic, new.thing, weight) >= least


def _codes(clause: Clause) -> tuple[Quantity, ...]:
    """The names with digits in a clause."""
    return tuple(one for one in clause.quantities if one.kind == "code")


def _names(old: tuple[Quantity, ...], later: tuple[Quantity, ...]) -> bool:
    return any(same_value(one, other) for one in old for other in later)


def _over(old: Clause, new: Clause, earlier: Reading, later: Reading, weight: Weight) -> bool:
    """Whether what is said to be over is what the earlier clause says."""
    if new.quantities:
        linked = bool(topic_of(earlier.folded) & topic_of(later.folded))
        gone = values_within(new.quantities, old.quantities)
        replaced = any(other_value(one, other) for one in new.quantities for other in later.numbers)
        return gone and linked and (replaced or not new.negators)
    if not new.thing or share_of(new.thing, old.topic, weight) < MOST:
        return False
    if earlier.who == "owner" and any(
        later.folded.startswith(name) and name not in earlier.folded for name in later.names
    ):
        return False  # somebody else has given it up
    named = any(name in new.text for name in earlier.names if len(name) > 2)
    least = MOST if _HABIT.search(new.text) else PART if later.han > 0.5 else HALF
    return named or share_of(old.topic, new.thing, weight) >= least


def _instead(old: Clause, new: Clause, weight: Weight) -> bool:
    """Whether the old clause holds what is replaced, and both speak of something else besides."""
    rest = topic_of(_INSTEAD.split(new.text)[0]) & old.topic
    return bool(new.thing and rest) and share_of(new.thing, old.topic, weight) >= MOST


def _reversed(old: Clause, new: Clause, weight: Weight) -> bool:
    """Whether one clause denies the other, or likes what the other dislikes, in full."""
    if not topic_of(new.text) or _UNDECIDED.search(new.text) or _UNDECIDED.search(old.text):
        return False
    if _TAG.search(new.text) or _TAG.search(old.text) or GOES_ON.search(new.text):
        return False
    one, other = read(old.text), read(new.text)
    here, there = share_of(old.topic, new.topic, weight), share_of(new.topic, old.topic, weight)
    few = len(old.topic & new.topic) < UNITS
    if few and not (_bare(one) and _bare(other) and here == there):
        return False
    told = one.denied != other.denied or max(len(one.words), len(other.words)) <= SHORT
    if bool(old.negators) != bool(new.negators) and told:
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
    if bare is None or (quantities(old) and quantities(old) != quantities(new)):
        return False
    first, second = map(topic_of, bare)
    alike = min(share_of(first, second, weight), share_of(second, first, weight))
    return bool(first & second) and alike >= ALL and len(read(bare[0]).words) <= LONGEST


def _quality(new: Clause, later: Reading) -> bool:
    """Whether a clause only says of what kind a thing is now ("is nice now"): it names nothing."""
    named = any(name in new.text for name in later.names)
    return not named and bool(_IS_SO.search(new.text))


def _thing_moved(old: Clause, new: Clause, weight: Weight, rules: bool) -> bool:
    """Whether a thing is said to stand in another relation of the same kind."""
    sure = new.change == "changed" or (new.change == "now" and (rules or _leads(old, new)))
    if new.inherited or not sure:
        return False
    if old.quantities or not _about(new, old, weight, SOME):
        return False
    return any(rel.search(old.text) and rel.search(new.text) for rel in _RELATIONS)


def _leads(old: Clause, new: Clause) -> bool:
    """Whether the old clause begins with the very thing that the new one speaks of."""
    end = _STATES.search(old.text)
    return bool(new.thing) and topic_of(old.text[: end.start()] if end else "") == new.thing
