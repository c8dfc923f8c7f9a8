"""Words: what the full-text index takes in and what a question asks for, in every script.

Scripts written without spaces (Chinese, Japanese, Korean, Thai …) become overlapping bigrams and
the trailing single character of each run; other words are NFKC-casefolded, freed of accents and,
in Latin letters, stemmed (Snowball English). Letters and digits are cut apart and punctuation is
never part of a term, so `v1.3.2` is `v 1 3 2`, `B2-117` is `b 2 117`, and a question finds them as
phrases: exactly, by a part, and however they were joined (`GPT-4`, `gpt4`, `GPT 4`).

Terms hold letters, marks and digits only: no full-text query syntax can be spelt with them.
"""

import re
import sys
import unicodedata
from collections.abc import Iterator
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.util import find_spec
from threading import local
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from slowwave.text.lately import lately
from slowwave.text.later import later
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable

Phrase = tuple[str, ...]

TERM_CHARS = 64
"""Longer words (encoded data) are cut: nobody asks for their end."""

_SPACELESS = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"  # Han, extensions
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3105-\u312f"  # kana
    "\u1100-\u11ff\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3"  # Thai …
)
_MARKS = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u200c\u200d]+")
_INDIC = "\u0900-\u0963\u0971-\u09e5\u09f0-\u0a65\u0a70-\u0ae5\u0af0-\u0be5\u0bf0-\u0dff"
_TOKEN = later(
    rf"(?P<run>[{_SPACELESS}]+)"
    r"|(?P<number>\d+)"
    rf"|(?P<word>(?:[^\W\d_{_SPACELESS}]|[{_INDIC}])+"
    rf"(?:'(?:[^\W\d_{_SPACELESS}]|[{_INDIC}])+)*)"
)
_PLAIN_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+")
_ASCII_TOKEN = re.compile(r"(?P<number>\d+)|(?P<word>[a-z]+(?:'[a-z]+)*)")
"""`_TOKEN` for folded ASCII text: it takes no time to compile, and less to search."""
_GROUPED = re.compile(r"(?<=\d)[,'](?=\d{3}(?!\d))")
_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u00b4]")
_CONTRACTED = frozenset({"t", "re", "ve", "ll", "d", "m"})
_JOINERS = re.compile(r"[-\u2010\u2011._/\\:@#+&=~^%']{1,3}")


class _Token(NamedTuple):
    """Where a token stands in the folded text; `terms` are its index terms, in order."""

    start: int
    end: int
    run: bool
    terms: tuple[str, ...]


def terms(text: str) -> list[str]:
    """Index terms in the order of the text."""
    folded = fold(text)
    if folded.isascii():
        # Most words are read here: the tokens as such are not needed, and are half of the work.
        found: list[str] = []
        for word in _PLAIN_TOKEN.findall(folded):
            found += _word_terms(word) if word[0] > "9" else (word[:TERM_CHARS],)
        return found
    return [term for token in _tokens(folded) for term in token.terms]


def shadow(text: str, limit: int = 0) -> str:
    """Space-joined index terms of `text` (at most `limit` of them; 0 = all), as `IndexRow.own`.

    The single characters inside of runs follow at the end, each once, so that a question of one
    character finds them: between the bigrams they would tear phrases apart.
    """
    found: list[str] = []
    inner: dict[str, None] = {}
    for token in _tokens(fold(text)):
        found.extend(token.terms)
        if token.run:
            inner.update((bigram[0], None) for bigram in token.terms[:-1])
        if limit and len(found) >= limit:
            del found[limit:]
            break
    known = set(found)
    found.extend(single for single in inner if single not in known)
    return " ".join(found)


