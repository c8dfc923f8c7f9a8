"""Salted signatures of forgotten statements: they cannot be read, but are known when they return.

`whole` hashes (40 bits) recognise the same words whatever their width, case, blanks and
punctuation. A bag of term hashes (16 bits, several words share each) recognises a rewording by
how much of the content is shared: words by their stems, Chinese by its characters, numbers as they
are; function words do not count. Names and dates alone never make two statements one: what is said
of them (the core) must be shared as well, in both directions. Who holds the salt can confirm a
guess, never read the words.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from slowwave.model import USER, Tombstone
from slowwave.text.entities import EntityKind, find_entities
from slowwave.text.lately import lately
from slowwave.text.later import later
from slowwave.text.polarity import canonical, is_negated
from slowwave.text.segment import fold, sentences, terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS

COVERED = 0.8
"""Share of a forgotten statement's content that a rewording of it holds."""

ON_TOPIC, ON_TOPIC_SHORT = 0.6, 0.75
"""Share of a text's own content that must be the forgotten one: a text about more is another.
For short statements the higher one: "Odile likes tea" holds most of "I like tea"."""

ON_TOPIC_USER = 0.5
"""The same where both are known to be about the user; most of what is said is, so it tells little.
About one and the same other half of `ON_TOPIC` is enough."""

LONG = 3.0
"""Weight from which a statement is not short."""

SHORTER = 0.5
"""Share of the forgotten content that a shorter rewording, all of it forgotten, holds at least."""

SAME_CORE = 0.5
"""More than this share of the core of either must be in the other."""

THE_POINT = 1 / 3
"""From this share of its weight on, its numbers are what a statement tells: a birthday, a price.
Without them nothing says the same."""

LEAST_CONTENT = 1.5
"""Weight below which words are no statement ("yes, do that"): they are never searched for."""

_SPACELESS = later(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff]")
_CLAUSES = later(r"[,，;；、:：\n]+")
_LONG = later(r"(?!(?:19|20)\d\d$)\d{4,}")
"""Numbers that few things share: amounts, codes, telephones; not years."""

_WEIGHTS = {"h": 0.5, "w": 1.0, "n": 1.5, "l": 2.5}
_NAMING = frozenset({"叫", "called", "name", "named", "names", "note", "noted", "记"})
"""Verbs that only join a name to its bearer, or take note, beside the function words."""

_POINTERS: frozenset[EntityKind] = frozenset({"date", "time", "name", "title"})
"""What only tells whom and when, and is no core."""
_CORE = "!"

_HINT = 3
_STEM = 6
"""Letters of a stem that count: `allergic` and `allergy` are one; fewer for a first look."""


class Content(NamedTuple):
    """What a text says: marked terms (`h` character, `w` word, `n`, `l` number) and polarity."""

    terms: frozenset[str]
    negated: bool


@lately(8192)
def content(text: str) -> Content:
    """The content of a text, without function words."""
    return Content(_marked(text), is_negated(text))


def _marked(text: str) -> frozenset[str]:
    found = set()
    for term in terms(canonical(text)):
        if _SPACELESS.match(term):
            if term[0] not in HAN_CHARS and term[0] not in _NAMING:
                found.add("h" + term[0])
        elif term[0].isdigit():
            found.add(_number(term))
        elif term not in _stop_stems():
            found.add("w" + term[:_STEM])
    return frozenset(found)


@lately(8192)
def core(text: str, subject: str = "") -> frozenset[str]:
    """What a text says of whom and when it names: its terms outside of names, dates and times."""
    pieces, at = [], 0
    for entity in find_entities(text):
        if entity.kind in _POINTERS and entity.start >= at:
            pieces.append(text[at : entity.start])
            at = entity.end
    return _marked("\n".join([*pieces, text[at:]])) - _marked(subject)


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


@lately(65_536)
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

    A bag is one string: hashes of its terms (with `!` those of its core), `-` where it denies, `s…`
    whom it is about.
    """
    wholes, bags = set(), set()
    for statement in statements:
        said = content(statement.text)
        if weight(said.terms) < LEAST_CONTENT:
            continue
        wholes.add(whole_hash(salt, statement.text))
        if statement.exact:
            continue
        heart = _hashed(salt, core(statement.text, statement.subject) & said.terms)
        hashed = sorted(_hashed(salt, said.terms))
        bag = [term + _CORE if term in heart else term for term in hashed]
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
    core: frozenset[str]
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
        least = ON_TOPIC_USER if subject == USER else ON_TOPIC / 2
        likely = [bag for bag in self._bags if _says(bag, hashed, said.negated, about, least)]
        heart = _hashed(salt, core(text, subject)) if likely else frozenset()
        return any(_same_core(bag, hashed, heart) for bag in likely)

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
    named = [part for part in parts if part[0] in _WEIGHTS]
    hashed = frozenset(part.removesuffix(_CORE) for part in named)
    heart = frozenset(part.removesuffix(_CORE) for part in named if part.endswith(_CORE))
    subject = next((part for part in parts if part[0] == "s"), "")
    return _Bag(hashed, heart or hashed, weight(hashed), "-" in parts, subject)


def _says(bag: _Bag, said: frozenset[str], negated: bool, about: str, least: float) -> bool:
    if about and bag.subject and about != bag.subject:
        return False
    if not _same_numbers(bag, said):
        return False
    shared = weight(bag.terms & said)
    if not shared:
        return False
    own, forgotten = shared / weight(said), shared / bag.weight
    if negated != bag.negated and own == 1.0:
        return False  # the opposite, in the same words
    sure = bool(about and about == bag.subject)
    on_topic = ON_TOPIC if bag.weight >= LONG else ON_TOPIC_SHORT
    if forgotten >= COVERED and own >= (least if sure else on_topic):
        return True
    return own >= COVERED and forgotten >= SHORTER


def _same_numbers(bag: _Bag, said: frozenset[str]) -> bool:
    numbers, others = _numbers(bag.terms), _numbers(said)
    if not others:
        return weight(numbers) < THE_POINT * bag.weight
    return not numbers or numbers <= others or others <= numbers


def _same_core(bag: _Bag, said: frozenset[str], heart: frozenset[str]) -> bool:
    """Whether the same is said of whom and when the two name, seen from both."""
    words = frozenset(term for term in bag.core if term[0] != "n") or bag.core
    if weight(words & said) <= SAME_CORE * weight(words):
        return False
    return not heart or weight(heart & bag.terms) > SAME_CORE * weight(heart)


def _numbers(hashed: frozenset[str]) -> set[str]:
    return {term for term in hashed if term[0] in "nl"}


@lru_cache(maxsize=256)
def seal_of(tombstone: Tombstone) -> Seal:
    """The seal of a tombstone, made once."""
    return Seal(tombstone)
