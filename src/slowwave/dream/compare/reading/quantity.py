"""Quantities of a statement, in one form: 凌晨两点 is 02:00, 三千五 is 3500, half four is 4:30.

What two statements say about the same thing can only be laid side by side when their numbers are
comparable, so each quantity has a kind (a time of day is never compared with an age) and a value.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from slowwave.text.entities import number_value
from slowwave.text.lately import lately
from slowwave.text.stopwords import ENGLISH

__all__ = [
    "Conflict", "Quantity", "blank", "conflict", "names_old_and_new", "other_value", "quantities",
    "same_value",
]  # fmt: skip

QuantityKind = Literal["clock", "weekday", "date", "month", "ordinal", "version", "code", "number"]
Conflict = Literal["none", "agree", "one_sided", "changed", "day_changed", "other_unit"]


class Quantity(msgspec.Struct, frozen=True):
    """One quantity. `unit` is only filled for plain numbers; clocks are minutes of the day.

    `sure` is false for a clock that may mean morning or evening ("at seven").
    """

    kind: QuantityKind
    value: str
    unit: str = ""
    sure: bool = True


_ZH = "零〇一二两三四五六七八九十百千万亿"
_ZH_NUMBER = rf"[{_ZH}]+"
_UNIT_WORDS: dict[str, str] = {
    "公斤": "kg", "千克": "kg", "kg": "kg", "kilo": "kg", "kilos": "kg", "斤": "jin",
    "磅": "lb", "pound": "lb", "pounds": "lb", "lb": "lb", "lbs": "lb",
    "元": "money", "块": "money", "块钱": "money", "万元": "money", "usd": "money", "eur": "money",
    "dollars": "money", "dollar": "money", "euros": "money", "quid": "money", "yuan": "money",
    "rmb": "money", "cny": "money", "美元": "money", "欧元": "money", "港币": "money",
    "岁": "year", "年": "year", "year": "year", "years": "year", "yr": "year", "yrs": "year",
    "个月": "month", "month": "month", "months": "month",
    "周": "week", "week": "week", "weeks": "week", "星期": "week", "个星期": "week",
    "天": "day", "日": "day", "day": "day", "days": "day",
    "小时": "hour", "个小时": "hour", "钟头": "hour", "hour": "hour", "hours": "hour", "h": "hour",
    "分钟": "minute", "minute": "minute", "minutes": "minute", "min": "minute", "mins": "minute",
    "秒": "second", "second": "second", "seconds": "second", "sec": "second", "s": "second",
    "人": "person", "个人": "person", "名": "person", "people": "person",
    "公里": "km", "km": "km", "米": "m", "公分": "cm", "厘米": "cm", "cm": "cm", "英里": "mile",
    "mile": "mile", "miles": "mile", "楼": "floor", "层": "floor", "栋": "building", "%": "percent",
    "percent": "percent", "个百分点": "percent",
}  # fmt: skip
_MEASURED = frozenset(_UNIT_WORDS.values()) | {""}
_NO_UNITS = frozenset(
    ("last", "next", "today", "tonight", "tomorrow", "yesterday", "instead", "please")
)
_MEASURES = (
    "年级|公斤|千克|公里|公分|厘米|英里|块钱|万元|美元|欧元|港币|个月|个星期|个小时|小时|钟头|"
    "分钟|个人|个百分点|"
    "[个名位人次回台页张本块元秒天周年岁楼层室米斤克亩度份杯瓶只条辆间家套节句步码倍成折粒片颗支集章期届"
    "级段行字箱桶双把件首篇门口代路组栋桌头匹株顿趟班排列单票磅格件盒袋根对批轮场]"
)
_WEEKDAYS = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "日": 7, "天": 7}
_EN_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * (place + 2) for place, word in enumerate(_TENS)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "dozen": 12}
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10,
}  # fmt: skip
_WORD_NUMBER = "|".join(sorted([*_WORDS, *_SCALES], key=len, reverse=True))
_PERIOD = r"(?P<period>凌晨|清晨|清早|早上|早晨|上午|中午|午后|下午|傍晚|晚上|夜里|今晚|深夜|半夜)?"
_SMALL_CLOCK = "|".join(_SMALL[1:13])
_ZH_HOUR = "二?十[一二三四五六七八九]?|[零〇一二两三四五六七八九]"
"""周三六点 is Wednesday at six, not thirty-six."""
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("iso", re.compile(r"\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})\b")),
    (
        "clock",
        re.compile(
            rf"{_PERIOD}\s*(?P<hour>\d{{1,2}})[:：](?P<minute>\d{{2}})\s*(?P<half>[ap]\.?m\b)?"
        ),
    ),
    (
        "zh_clock",
        re.compile(
            rf"{_PERIOD}\s*(?P<hour>\d{{1,2}}|{_ZH_HOUR})\s*点(?!单|餐|菜|评|名|赞|击|心|"
            rf"头|半?数)"
            rf"(?:(?P<half_hour>半)|(?P<quarter>[一三])刻|(?P<minute>\d{{1,2}}|[{_ZH}]{{1,3}})分?)?"
        ),
    ),
    ("am_pm", re.compile(r"\b(?P<hour>\d{1,2})\s*(?P<half>[ap]\.?m)\b")),
    (
        "half",
        re.compile(
            rf"\b(?P<which>half|quarter)\s+(?:(?P<to>to|past)\s+)?(?P<hour>{_SMALL_CLOCK}|"
            rf"\d{{1,2}})\b"),
    ),
    ("noon", re.compile(r"\b(noon|midday|midnight)\b|正午")),
    ("word_clock", re.compile(
        rf"\b(?:at|before|after|by|until|from|till)\s+(?P<hour>{_SMALL_CLOCK}|"
        rf"\d{{1,2}})(?=\s*(?:$|[.,;!?]|o'clock|in the|on |sharp|every))")),
    ("weekday", re.compile(r"(?:周|星期|礼拜)([一二三四五六日天])")),
    ("en_day", re.compile(
        r"\b(mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?|"
        r"s)?\b(?<!\bsat)(?<!\bsun)")),
    ("month_day", re.compile(
        rf"(\d{{1,2}}|[{_ZH}]{{1,3}})\s*月\s*(?:(\d{{1,2}}|[{_ZH}]{{1,3}})\s*[日号]?)?")),
    ("en_date", re.compile(
        rf"\b(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|"
        rf"th)?\s+(?:of\s+)?)?(?P<month>{_MONTH})\b\.?(?:\s+(?P<day2>\d{{1,2}})(?!\d)(?:st|nd|"
        rf"rd|th)?)?")),
    ("ordinal", re.compile(rf"第({_ZH_NUMBER}|\d+)")),
    ("en_ordinal", re.compile(
        rf"\b(\d+)(?:st|nd|rd|th)\b|\b(?<!a )({'|'.join(_ORDINALS)})\b(?! (?:hand|thought))")),
    ("version", re.compile(r"\bv?\d+\.\d+(?:\.\d+)+(?:[-+]\w+)?\b|\bv\d+\b")),
    ("scaled", re.compile(
        r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s?(k\b|万|千|亿)\s?([a-z%]+|元|块|人|[个名位台])?")),
    ("code", re.compile(
        r"(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[a-z\d]+(?:-[a-z\d]+)*(?![\w-])", re.A)),
    ("money", re.compile(r"[¥￥$€£]\s?(\d[\d,]*(?:\.\d+)?)\s?(k|m|万)?")),
    ("digits", re.compile(rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s?-?({_MEASURES}|[a-z%]+)?")),
    ("words", re.compile(
        rf"\b((?:{_WORD_NUMBER})(?:(?:[- ]| and )(?:{_WORD_NUMBER}))*)\b(?:[ -]([a-z]+))?")),
    ("zh", re.compile(rf"({_ZH_NUMBER})({_MEASURES})?")),
)  # fmt: skip
_COUNTED = ("楼", "层", "栋", "岁")  # before these even 一 is a number and no article
_TAKEN = "\x00"


@lately(4_096)
def _scan(folded: str) -> tuple[tuple[Quantity, ...], str]:
    """The quantities of a text, each once and sorted, and the text with their places blanked."""
    rest = folded
    found: set[Quantity] = set()
    for name, pattern in _PATTERNS:
        for match in list(pattern.finditer(rest)):
            made = list(_quantity(name, match))
            if made:
                found.update(made)
                start, end = match.span()
                rest = rest[:start] + _TAKEN * (end - start) + rest[end:]
    ordered = sorted(found, key=lambda one: (one.kind, one.value, one.unit, one.sure))
    return tuple(ordered), rest.replace(_TAKEN, " ")


def quantities(folded: str) -> tuple[Quantity, ...]:
    """The quantities of a canonical (lower-case, simplified) text, each once, sorted."""
    return _scan(folded)[0]


def blank(folded: str) -> str:
    """A canonical text without its quantities."""
    return _scan(folded)[1]


def _quantity(name: str, match: re.Match[str]) -> Iterator[Quantity]:
    if name in ("clock", "zh_clock", "am_pm", "half", "noon", "word_clock"):
        made = _clock(match)
        if made:
            yield made
    elif name in ("weekday", "en_day"):
        day = match.group(1)
        yield Quantity("weekday", str(_WEEKDAYS.get(day) or _EN_DAYS.index(day[:3]) + 1))
    elif name in ("iso", "month_day", "en_date"):
        yield from _date(name, match)
    elif name in ("ordinal", "en_ordinal"):
        groups = [group for group in match.groups() if group]
        value = _ORDINALS.get(groups[0]) or _number(groups[0])
        if value:
            yield Quantity("ordinal", _plain(value))
    elif name in ("version", "code"):
        yield Quantity("version" if name == "version" else "code", match.group().lstrip("v"))
    else:
        yield from _plain_number(name, match)


def _clock(match: re.Match[str]) -> Quantity | None:
    parts = match.groupdict()
    if match.group() == "一点":
        return None  # "a little"; one o'clock is said with a part of the day or with 钟
    if "hour" not in parts:
        return Quantity("clock", "0" if match.group() == "midnight" else "720")
    word = parts["hour"]
    hour = _WORDS[word] if word in _WORDS else _number(word)
    minute = _minute(parts)
    if hour is None or hour > 24 or minute > 59:
        return None
    period = parts.get("period") or ""
    half = parts.get("half") or ""
    late = period in ("午后", "下午", "傍晚", "晚上", "夜里", "今晚", "深夜") or half.startswith(
        "p"
    )
    if (late or (period == "中午" and hour < 11)) and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    total = int(hour) % 24 * 60 + minute
    if parts.get("which"):
        total = _before_or_after(parts, total)
    written = (parts.get("minute") and word.startswith("0")) or hour > 12
    return Quantity("clock", str(total % 1440), sure=bool(period or half or written))


def _minute(parts: dict[str, str | None]) -> int:
    if parts.get("half_hour"):
        return 30
    quarter = parts.get("quarter")
    if quarter:
        return 15 if quarter == "一" else 45
    return int(_number(parts.get("minute") or "0") or 0)


def _before_or_after(parts: dict[str, str | None], total: int) -> int:
    step = 30 if parts["which"] == "half" else 15
    return total - step if parts.get("to") == "to" else total + step


def _date(name: str, match: re.Match[str]) -> Iterator[Quantity]:
    if name == "iso":
        month, day = match.group(2), match.group(3)
    elif name == "en_date":
        month = str(_MONTHS.index(match.group("month")[:3]) + 1)
        day = match.group("day1") or match.group("day2") or ""
        if match.group("month") == "may" and not day and not _dated(match):
            return
    else:
        month, day = match.group(1), match.group(2) or ""
    month_value, day_value = _number(month), _number(day) if day else None
    if month_value is None or not 1 <= month_value <= 12:
        return
    yield Quantity("month", _plain(month_value))
    if day_value is not None:
        yield Quantity("date", f"{_plain(month_value)}-{_plain(day_value)}")


def _dated(match: re.Match[str]) -> bool:
    """ "may" is a month after a preposition, else a modal verb."""
    return (
        re.search(
            r"\b(?:in|by|until|since|this|next|last|of|till)\s+$", match.string[: match.start()]
        )
        is not None
    )


def _plain_number(name: str, match: re.Match[str]) -> Iterator[Quantity]:
    if name == "money":
        value = _number(match.group(1))
        unit = "money"
        scale = match.group(2) or ""
    elif name == "scaled":
        value, scale, unit = _number(match.group(1)), match.group(2), match.group(3) or ""
    else:
        value, scale, unit = _value(name, match), "", match.group(2) or ""
    if value is None:
        return
    value *= {"k": 1000, "千": 1000, "万": 10_000, "亿": 100_000_000, "m": 1_000_000}.get(scale, 1)
    if unit in ENGLISH or unit in _NO_UNITS:
        unit = ""
    yield Quantity("number", _plain(value), _UNIT_WORDS.get(unit, unit))


def _value(name: str, match: re.Match[str]) -> float | None:
    text = match.group(1)
    if name == "words":
        return None if text in ("one", "dozen", "hundred", "thousand", "million") else _spoken(text)
    if name == "zh":
        bare = len(text) == 1 or not re.search("[十百千万亿]", text)
        idiom = text.startswith(("一", "万", "百", "千")) and len(text) == 1
        if (idiom and match.group(2) not in _COUNTED) or (bare and not match.group(2)):
            return None
    return _number(text)


def _spoken(text: str) -> float:
    total = section = 0
    for word in re.split(r"[- ]+", text):
        if word in _SCALES:
            section = max(section, 1) * _SCALES[word]
            if _SCALES[word] >= 1000:
                total, section = total + section, 0
        else:
            section += _WORDS.get(word, 0)
    return float(total + section)


def _number(text: str) -> float | None:
    """The value of digits or Chinese numerals; a digit after 百, 千, 万 counts a tenth (三千五)."""
    value = number_value(text)
    tail = re.search(r"([百千万])([一二三四五六七八九])$", text)
    if value is not None and tail:
        scale = {"百": 100, "千": 1000, "万": 10_000}[tail.group(1)]
        digit = number_value(tail.group(2)) or 0
        value += digit * (scale // 10 - 1)
    return value


def _plain(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e6 else f"{value:.0f}"


def conflict(first: Iterable[Quantity], second: Iterable[Quantity]) -> Conflict:
    """How the quantities of two statements stand to each other.

    `changed`: one comparable quantity has another value on each side; `day_changed`: only the day
    of the week has. `other_unit`: both have numbers, none of them comparable. `agree`: what is
    comparable is equal.
    """
    one, other = tuple(first), tuple(second)
    if not one and not other:
        return "none"
    if not one or not other:
        return "one_sided"
    shared, changed = False, set()
    for key in sorted({_key(q) for q in one} & {_key(q) for q in other}):
        left = [q for q in one if _key(q) == key]
        right = [q for q in other if _key(q) == key]
        shared = True
        alone = [q for q in left if not _any_equal(q, right)]
        fresh = [q for q in right if not _any_equal(q, left)]
        if alone and fresh:
            changed.add(key[0])
    if changed:
        return "day_changed" if changed == {"weekday"} else "changed"
    return "agree" if shared else _loose(one, other)


def names_old_and_new(earlier: Iterable[Quantity], later: Iterable[Quantity]) -> bool:
    """Whether the later one names the earlier one's value beside a new one ("from 20 to 35")."""
    one, other = tuple(earlier), tuple(later)
    for kind in ("number", "clock", "date", "weekday", "version"):
        old = {q.value for q in one if q.kind == kind}
        if old and old < {q.value for q in other if q.kind == kind}:
            return True
    return False


