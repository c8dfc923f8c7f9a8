"""English recurrences, as rules for the lexer."""

import re

from slowwave.text.calendar_math import WEEKDAYS
from slowwave.text.dates_en_words import FULL_DAY, MONTH, WEEKDAY, N, month_of, weekday_of
from slowwave.text.dates_numeric import en_number
from slowwave.text.dates_sense import Every, Rule, Sense, rule
from slowwave.text.dates_zh_every import every

# ── recurrences ─────────────────────────────────────────────────────────────────────────────────

_EVERY_UNITS = {
    "day": "day",
    "week": "week",
    "month": "month",
    "year": "year",
    "quarter": "quarter",
    "hour": "hour",
    "minute": "minute",
    "min": "minute",
    "weekday": "weekday",
    "weekend": "weekend",
    "workday": "weekday",
    "fortnight": "fortnight",
    "morning": "day",
    "evening": "day",
    "night": "day",
    "afternoon": "day",
    "hr": "hour",
    "wk": "week",
    "working day": "weekday",
    "business day": "weekday",
}


_TAILS = {"morning": "morning", "evening": "evening", "night": "night", "afternoon": "afternoon"}


def _count(match: re.Match[str]) -> int | None:
    word = (match["n"] or "").casefold()
    if not word or word == "single":
        return 1
    if word in ("other", "second", "alternate"):
        return 2
    return {"third": 3, "fourth": 4}.get(word) or en_number(word)


def _every_unit(match: re.Match[str]) -> Sense | None:
    count, unit = _count(match), re.sub(r"(?<!s)s$", "", re.sub(r"\s+", " ", match["u"].casefold()))
    if not count or count > 999:
        return None
    if unit == "fortnight":
        return every(2 * count, "week")
    return every(count, _EVERY_UNITS[unit], _TAILS.get(unit, ""))


def _days_in(words: str) -> str:
    names = {weekday_of(d) for d in re.findall(rf"\b{WEEKDAY}(?=s?\b|['’.])", words, re.IGNORECASE)}
    return ",".join(WEEKDAYS[d] for d in sorted(names))


def _every_weekdays(match: re.Match[str]) -> Sense | None:
    count = _count(match)
    names = _days_in(match["d"])
    if not count or not names:
        return None
    return Every(f"every {names}" if count == 1 else f"every {count} weeks {names}")


def _weekday_plurals(match: re.Match[str]) -> Sense | None:
    if match["b"]:
        first, last = (_days_in(match[name]) for name in ("a", "b"))
        return Every(
            "every weekday" if (first, last) == ("Mon", "Fri") else f"every {first}-{last}"
        )
    return Every(f"every {_days_in(match.group())}")


def _every_month(match: re.Match[str]) -> Sense | None:
    return Every(f"every year {month_of(match['m']):02}", "month")


def _often(match: re.Match[str]) -> Sense | None:
    word = match["n"].casefold()
    count = {"once": 1, "twice": 2, "thrice": 3}.get(word) or en_number(word.split()[0])
    unit = _EVERY_UNITS[match["u"].casefold()]
    units = en_number(match["k"]) if match["k"] else 1
    if not count or not units:
        return None
    made = every(units, unit) if unit != "fortnight" else every(2, "week")
    words = {1: "", 2: " twice"}
    return made if count == 1 else Every(made.base + words.get(count, f" {count} times"))


def _adverb(match: re.Match[str]) -> Sense | None:
    made = {
        "daily": every(1, "day"),
        "weekly": every(1, "week"),
        "fortnightly": every(2, "week"),
        "biweekly": every(2, "week"),
        "bi-weekly": every(2, "week"),
        "monthly": every(1, "month"),
        "quarterly": every(1, "quarter"),
        "yearly": every(1, "year"),
        "annually": every(1, "year"),
        "nightly": every(1, "day", "night"),
        "hourly": every(1, "hour"),
        "bimonthly": every(2, "month"),
    }
    return made[match["w"].casefold()]


def _working(tail: str = "") -> Sense:
    return Every("every weekday", "", tail)


