"""Named days: holidays and festivals, Chinese and English, with the rule that dates each year's.

A rule takes a year and a region (`us`, `ca`, `gb`, `au`, `nz`, `cn`, "" for elsewhere) and gives
a day, a span of days, or None where it is not known. Feasts whose day no table here can give
(Eid, Diwali) are left out rather than guessed.
"""

from collections.abc import Callable
from datetime import date

from slowwave.text.calendar_lunar import lunar_day, lunar_eve, solar_term
from slowwave.text.calendar_math import Span, day, easter, nth_weekday, shift, weekday_of_week

Feast = Callable[[int, str], date | Span | None]


def fixed(month: int, number: int) -> Feast:
    """The same day every year."""
    return lambda year, _region: day(year, month, number)


def floating(month: int, weekday: int, nth: int, after: int = 0) -> Feast:
    """The n-th weekday of a month (-1 the last), and some days after it."""
    return lambda year, _region: shift(nth_weekday(year, month, weekday, nth), after)


def moon(month: int, number: int) -> Feast:
    """A day of the lunar year that begins in the year."""
    return lambda year, _region: lunar_day(year, month, number)


def from_easter(days: int) -> Feast:
    """Some days from Easter Sunday."""
    return lambda year, _region: shift(easter(year), days)


def sun(term: str) -> Feast:
    """A solar term."""
    return lambda year, _region: solar_term(year, term)


def stretch(feast: Feast, before: int, after: int) -> Feast:
    """The days around a feast."""

    def span(year: int, region: str) -> Span | None:
        found = feast(year, region)
        middle = found if isinstance(found, date) else None
        first, last = shift(middle, -before), shift(middle, after)
        return (first, last) if first and last else None

    return span


def _eve(year: int, _region: str) -> date | None:
    return lunar_eve(year)


def _laba(year: int, _region: str) -> date | None:
    """The last month of a lunar year falls into the next solar one: count from its beginning."""
    return lunar_day(year - 1, 12, 8)


def _little_year(year: int, _region: str) -> date | None:
    return lunar_day(year - 1, 12, 23)


def _thanksgiving(year: int, region: str) -> date | None:
    return nth_weekday(year, 10, 0, 2) if region == "ca" else nth_weekday(year, 11, 3, 4)


def _mothers(year: int, region: str) -> date | None:
    return shift(easter(year), -21) if region == "gb" else nth_weekday(year, 5, 6, 2)


def _fathers(year: int, region: str) -> date | None:
    return nth_weekday(year, 9, 6, 1) if region in ("au", "nz") else nth_weekday(year, 6, 6, 3)


def _victoria(year: int, _region: str) -> date | None:
    """The Monday before 25 May."""
    before = day(year, 5, 24)
    return weekday_of_week(before, 0, 0) if before else None


def _labour(year: int, region: str) -> date | None:
    months = {"us": (9, 1), "ca": (9, 1), "au": (10, 1), "nz": (10, 4)}
    if region not in months:
        return day(year, 5, 1)
    month, nth = months[region]
    return nth_weekday(year, month, 0, nth)


_SPRING = moon(1, 1)

