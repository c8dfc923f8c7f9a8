"""What the look of a text says about how much it tells, and what sort of answer a question wants.

Nobody asks for a greeting. What is asked for later was told: by somebody about himself, with names,
numbers and times in it, in more than a few words, and not as a question. Such signs are closed
classes of grammar (pronouns, numerals, words of time, capitals, quotation marks), never topics.
"""

import re
from typing import NamedTuple

from slowwave.text.lately import lately
from slowwave.text.later import later

READ_LATELY = 16_384
"""Texts whose traits are kept: the same turns are candidates of one question after another."""

READ_CHARS = 600
"""What of a text is read: a longer one has a bit of everything."""

LONG = 40
"""Words (a Chinese one has two characters) from which on a text is not longer for this."""

CHARS_PER_WORD = 5.5


class Traits(NamedTuple):
    """Signs of a text, each 0–1."""

    long: float
    me: float
    time: float
    name: float
    number: float
    statement: float


class Wanted(NamedTuple):
    """Whether a question asks for a time, for a name or a place, for a number."""

    time: bool
    name: bool
    number: bool


_ME_WORDS = "i|me|my|mine|myself|we|us|our|ours"
_TIME_WORDS = (
    "today|tonight|yesterday|tomorrow|ago|last|next|since|recently|weeks?|weekends?|months?|years?"
    "|days?|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march"
    "|april|june|july|august|september|october|november|december"
)
COUNTS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once"
    "|twice|few|couple"
)
"""Words that say how many."""
_NUMBER_WORDS = f"{COUNTS}|first|second|third"
_ME = later(rf"[我俺咱]|\b(?:{_ME_WORDS})\b", re.IGNORECASE)
_TIME = later(
    r"[今昨明前后去当那][天日年晚晨早]|[上下这本]个?(?:周|星期|礼拜|月)|周[一二三四五六日末]|星期|礼拜"
    r"|最近|刚才|刚刚|[\d一二三四五六七八九十几半两][年月日号天周]|[年月]前"
    rf"|\b(?:{_TIME_WORDS}|this (?:morning|summer|winter|fall|autumn|spring)"
    r"|may \d|in may|\d{4})\b",
    re.IGNORECASE,
)
_NUMBER = later(
    r"\d|[一二两三四五六七八九十百千万几半][个只次年天块元人岁本件条位点月周斤米]"
    rf"|\b(?:{_NUMBER_WORDS})\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


def _each(words: str) -> frozenset[str]:
    """The words of an alternation, those with an optional end as both."""
    return frozenset(
        form
        for word in words.split("|")
        for form in (word.replace("s?", ""), word.replace("?", ""))
    )


_ME_SET, _TIME_SET, _NUMBER_SET = map(_each, (_ME_WORDS, _TIME_WORDS, _NUMBER_WORDS))
_NAME = later(
    r"[a-z,;'’] [\"“'‘]?[A-Z][a-z]+"  # a capital that begins no sentence
    r"|\"[^\"\n]{2,60}\"|“[^”\n]{2,60}”|[《「『][^》」』\n]{1,60}"
    r"|[\u4e00-\u9fff][A-Za-z]{2,}"
)
_QUESTION_END = later(r"[?？][\s\"”’)）]*$|[吗呢][。.!！~～\s]*$")
_ASIDE = later(r"\s*\[[^\]\n]*\]\s*$")
"""What an importer adds at the end, such as what a shared picture shows."""

_WANTS_TIME = later(
    r"\bwhen\b|\bhow (?:long|recently|soon)\b"
    r"|\b(?:what|which) (?:year|month|date|day|time|week|season)\b"
    r"|什么时候|何时|哪[天年月]|哪个月|几[号月点]|多久|多长时间|什么时间|什么日子",
    re.IGNORECASE,
)
_WANTS_NAME = later(
    r"\b(?:who|whom|whose|where|which)\b|\bnames?\b|\b(?:called|named)\b"
    r"|谁|哪[里儿个家位些]|什么地方|叫什么|名字",
    re.IGNORECASE,
)
_WANTS_NUMBER = later(
    r"\bhow (?:many|much|often|old|far|big|tall|high)\b"
    r"|多少|几[个只次年天块元人岁本件条位]|多[大高远重]",
    re.IGNORECASE,
)


def traits(text: str) -> Traits:
    """The signs of a text, from its beginning; whether it is a question, from its end."""
    return _traits(text[:READ_CHARS], text[-READ_CHARS:])


@lately(READ_LATELY)
def _traits(head: str, end: str) -> Traits:
    wide = 0 if head.isascii() else (len(head.encode(errors="replace")) - len(head)) / 2
    words = (len(head) - wide) / CHARS_PER_WORD + wide / 2
    me, time, number = _plain(head) if head.isascii() else _any(head)
    return Traits(
        min(1.0, words / LONG),
        float(me),
        float(time),
        float(_NAME.search(head) is not None),
        float(number),
        float(not _asks(end)),
    )


def _any(head: str) -> tuple[bool, bool, bool]:
    """Whether a text speaks of its speaker, of a time, of a number."""
    signs = (_ME, _TIME, _NUMBER)
    me, time, number = (sign.search(head) is not None for sign in signs)
    return me, time, number


def _plain(head: str) -> tuple[bool, bool, bool]:
    """As `_any`, of a text in ASCII: looking its words up takes a fifth of the time."""
    words = set(_WORD.findall(head.lower()))
    digit = _DIGIT.search(head) is not None
    time = not _TIME_SET.isdisjoint(words)
    if not time and digit:
        time = any(len(word) == 4 and word.isdigit() for word in words)
    if not time and ("this" in words or "may" in words):
        time = _TIME.search(head) is not None
    number = digit or not _NUMBER_SET.isdisjoint(words)
    return not _ME_SET.isdisjoint(words), time, number


def _asks(end: str) -> bool:
    if not ("?" in end or "？" in end or "吗" in end or "呢" in end):
        return False
    return _QUESTION_END.search(_ASIDE.sub("", end) if "]" in end else end) is not None


def wanted(question: str) -> Wanted:
    """The sorts of answers that a question asks for."""
    return Wanted(
        _WANTS_TIME.search(question) is not None,
        _WANTS_NAME.search(question) is not None,
        _WANTS_NUMBER.search(question) is not None,
    )
