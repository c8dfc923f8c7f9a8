"""Chinese recurrences, as rules for the lexer."""

import re

from slowwave.text.calendar_math import WEEKDAYS
from slowwave.text.dates_numeric import zh_number
from slowwave.text.dates_sense import Every, Rule, Sense, rule
from slowwave.text.dates_zh_words import N2, WEEK, _

# ── recurrences ─────────────────────────────────────────────────────────────────────────────────

_EVERY_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
    "季度": "quarter",
    "季": "quarter",
    "小时": "hour",
    "钟头": "hour",
    "分钟": "minute",
    "晚": "day",
    "早": "day",
    "工作日": "weekday",
    "周末": "weekend",
    "夜": "day",
}


_HOLDS = {"week": "week", "month": "month", "year": "year", "quarter": "month"}


def every(count: int, unit: str, tail: str = "") -> Every:
    """`every day`, `every 2 weeks`, with what slots fit in it."""
    base = f"every {unit}" if count == 1 else f"every {count} {unit}s"
    frame = _HOLDS.get(unit, "")
    return Every(
        base,
        "year" if frame == "year" else "month" if frame == "month" else "week" if frame else "",
        tail,
    )


def weekday_names(signs: str) -> str:
    """`Mon,Wed,Fri`, of 一三五."""
    days = sorted(
        {
            6 if c in "日天" else "一二三四五六".index(c) if c in "一二三四五六" else int(c) - 1
            for c in signs
        }
    )
    return ",".join(WEEKDAYS[d] for d in days)


def _every_weekdays(match: re.Match[str]) -> Sense | None:
    signs = re.sub(r"[^一二三四五六日天1-6]", "", match["d"])
    names = weekday_names(signs)
    return Every(f"every {'2 weeks ' if match['two'] else ''}{names}")


def _every_span(match: re.Match[str]) -> Sense | None:
    first, last = weekday_names(match["a"]), weekday_names(match["b"])
    return Every("every weekday" if (first, last) == ("Mon", "Fri") else f"every {first}-{last}")


def _every_unit(match: re.Match[str]) -> Sense | None:
    count = zh_number(match["n"]) if match["n"] else 1
    unit = match["u"].removeprefix("个")
    if not count or count > 999:
        return None
    if match["gap"]:  # 每隔一天 leaves one day out; 每隔三天 in talk means every three days.
        count = max(count, 1) + (count == 1)
    tail = {"晚": "evening", "夜": "night", "早": "morning"}.get(unit, "")
    return every(count, _EVERY_UNITS[unit], tail)


def _every_other(match: re.Match[str]) -> Sense | None:
    return every(2, _EVERY_UNITS[match["u"].removeprefix("个")])


def _every_half(match: re.Match[str]) -> Sense | None:
    return Every(
        {
            "年": "every 6 months",
            "月": "every 2 weeks",
            "小时": "every 30 minutes",
            "天": "every 12 hours",
        }[match["u"]]
    )


def _often(match: re.Match[str]) -> Sense | None:
    """每周三次, 一天两次: how often within a unit."""
    count, unit = zh_number(match["n"]), _EVERY_UNITS[match["u"].removeprefix("个")]
    units = zh_number(match["k"]) if match["k"] else 1
    if not count or not units:
        return None
    base = every(units, unit).base
    words = {1: "", 2: " twice"}
    return Every(base + words.get(count, f" {count} times"))


def _working_days(_match: re.Match[str]) -> Sense:
    return Every("every weekday")


def _weekends(_match: re.Match[str]) -> Sense:
    return Every("every weekend")


_EU = r"个?(?:天|日|周|星期|礼拜|月|年|季度|季(?!度)|小时|钟头|分钟|晚|早|夜|工作日|周末)"


ZH_EVERY_RULES: tuple[Rule, ...] = (
    rule(
        rf"(?:每|逢)(?P<two>双|两|2|二)?个?(?:到)?{WEEK}(?:的"
        rf")?{WEEK}?(?P<d>[一二三四五六日天1-6](?:(?:[、，,和跟及/"
        rf"]|还有)?{_}{WEEK}?[一二三四五六日天1-6])*)(?![\d年次个]"
        r")",
        _every_weekdays,
    ),
    rule(
        rf"(?:每|逢)个?{WEEK}(?P<a>[一二三四五六1-6]){_}(?:到|"
        rf"至|-|~|～|—){_}{WEEK}?(?P<b>[一二三四五六日天1-6])",
        _every_span,
    ),
    rule(rf"(?P<two>隔|双)周的?{WEEK}?(?P<d>[一二三四五六日天])", _every_weekdays),
    rule(
        rf"每{_}(?P<gap>隔)?{_}(?P<n>{N2})?{_}(?P<u>{_EU}" r")(?!底|初|末)(?:一次|一回|1次)?",
        _every_unit,
    ),
    rule(r"每(?P<gap>)(?P<n>)(?P<u>个?月|年|个?季度)(?=底|初|末)", _every_unit),
    rule(
        r"(?P<gap>)(?P<n>)天(?P<u>天)(?=早|晚|上午|下午|中午|"
        r"凌晨|\d|[一二三四五六七八九十两]+点)",
        _every_unit,
    ),
    rule(r"隔(?:一|1)?(?P<u>天|日|周|星期|个星期|礼拜|个礼拜|月|个月|年)(?!壁|离)", _every_other),
    rule(r"每半个?(?P<u>年|月|小时|天)", _every_half),
    rule(
        r"(?:每|(?<![第\d一二三四五六七八九十])(?=[一二两三四五六七八九十\d"
        rf"]))(?P<k>{N2})?个?(?P<u>天|日|周|星期|礼拜|月|年|"
        rf"小时)(?P<n>{N2})[次回遍趟]",
        _often,
    ),
    rule(r"(?<![个\d一二三四五六七八九十几])工作日(?!内|后|前|志|程)", _working_days),
    rule(r"(?:每逢?|逢)周末", _weekends),
)
"""What recurs."""