ZH_FEASTS: tuple[tuple[str, Feast], ...] = (
    (r"元旦(?:节|当天)?", fixed(1, 1)),
    (r"春节|大年初一|正月初一|农历新年", _SPRING),
    (r"除夕(?:夜)?|大年三十|年三十|大年夜", _eve),
    (r"大年初二", moon(1, 2)),
    (r"大年初三", moon(1, 3)),
    (r"大年初四", moon(1, 4)),
    (r"大年初五|破五", moon(1, 5)),
    (r"大年初六", moon(1, 6)),
    (r"大年初七|人日节", moon(1, 7)),
    (r"大年初八", moon(1, 8)),
    (r"元宵节|上元节|元宵(?=那天|当天|灯会|晚会|夜|晚上|之夜)", moon(1, 15)),
    (r"龙抬头|二月二(?![十\d日号])", moon(2, 2)),
    (r"上巳节?|三月三(?![十\d日号])", moon(3, 3)),
    (r"端午(?:节)?|端阳节?", moon(5, 5)),
    (r"七夕(?:节)?", moon(7, 7)),
    (r"中元节|盂兰节|七月半", moon(7, 15)),
    (r"中秋(?:节)?", moon(8, 15)),
    (r"重阳(?:节)?", moon(9, 9)),
    (r"腊八(?:节)?", _laba),
    (r"小年夜?(?!轻|纪|龄)", _little_year),
    (r"情人节", fixed(2, 14)),
    (r"三八妇女节|三八节|妇女节|女神节", fixed(3, 8)),
    (r"植树节", fixed(3, 12)),
    (r"愚人节", fixed(4, 1)),
    (r"五一劳动节|五一节|劳动节|五一(?![路街巷村桥镇广小中大新公])", fixed(5, 1)),
    (r"五四青年节|青年节", fixed(5, 4)),
    (r"六一儿童节|六一节|儿童节|六一(?![路街巷村桥镇广小中大新公])", fixed(6, 1)),
    (r"建党节|七一建党", fixed(7, 1)),
    (r"八一建军节|建军节", fixed(8, 1)),
    (r"教师节", fixed(9, 10)),
    (
        r"国庆节|(?<![李王张刘陈杨赵周吴徐孙马朱胡郭何林罗高黄])国庆|十一(?=国庆|"
        r"假期|长假|黄金周|放假|期间|小长假|回|出去)",
        fixed(10, 1),
    ),
    (r"万圣节", fixed(10, 31)),
    (r"光棍节|双十一|双11", fixed(11, 11)),
    (r"双十二|双12", fixed(12, 12)),
    (r"平安夜|圣诞前夜", fixed(12, 24)),
    (r"圣诞节|圣诞(?![老树歌帽卡袜礼装红])", fixed(12, 25)),
    (r"母亲节", _mothers),
    (r"父亲节", _fathers),
    (r"感恩节", _thanksgiving),
    (r"黑色星期五|黑五", floating(11, 3, 4, after=1)),
    (r"复活节", from_easter(0)),
    (r"清明节|清明(?!上河|村|雨上)", sun("清明")),
    *(
        (name, sun(name))
        for name in (
            "立春",
            "立夏",
            "立秋",
            "立冬",
            "夏至",
            "冬至",
            "春分",
            "秋分",
            "惊蛰",
            "谷雨",
            "芒种",
            "处暑",
            "大暑",
            "小暑",
        )
    ),
    *(
        (rf"{name}(?=节气|那天|当天|这天)", sun(name))
        for name in ("小满", "白露", "寒露", "霜降", "小雪", "大雪", "小寒", "大寒", "雨水")
    ),
)
"""Pattern (simplified characters) and rule; the first that matches counts."""

ZH_HOLIDAYS: tuple[tuple[str, Feast], ...] = (
    (r"国庆节?|十一", stretch(fixed(10, 1), 0, 6)),
    (r"五一节?|劳动节", stretch(fixed(5, 1), 0, 4)),
    (r"元旦节?", stretch(fixed(1, 1), 0, 2)),
    (r"春节|过年", stretch(_SPRING, 1, 6)),
    (r"清明节?", stretch(sun("清明"), 1, 1)),
)
"""What a feast means when the holiday around it is named (假期, 期间, 长假)."""

