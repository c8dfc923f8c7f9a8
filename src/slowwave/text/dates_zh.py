"""Chinese days, weekdays, weeks and months, as rules for the lexer. Text comes in even spelling
(simplified characters, ASCII figures), whatever it was written in.
"""

import re

from slowwave.text.calendar_math import (
    ORDINALS,
    WEEKDAYS,
    Span,
    add_months,
    coming,
    day,
    latest,
    month_span,
    nth_weekday,
    shift,
    week_span,
    weekday_of_week,
)
from slowwave.text.dates_days import (
    absolute,
    day_number,
    from_today,
    month,
    month_end,
    month_piece,
    monthly,
)
from slowwave.text.dates_numeric import full_year, zh_number
from slowwave.text.dates_sense import (
    WHOLE_WEEK,
    Day,
    Found,
    Named,
    Rule,
    Scene,
    Sense,
    Shift,
    Void,
    constant,
    rule,
)
from slowwave.text.dates_zh_words import N2, WD, WEEK, _, weekday


def _span_of(first: Found, last: Found) -> Found:
    return (
        (first, last)
        if not isinstance(first, tuple | None) and not isinstance(last, tuple | None)
        else None
    )


# ── day words ───────────────────────────────────────────────────────────────────────────────────

_DAYS = {
    "大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3,
    "琴": -1, "寻": -1, "听": 1,
}  # fmt: skip


_DAYTIMES: dict[str, Named] = {
    "晚": "evening", "夜": "night", "早": "morning", "晨": "morning", "朝": "morning",
}  # fmt: skip


def _day_word(match: re.Match[str]) -> Sense | None:
    return from_today(_DAYS[match["w"]], _DAYTIMES.get(match.group()[-1]))


def _two_days(match: re.Match[str]) -> Sense | None:
    first, last = _DAYS[match["w"]], _DAYS[match["v"]]
    return Day(lambda scene: _span_of(shift(scene.today, first), shift(scene.today, last)))


def _this_day_elsewhere(match: re.Match[str]) -> Sense | None:
    """上个月的今天, 明年今天: today's day in another frame."""
    months = {"年": 12, "月": 1}.get(match["u"], 0)
    step = {"去": -1, "前": -2, "明": 1, "后": 2, "上": -1, "下": 1}[match["w"]]
    if months:
        return Day(lambda scene: add_months(scene.today, months * step))
    return Day(lambda scene: shift(scene.today, 7 * step))


def _month_number(match: re.Match[str]) -> Sense | None:
    number = zh_number(match["n"])
    return month(number) if number and number <= 12 else None


_MONTH_FOLLOWS = re.compile(
    r"$|[\s，,。.！!？?；;、)）\-~～—至到]|份|"
    r"[我你您他她它咱们这那要就会都才将再又也去来回开有没能可搬结放考交在是的得应该想打"
    r"以之前后底初中上下旬末那过生动出入进完做预拿办买卖请给跟和对正还刚曾已不别让]"
)


def _month_doubt(match: re.Match[str]) -> bool:
    """Without a day or a year, a month name is also an inn, a wine, a band."""
    text, start, end = match.string, match.start(), match.end()
    if text[end : end + 2] in ("革命", "怀胎", "流火", "飞雪"):
        return True
    if re.search(
        r"(?:到|自|从|于|等|截至|截止|直到|每年|推到|改到|拖到|定在)$",
        text[max(0, start - 3) : start],
    ):
        return False
    return not _MONTH_FOLLOWS.match(text, end)


def _steps(match: re.Match[str]) -> int:
    """-2 … 2 of 上上, 上, 这, 下, 下下."""
    word = match["w"] or ""
    return word.count("下") - word.count("上")


def _month_word(match: re.Match[str]) -> Sense | None:
    step = _steps(match)

    def alone(scene: Scene) -> Span | None:
        first = add_months(scene.today.replace(day=1), step)
        return month_span(first.year, first.month) if first else None

    return Day(alone, frame="month", grain="month")


def _week_word(match: re.Match[str]) -> Sense | None:
    step = _steps(match)
    return Day(lambda scene: week_span(scene.today, step), frame="week")


