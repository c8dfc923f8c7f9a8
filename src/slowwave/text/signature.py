"""Salted signatures of forgotten statements: they cannot be read, but are known when they return.

`whole` hashes (40 bits) recognise the same words whatever their width, case, blanks and
punctuation. A bag of term hashes (16 bits, several words share each) recognises a rewording by
how much of the content is shared: words by their stems, Chinese by its characters, numbers as they
are; function words do not count. Who holds the salt can confirm a guess, never read the words.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from slowwave.model import Tombstone
from slowwave.text.polarity import canonical, is_negated
from slowwave.text.segment import fold, sentences, terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS

COVERED = 0.8
"""Share of a forgotten statement's content that a rewording of it holds."""

ON_TOPIC, ON_TOPIC_SHORT = 0.6, 0.75
"""Share of a text's own content that must be the forgotten one: a text about more is another.
For short statements the higher one: "Odile likes tea" holds most of "I like tea"."""

LONG = 3.0
"""Weight from which a statement is not short."""

SHORTER = 0.5
"""Share of the forgotten content that a shorter rewording, all of it forgotten, holds at least."""

LEAST_CONTENT = 1.5
"""Weight below which words are no statement ("yes, do that"): they are never searched for."""

_SPACELESS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff]")
_CLAUSES = re.compile(r"[,，;；、:：\n]+")
_LONG = re.compile(r"(?!(?:19|20)\d\d$)\d{4,}")
"""Numbers that few things share: amounts, codes, telephones; not years."""

_WEIGHTS = {"h": 0.5, "w": 1.0, "n": 1.5, "l": 2.5}
_NAMING = frozenset({"叫", "called", "name", "named", "names", "note", "noted", "记"})
"""Verbs that only join a name to its bearer, or take note, beside the function words."""

_HINT = 3
_STEM = 6
"""Letters of a stem that count: `allergic` and `allergy` are one; fewer for a first look."""


class Content(NamedTuple):
    """What a text says: marked terms (`h` character, `w` word, `n`, `l` number) and polarity."""

    terms: frozenset[str]
    negated: bool


@lru_cache(maxsize=8192)
def content(text: str) -> Content:
    """The content of a text, without function words."""
    found = set()
    for term in terms(canonical(text)):
        if _SPACELESS.match(term):
            if term[0] not in HAN_CHARS and term[0] not in _NAMING:
                found.add("h" + term[0])
        elif term[0].isdigit():
            found.add(_number(term))
        elif term not in _stop_stems():
            found.add("w" + term[:_STEM])
    return Content(frozenset(found), is_negated(text))


def _number(digits: str) -> str:
    number = digits.lstrip("0") or "0"
    return ("l" if _LONG.fullmatch(number) else "n") + number


@lru_cache(maxsize=1)
def _stop_stems() -> frozenset[str]:
    words = ENGLISH | _NAMING
    return frozenset(words | {stem for word in words for stem in terms(word)})


def weight(marked: Iterable[str]) -> float:
    """How much marked terms (or their hashes) say together; a word is 1."""
    return sum(_WEIGHTS[term[0]] for term in marked)


def weight_outside(text: str) -> float:
    """How much a text says."""
    return weight(content(text).terms)


def weight_shared(text: str, other: str) -> float:
    """The share of a text's content, 0–1, that another one holds; 1 when it has none."""
    own = content(text).terms
    return weight(own & content(other).terms) / weight(own) if own else 1.0


# ── hashes ──────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=65_536)
def _digest(salt: str, what: str, text: str, size: int) -> str:
    return blake2b(
        text.encode("utf-8", "surrogatepass"), key=bytes.fromhex(salt),
        person=what.encode(), digest_size=size,
    ).hexdigest()  # fmt: skip


def whole_hash(salt: str, text: str) -> str:
    """The hash of all letters and digits of a text, in order."""
    return _digest(salt, "whole", "".join(filter(str.isalnum, fold(text))), 5)


def identity_hash(salt: str, identity: str) -> str:
    """The hash of what decides duplicates in the journal."""
    return blake2b(
        identity.encode("utf-8", "surrogatepass"), key=bytes.fromhex(salt),
        person=b"identity", digest_size=12,
    ).hexdigest()  # fmt: skip


def _hashed(salt: str, marked: frozenset[str]) -> frozenset[str]:
    return frozenset(term[0] + _digest(salt, "term", term, 2) for term in marked)


def _subject(salt: str, subject: str) -> str:
    return "s" + _digest(salt, "about", fold(subject), 3)


class Statement(NamedTuple):
    """Something that is forgotten. `subject` is "" where nobody knows whom it is about.

    Of an `exact` one only the same words are known again: a whole message says many things.
    """

    text: str
    subject: str = ""
    exact: bool = False