EN_FEASTS: tuple[tuple[str, Feast], ...] = (
    (r"new year['’]?s eve", fixed(12, 31)),
    (r"(?:chinese|lunar) new year(?:['’]?s day)?|spring festival", _SPRING),
    (r"(?:chinese|lunar) new year['’]?s eve", _eve),
    (r"new year['’]?s(?: day)?|new years(?: day)?", fixed(1, 1)),
    (r"christmas eve|xmas eve", fixed(12, 24)),
    (r"(?:christmas|xmas)(?: day)?", fixed(12, 25)),
    (r"boxing day|st\.? stephen['’]?s day", fixed(12, 26)),
    (r"thanksgiving(?: day)?", _thanksgiving),
    (r"black friday", floating(11, 3, 4, after=1)),
    (r"cyber monday", floating(11, 3, 4, after=4)),
    (r"giving tuesday", floating(11, 3, 4, after=5)),
    (r"labor day|labour day", _labour),
    (r"memorial day", floating(5, 0, -1)),
    (r"independence day|(?:the )?fourth of july|july fourth", fixed(7, 4)),
    (r"juneteenth", fixed(6, 19)),
    (r"halloween", fixed(10, 31)),
    (r"valentine['’]?s(?: day)?", fixed(2, 14)),
    (r"mothering sunday", from_easter(-21)),
    (r"mother['’]?s['’]? day", _mothers),
    (r"father['’]?s['’]? day", _fathers),
    (r"st\.? patrick['’]?s(?: day)?|paddy['’]?s day", fixed(3, 17)),
    (r"st\.? george['’]?s day", fixed(4, 23)),
    (r"st\.? andrew['’]?s day", fixed(11, 30)),
    (r"st\.? david['’]?s day", fixed(3, 1)),
    (r"burns night", fixed(1, 25)),
    (r"bonfire night|guy fawkes(?: night| day)?", fixed(11, 5)),
    (r"easter monday", from_easter(1)),
    (r"easter(?: sunday| day)?", from_easter(0)),
    (r"good friday", from_easter(-2)),
    (r"maundy thursday", from_easter(-3)),
    (r"palm sunday", from_easter(-7)),
    (r"ash wednesday", from_easter(-46)),
    (r"shrove tuesday|pancake (?:day|tuesday)|mardi gras|fat tuesday", from_easter(-47)),
    (r"ascension day", from_easter(39)),
    (r"whit ?sunday|pentecost", from_easter(49)),
    (r"whit monday", from_easter(50)),
    (r"(?:mlk|martin luther king(?: jr\.?)?) day", floating(1, 0, 3)),
    (r"presidents?['’]?s?['’]? day", floating(2, 0, 3)),
    (r"(?:columbus|indigenous peoples?['’]?s?) day", floating(10, 0, 2)),
    (r"veterans?['’]?s?['’]? day|remembrance day|armistice day", fixed(11, 11)),
    (r"remembrance sunday", floating(11, 6, 2)),
    (r"election day", floating(11, 0, 1, after=1)),
    (r"groundhog day", fixed(2, 2)),
    (r"april fools?['’]?s?['’]?(?: day)?", fixed(4, 1)),
    (r"earth day", fixed(4, 22)),
    (r"australia day", fixed(1, 26)),
    (r"anzac day", fixed(4, 25)),
    (r"waitangi day", fixed(2, 6)),
    (r"canada day", fixed(7, 1)),
    (r"victoria day", _victoria),
    (r"bastille day", fixed(7, 14)),
    (r"melbourne cup day", floating(11, 1, 1)),
    (r"(?:early )?may (?:day )?bank holiday", floating(5, 0, 1)),
    (r"may day", fixed(5, 1)),
    (r"(?:spring|late may|whitsun) bank holiday", floating(5, 0, -1)),
    (r"(?:(?:late )?august|summer) bank holiday", floating(8, 0, -1)),
    (r"midsummer(?:['’]s)? day", fixed(6, 24)),
    (r"twelfth night", fixed(1, 5)),
    (r"mid-?autumn(?: festival| day)?|moon festival", moon(8, 15)),
    (r"dragon ?boat festival", moon(5, 5)),
    (r"qing ?ming(?: festival)?|tomb[- ]sweeping day", sun("清明")),
    (r"lantern festival", moon(1, 15)),
    (r"double (?:ninth|ninth festival)", moon(9, 9)),
    (r"winter solstice", sun("冬至")),
    (r"summer solstice", sun("夏至")),
)
"""Pattern (any case) and rule; the longest match counts."""