def _weekend_of(span: Span) -> Span | None:
    saturday, sunday = shift(span[0], 5), shift(span[0], 6)
    return (saturday, sunday) if saturday and sunday else None


def _weekend(match: re.Match[str]) -> Sense | None:
    step = _steps(match)

    def alone(scene: Scene) -> Span | None:
        past = step == 0 and scene.tense < 0 and not match["w"] and scene.today.weekday() < 5
        week = week_span(scene.today, step - past)
        return _weekend_of(week) if week else None

    return Day(alone, within=_weekend_of, needs="" if match["w"] else "week", label="weekend")


def _weekday_in_week(match: re.Match[str]) -> Sense | None:
    step, wd = _steps(match), weekday(match["d"])
    return Day(lambda scene: weekday_of_week(scene.today, step, wd), label=WEEKDAYS[wd])


def plain_weekday(wd: int, *, today: bool = True) -> Day:
    """A weekday by itself: the coming one; said of the past, the last one.

    `today` = on that weekday itself it means the day it is said.
    """

    def alone(scene: Scene) -> Found:
        if today and scene.today.weekday() == wd:
            return scene.today
        if scene.tense < 0:
            return latest(scene.today, wd)
        return (
            coming(scene.today, wd) if today else coming(shift(scene.today, 1) or scene.today, wd)
        )

    return Day(
        alone,
        within=lambda span: coming(span[0], wd),
        needs="week",
        label=WEEKDAYS[wd],
        rank=0,
    )


def _weekday(match: re.Match[str]) -> Sense | None:
    return plain_weekday(weekday(match["d"] or match["e"]))


def _week_ago_weekday(match: re.Match[str]) -> Sense | None:
    count, wd = zh_number(match["n"]), weekday(match["d"])
    if count is None:
        return None
    step = -count if match["w"] == "前" else count
    return Day(lambda scene: weekday_of_week(scene.today, step, wd))


_STREET = re.compile(r"[路街巷弄镇村屯寨胡同大道][ ]?$")


def _day_of_month(match: re.Match[str]) -> Sense | None:
    text, (start, end) = match.string, match.span()
    if _STREET.search(text[max(0, start - 2) : start]) or re.match(r"[ ]?\d", text[end : end + 2]):
        return None  # a house: 麦田路 12 号 305
    number = zh_number(match["n"])
    return day_number(number) if number and 1 <= number <= 31 else None


def _day_range(match: re.Match[str]) -> Sense | None:
    first, last = zh_number(match["n"]), zh_number(match["m"])
    return (
        month_piece(first, last, f"{first}-{last}")
        if first and last and first < last <= 31
        else None
    )


def _nth_weekday(match: re.Match[str]) -> Sense | None:
    word, wd = match["n"], weekday(match["d"])
    nth = (
        {"最后": -1, "最后一": -1, "头": 1, "头一": 1, "首": 1}.get(word)
        or zh_number(word.removeprefix("第"))
        or 0
    )
    if not (nth == -1 or 1 <= nth <= 5):
        return None
    label = f"{'last' if nth < 0 else ORDINALS[nth - 1]} {WEEKDAYS[wd]}"
    return monthly(lambda y, m: nth_weekday(y, m, wd, nth), label)


_PIECES = {
    "初": (1, 10),
    "上旬": (1, 10),
    "中旬": (11, 20),
    "中": (11, 20),
    "下旬": (21, 0),
    "上半月": (1, 15),
    "下半月": (16, 0),
}


def _piece(match: re.Match[str]) -> Sense | None:
    word = match["p"].replace("个", "")
    if word in ("底", "末"):
        return month_end()
    first, last = _PIECES[word]
    return month_piece(first, last, {"初": "start", "中": "middle"}.get(word, word))


# ── distances ───────────────────────────────────────────────────────────────────────────────────


