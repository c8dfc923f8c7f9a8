"""Times as people and chat programs write them, in Chinese and English.

A stamp may leave out its offset (then the user's zone holds), its year or its day (then the day
it stands under holds), or name a day by its distance (昨天). One that cannot be read is None, never
today. Three-letter zones are ambiguous: the user's own zone wins where it uses that name.
"""

import re
import unicodedata
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from typing import NamedTuple

from slowwave.adapters.importers.lines import parse_time

__all__ = ["Stamp", "find_day", "parse_stamp"]


class Stamp(NamedTuple):
    """An aware instant; `clock` is False when only a day was given, `sure` False for a zone
    whose name means several."""

    ts: datetime
    clock: bool = True
    sure: bool = True


_LONGEST = 80
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<y>(?:19|20|21)\d\d)\s*[-/.年]\s*(?P<m>\d{1,2})\s*[-/.月]\s*(?P<d>\d{1,2})(?!\d)\s*[日号]?",
        r"(?<!\d)(?P<y>(?:19|20|21)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?!\d)",
        rf"(?<!\d){_DAY}(?:\s+of)?[\s-]+{_MONTH}(?:[\s,-]+(?P<y>\d{{4}})(?!\d))?",
        rf"\b{_MONTH}\s+{_DAY}(?=\s+\d\d?:\d\d(?::\d\d)?(?:\s+[a-z]+)?\s+(?P<y>\d{{4}})(?!\d))",
        rf"\b{_MONTH}[\s-]+{_DAY}(?!\d)(?:[\s,-]+(?P<y>\d{{4}})(?!\d))?",
        r"(?<!\d)(?P<m>\d{1,2})\s*月\s*(?P<d>\d{1,2})(?!\d)\s*[日号]?",
        r"(?<![\d:.])(?P<a>\d{1,2})(?P<sep>[/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d\d)(?![\d:])",
        r"(?<![\d:-])(?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?![\d:/-])",
    )
)
_CLOCK = re.compile(
    r"(?P<before>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚|夜里|[ap]\.?m\.?(?![a-z]))?\s*"
    r"(?<![\d:.])(?P<h>\d{1,2})(?:\s*[:时点]\s*(?P<min>[0-5]\d)分?(?:[:.]?(?P<s>[0-5]\d)秒?(?:[.,]\d+)?)?"
    r"|(?=\s*[ap]\.?m\b)|\s*[点时](?P<half>半)?整?)(?![\d])"
    r"\s*(?P<after>[ap]\.?m\.?(?![a-z]))?"
)
_LATE = re.compile(r"下午|傍晚|晚|夜|p")
_OFFSET = re.compile(
    r"(?:\b(?:utc|gmt)\s*)?([+-])(\d{1,2})(?::?([0-5]\d))?(?!\d)|\b(?:utc|gmt)\b|(?<=\d)z\b"
)
_ZONE_NAME = re.compile(r"(?<=[\s\d(])([a-z]{2,5}t)\b")
_NEAR = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今日": 0, "今晚": 0,
    "yesterday": -1, "today": 0,
}  # fmt: skip
_RELATIVE = re.compile("|".join(_NEAR))
_ZONES = {
    "est": -300, "edt": -240, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
    "akst": -540, "akdt": -480, "hst": -600, "cet": 60, "cest": 120, "eet": 120, "eest": 180,
    "wet": 0, "west": 60, "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "aest": 600, "aedt": 660,
    "nzst": 720, "nzdt": 780,
}  # fmt: skip
"""Minutes east of UTC of the names that mean one zone. CST, IST, BST … mean several."""


