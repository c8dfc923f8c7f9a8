"""Chinese years, parts of years, lunar days and feasts, as rules for the lexer."""

import re
from datetime import date

from slowwave.text.calendar_feasts import ZH_FEASTS, ZH_HOLIDAYS, Feast
from slowwave.text.calendar_lunar import lunar_day, lunar_year_of
from slowwave.text.calendar_math import day, months_span, quarter_span
from slowwave.text.dates_days import choose, known_year, yearly
from slowwave.text.dates_numeric import full_year, zh_number
from slowwave.text.dates_sense import Day, Found, Rule, Scene, Sense, constant, rule
from slowwave.text.dates_zh import _steps
from slowwave.text.dates_zh_words import N2, N, _

# ── years, months, weeks ────────────────────────────────────────────────────────────────────────

_YEARS = {
    "大前年": -3, "前年": -2, "去年": -1, "旧年": -1, "上年": -1, "今年": 0, "本年": 0, "明年": 1,
    "来年": 1, "后年": 2, "大后年": 3,
}  # fmt: skip


def _year_word(match: re.Match[str]) -> Sense | None:
    step = _YEARS[match["w"]]
    return known_year(lambda scene: scene.today.year + step)


def _year_number(match: re.Match[str]) -> Sense | None:
    number = zh_number(match["n"])
    if match["roc"]:
        year = number + 1911 if number and number < 300 else 0
    else:
        year = full_year(str(number).zfill(len(match["n"].strip()))) if number is not None else 0
    return known_year(lambda _scene: year, relative=False) if 1000 <= year <= 2999 else None


# ── parts of the year ───────────────────────────────────────────────────────────────────────────

_YEAR_PIECES = {
    "初": (1, 1), "中": (6, 2), "底": (12, 1), "末": (12, 1), "尾": (12, 1),
    "上半年": (1, 6), "下半年": (7, 6),
    "春天": (3, 3), "夏天": (6, 3), "秋天": (9, 3), "冬天": (12, 3),
    "春季": (3, 3), "夏季": (6, 3), "秋季": (9, 3), "冬季": (12, 3),
}  # fmt: skip


def _year_piece(match: re.Match[str]) -> Sense | None:
    first, months = _YEAR_PIECES[match["p"]]

    def within(year: int) -> Found:
        start = day(year, first, 1)
        return months_span(start, months) if start else None

    return yearly(within, label=f"{first:02}")


def _quarter(match: re.Match[str]) -> Sense | None:
    number = zh_number(match["n"])
    if not number or number > 4:
        return None
    return yearly(lambda year: quarter_span(year, number), label=f"Q{number}")


def _quarter_word(match: re.Match[str]) -> Sense | None:
    step = _steps(match)
    return Day(
        lambda scene: quarter_span(scene.today.year, (scene.today.month - 1) // 3 + 1 + step),
        grain="month",
    )


# ── the lunar calendar ──────────────────────────────────────────────────────────────────────────

_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12}


def _lunar(match: re.Match[str]) -> Sense | None:
    name = match["m"]
    number = _LUNAR_MONTHS.get(name) or zh_number(name)
    in_month = zh_number(match["d"].removeprefix("初"))
    if not number or not in_month:
        return None
    year_said = re.search(
        r"(\d{4})年$|([去今明后前]年)的?$", match.string[max(0, match.start() - 6) : match.start()]
    )

    def alone(scene: Scene) -> Found:
        this = lunar_year_of(scene.today)
        years = (this - 1, this, this + 1, this + 2)
        found = [d for y in years if (d := lunar_day(y, number, in_month))]
        return choose(list(found), scene)

    return Day(
        alone,
        within=lambda span: lunar_day(span[0].year, number, in_month),
        needs="year" if year_said else "",
        rank=2,
        label=f"lunar {number:02}-{in_month:02}",
    )


def _new_year_day(match: re.Match[str]) -> Sense | None:
    """初五 by itself: only around the Spring Festival, when everybody counts so."""
    number = zh_number(match["d"])
    if not number or number > 10:
        return None

    def alone(scene: Scene) -> Found:
        for year in (scene.today.year, scene.today.year + 1):
            found = lunar_day(year, 1, number)
            if found and -20 <= (found - scene.today).days <= 45:
                return found
        return None

    return Day(alone, rank=2)