def _shift(match: re.Match[str]) -> Sense | None:
    """前一天, 后三天 beside a day."""
    count = zh_number(match["n"])
    if count is None:
        return None
    sign = -1 if match["w"] == "前" else 1
    unit = match["u"]
    if unit == "月":
        return Shift(months=sign * count)
    return Shift(days=sign * count * (1 if unit in "天日晚" else 7))


def _full_invalid(match: re.Match[str]) -> Sense | None:
    """2026年4月31日: the whole of it is no date, and neither is a part."""
    numbers = [zh_number(match[name]) for name in ("y", "m", "d")]
    year, number, in_month = (n or 0 for n in numbers)
    found = day(full_year(str(year)), number, in_month)
    return Void() if found is None else absolute(found)


_AGAINST_DAY = (
    r"(?:会议|[箱泵炉罐窑摊架缸笼塘梯线楼桌门院房室厅馆店机柜位床仓库车选手种子文件公路厂台窗口字码球衣队员井岗坑地铁院"
    r"铺棚塔屏栋单元座线路舱登检站馆监营房线厅])"
)


_AGAINST_COUNT = r"(?<![第编学工账型尾单批牌货票卡户代档案件零])"


def _coming_weekend_day(_match: re.Match[str]) -> Sense | None:
    return Day(_coming_weekend, label="weekend")


def _coming_weekend(scene: Scene) -> Found:
    week = week_span(scene.today, 0)
    return _weekend_of(week) if week else None


def _beside(match: re.Match[str]) -> Sense | None:
    if match["n"]:
        return _shift(match)
    return Shift(days=-1 if "前" in match.group() else 1)


"""Days, weeks, months, years, feasts."""