def parse_stamp(text: str, zone: tzinfo, day: date | None = None) -> Stamp | None:
    """The time a short stamp names, or None.

    `day` stands in for a missing day or year and is what 昨天 counts from. A day without a clock
    is its first instant. What `text` holds beside the time (a weekday, brackets) does not matter.
    """
    if len(text) > _LONGEST:
        return None
    exact = parse_time(text, zone)
    if exact is not None:
        timed = ":" in text or exact.time() != time()
        return Stamp(exact if exact.utcoffset() else exact.astimezone(zone), timed)
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    found, rest = _find_day(plain, day)
    of_day = _find_clock(rest)
    if found is None or (of_day is None and rest == plain):
        return None  # the text itself names neither a day nor a time of day
    clock = of_day or _Clock(time(), 0, len(rest))
    try:
        naive = datetime.combine(found + timedelta(days=clock.days), clock.time)
        placed = _placed(naive, rest[clock.end :], zone)
    except (ValueError, OverflowError):
        return None
    return placed._replace(clock=of_day is not None)


def find_day(text: str) -> date | None:
    """The first full date (with its year) in a file name, a heading or a front matter field."""
    plain = unicodedata.normalize("NFKC", text[:300]).casefold()
    return _find_day(plain, None)[0]


def _find_day(text: str, base: date | None) -> tuple[date | None, str]:
    """The day, and the text with its words taken out."""
    for pattern in _DATES:
        for match in pattern.finditer(text):
            day = _day_of(match.groupdict(), base)
            if day is not None:
                return day, f"{text[: match.start()]}  {text[match.end() :]}"
    near = _RELATIVE.search(text)
    if near is None:
        return base, text
    if base is None:
        return None, text
    # 昨晚 also says what part of the day it is.
    keep = "晚" if near[0].endswith("晚") else "  "
    return base + timedelta(days=_NEAR[near[0]]), text[: near.start()] + keep + text[near.end() :]


def _day_of(parts: dict[str, str | None], base: date | None) -> date | None:
    year = int(parts.get("y") or 0) or (base.year if base else 0)
    year += 2000 if 0 < year < 100 else 0
    if parts.get("a"):
        month, day = _ordered(int(parts["a"] or 0), int(parts["b"] or 0), parts["sep"] == ".")
    else:
        name = parts.get("month")
        month = _MONTHS.index(name) + 1 if name else int(parts.get("m") or 0)
        day = int(parts["d"] or 0)
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found if 1971 <= year <= 2199 else None


def _ordered(first: int, second: int, dotted: bool) -> tuple[int, int]:
    """(month, day): with dots the day leads; with slashes the month does, unless it cannot."""
    day_first = dotted or first > 12
    if day_first and second > 12:
        day_first = False
    return (second, first) if day_first else (first, second)


class _Clock(NamedTuple):
    """A time of day, how many days later it is (24:00), and where its words end."""

    time: time
    days: int
    end: int


def _find_clock(text: str) -> _Clock | None:
    for match in _CLOCK.finditer(text):
        hour = int(match["h"])
        half = match["before"] or match["after"] or ""
        minute = 30 if match["half"] else int(match["min"] or 0)
        if hour == 24 and minute == 0:
            return _Clock(time(), 1, match.end())
        if _LATE.search(half) and hour < 12 and not (half.startswith("夜") and hour < 6):
            hour += 12
        elif hour == 12 and half.startswith(("a", "凌晨")):
            hour = 0
        if hour < 24:
            return _Clock(time(hour, minute, int(match["s"] or 0)), 0, match.end())
    return None


def _placed(naive: datetime, rest: str, zone: tzinfo) -> Stamp:
    """`naive` with the offset that follows it, else in `zone`."""
    offset = _OFFSET.search(f"0{rest}")  # a digit in front: that is what `Z` follows
    if offset is not None:
        east = int(offset[2] or 0) * 60 + int(offset[3] or 0)
        fixed = naive.replace(tzinfo=_fixed(-east if offset[1] == "-" else east))
        return Stamp(fixed if east else fixed.astimezone(zone))
    local = naive.replace(tzinfo=zone)
    name = _ZONE_NAME.search(f" {rest}")
    if name is None or (local.tzname() or "").casefold() == name[1]:
        return Stamp(local)
    if name[1] in _ZONES:
        return Stamp(naive.replace(tzinfo=_fixed(_ZONES[name[1]])))
    return Stamp(local, sure=False)


def _fixed(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes))