def _loose(one: tuple[Quantity, ...], other: tuple[Quantity, ...]) -> Conflict:
    """Numbers whose unit is only named on one side are still the same kind of number."""
    left = [q for q in one if q.kind in ("number", "version", "code")]
    right = [q for q in other if q.kind in ("number", "version", "code")]
    if not left or not right:
        return "one_sided"
    if {q.value for q in left} & {q.value for q in right}:
        return "agree"
    bare = any(not q.unit for q in left) or any(not q.unit for q in right)
    known = set(_UNIT_WORDS.values())
    unknown = any(q.unit not in known for q in (*left, *right))
    return "changed" if bare or unknown else "other_unit"


def same_value(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities are one: of one kind, with one value and no two different units."""
    units = {_singular(one.unit), _singular(other.unit)} - {""}
    return one.kind == other.kind and len(units) < 2 and _equal(one, other)


def other_value(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities may be two values of one thing; a counted noun is a unit."""
    units = {_singular(one.unit), _singular(other.unit)}
    measured = len(units) == 1 or ("" in units and units <= _MEASURED)
    return one.kind == other.kind and measured and not _equal(one, other)


def _singular(unit: str) -> str:
    return unit[:-1] if len(unit) > 3 and unit.endswith("s") else unit


def _key(quantity: Quantity) -> tuple[str, str]:
    return quantity.kind, quantity.unit


def _any_equal(one: Quantity, others: Iterable[Quantity]) -> bool:
    return any(_equal(one, other) for other in others)


def _equal(one: Quantity, other: Quantity) -> bool:
    if one.kind == "clock" and not (one.sure and other.sure):
        return int(one.value) % 720 == int(other.value) % 720
    return one.value == other.value
