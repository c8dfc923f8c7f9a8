"""Chinese hours, stretches of the day and distances from now, as rules for the lexer."""

import re

from slowwave.text.calendar_math import add_months, shift
from slowwave.text.dates_numeric import clock, zh_number
from slowwave.text.dates_sense import (
    Clock,
    Day,
    Daytime,
    Found,
    Moment,
    Named,
    Rule,
    Scene,
    Sense,
    Void,
    always,
    constant,
    rule,
)
from slowwave.text.dates_zh_words import N2, N, _

# ── hours ───────────────────────────────────────────────────────────────────────────────────────


def _minutes(match: re.Match[str]) -> int | None:
    """Minutes after the hour: 半, 三刻, 零五分, 过五分; None for what is no minute."""
    tail = match["t"] or ""
    if tail == "半":
        return 30
    if tail.endswith("刻"):
        return (zh_number(tail[:-1]) or 9) * 15
    digits = tail.removeprefix("过").removesuffix("钟").removesuffix("分").lstrip("零 ")
    return (zh_number(digits) if digits else 0) if tail else 0


def _hour(match: re.Match[str]) -> Sense | None:
    hour, minute = zh_number(match["h"]), _minutes(match)
    text, start = match.string, match.start()
    if hour is None or minute is None:
        return None
    if hour < 2 and not match["t"] and _LITTLE.search(text[max(0, start - 2) : start]):
        return None
    short = match["s"]
    if short:
        less = (
            15 * (zh_number(short[:-1]) or 1)
            if short.endswith("刻")
            else zh_number(short.removesuffix("钟").removesuffix("分"))
        )
        if not less or minute or hour < 1:
            return None
        return clock(hour - 1 if hour > 1 else 12, 60 - less)
    return clock(hour, minute)


_HOUR_FOLLOWS = re.compile(
    r"\s?(?:钟|整|左右|前|之前|以前|后|之后|以后|多|来钟|出头|准时|开|"
    r"见|集合|到|起|出发|开始|吃|睡|上班|下班|叫|提醒|来|去|走|"
    r"出门|交|接|就|才|结束|放学|上课|下课|发车|起飞|登机|打烊|关门|闭|场|"
    r"钟头|我|你|他|她|咱|要|有个?会|跟|和|在|截止|发布|直播|还|"
    r"视频|电话|面试|[-–—~～至]|[，,。.！!？?；;\s)）]|$)"
)


_HOUR_AGAINST = re.compile(
    r"\s?(?:意见|建议|要求|原因|理由|问题|好处|体会|注意|看法|想法|区别|"
    r"结论|[一二三四五六七八九]\b|\d|[点儿]|不|也|都没|没|水|钱|时间|"
    r"光)"
)


_HOUR_LEADS = re.compile(
    r"(?:等下|等会儿?|待会儿?|一会儿?|到|从|在|于|至|定|约|改|[前后]|"
    r"[-–—~～,，:：]|今|明|了|大概|大约|差不多|刚好|每天|都|"
    r"^)\s?$"
)


def _hour_doubt(match: re.Match[str]) -> bool:
    """三点 alone may be three points of a list, 一点 a little: what stands around it decides."""
    text, (start, end) = match.string, match.span()
    if match["t"] or match["s"] or match["unit"] == "时" or match.group().endswith(("钟", "整")):
        return False
    if _HOUR_AGAINST.match(text, end):
        return True
    leads = _HOUR_LEADS.search(text[max(0, start - 4) : start])
    if match["h"] in ("一", "1", "两"):
        return not (leads and _HOUR_FOLLOWS.match(text, end))
    return not (_HOUR_FOLLOWS.match(text, end) or leads)


_T = (
    rf"(?P<t>半(?!年|月|价|天)|[一三123两]刻|过?零?{N2}分钟?|"
    rf"零{N2}|[0-5]\d(?![\d.%年月日号])|"
    r"[二三四五]?十[一二三四五六七八九]?(?!万|个|块|元|几)|"
    r"[二三四五]十[一二三四五六七八九]?)"
)


_NOT_HOUR = r"(?<![\d.:第几百])"


_LITTLE = re.compile(
    r"(?:[有这那哪差快慢多少轻重好大小高低长短贵宜松紧远近]|" r"(?<![今明昨傍夜])[早晚])$"
)

