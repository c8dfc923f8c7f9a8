"""English dates with the name of a month, as rules for the lexer."""

import re

from slowwave.text.calendar_math import day, month_span
from slowwave.text.dates_days import absolute, annual, month, month_day
from slowwave.text.dates_en_words import MONTH, ORD, YEAR, month_of
from slowwave.text.dates_numeric import en_ordinal, full_year
from slowwave.text.dates_sense import Day, Found, Rule, Sense, rule

_DASH = r"\s?(?:-|–|—|to|through|thru|until|till|and)\s?"


# ── dates with a month's name ───────────────────────────────────────────────────────────────────


def _dated(number: int, in_month: int, year: str | None) -> Sense | None:
    if not 1 <= in_month <= 31:
        return None
    if year:
        return absolute(day(full_year(year), number, in_month))
    return month_day(number, in_month)


def _month_date(match: re.Match[str]) -> Sense | None:
    in_month = en_ordinal(match["d"])
    return _dated(month_of(match["m"]), in_month, match["y"]) if in_month else None


def _month_dates(match: re.Match[str]) -> Sense | None:
    """July 3 through 6, 3–6 July."""
    first, last, number = en_ordinal(match["d"]), en_ordinal(match["e"]), month_of(match["m"])
    if not first or not last or first >= last:
        return None

    def within(year: int) -> Found:
        start, end = day(year, number, first), day(year, number, last)
        return (start, end) if start and end else None

    if match["y"]:
        return absolute(within(int(match["y"])))
    return annual(within, label=f"{number:02}-{first:02}")


def _month_year(match: re.Match[str]) -> Sense | None:
    number, year = month_of(match["m"]), int(match["y"])
    return Day(lambda _scene: month_span(year, number), frame="month", rank=3, grain="month")


_NAMES = ("may", "march", "mar", "april", "june", "august", "jun", "jan")


_MONTH_LEADS = re.compile(
    r"\b(?:in|by|since|until|till|til|during|through|throughout|next|last|"
    r"this|of|before|after|early|mid|late|every|each|"
    r"come|around|for|about|between|to|through)[\s-]{1,2}$",
    re.IGNORECASE,
)


def _month_doubt(match: re.Match[str]) -> bool:
    """March, May, April, June and August are also verbs and people."""
    word, text = match["m"], match.string
    if word.casefold().rstrip(".") not in _NAMES and word[0].isupper():
        follows = re.match(r"\s(?:[A-Z][a-z]+)", text[match.end() : match.end() + 20])
        leads = _MONTH_LEADS.search(text[max(0, match.start() - 12) : match.start()])
        return bool(follows and not leads)
    lead = _MONTH_LEADS.search(text[max(0, match.start() - 12) : match.start()])
    if not lead or not word[0].isupper():
        return not (
            lead
            and lead.group().strip().casefold()
            in ("in", "since", "next", "last", "this", "by", "until")
        )
    return lead.group().strip().casefold() in (
        "for",
        "about",
        "to",
        "before",
        "after",
        "through",
        "of",
        "between",
    )


def _month_alone(match: re.Match[str]) -> Sense | None:
    return month(month_of(match["m"]))


def _is_month(match: re.Match[str]) -> bool:
    """`may 3` as a date, `you may 3` and `sat 12` not."""
    word = match["m"]
    if word[0].isupper() or word.casefold().rstrip(".") not in (
        "may",
        "march",
        "mar",
        "jan",
        "dec",
        "sept",
        "sep",
    ):
        return True
    before = match.string[max(0, match.start() - 8) : match.start()]
    return not re.search(r"\b(?:i|you|we|he|she|they|it|that|this|who)\s$", before, re.IGNORECASE)


EN_MONTH_RULES: tuple[Rule, ...] = (
    rule(
        rf"(?P<m>{MONTH})\s?(?:the\s)?(?P<d>\d{{1,2}}(?:st|nd|rd|th)?|"
        rf"{ORD})(?!\d|:\d|\s?[ap]m\b|%)(?:,?\s(?:of\s)?{YEAR})?",
        lambda m: _month_date(m) if _is_month(m) else None,
    ),
    rule(
        rf"(?:the\s)?(?<![\d.:/-])(?P<d>\d{{1,2}}(?:st|nd|rd|th)?|"
        rf"{ORD})\s?(?:of\s|-)?(?P<m>{MONTH})(?:,?\s(?:of\s)?{YEAR}|"
        r"(?P<y2>)(?=\b))?",
        lambda m: _month_date(m) if _is_month(m) else None,
    ),
    rule(
        rf"(?P<m>{MONTH})\s?(?P<d>\d{{1,2}}(?:st|nd|rd|"
        rf"th)?){{dash}}(?P<e>\d{{1,2}}(?:st|nd|rd|th)?)(?![\d:]|"
        rf"\s?[ap]m\b)(?:,?\s{YEAR})?".replace("{dash}", _DASH),
        _month_dates,
    ),
    rule(
        rf"(?<![\d.:/-])(?:the\s)?(?P<d>\d{{1,2}}(?:st|nd|rd|"
        rf"th)?){{dash}}(?:the\s)?(?P<e>\d{{1,2}}(?:st|nd|rd|"
        rf"th)?)\s(?:of\s)?(?P<m>{MONTH})(?:,?\s{YEAR})?".replace("{dash}", _DASH),
        _month_dates,
    ),
    rule(rf"(?P<m>{MONTH}),?\s(?:of\s)?(?:['’](?=\d\d\b))?{YEAR}", _month_year),
    rule(rf"(?<![A-Za-z])(?P<m>{MONTH})(?!['’]s\s[a-z]|-\d)(?=\W|$)", _month_alone, _month_doubt),
)
"""Months and dates in them."""