def _weekends() -> Sense:
    return Every("every weekend")


def _each(match: re.Match[str]) -> Sense:
    return every(1, match["u"].casefold())


def _each_year() -> Sense:
    return Every("every year", "year")


_PLURAL = rf"{FULL_DAY}s"


def _weekday_parts(match: re.Match[str]) -> Sense | None:
    """Tuesday nights, weekday mornings."""
    word = match["d"].casefold()
    part = match["t"].casefold().rstrip("s")
    name = "weekday" if word == "weekday" else WEEKDAYS[weekday_of(word)]
    return Every(f"every {name}", "", _TAILS[part])


EN_EVERY_RULES: tuple[Rule, ...] = (
    rule(
        rf"\b(?:on\s+)?(?P<d>{WEEKDAY}|weekday)\s+(?P<t>mornings|afternoons|evenings|nights)\b",
        _weekday_parts,
    ),
    rule(
        rf"\b(?P<n>)(?P<d>{WEEKDAY}(?:\s?/\s?{WEEKDAY}\b)+)",
        _every_weekdays,
    ),
    rule(
        r"\b(?:every|each)\s+(?:(?P<n>other|second|single|alternate|third|"
        rf"fourth|{N})\s+)?(?P<u>(?:working|business)\s+days?|weekdays?|"
        r"workdays?|weekends?|days?|weeks?|wks?|fortnights?|months?|quarters?|"
        r"years?|hours?|hrs?|minutes?|mins?|mornings?|evenings?|nights?|"
        r"afternoons?)\b",
        _every_unit,
    ),
    rule(
        r"\b(?:every|each)\s+(?:(?P<n>other|second|single|alternate|third|"
        rf"fourth|two\s+weeks\s+on)\s+)?(?P<d>{WEEKDAY}(?:s|"
        rf"\.)?(?:(?:\s?,\s?(?:and\s+)?|\s+and\s+|\s?[/&]\s?){WEEKDAY}\b)*)\b",
        _every_weekdays,
    ),
    rule(
        rf"\b(?:on\s+)?(?:(?P<a>{_PLURAL})\s?(?:to|through|-|"
        rf"–)\s?(?P<b>{_PLURAL})|(?:{_PLURAL}|Tues|Thurs)(?:(?:\s?,\s?(?:and\s+|"
        rf"or\s+)?|\s+(?:and|or)\s+|\s?[/&]\s?){_PLURAL})*(?<!Tues)(?<!Thurs))(?!"
        r"['’])\b",
        _weekday_plurals,
    ),
    rule(r"\b(?:on\s+)?weekdays\b", lambda _m: _working()),
    rule(
        r"\b(?:on\s+)?(?:weeknights|weekday\s+(?:evenings|nights))\b",
        lambda _m: _working("evening"),
    ),
    rule(r"\b(?:on\s+|at\s+)?(?:the\s+)?weekends\b", lambda _m: _weekends()),
    rule(
        r"\b(?:of|in)\s+(?:each|every|the)\s+(?P<u>month|quarter|year)\b",
        lambda m: _each(m),
        lambda m: " the " in m.group().casefold(),
    ),
    rule(rf"\b(?:every|each)\s+(?P<m>{MONTH})(?!\s?\d)", _every_month),
    rule(
        rf"\b(?:every|each)\s+(?=\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}|"
        rf"{MONTH}\s\d|christmas|easter|thanksgiving|halloween|new\syear)",
        lambda _m: _each_year(),
    ),
    rule(
        rf"\b(?P<n>once|twice|thrice|(?:{N})\s+times)\s+(?:a|an|per|each|every|"
        rf"every\s+(?P<k>{N}))\s+(?P<u>day|week|month|year|quarter|fortnight|"
        r"hour)s?\b",
        _often,
    ),
    rule(
        r"\b(?P<w>daily|weekly|fortnightly|bi-?weekly|monthly|quarterly|yearly|"
        r"annually|nightly|hourly)\b(?=\s+(?:on|at|in)\s|[.,!?;]|\s*$)",
        _adverb,
    ),
)
"""What recurs."""
