"""The ground on which two statements become one memory: all of one is told in the other.

Words in common do not make one memory of two. The shorter statement must be told whole in a
sentence of the other one: in its order, hardly parted, of the same person, in the same mood.
"""

import re

from slowwave.dream.compare.grounds.called import called_alike
from slowwave.dream.compare.grounds.weight import (
    ALL,
    MOST,
    UNITS,
    Weight,
    is_event,
    share_of,
    values_within,
)
from slowwave.dream.compare.reading.change import Clause, clauses, sentences
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.dream.compare.reading.topic import details_of, topic_of

__all__ = ["fuller", "mergeable"]

_OPEN_END = re.compile(r"\b(?:it|that|this|them|him|her|these|those|there)\W*$")
"""What it speaks of was named elsewhere."""
_MOOD = re.compile(
    r"\b(?:can|could|may|might|will|would|should|must|want|wants|wanted|hope|hoping|plan|planning|"
    r"try|trying|tried|going to|if|need|needs|let's|consider\w*|think\w*)\b|'ll\b|想|打算|可能|"
    r"也许|要是|如果|"
    r"应该|希望|试"
)
_PERSON = re.compile(
    r"\b(?:(?P<one>i|we)|(?P<two>you)|(?P<three>he|she|they))\b|(?P<me>我)|(?P<thee>你)|"
    r"(?P<he>[他她])"
)


def mergeable(earlier: Reading, later: Reading, weight: Weight) -> bool:
    """Whether two statements say one thing in so many words: all of one is told in the other."""
    if called_alike(earlier, later):
        return True
    if earlier.who != later.who and "" not in (earlier.who, later.who):
        return False
    if is_event(earlier) != is_event(later) or _ended(earlier) != _ended(later):
        return False
    if _told_whole(earlier, later):
        return True
    if ("like" in earlier.slots) != ("like" in later.slots):
        return False
    short, long = sorted((earlier, later), key=lambda one: (len(one.words), one.folded))
    parts = [part for part in sentences(short.folded) if part.topic]
    wholes = sentences(long.folded)
    return bool(parts) and all(_told(part, wholes, weight) for part in parts)


def _ended(reading: Reading) -> bool:
    return any(clause.change in ("over", "instead") for clause in clauses(reading.folded))


def _told_whole(a: Reading, b: Reading) -> bool:
    """One begins with all words of the other, or they fill one frame with the same."""
    short, long = sorted((a, b), key=lambda one: (len(one.words), one.folded))
    size = len(short.words)
    if [one.negators for one in clauses(a.folded)[:1]] != [
        one.negators for one in clauses(b.folded)[:1]
    ]:
        return False
    if a.words == b.words != () or (size > 1 and sorted(a.words) == sorted(b.words)):
        return True
    if size > 1 and short.words == long.words[:size]:
        # A bare predicate ("I agree", "I'm a fan") leaves open of what it is said.
        whole = len(topic_of(short.folded)) >= UNITS or bool(short.filler) or short.han > 0.5
        return whole and not _OPEN_END.search(short.folded)
    return bool(a.filler and a.filler == b.filler and a.slots & b.slots)


def _told(part: Clause, wholes: tuple[Clause, ...], weight: Weight) -> bool:
    """Whether a sentence is told in one of the other statement's, in its order and close by."""
    for whole in wholes:
        if part.negators != whole.negators or not _one_mood(part.text, whole.text):
            continue
        if not values_within(part.quantities, whole.quantities):
            continue
        here = share_of(part.topic, whole.topic, weight)
        there = share_of(whole.topic, part.topic, weight)
        if len(part.topic & whole.topic) < UNITS or part.change != whole.change:
            continue
        equal = here >= MOST and there >= MOST and _alike(part.text, whole.text)
        if equal or (here >= ALL and _in_order(part.text, whole.text)):
            return True
    return False


def _one_mood(a: str, b: str) -> bool:
    """Both tell of the same person what is, or both what may be, is wanted or tried."""
    if bool(_MOOD.search(a)) != bool(_MOOD.search(b)):
        return False
    one, other = _PERSON.search(a), _PERSON.search(b)
    return one is None or other is None or one.lastgroup == other.lastgroup


def _alike(a: str, b: str) -> bool:
    """Nearly the same words, and a detail of its own on one side at most."""
    one, other = set(read(a).words), set(read(b).words)
    mine, theirs = details_of(a), details_of(b)
    near = len(one & other) >= 0.6 * len(one | other)
    return near and (mine <= theirs or theirs <= mine)


def fuller(known: Reading, said: Reading) -> bool:
    """Whether what is said holds all details of what is known, and more."""
    mine, theirs = details_of(said.folded), details_of(known.folded)
    kept = theirs <= mine and values_within(known.numbers, said.numbers)
    return kept and (theirs < mine or not values_within(said.numbers, known.numbers))


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