# ── feasts ──────────────────────────────────────────────────────────────────────────────────────


def yearly_feast(feast: Feast) -> Day:
    """A named day, by itself or in a year."""

    def alone(scene: Scene) -> Found:
        years = range(scene.today.year - 1, scene.today.year + 3)
        return choose([f for y in years if (f := feast(y, scene.region))], scene)

    return Day(
        alone,
        within=lambda span: feast(span[0].year, ""),
        needs="year",
        rank=2,
        label=_same_day(feast),
    )


def _same_day(feast: Feast) -> str:
    """`12-25` of a feast that keeps its day; "" of one that moves."""
    days = {
        f"{found:%m-%d}"
        for year in (2025, 2026, 2027)
        if isinstance(found := feast(year, ""), date)
    }
    return days.pop() if len(days) == 1 else ""


def _feast_rules() -> list[Rule]:
    holiday = [
        rule(
            rf"(?:{pattern})(?:假期?|小?长假|黄金周|放假|期间|七天|休假)",
            constant(yearly_feast(feast)),
        )
        for pattern, feast in ZH_HOLIDAYS
    ]
    return holiday + [
        rule(
            rf"(?:{pattern})(?:正日|当天|当日|那天|这天|那晚|当晚)?",
            constant(yearly_feast(feast)),
        )
        for pattern, feast in ZH_FEASTS
    ]


ZH_YEAR_RULES: tuple[Rule, ...] = (
    rule(
        r"(?P<w>大前年|大后年|前年|去年|旧年|上年|今年|本年|明年"
        r"|(?<![一二三四五六七八九十百几\d])来年|后年)",
        _year_word,
    ),
    rule(rf"(?P<roc>民国){_}(?P<n>{N}){_}年", _year_number),
    rule(
        rf"(?<![\d第])(?P<roc>)(?P<n>\d{{4}}|"
        rf"[零一二三四五六七八九]{{4}}){_}年(?!前|来|以?后|间|历史|代|"
        r"级)",
        _year_number,
    ),
    rule(rf"(?<![\d第])(?P<roc>)(?P<n>\d{{2}})年(?={_}{N2}{_}月)", _year_number),
    rule(
        r"(?<![\d第])(?P<roc>)(?P<n>0\d|" r"[6-9]\d)年(?!前|来|以?后|之|间|历史|代|级|了|的历|内)",
        _year_number,
    ),
    rule(r"(?<=年)(?:的)?(?P<p>初|中(?!国|央|级)|底|末|尾)", _year_piece),
    rule(
        r"(?<![一二三四五六七八九十成常多少去今明后前老青中少童新幼])年(?P<p>初("
        r"?![一二三])|中(?!国)|底|末|尾)",
        _year_piece,
    ),
    rule(r"(?<=[去今明后前])年(?P<p>初(?![一二三])|中(?!国)|底|末|尾)", _year_piece),
    rule(r"(?P<p>上半年|下半年)", _year_piece),
    rule(r"(?<=年)的?(?P<p>春天|夏天|秋天|冬天|春季|夏季|秋季|冬季)", _year_piece),
    rule(r"(?:第|[Qq])?(?P<n>[一二三四1-4])(?:个)?(?:季度|(?<=[Qq]\d))", _quarter),
    rule(r"(?<![A-Za-z0-9])Q(?P<n>[1-4])(?![A-Za-z0-9])", _quarter),
    rule(r"(?P<w>上上|上|这|本|下下|下)(?:一)?个?季度", _quarter_word),
    rule(
        r"(?:农历|阴历|旧历)(?P<m>[正冬腊]|" rf"{N2})月(?P<d>初[一二三四五六七八九十]|{N2})[日号]?",
        _lunar,
    ),
    rule(rf"(?P<m>[正冬腊])月(?P<d>初[一二三四五六七八九十]|{N2})[日号]?", _lunar),
    rule(rf"(?P<m>{N2})月(?P<d>初[一二三四五六七八九十])", _lunar),
    rule(
        r"(?<![月一二三四五六七八九十年最当起])(?<!大年)初(?P<d>[一二三四五"
        r"六七八九十])(?!中|高|级|班|学|步|期|次|年级)",
        _new_year_day,
    ),
    *_feast_rules(),
)
"""Years, parts of years, lunar days, feasts."""