def sign(salt: str, statements: Sequence[Statement]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(whole hashes, term bags) of statements; those that say next to nothing leave none.

    A bag is one string: hashes of its terms, `-` where it denies, `s…` whom it is about.
    """
    wholes, bags = set(), set()
    for statement in statements:
        said = content(statement.text)
        if weight(said.terms) < LEAST_CONTENT:
            continue
        wholes.add(whole_hash(salt, statement.text))
        if statement.exact:
            continue
        bag = sorted(_hashed(salt, said.terms))
        bag += ["-"] if said.negated else []
        bag += [_subject(salt, statement.subject)] if statement.subject else []
        bags.add(" ".join(bag))
    return tuple(sorted(wholes)), tuple(sorted(bags))


# ── recognising ─────────────────────────────────────────────────────────────────────────────────


class Hints:
    """A quick look whether a text can say one of some statements at all: most cannot.

    Needs the statements themselves; may say yes too often, hardly ever no too soon.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self._known: list[tuple[float, list[tuple[str, float]]]] = []
        for statement in statements:
            said = content(statement.text).terms
            if weight(said) >= LEAST_CONTENT and not statement.exact:
                hints = [(term[1 : 1 + _HINT], _WEIGHTS[term[0]]) for term in said]
                self._known.append((weight(said) * SHORTER, hints))

    def may_say(self, text: str) -> bool:
        """Whether the text holds enough of a statement's content, anywhere and in any order."""
        folded = fold(canonical(text))
        return any(
            sum(heavy for part, heavy in parts if part in folded) >= enough
            for enough, parts in self._known
        )


class _Bag(NamedTuple):
    terms: frozenset[str]
    weight: float
    negated: bool
    subject: str


class Seal:
    """A tombstone, ready to recognise what it stands for."""

    def __init__(self, tombstone: Tombstone) -> None:
        self.tombstone = tombstone
        self._whole = frozenset(tombstone.whole)
        self._bags = [_bag(entry) for entry in tombstone.terms]

    def covers(self, moment: datetime | None) -> bool:
        """Whether something said at that moment is old evidence (it is when nobody knows)."""
        return moment is None or moment <= self.tombstone.before

    def same_words(self, text: str) -> bool:
        """Whether a text is, letter for letter, one of the forgotten ones."""
        return self.hash_of(text) in self._whole

    def hash_of(self, text: str) -> str:
        """The salted hash of a text."""
        return whole_hash(self.tombstone.salt, text)

    def means(self, text: str, subject: str = "") -> bool:
        """Whether a text says what was forgotten, in these or in other words.

        `subject` (whom a claim is about) makes it surer: the same about another is not the same.
        """
        if not text or self.same_words(text):
            return bool(text)
        said = content(text)
        if weight(said.terms) < LEAST_CONTENT:
            return False
        salt = self.tombstone.salt
        hashed = _hashed(salt, said.terms)
        about = _subject(salt, subject) if subject else ""
        return any(_says(bag, hashed, said.negated, about) for bag in self._bags)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Spans of the sentences of a text that say what was forgotten."""
        return [span for span in pieces(text) if self.means(text[span[0] : span[1]])]


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of a text and, where a sentence has several, of its clauses."""
    for start, end in sentences(text):
        yield start, end
        at = start
        for gap in _CLAUSES.finditer(text, start, end):
            if gap.start() > at:
                yield at, gap.start()
            at = gap.end()
        if start < at < end:
            yield at, end


def same_words(seal: Seal, text: str) -> list[tuple[int, int]]:
    """Where a text holds, letter for letter, a forgotten one: its pieces, or all of it."""
    spans = [span for span in pieces(text) if seal.same_words(text[span[0] : span[1]])]
    return [(0, len(text))] if not spans and seal.same_words(text) else spans


def _bag(entry: str) -> _Bag:
    parts = entry.split()
    hashed = frozenset(part for part in parts if part[0] in _WEIGHTS)
    subject = next((part for part in parts if part[0] == "s"), "")
    return _Bag(hashed, weight(hashed), "-" in parts, subject)


def _says(bag: _Bag, said: frozenset[str], negated: bool, about: str) -> bool:
    if about and bag.subject and about != bag.subject:
        return False
    numbers, others = _numbers(bag.terms), _numbers(said)
    if numbers and others and not (numbers <= others or others <= numbers):
        return False
    shared = weight(bag.terms & said)
    if not shared:
        return False
    own, forgotten = shared / weight(said), shared / bag.weight
    if negated != bag.negated and own == 1.0:
        return False  # the opposite, in the same words
    sure = bool(about and about == bag.subject)
    on_topic = ON_TOPIC if bag.weight >= LONG else ON_TOPIC_SHORT
    if forgotten >= COVERED and own >= (ON_TOPIC / 2 if sure else on_topic):
        return True
    return own >= COVERED and forgotten >= SHORTER


def _numbers(hashed: frozenset[str]) -> set[str]:
    return {term for term in hashed if term[0] in "nl"}


@lru_cache(maxsize=256)
def seal_of(tombstone: Tombstone) -> Seal:
    """The seal of a tombstone, made once."""
    return Seal(tombstone)