"""What turns 一点 into a little: 快一点, 晚一点."""


_H = (
    r"(?:[01]?\d|2[0-4]|(?<![周期拜])二十[一二三四]?|"
    r"十[一二三四五六七八九]?|(?<!十)[零一二两三四五六七八九])"
)


HOUR = (
    rf"(?:差{_}(?P<s>{N2}分钟?|[一1]刻){_})?(?P<h>{_H}){_}(?P<unit>点){_}(?:{_T}|钟|整)?(?:钟|整)?"
)


# ── stretches of the day ────────────────────────────────────────────────────────────────────────

_NOT_RATHER = r"(?!一?[点些])"
"""早点, 晚一点, 早些 say earlier or later, and no part of the day."""

_DAYTIMES: tuple[tuple[str, Named], ...] = (
    (r"凌晨|后半夜|拂晓", "dawn"),
    (
        r"大清早|一大早|大早上|大早晨|清晨|清早|早上|早晨|早间|上午|朝早|上昼|今早上?"
        rf"|早(?=[ ]?(?:\d|[零一二两三四五六七八九十]+点)){_NOT_RATHER}"
        rf"|(?<=[天日号期一二三四五六末周])早{_NOT_RATHER}(?!起)",
        "morning",
    ),
    (r"中午|正午|午间|晌午", "noon"),
    (r"下午|午后|晏昼|下昼|后晌", "afternoon"),
    (
        r"傍晚|黄昏|晚上|晚间|夜晚|夜间|挨晚|入夜|晚(?=[ ]?(?:\d"
        rf"|[零一二两三四五六七八九十]+点)){_NOT_RATHER}"
        rf"|(?<=[天日号期一二三四五六末周早中])晚{_NOT_RATHER}",
        "evening",
    ),
    (r"半夜|大半夜|深夜|午夜|夜里|夜半|子夜|(?<=[天日号期一二三四五六末周])夜", "night"),
)


def _daytime_rules() -> list[Rule]:
    return [
        rule(
            rf"(?:{words})(?!的?好|安|报|会时|餐|饭|茶|茶|休|觉|间新闻|" r"恋|教)"
            if name != "noon"
            else rf"(?:{words})(?!好|饭|餐)",
            constant(Daytime(name)),
            always,
        )
        for words, name in _DAYTIMES
    ]


# ── distances ───────────────────────────────────────────────────────────────────────────────────

_MINUTES = {
    "分钟": 1,
    "分": 1,
    "刻钟": 15,
    "小时": 60,
    "钟头": 60,
    "个小时": 60,
    "个钟头": 60,
    "个钟": 60,
}


_UNIT_DAYS = {
    "天": 1,
    "日": 1,
    "晚": 1,
    "周": 7,
    "星期": 7,
    "礼拜": 7,
    "个星期": 7,
    "个礼拜": 7,
    "个周": 7,
}


_UNIT_MONTHS = {"月": 1, "个月": 1, "季度": 3, "个季度": 3, "年": 12}


UNIT = r"个?(?:分钟|刻钟|小时|钟头|钟|天|日|周|星期|礼拜|月|季度|年)"


def _amount(match: re.Match[str]) -> float | None:
    """How many units: 三, 半, 一个半, 两年半."""
    words = match["n"]
    count = 0.5 if words == "半" else zh_number(words)
    if count is None or count > 9999:
        return None
    return count + (0.5 if match["h"] or match["h2"] else 0)


def _moved(amount: float, unit: str) -> tuple[int, int, int] | None:
    """(minutes, days, months) of an amount of a unit; exactly one of them is not 0."""
    unit = unit.removeprefix("个")
    if unit in _MINUTES or unit == "钟":
        return round(amount * _MINUTES.get(unit, 60)), 0, 0
    if unit in _UNIT_DAYS:
        return 0, int(amount * _UNIT_DAYS[unit] + 0.5) if amount >= 1 else 0, 0
    months = amount * _UNIT_MONTHS[unit]
    if months == int(months):
        return 0, 0, int(months)
    return 0, round(months * 30), 0