def query_phrases(query: str) -> list[Phrase]:
    """The phrases a question asks for, each once, in the order of the question.

    Function and question words are left out, unless nothing else is there. What was written as one
    (`pre-edit`, `v1.3.2`, `GB/s`) is a phrase, beside its longer parts. Runs without spaces give
    their bigrams as phrases of one term, a run of one or two characters itself.
    """
    folded = fold(query)
    tokens = list(_tokens(folded))
    content: dict[Phrase, None] = {}
    for group in _joined(folded, tokens):
        content.update((phrase, None) for phrase in _content(folded, group))
    if content:
        return list(content)
    return list(dict.fromkeys((term,) for token in tokens for term in token.terms if term))


def cjk_share(text: str) -> float:
    """Share of the words of `text`, 0–1, written without spaces (two characters are one word)."""
    runs = words = 0
    for token in _tokens(fold(text)):
        if token.run:
            runs += token.end - token.start
        else:
            words += 1
    return runs / (runs + 2 * words) if runs else 0.0


def sentences(text: str) -> list[tuple[int, int]]:
    """Code-point spans of the sentences of `text`, in order, without the space around them.

    Line breaks, 。！？；… and their Latin kin end a sentence; a full stop does not inside of
    numbers, names of files, initials, list numbers and common abbreviations. Closing quotes and
    brackets belong to the sentence they close.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _BOUNDARY.finditer(text):
        if match["stop"] and not _ends(text, start, match.start()):
            continue
        _add_span(spans, text, start, match.end())
        start = match.end()
    _add_span(spans, text, start, len(text))
    return spans


def fold(text: str) -> str:
    """The form in which texts are compared: NFKC, casefolded, no accents, `1,200` as `1200`."""
    if text.isascii():
        folded = text.lower()
    else:
        folded = unicodedata.normalize("NFKC", text).casefold()
        folded = _APOSTROPHES.sub("'", folded)
        folded = "".join(map(_plain, folded))
        folded = _MARKS.sub("", folded)
    return _GROUPED.sub("", folded) if "," in folded or "'" in folded else folded


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    # Only Latin, Greek and Cyrillic letters lose their accents; elsewhere marks are letters.
    if char < "\u00c0" or "\u0500" <= char < "\u1e00" or char > "\u1fff":
        return char
    return _MARKS.sub("", unicodedata.normalize("NFD", char))


def _tokens(folded: str) -> Iterator[_Token]:
    for match in (_ASCII_TOKEN if folded.isascii() else _TOKEN).finditer(folded):
        text = match.group()
        if match.lastgroup == "run":
            pairs = tuple(text[at : at + 2] for at in range(len(text)))
            yield _Token(match.start(), match.end(), True, pairs)
        elif match.lastgroup == "number":
            yield _Token(match.start(), match.end(), False, (text[:TERM_CHARS],))
        else:
            yield _Token(match.start(), match.end(), False, _word_terms(text))


@lately(65_536)
def _word_terms(word: str) -> tuple[str, ...]:
    head, *tail = word.split("'")
    while tail and tail[-1] == "s":
        tail.pop()
    while tail and tail[0] in _CONTRACTED:
        head += tail.pop(0)
    return tuple(_stem(part[:TERM_CHARS]) for part in (head, *tail))


def _stem(word: str) -> str:
    return _own.stem(word) if len(word) > 2 and word.isascii() else word


class _Own(local):
    """A stemmer keeps the word it works on in itself: each thread has its own."""

    @cached_property
    def stem(self) -> "Callable[[str], str]":
        return _stemmer()


_own = _Own()


def _stemmer() -> "Callable[[str], str]":
    # Loaded with the first Latin word: start-up of the command line must not pay for it. The
    # package as such would load the stemmers of 33 languages, so its folder stands in for it.
    name = "slowwave.text._snowball"
    found = find_spec("snowballstemmer")
    if found is None or find_spec("Stemmer") is not None:
        import snowballstemmer  # noqa: PLC0415 - see above

        stem: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
        return stem
    package = sys.modules.setdefault(name, ModuleType(name))
    package.__path__ = list(found.submodule_search_locations or ())
    english: Callable[[str], str] = (
        import_module(f"{name}.english_stemmer").EnglishStemmer().stemWord
    )
    return english


def _joined(folded: str, tokens: list[_Token]) -> Iterator[list[_Token]]:
    group: list[_Token] = []
    for token in tokens:
        between = folded[group[-1].end : token.start] if group else ""
        apart = between and not _JOINERS.fullmatch(between)
        if group and (apart or token.run or group[-1].run):
            yield group
            group = []
        group.append(token)
    if group:
        yield group


def _content(folded: str, group: list[_Token]) -> Iterator[Phrase]:
    if group[0].run:
        yield from _run_phrases(folded[group[0].start : group[0].end])
        return
    if len(group) == 1 and folded[group[0].start : group[0].end] in ENGLISH:
        return
    whole = tuple(term for token in group for term in token.terms)
    yield whole
    if len(group) > 1:
        for token in group:
            word = folded[token.start : token.end]
            if len(word) > 2 and word not in ENGLISH:
                yield token.terms


def _run_phrases(run: str) -> Iterator[Phrase]:
    """Bigrams of what function words leave over; a lone character also with its neighbours."""
    at = 0
    for start, end in _function_spans(run):
        yield from _piece_phrases(run, at, start)
        at = end
    yield from _piece_phrases(run, at, len(run))


def _piece_phrases(run: str, start: int, end: int) -> Iterator[Phrase]:
    if end - start == 1:
        # It may be half a word whose other half looks like a function word (在线, 和平).
        yield (run[start],)
        if start:
            yield (run[start - 1 : end],)
        if end < len(run):
            yield (run[start : end + 1],)
        return
    for at in range(start, end - 1):
        yield (run[at : at + 2],)


def _function_spans(run: str) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(run):
        for length in (4, 3, 2):
            if run[at : at + length] in HAN_WORDS and at + length <= len(run):
                yield at, at + length
                at += length
                break
        else:
            if run[at] in HAN_CHARS:
                yield at, at + 1
            at += 1


_CLOSERS = "\"'”’」』）)】》〉\\]}*_~"
_BOUNDARY = later(
    rf"\s*(?:\r\n|[\n\r\u2028\u2029\x0b\x0c\x85])+"
    rf"|[。！？｡；;!?…]+[。！？!?….~～]*[{_CLOSERS}]*"
    rf"|(?P<stop>\.)[.!?]*[{_CLOSERS}]*(?=\s|$|[{_SPACELESS}])"
)
_ABBREVIATED = (
    "mr mrs ms dr prof st jr sr vs etc inc ltd co corp dept approx est no nos fig vol pp ed eds al "
    "cf ca e.g i.e eg ie a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed "
    "thu thur thurs fri sat sun ave blvd rd mt ft lt sgt capt gen col rev hon"
)
_ABBREVIATIONS = frozenset(_ABBREVIATED.split())
_LAST_WORD = re.compile(r"[^\s(\[{\"'“‘]*$")


def _ends(text: str, start: int, stop: int) -> bool:
    """Whether the full stop at `stop` ends the sentence that began at `start`."""
    if text[stop : stop + 2] == ".." or text[stop + 1 : stop + 2] in {"!", "?"}:
        return True
    found = _LAST_WORD.search(text, start, stop)
    word = found.group() if found else ""
    rest = text[stop + 1 : stop + 80].lstrip(" \t")
    if not rest or rest[0] in "\r\n":
        return True
    if word.isdigit() and not text[start:stop].strip().removesuffix(word):
        return False  # a list number
    if len(word) == 1 and word.isalpha() and word.isascii() and word.isupper() and word != "I":
        return False  # an initial
    lowered = word.lower()
    if lowered in _ABBREVIATIONS:
        # "at 5 p.m. Then" and "and so on, etc. The" do end when a capital follows.
        return lowered in {"etc", "a.m", "p.m"} and rest[0].isupper()
    return True


def _add_span(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    begin = start + len(piece) - len(piece.lstrip())
    finish = start + len(piece.rstrip())
    if begin < finish:
        spans.append((begin, finish))
