"""Which day and minute a note speaks of.

The date in a file's name is the weakest (it may be the UTC day, or plainly wrong), a date in a
heading is better, a time that the text itself states is best (case 38).
"""

import re
from datetime import date, datetime, time, tzinfo

_ISO = r"(?P<y>(?:19|20)\d\d)(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)"
_HAN = r"(?P<hy>(?:19|20)\d\d)\s?年\s?(?P<hm>\d{1,2})\s?月\s?(?P<hd>\d{1,2})\s?[日号]"
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_WORDS = (
    rf"(?P<en>{_MONTH})\s+(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<ey>(?:19|20)\d\d)"
    rf"|(?P<gd>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<gn>{_MONTH}),?\s+(?P<gy>(?:19|20)\d\d)"
)
_DATE = re.compile(rf"(?<!\d)(?:{_ISO}|{_HAN}|{_WORDS})", re.IGNORECASE)
_FILE_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d)-(\d\d)(?:[-_T](\d\d)-?(\d\d)(?!\d))?")
_STATED = re.compile(
    r"(?:今天|今日|\btoday|^\W{0,4}(?:日期|date))\W{0,4}(?:is\b|是|为)?\W{0,3}",
    re.IGNORECASE | re.MULTILINE,
)
_CLOCK = re.compile(r"\W{0,4}([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?!\d)")
_UTC = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?\s*(?:UTC|GMT|Z)\b")
NOON = time(12)


def date_in_name(name: str) -> date | None:
    """The day a file name starts with or holds (`2026-04-14-trip.md`)."""
    match = _FILE_DATE.search(name)
    return _day(match[1], match[2], match[3]) if match else None


def date_in_heading(title: str, *, anywhere: bool) -> date | None:
    """The day a heading is about: at its start, or `anywhere` in it (a file's first heading)."""
    match = _DATE.search(title)
    if not match:
        return None
    before = title[: match.start()]
    if not anywhere and any(char.isalnum() for char in before):
        return None
    return _found(match)


def date_at_start(text: str) -> date | None:
    """The day an item starts with (`2026-03-01: moved …`, `**April 3, 2026** …`)."""
    match = _DATE.search(text[:40])
    if match and not any(char.isalnum() for char in text[: match.start()]):
        return _found(match)
    return None


def date_stated(text: str) -> date | None:
    """The day a text says it is (`今天 2026-02-15`, `Today is April 3, 2026`)."""
    for lead in _STATED.finditer(text):
        match = _DATE.match(text, lead.end())
        if match:
            return _found(match)
    return None


def clock_at_start(text: str) -> time | None:
    """The time of day a heading or item starts with (`14:30 call`, `[09:05]`)."""
    match = _CLOCK.match(text)
    if not match:
        dated = _DATE.search(text[:40])
        match = _CLOCK.match(text, dated.end()) if dated else None
    return time(int(match[1]), int(match[2])) if match else None


def utc_in_heading(title: str) -> bool:
    """True when a heading gives its time in UTC, as the session hook does."""
    return bool(_UTC.search(title))


def at(day: date, clock: time | None, zone: tzinfo) -> datetime:
    """That time of that day in a zone; noon when only the day is known."""
    return datetime.combine(day, clock or NOON, zone)


def _found(match: re.Match[str]) -> date | None:
    if match["y"]:
        return _day(match["y"], match["m"], match["d"])
    if match["hy"]:
        return _day(match["hy"], match["hm"], match["hd"])
    if match["ey"]:
        return _day(match["ey"], _month(match["en"]), match["ed"])
    return _day(match["gy"], _month(match["gn"]), match["gd"])


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


def _day(year: str, month: str | int, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
