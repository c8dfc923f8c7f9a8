"""Numbers in both languages, and times written in figures, which both share."""

import re
from datetime import date

from slowwave.text.calendar_math import day
from slowwave.text.dates_days import absolute, choose, month_day
from slowwave.text.dates_sense import (
    Clock,
    Day,
    Found,
    Rule,
    Scene,
    Sense,
    Void,
    Zone,
    always,
    rule,
)
from slowwave.text.dates_zones import ZONE, zone_key

# ── number words ────────────────────────────────────────────────────────────────────────────────

ZH_DIGITS = "零一二三四五六七八九"
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}
_SMALL_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINAL_WORDS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_EN_SMALL = _SMALL_WORDS.split()
_EN_TENS = _TEN_WORDS.split()
_EN_ORDINALS = _ORDINAL_WORDS.split()

EN_NUMBER = {word: n for n, word in enumerate(_EN_SMALL)} | {
    word: (n + 2) * 10 for n, word in enumerate(_EN_TENS)
}
"""English words for whole numbers; compounds by `en_number`."""

EN_ORDINAL = (
    {word: n + 1 for n, word in enumerate(_EN_ORDINALS)}
    | {f"twenty-{word}": n + 21 for n, word in enumerate(_EN_ORDINALS[:9])}
    | {f"twenty {word}": n + 21 for n, word in enumerate(_EN_ORDINALS[:9])}
    | {"thirtieth": 30, "thirty-first": 31, "thirty first": 31}
)
"""English words for days of the month."""


def zh_number(text: str) -> int | None:
    """一百二十, 廿八, 二零一九, 两, 12; None for what is no whole number."""
    text = (
        text.strip()
        .replace("两", "二")
        .replace("廿", "二十")
        .replace("卅", "三十")
        .replace("〇", "零")
    )
    if text.isascii():
        return int(text) if text.isdigit() and len(text) < 10 else None
    if text and all(c in ZH_DIGITS for c in text):
        return int("".join(str(ZH_DIGITS.index(c)) for c in text[:9]))
    total, digit = 0, None
    for c in text:
        if c in ZH_DIGITS:
            digit = ZH_DIGITS.index(c)
        elif c in _ZH_UNITS:
            total += (1 if digit is None else digit) * _ZH_UNITS[c]
            digit = None
        else:
            return None
    return total + (digit or 0) if text else None


def en_number(text: str) -> int | None:
    """12, twelve, twenty-five, a, an; None for what is no whole number."""
    text = text.casefold().strip()
    if text in ("a", "an"):
        return 1
    if text.isascii() and text.isdigit():
        return int(text) if len(text) < 7 else None
    if text in EN_NUMBER:
        return EN_NUMBER[text]
    tens, _, ones = text.replace("-", " ").partition(" ")
    if tens in _EN_TENS and ones in _EN_SMALL[1:10]:
        return EN_NUMBER[tens] + EN_NUMBER[ones]
    return None


def en_ordinal(text: str) -> int | None:
    """3rd, third, twenty-first; None for what is no day of a month."""
    text = re.sub(r"\s+", " ", text.casefold().strip())
    digits = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", text)
    return int(digits[1]) if digits else EN_ORDINAL.get(text)


def full_year(digits: str) -> int:
    """2026, 26 and 98 as years: two digits from 60 on are of the last century."""
    year = int(digits)
    if len(digits) > 2:
        return year
    return year + (1900 if year >= 60 else 2000)


# ── days in figures ─────────────────────────────────────────────────────────────────────────────


def _iso(match: re.Match[str]) -> Sense | None:
    year = int(match["y"])
    found = day(year, int(match["m"]), int(match["d"]))
    return absolute(found) if 1800 <= year <= 2200 else Void()


def _compact(match: re.Match[str]) -> Sense | None:
    found = day(int(match["y"]), int(match["m"]), int(match["d"]))
    return absolute(found) if found else None


def _ordered(a: int, b: int, cjk: bool, scene: Scene) -> tuple[int, int]:
    """Month and day of two figures: day first outside America, unless only the other is one."""
    month_first = cjk or scene.region == "us"
    month, number = (a, b) if month_first else (b, a)
    return (number, month) if month > 12 >= number else (month, number)


def _has_cjk(text: str) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text[:200])


def _three(match: re.Match[str]) -> Sense | None:
    a, b = int(match["a"]), int(match["b"])
    cjk = _has_cjk(match.string)

    def alone(scene: Scene) -> date | None:
        year = full_year(match["y"])
        # Three short figures with dots are a version unless the year is about now.
        if len(match["y"]) == 2 and match["sep"] != "/" and abs(year - scene.today.year) > 6:
            return None
        return day(year, *_ordered(a, b, cjk, scene))

    return Day(alone, rank=3, explicit=True)


