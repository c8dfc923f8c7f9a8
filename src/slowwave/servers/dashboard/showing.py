"""How things are shown to people: moments, numbers, differences, quoted words. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from slowwave.servers.dashboard.words import Language

__all__ = [
    "Part", "clip", "day", "day_in", "differences", "language_of", "marked", "minute", "month",
    "number", "visible",
]  # fmt: skip

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "zh": ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
}
LONGEST_COMPARED = 4_000
"""Characters of a text that is compared word by word; longer ones are shown one above the other."""

_UNITS = re.compile(
    r"[^\W\d_\u2e80-\u9fff\uf900-\ufaff\uac00-\ud7a3]+|\d+(?:[.,:]\d+)*|\s+|.", re.DOTALL
)
"""Words of letters, numbers, stretches of blanks, and single characters of other scripts."""
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff]")
_KANA, _HANGUL = re.compile("[\u3040-\u30ff]"), re.compile("[\uac00-\ud7a3]")


class Part(NamedTuple):
    """A stretch of a text: `same`, `gone`, `new`, or `quoted`."""

    text: str
    how: Literal["same", "gone", "new", "quoted"] = "same"


def visible(text: str) -> str:
    """The text without what no page can hold: control characters are shown as what they are."""
    return _CONTROLS.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x7F:
        return "\u2421"
    return chr(0x2400 + code) if code < 0x20 else "\ufffd"


def clip(text: str, most: int) -> str:
    """At most so many characters of a text on one line, with an ellipsis where it was cut."""
    line = " ".join(text[: most * 4].split())
    return line if len(line) <= most and len(text) <= most * 4 else line[: most - 1] + "…"


def day_in(when: str) -> date | None:
    """The day that a moment or a day of a memory begins with; None where it begins with none."""
    try:
        return date.fromisoformat(when[:10])
    except ValueError:
        return None


def language_of(text: str) -> str:
    """The language of a text for its `lang`, by its script; empty where it cannot be told."""
    head = text[:400]
    if _KANA.search(head):
        return "ja"
    if _HAN.search(head):
        return "zh-Hans"
    if _HANGUL.search(head):
        return "ko"
    return "en" if head.isascii() else ""


def number(value: float, digits: int | None = None) -> str:
    """A number with its thousands apart."""
    return f"{value:,.{digits}f}" if digits is not None else f"{value:,}"


def day(when: date, language: Language, *, week: bool = False) -> str:
    """A day: `30 Nov 2026`, `2026年11月30日`."""
    if language == "zh":
        shown = f"{when.year}年{when.month}月{when.day}日"
        return f"{shown} {WEEKDAYS['zh'][when.weekday()]}" if week else shown
    shown = f"{when.day} {MONTHS[when.month - 1]} {when.year}"
    return f"{WEEKDAYS['en'][when.weekday()]}, {shown}" if week else shown


def month(when: str, language: Language) -> str:
    """A month given as `2026-11`: `Nov 2026`, `2026年11月`."""
    year, _, of_year = when.partition("-")
    if not of_year.isdecimal() or not 1 <= int(of_year) <= len(MONTHS):
        return when
    return f"{year}年{int(of_year)}月" if language == "zh" else f"{MONTHS[int(of_year) - 1]} {year}"


def minute(when: datetime, language: Language) -> str:
    """A moment to the minute, in the zone it carries."""
    return f"{day(when.date(), language)} {when:%H:%M}"


def differences(before: str, after: str) -> tuple[list[Part], list[Part]]:
    """The two texts in parts: what went of the first, what came in the second, word by word."""
    if max(len(before), len(after)) > LONGEST_COMPARED:
        return [Part(before, "gone")], [Part(after, "new")]
    old, new = _UNITS.findall(before), _UNITS.findall(after)
    gone: list[Part] = []
    come: list[Part] = []
    for what, at, end, to, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if at < end:
            gone.append(Part("".join(old[at:end]), "same" if what == "equal" else "gone"))
        if to < stop:
            come.append(Part("".join(new[to:stop]), "same" if what == "equal" else "new"))
    return gone, come


def marked(text: str, spans: Iterable[tuple[int, int]]) -> Sequence[Part]:
    """A text with its quoted stretches apart; stretches that overlap become one."""
    return list(_marked(text, sorted((max(0, at), min(end, len(text))) for at, end in spans)))


def _marked(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Part]:
    done = 0
    for at, end in spans:
        begin = max(at, done)
        if begin >= end:
            continue
        if begin > done:
            yield Part(text[done:begin])
        yield Part(text[begin:end], "quoted")
        done = end
    if done < len(text):
        yield Part(text[done:])