ZH_DAY_RULES: tuple[Rule, ...] = (
    rule(
        rf"(?P<y>\d{{4}}|[零一二三四五六七八九]{{4}}){_}年{_}(?P"
        rf"<m>{N2}){_}月{_}(?P<d>{N2}){_}[日号]?(?!{_AGAINST_DAY}"
        r")(?!\d)",
        _full_invalid,
    ),
    rule(r"(?P<w>大前|大后)[天日]", _day_word),
    rule(
        r"(?P<w>[昨今明])(?:天|日(?!香|方舟|之|头条|说法|资讯|重现|"
        r"星)|儿个?|个儿|晚(?!报)|夜|早|晨|朝)",
        _day_word,
    ),
    rule(r"(?P<w>前)(?:天|儿个|日(?!本)|晚|夜)", _day_word),
    rule(
        r"(?<!先天)(?P<w>后)(?:天(?![性]|养成|因素|免疫|形成|努力|"
        r"获得|失明|培养|教育)|儿个?|日(?!谈)|晚)",
        _day_word,
    ),
    rule(r"(?P<w>[琴寻听])(?:日|晚|朝)(?![常历语])", _day_word),
    rule(r"(?P<w>[昨今明])(?P<v>[今明后])(?:两?天|两日|天)", _two_days),
    rule(r"(?P<w>[去前明后])(?P<u>年)的?(?:今天|今日|这天|这一天)", _this_day_elsewhere),
    rule(r"(?P<w>[上下])个?(?P<u>月|周|星期|礼拜)的?(?:今天|今日)", _this_day_elsewhere),
    rule(
        r"(?<![\d第几每零一二两三四五六七八九十百])(?P<n>1[0-2]|"
        rf"0?[1-9]|十[一二]?|[一二三四五六七八九]){_}月(?:份)?(?!票|"
        r"薪|供|嫂|饼|亮|光|球)",
        _month_number,
        _month_doubt,
    ),
    rule(
        r"(?<![下上])(?P<w>上上|上|这|本|当|下下|" r"下)(?:一)?个?月(?:份)?(?![亮光饼票薪供台])",
        _month_word,
    ),
    rule(
        r"(?P<w>上上上|上上|上|这|本|今|下下下|下下|"
        r"下)(?:一)?个?(?:周|星期|礼拜)(?!年|[二三四五六日天末1-6]|"
        r"一(?![直定样共切般旦]))(?:整周|一整周|全周|整个)?",
        _week_word,
    ),
    rule(
        r"(?P<w>上上上|上上|上|这|本|今|下下下|下下|"
        rf"下)(?:一)?个?{WEEK}{_}(?P<d>{WD})(?!年|"
        r"(?<=\d)\d|(?<=一)[直定样共切般旦])",
        _weekday_in_week,
    ),
    rule(
        r"(?P<w>上上|上|这|本|下下|下)?(?:一)?个?(?:周末|双休日|" r"双休)(?:两天)?(?!愉快|快乐)",
        _weekend,
    ),
    rule(r"(?P<w>上上|上|这|本|下下|下)(?:一)?个?(?:周六日|周六周日|周六、?周日)", _weekend),
    rule(r"(?P<w>)周六日|(?<![上下这本])周六周日", _coming_weekend_day),
    rule(
        r"(?:(?<![一二两三四五六七八九十几\d每半整隔逢上下这本])|"
        r"(?<=[周期拜][一二三四五六日天]))(?:周(?P<d>[一"
        r"二三四五六日])(?![年次遍圈]|(?<=一)[直定样共切般旦])|(?:星期|"
        r"礼拜)(?P<e>[一二三四五六日天1-6]))",
        _weekday,
    ),
    rule(
        rf"(?P<n>{N2})个?(?:周|星期|礼拜)(?:之|以)?(?P<w>前|" rf"后)的?(?:那个)?{WEEK}(?P<d>{WD})",
        _week_ago_weekday,
    ),
    rule(
        rf"{_AGAINST_COUNT}(?<![\d.:/\-])(?P<n>[12]\d"
        r"|3[01]|0?[1-9]|[一二三]?十[一二三四五六七八九]?|"
        rf"廿[一二三四五六七八九]?|[一二三四五六七八九]){_}号(?!{_AGAINST_DAY}"
        r")",
        _day_of_month,
    ),
    rule(
        rf"(?<=月)份?的?{_}(?P<n>[12]\d|3[01]|0?[1-9]|"
        r"[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|"
        rf"[一二三四五六七八九]){_}日",
        _day_of_month,
    ),
    rule(
        r"(?<=月)(?P<n>[12]\d|3[01]|"
        r"[一二三]?十[一二三四五六七八九]?|廿[一二三四五六七八九]?)(?![\d日号"
        r"月个万千百块元年%.:：分])",
        _day_of_month,
    ),
    rule(
        r"(?<![\d.:/\-月])(?P<n>[12]\d|3[01]|"
        r"[4-9])日(?!游|内|后|前|间|之|元|本|语|圆|均|常|子|程|夜|行|"
        r"三餐|[以]|\d)",
        _day_of_month,
    ),
    rule(r"(?<=[日号][到至~～—-])(?P<n>[一二三四五六七八九十]{1,3})日", _day_of_month),
    rule(
        rf"(?<![\d.:/])(?P<n>{N2}){_}(?:-|–|—|~|～|到|"
        rf"至){_}(?P<m>{N2}){_}[号日](?!{_AGAINST_DAY})",
        _day_range,
    ),
    rule(rf"(?P<n>第[一二三四五1-5]|最后一?|头一?|首)个?{WEEK}(?P<d>{WD})", _nth_weekday),
    rule(r"(?<=季度)(?P<p>底|末)", _piece),
    rule(r"那一?周", constant(Shift(weekday=WHOLE_WEEK))),
    rule(r"(?<=月)(?P<p>上旬|中旬|下旬|初|中(?![午国秋间层考]|高考|招)|底|末)", _piece),
    rule(r"(?<=[上下这本当个])月(?P<p>初|中(?![午国秋间])|底|末)", _piece),
    rule(r"月(?P<p>初|中(?![午国秋间])|底|末)", _piece),
    rule(r"(?P<p>上旬|中旬|下旬|[上下]半个?月)", _piece),
    rule(
        r"的?(?:(?<!最)[前后]一|第二)(?:天|日)|的?(?<!最)(?P<w>前|"
        rf"后)(?P<n>{N2})个?(?P<u>天|日|周|星期|礼拜|月|晚)",
        _beside,
    ),
)
"""Days, weekdays, weeks, months."""