_BEFORE_BARE = re.compile(
    r"(?:\b(?:on|by|until|till|til|since|before|after|from|due|starting|"
    r"starts?|dated|for|through|to|and|of|date)"
    r"[\s:(]{1,3}|[在于到从至自是(（定][\s]?|[周星][一二三四五六日天]\s?|[-–—~～至到]\s?)$",
    re.IGNORECASE,
)
_AFTER_BARE = re.compile(
    r"\s?(?:[(（]?(?:周|星期|礼拜)[一二三四五六日天]|[上下中]午|"
    r"早上|晚上|凌晨|日|号|之?前|截止|到期|开会|交|去|出发|放假|"
    r"\d{1,2}:\d\d|at\s\d|(?:mon|tue|wed|thu|fri|sat|sun)|[-–—~～至到]\s?\d{1,2}/\d{1,2}(?!\d))",
    re.IGNORECASE,
)


def _two(match: re.Match[str]) -> Sense | None:
    """5/3: a date only where something around it says so; else a ratio, a size, a score."""
    text, (start, end) = match.string, match.span()
    if not _BEFORE_BARE.search(text[max(0, start - 12) : start]) and not _AFTER_BARE.match(
        text, end
    ):
        return None
    if re.match(
        r"\s?(?:[%％倍杯勺寸]|的?比例|拍|inch|cup|tsp|of\b|" r"scale|ratio|dowel|odds)",
        text[end : end + 12],
    ):
        return None
    a, b = int(match["a"]), int(match["b"])
    cjk = _has_cjk(text)

    def alone(scene: Scene) -> Found:
        month, number = _ordered(a, b, cjk, scene)
        years = (scene.today.year + n for n in (-1, 0, 1, 2))
        return choose([d for y in years if (d := day(y, month, number))], scene)

    return Day(alone, rank=2, explicit=True)


def _dotted_zh(match: re.Match[str]) -> Sense | None:
    month, number = int(match["a"]), int(match["b"])
    return month_day(month, number) if 1 <= month <= 12 and 1 <= number <= 31 else None


# ── clocks in figures ───────────────────────────────────────────────────────────────────────────


def clock(hour: int, minute: int, half: str = "") -> Sense | None:
    """A clock of figures, None where there is no such time. `half` is "", "am", "pm"."""
    if hour > 24 or minute > 59 or (half and not 1 <= hour <= 12):
        return None
    if half:
        return Clock(hour, minute, "pm" if half.casefold().startswith("p") else "am")
    return Clock(hour, minute, "24" if hour > 12 or hour == 0 else "")


def _figures(match: re.Match[str]) -> Sense | None:
    half = match["half"] or ""
    made = clock(int(match["h"]), int(match["m"]), half)
    if isinstance(made, Clock) and match["h"].startswith("0") and not half:
        return Clock(made.hour, made.minute, "24")
    return made


def _hour_half(match: re.Match[str]) -> Sense | None:
    return clock(int(match["h"]), 0, match["half"])


_HALF = r"(?P<half>[ap](?:\.\s?m\.?|m\b))"

NUMERIC_RULES: tuple[Rule, ...] = (
    rule(
        r"(?<![\d./\-])(?P<y>\d{4})\s?(?P<sep>[-/.])\s?(?P<m>\d{1,2})\s?(?P=sep)"
        r"\s?(?P<d>\d{1,2})(?![\d]|[-/.]\d)",
        _iso,
    ),
    rule(
        r"(?<![A-Za-z0-9_./\-])(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep"
        r")(?P<y>\d{4}|\d{2})(?![A-Za-z0-9_]|[-/.:]\d)",
        _three,
    ),
    rule(r"(?<![A-Za-z0-9_./\-:])(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\d/:]|[-.]\d)", _two),
    rule(
        r"(?<![A-Za-z0-9_./\-])(?P<a>\d{1,2})[.]"
        r"(?P<b>\d{1,2})(?=\s?(?:[日号](?!线|楼)|假期|放假|那天|当天|这天|"
        r"小长假))",
        _dotted_zh,
    ),
    rule(
        r"(?<![A-Za-z0-9_./\-:#])(?P<y>19[5-9]\d|20\d\d)(?P<m>0[1-9]|"
        r"1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?![A-Za-z0-9_]|[-./][A-Za-z0-9])",
        _compact,
    ),
    rule(
        rf"(?<![\d.:/])(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::\d{{2}}(?:\.\d{{1,6}})?"
        rf")?(?:\s?{_HALF})?(?![\d:])",
        _figures,
    ),
    rule(rf"(?<![\d.:/\-])(?P<h>\d{{1,2}})[.](?P<m>\d{{2}})\s?{_HALF}", _figures),
    rule(rf"(?<![\d.:/])(?P<h>\d{{1,2}})\s?{_HALF}", _hour_half),
    rule(
        r"(?:(?<=\bat )|(?<=\bfrom )|(?<=\bby )|(?<=\buntil ))(?P<h>[01]?\d"
        r"|2[0-3])\.(?P<m>[0-5]\d)(?P<half>)(?![\d.%])",
        _figures,
        always,
    ),
    rule(ZONE, lambda match: Zone(zone_key(match)), always),
)
"""Times that look the same in Chinese and English texts."""