def moved_day(days: int, months: int, grain: str = "day") -> Day:
    """A day some days or months from today."""

    def alone(scene: Scene) -> Found:
        return add_months(scene.today, months) if months else shift(scene.today, days)

    return Day(alone, grain="year" if grain == "year" else "month" if grain == "month" else "day")


def grain_of(months: int) -> str:
    """How exact a distance in months is meant."""
    return "day" if not months else "year" if months % 12 == 0 else "month"


_OF_MONTH = re.compile(r"月[ ]?$")
"""3月15日前 is a day of March, not fifteen days ago."""


def _distance(match: re.Match[str]) -> Sense | None:
    amount = _amount(match)
    moved = _moved(amount, match["u"]) if amount else None
    if moved is None or (
        match["u"] == "日" and _OF_MONTH.search(match.string[: match.start()][-2:])
    ):
        return None
    past = "前" in (match["w"] or "")
    minutes, days, months = (-n if past else n for n in moved)
    if minutes:
        return Moment(minutes)
    return moved_day(days, months, grain_of(months)) if days or months else None


def _within(match: re.Match[str]) -> Sense | None:
    """三天内, 未来一周: from today on; 过去三天, 近一个月: up to today."""
    amount = _amount(match)
    moved = _moved(amount, match["u"]) if amount else None
    if moved is None or moved[0]:
        return None
    sign = -1 if match["p"] else 1

    def alone(scene: Scene) -> Found:
        other = (
            add_months(scene.today, sign * moved[2])
            if moved[2]
            else shift(scene.today, sign * moved[1])
        )
        if other is None:
            return None
        return (min(other, scene.today), max(other, scene.today))

    return Day(alone)


_SEVERAL = rf"(?P<n>{N}|半)"


_HALF1 = r"(?:个?(?P<h>半))?"


_HALF2 = r"(?P<h2>半)?"


ZH_CLOCK_RULES: tuple[Rule, ...] = (
    rule(rf"{_NOT_HOUR}{HOUR}", _hour, _hour_doubt),
    rule(
        rf"(?<![\d.:])(?P<h>\d{{1,2}}){_}时(?!间|候|代|刻|"
        rf"常|速|差|长|段|期|效|装|尚)(?:{_}(?P<m>\d{{1,2}}){_}"
        r"分)?",
        lambda m: clock(int(m["h"]), int(m["m"] or 0)),
    ),
    rule(r"零点(?!\d|几|五)(?:整)?", lambda _m: Clock(0, 0, "24")),
    rule(r"(?P<d>午夜)(?!场)", lambda _m: Clock(12, 0, ""), always),
    *_daytime_rules(),
    rule(
        rf"(?:再?过|再等|等)?{_}{_SEVERAL}{_HALF1}{_}"
        rf"(?P<u>{UNIT}){_HALF2}(?P<w>(?:之|以)?(?:前|后)|前|"
        r"后)(?!后|半[段场程]|面|边|排|座)",
        _distance,
    ),
    rule(
        rf"(?:再?过|再等|等){_}{_SEVERAL}{_HALF1}{_}(?P<u>" rf"{UNIT}){_HALF2}(?P<w>)(?!前)",
        _distance,
    ),
    rule(
        rf"(?P<p>)(?<![一二三四五六七八九十\d]){_SEVERAL}{_HALF1}"
        rf"{_}(?P<u>{UNIT}){_HALF2}(?:之|以)?内(?!容|部|存|"
        r"在)",
        _within,
    ),
    rule(
        rf"(?P<p>过去的?|近|最近的?){_}{_SEVERAL}{_HALF1}{_}"
        rf"(?P<u>{UNIT}){_HALF2}(?!前|后|内)",
        _within,
    ),
    rule(
        r"(?P<p>)(?:未来的?|接下来的?|往后的?|今后的?|"
        rf"以后的){_}{_SEVERAL}{_HALF1}{_}(?P<u>{UNIT}){_HALF2}",
        _within,
    ),
    rule(
        r"逢年过节|一日三餐|一天到晚|一年四季|年复一年|日复一日|天天向上|三天两头|"
        r"一朝一夕|朝三暮四|初一十五|三年五载|十天半个?月|百日咳|有朝一日|一星半点|"
        r"半夜三更|三更半夜|前前后后",
        lambda _m: Void(),
    ),
)
"""Hours, stretches of the day, distances, idioms."""
