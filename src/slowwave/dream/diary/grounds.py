"""Whether what a model tells stands on the notes that it was given. Pure.

A story is not evidence and a theme is only a name, yet neither may bring in a number, a day, a
person or a place that nobody spoke of. What is looked for is what can be recognised as such in
English and Chinese; words that only describe are the teller's own.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence

from slowwave.text.entities import ZH_COMPOUND_SURNAMES, ZH_SURNAMES, find_entities, number_value
from slowwave.text.segment import terms
from slowwave.text.stopwords import ENGLISH

__all__ = ["Notes", "clipped", "marked_up", "strange"]

_SPELLED = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "thousand": 1_000, "million": 1_000_000, "dozen": 12,
}  # fmt: skip
_SPELLED_WORD = re.compile(rf"\b(?:{'|'.join(_SPELLED)})s?\b", re.I)
_ONE = frozenset({"one", "zero"})
"""Pronouns as much as numbers: "the one thing", "back to zero"."""
_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_CAPITAL = re.compile(r"[^\W\d_]*[A-ZÀ-ÖØ-Þ][^\W\d_]*(?:['’-][^\W\d_]+)*")
_OPENS = re.compile(r"(?:\A|[.!?…:。！？：\n]|[\"“「『(（*—])[\s\"“「『(（*]*\Z")
_DAYS = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|april|june|july|august"
    r"|september|october|november|december)\b|\b(?:in|last|next|since|until|by) (?:march|may)\b"
    r"|(?:周|星期|礼拜)[一二三四五六日天]",
    re.I,
)
_PLACE = re.compile(
    "[\u4e00-\u9fff]{2,6}?(?P<kind>大街|公司|大学|医院|酒店|机场|小区|广场"
    "|(?<![条的这那段个座一])[省市县镇路街])"
)
_SURNAME = f"(?:{ZH_COMPOUND_SURNAMES}|[{ZH_SURNAMES}])"
_PERSON = re.compile(
    rf"(?:(?<=[，。、；！？“「：\s和跟与])|\A)(?:"
    rf"{_SURNAME}[\u4e00-\u9fff]{{2}}(?=说|告诉|问|笑|喊|答应|来了|去了|要去|会来|在|住|搬|和|跟|打来)"
    rf"|{_SURNAME}[\u4e00-\u9fff](?=说|告诉|问|打来)"
    rf"|[小老阿][{ZH_SURNAMES}](?=说|告诉|问|笑|来|去|要|会|在|住|和|跟|给|也))"
)
"""A name in front of what only people do. What only looks like one costs a story, no more."""
_DOES = re.compile(
    r"\s+(?:(?:has|had|also|once|never|only|just|then)\s+)?(?:said|told|asked|laughed|smiled|wrote|called|"
    r"promised|agreed|answered|wants?|wanted|thinks?|thought|knows?|knew|likes?|loves?|says|tells|"
    r"asks|writes|calls|visited|married|whispered|waved|nodded|and I)\b"
)
"""What only people do: a word in front of it that opens a sentence is a name all the same."""
_MARKUP = re.compile(
    r"[{}<>`|\[\]]|https?://|^\s*(?:#|[-*+]\s|\d+[.)]\s)|\*\*|_{2}|^\s*(?:---|\*\*\*)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]",
    re.M,
)
"""Marks of lists, code, links and placeholders, and what steers a screen: a story has none."""
_NAME_OF_PLACE = 2
"""Han characters in front of the kind of a place that are its name at least."""


class Notes:
    """What may be told: the words of notes, and numbers that are known beside them."""

    def __init__(self, texts: Sequence[str], numbers: Collection[float] = ()) -> None:
        self.texts = tuple(texts)
        self.folded = _fold("\n".join(texts))
        self.compact = "".join(self.folded.split())
        self.words = frozenset(re.findall(r"[^\W\d_]+", self.folded))
        self.stems = frozenset(stem for text in texts for stem in terms(text))
        self.numbers = frozenset(numbers) | frozenset(_numbers("\n".join(texts)))

    def has(self, said: str) -> bool:
        """Whether these words stand in the notes, however they are spaced."""
        return "".join(_fold(said).split()) in self.compact

    def shares(self, said: str) -> bool:
        """Whether something is said in words of the notes."""
        mine = (stem for stem in terms(said) if stem not in ENGLISH)
        return any(stem in self.stems for stem in mine)


def strange(told: str, notes: Notes) -> str:
    """The first number, day, person or place that is in no note; "" when there is none."""
    finders = (_strange_numbers, _strange_days, _strange_capitals, _strange_entities, _strange_han)
    for finder in finders:
        found = next(finder(told, notes), "")
        if found:
            return found
    return ""


def marked_up(told: str) -> bool:
    """Whether a text has marks of lists, code, links or placeholders."""
    return _MARKUP.search(told) is not None


def _strange_numbers(told: str, notes: Notes) -> Iterator[str]:
    for match in _DIGITS.finditer(_fold(told)):
        known = number_value(match[0]) in notes.numbers or match[0] in notes.folded
        if not known:
            yield match[0]
    for match in _SPELLED_WORD.finditer(told):
        word = match[0].lower().removesuffix("s") if match[0].lower() not in _SPELLED else match[0]
        word = word.lower()
        if word not in _ONE and word not in notes.words and _SPELLED[word] not in notes.numbers:
            yield match[0]
    for entity in find_entities(told):
        if entity.kind in ("number", "amount", "date", "time") and not entity.text.isascii():
            value = number_value(entity.text)
            # 一 is an article in Chinese as "a" is in English.
            if not notes.has(entity.text) and value not in notes.numbers and value != 1:
                yield entity.text


def _strange_days(told: str, notes: Notes) -> Iterator[str]:
    for match in _DAYS.finditer(told):
        if not notes.has(match[0].lower().removesuffix("s")):
            yield match[0]


def _strange_capitals(told: str, notes: Notes) -> Iterator[str]:
    for match in _CAPITAL.finditer(told):
        word = re.sub(r"['’]s?\Z|['’](?:m|ve|ll|d|re)\Z", "", match[0])
        plain = word.lower() in ENGLISH or word in ("I", "O")
        opens = _OPENS.search(told[: match.start()]) is not None and not word[1:].isupper()
        owns = match[0].endswith(("'s", "’s"))
        opens = opens and not owns and not _DOES.match(told, match.end())
        if not plain and not notes.has(word) and not (opens and _common(word)):
            yield match[0]


def _strange_entities(told: str, notes: Notes) -> Iterator[str]:
    for entity in find_entities(told):
        if entity.kind in ("name", "code", "path", "url", "version") and entity.text.isascii():
            lone = entity.kind == "name" and " " not in entity.text
            if not lone and not all(notes.has(part) for part in _parts(entity.text)):
                yield entity.text
        elif entity.kind == "name" and not notes.has(entity.text):
            yield entity.text


def _strange_han(told: str, notes: Notes) -> Iterator[str]:
    for match in _PERSON.finditer(told):
        if not notes.has(match[0]):
            yield match[0]
    for match in _PLACE.finditer(told):
        # What stands in front of the name itself is the teller's.
        if not notes.has(match[0][-_NAME_OF_PLACE - len(match["kind"]) :]):
            yield match[0]


def _parts(name: str) -> Iterator[str]:
    """The words of a name that are no words of the sentence around it."""
    for word in name.split():
        bare = re.sub(r"['’]s?\Z", "", word)
        if bare.lower() not in ENGLISH and not _common(bare):
            yield bare


def _common(word: str) -> bool:
    """Whether a word with a capital may be any word that opens a sentence."""
    return word[:1].isupper() and word[1:].islower()


def _numbers(text: str) -> Iterator[float]:
    folded = _fold(text)
    values = [number_value(match[0]) for match in _DIGITS.finditer(folded)]
    values += [number_value(part) for part in re.findall(r"\d+", folded)]
    values += [number_value(entity.text) for entity in find_entities(text)]
    yield from (value for value in values if value is not None)
    yield from (float(_SPELLED[word]) for word in re.findall(r"[a-z]+", folded) if word in _SPELLED)


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def clipped(text: str, most: int) -> str:
    """A note on one line, of `most` characters at the most."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"
