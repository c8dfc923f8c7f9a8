"""One statement as comparison sees it: who, what about, denied or not, changed or not.

Closed classes only: pronouns, kinship words, negators, modal verbs, words of change and of scope,
and the few slots that nearly every personal fact falls into (where one lives, what a thing is
called). Topics are never listed: what a statement is about is taken from its own words.
"""

import re
import unicodedata
from itertools import pairwise

import msgspec

from slowwave.dream.compare.reading.lexicon import (
    AVERSION,
    BAD,
    FRAME_SLOTS,
    GOOD,
    IDIOM,
    KIN,
    KIN_PATTERN,
    LEAD_END,
    LIGHT,
    MARKS,
    NEGATOR,
    OWNER,
    SKIP_OPENING,
    SLOTS,
    THIRD,
)
from slowwave.dream.compare.reading.quantity import Quantity, quantities
from slowwave.text.entities import find_entities
from slowwave.text.lately import lately
from slowwave.text.polarity import canonical, is_double_negated, is_negated
from slowwave.text.segment import terms
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

__all__ = ["Reading", "negation", "read", "spoken", "stem_of", "units_of"]


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What `read` finds.

    `words` are stems and single Han characters in order, without function words. `who` is the
    kinship or owner concept of the subject ("" unknown), `kin` all kin mentioned. `lead` are the
    words before the first verb-like mark. `denied`: the main statement is a denial; `negators`
    counts denials in all clauses. `attitude` is +1 for liking and permission, −1 for dislike and
    prohibition. `filler` is what stands in a framing slot (苹果 in 喜欢苹果 and in 爱吃苹果).
    """

    folded: str
    han: float
    words: tuple[str, ...]
    grams: frozenset[str]
    numbers: tuple[Quantity, ...]
    names: frozenset[str]
    who: str
    kin: frozenset[str]
    lead: tuple[str, ...]
    denied: bool
    negators: int
    attitude: int
    marks: frozenset[str]
    slots: frozenset[str]
    filler: frozenset[str]


_RESOLVED = re.compile(r"\s?[（(]\d{4}-\d\d-\d\d[^（()）]{0,24}[)）]")
"""A day that was written beside a relative word (`text.dates.annotate`): no word of the speaker."""
_ASIDE = re.compile(r"(?<!\w)\[(?=[^\[\]]*\w)[^\[\]]{2,600}\](?!\()")
"""What a recorder put in brackets beside the words, such as the caption of a picture."""
_TITLE = re.compile(r"\b(dr|mr|mrs|ms|prof|st)\.(?=\s\w)", re.IGNORECASE)
"""A stop that ends no sentence."""
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_PIECE = re.compile(
    r"[\u3400-\u4dbf\u4e00-\u9fff]|[^\W\d_\u3400-\u4dbf\u4e00-\u9fff]+(?:'[a-z]+)?|"
    r"\d+(?:[.:]\d+)*"
)
_DROPPED = HAN_CHARS - frozenset("没不")


def spoken(text: str) -> str:
    """A text without what was put into it: days beside relative words, asides in brackets.

    A text of nothing but an aside stays as it is.
    """
    bare = _TITLE.sub(r"\1", _ASIDE.sub(" ", _RESOLVED.sub("", text)))
    return bare if bare.strip() else text


@lately(4_096)
def read(text: str) -> Reading:
    """The reading of one statement. Pure; never fails."""
    text = spoken(text)
    folded = canonical(unicodedata.normalize("NFKC", text)).strip()
    folded = AVERSION.sub(lambda found: "讨厌" if found[0] > "\u3000" else "dislike", folded)
    plain = IDIOM.sub(" ", folded)
    words = tuple(_words(folded))
    marks = frozenset(name for name, pattern in MARKS.items() if pattern.search(folded))
    slots = frozenset(name for name, pattern in SLOTS.items() if pattern.search(folded))
    kin = tuple(_kin(folded))
    han = len(_HAN.findall(folded))
    return Reading(
        folded=folded,
        han=han / max(1, han + 2 * sum(word.isascii() for word in words)),
        words=words,
        grams=frozenset(_grams(words)),
        numbers=quantities(folded),
        names=_names(text),
        who=_who(folded, kin),
        kin=frozenset(name for name, _ in kin),
        lead=_lead(folded),
        denied=is_negated(plain),
        negators=negation(plain),
        attitude=_attitude(folded),
        marks=marks,
        slots=slots,
        filler=_filler(folded, slots),
    )


def _filler(folded: str, slots: frozenset[str]) -> frozenset[str]:
    """What is said inside of a framing slot: the words without the frame, empty without one."""
    frames = [name for name in FRAME_SLOTS if name in slots]
    for name in frames:
        folded = SLOTS[name].sub(" ", folded)
    return frozenset(_words(LIGHT.sub(" ", folded))) if frames else frozenset()


def negation(folded: str) -> int:
    """How many times a statement denies, over all its clauses; double negation counts none."""
    return 0 if is_double_negated(folded) else len(NEGATOR.findall(folded))


@lately(4_096)
def stem_of(word: str) -> str:
    """The stem of a lower-case Latin word."""
    found = terms(word.removesuffix("'s"))
    return found[0] if found else word


def _words(folded: str) -> list[str]:
    found = []
    for piece in _PIECE.findall(folded):
        if _HAN.match(piece):
            if piece not in _DROPPED:
                found.append(piece)
        elif piece[0].isdigit():
            found.append(piece)
        elif piece not in ENGLISH and piece.removesuffix("'s") not in ENGLISH:
            found.append(stem_of(piece))
    return found


def _grams(words: tuple[str, ...]) -> list[str]:
    """Stems, and pairs of neighbouring Han characters."""
    grams = [word for word in words if not _HAN.match(word)]
    pairs = pairwise(words)
    return grams + [one + other for one, other in pairs if _HAN.match(one) and _HAN.match(other)]


def units_of(folded: str) -> frozenset[str]:
    """What a text can be found by: stems, and pairs of Han characters as they stand.

    Unlike `Reading.grams`, a function word may be half of a pair (会 in 周会); a pair of nothing
    but function words is none.
    """
    pairs = {
        term
        for term in terms(folded)
        if len(term) == 2 and _HAN.match(term) and not set(term) <= HAN_CHARS
    }
    latin = {word for word in _words(folded) if not _HAN.match(word) and not word[0].isdigit()}
    return frozenset(latin | (pairs - HAN_WORDS))


def _names(text: str) -> frozenset[str]:
    return frozenset(
        unicodedata.normalize("NFKC", entity.text).casefold()
        for entity in find_entities(text)
        if entity.kind in ("name", "title", "code", "path", "url", "version")
    )


def _kin(folded: str) -> list[tuple[str, int]]:
    return [
        (KIN[int(match.lastgroup[1:])][0], match.start())
        for match in KIN_PATTERN.finditer(folded)
        if match.lastgroup
    ]


def _who(folded: str, kin: tuple[tuple[str, int], ...]) -> str:
    """The subject: kin that opens the statement (after a possessive), else the owner, else ""."""
    opening = SKIP_OPENING.match(folded)
    start = opening.end() if opening else 0
    for name, at in kin:
        if at <= start and at < 24:
            return name
        if at - start <= 1 and at > start:
            return name
    if OWNER.match(folded):
        return "owner"
    return "third" if THIRD.match(folded) else ""


def _lead(folded: str) -> tuple[str, ...]:
    opening = SKIP_OPENING.match(folded)
    rest = folded[opening.end() :] if opening else folded
    end = LEAD_END.search(rest)
    return tuple(_words(rest[: end.start()] if end else rest[:0]))


def _attitude(folded: str) -> int:
    good, bad = bool(GOOD.search(folded)), bool(BAD.search(folded))
    return int(good) - int(bad)
