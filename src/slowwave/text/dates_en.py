"""English days: day words, weekdays, days of the month, feasts, as rules for the lexer."""

import re

from slowwave.text.calendar_feasts import EN_FEASTS
from slowwave.text.calendar_math import (
    ORDINALS,
    WEEKDAYS,
    coming,
    latest,
    nth_weekday,
    shift,
    weekday_of_week,
)
from slowwave.text.dates_days import day_number, from_today, month_end, monthly
from slowwave.text.dates_en_frames import LEAD, step_of
from slowwave.text.dates_en_words import MONTH, ORD, WEEKDAY, N, weekday_of
from slowwave.text.dates_numeric import en_number, en_ordinal
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
from slowwave.text.dates_zh import plain_weekday
from slowwave.text.dates_zh_year import yearly_feast

# ── days ────────────────────────────────────────────────────────────────────────────────────────

_WORDS: tuple[tuple[str, int, Named | None], ...] = (
    (r"(?:the\s+)?day\s+after\s+tomorrow|overmorrow", 2, None),
    (r"(?:the\s+)?day\s+before\s+yesterday|ereyesterday", -2, None),
    (r"(?:the\s+)?night\s+before\s+last", -2, "night"),
    (r"tomorrow|tmrw?|tomoz|2moro|tomorow|tommorow|tommorrow", 1, None),
    (r"(?<!USA\s)today|2day", 0, None),
    (r"tonight|tonite|2nite", 0, "evening"),
    (r"yesterday", -1, None),
    (r"last\s+(?:night|evening)", -1, "evening"),
    (r"this\s+morning", 0, "morning"),
    (r"this\s+(?:afternoon|arvo)", 0, "afternoon"),
    (r"this\s+evening", 0, "evening"),
)


def _one_weekday(match: re.Match[str]) -> Sense | None:
    wd, step = weekday_of(match["d"]), step_of(match)
    word = match["w"].casefold()

    def alone(scene: Scene) -> Found:
        if step < 0:
            return latest(scene.today, wd)
        if step > 0 and word not in ("next", "following"):
            return shift(coming(shift(scene.today, 1) or scene.today, wd), 0)
        if step > 0:
            return weekday_of_week(scene.today, 1, wd)
        this = weekday_of_week(scene.today, 0, wd)
        return (
            this if this and (this >= scene.today or scene.tense < 0) else coming(scene.today, wd)
        )

    return Day(alone, label=WEEKDAYS[wd])


def _weekday_beyond(match: re.Match[str]) -> Sense | None:
    """the Friday after next, the Tuesday before last."""
    wd = weekday_of(match["d"])
    if match["w"].casefold().startswith("after"):
        return Day(lambda scene: shift(coming(shift(scene.today, 1) or scene.today, wd), 7))
    return Day(lambda scene: shift(latest(scene.today, wd), -7))


def _weekday_week(match: re.Match[str]) -> Sense | None:
    """Thursday week, Monday fortnight, tomorrow week."""
    wd = weekday_of(match["d"])
    days = 14 if match["u"].casefold() == "fortnight" else 7
    return Day(lambda scene: shift(coming(scene.today, wd), days))


def _weeks_ago_weekday(match: re.Match[str]) -> Sense | None:
    """two weeks ago Friday: the Friday of that week."""
    wd = weekday_of(match["d"] or match["e"])
    count = 2 if "fortnight" in match.group().casefold() else en_number(match["n"] or match["k"])
    return Day(lambda scene: weekday_of_week(scene.today, -count, wd)) if count else None


def _weekdays_ago(match: re.Match[str]) -> Sense | None:
    """three Fridays ago, two Mondays from now."""
    wd, count = weekday_of(match["d"]), en_number(match["n"])
    if not count:
        return None
    if match["w"].casefold() == "ago":
        return Day(lambda scene: shift(latest(scene.today, wd), -7 * (count - 1)))
    return Day(
        lambda scene: shift(coming(shift(scene.today, 1) or scene.today, wd), 7 * (count - 1))
    )


_TITLE = re.compile(r"\s[A-Z][a-z]+")


_OF_TIME = re.compile(
    r"\s(?:January|February|March|April|May|June|July|August|September|"
    r"October|November|December|I|Jan|Feb|Mar|Apr|Jun|"
    r"Jul|Aug|Sept?|Oct|Nov|Dec|Mon|Tue|Wed|Thu|Fri|Sat|Sun|At|On|From|To|"
    r"And|Or|Morning|Night|Afternoon|Evening)\b"
)


_GROUP = re.compile(
    r"\s(?:Club|Times|Group|Society|Bar|Café|Cafe|Press|Night\s[A-Z]|Band|"
    r"Project|Review|Post|Magazine|Market|School|League|"
    r"Morning\s[A-Z]|Street|Road|Lane|Next|Mail|Girls?|Boys|Addams|Service\sInc)"
)


_SOMEONE = re.compile(r"(?<![.!?:;,\n])(?:^|\s)(?P<w>[A-Z][\w'’-]+)\s$")


_IS_NAME = re.compile(
    r"[^.!?\n]{0,12}\b(?:name|called|band|song|album|film|movie|novel|book|"
    r"club|brand|pub|title|team|racehorse|horse|boat)\b",
    re.IGNORECASE,
)


_IS_NOW = re.compile(
    r"\b(?:it['’]?s|it is|today|today is|this is|being)[,\s]+(?:a\s)?$", re.IGNORECASE
)
"""Says that the weekday that follows is today; else who means today says so."""


_SOME_DAY = re.compile(r"\s(?:in|of|next|sometime)\b", re.IGNORECASE)
"""After "a Sunday": which one is not said."""


def _plain_weekday(match: re.Match[str]) -> Sense | None:
    text, (start, end) = match.string, match.span()
    word, short = (
        match["d"],
        len(match["d"].rstrip(".")) <= 5 and not match["d"].casefold().endswith("day"),
    )
    if (
        short
        and not word[0].isupper()
        and word.casefold() not in ("tues", "weds", "thurs", "fri", "wed", "mon")
    ):
        return None
    if short and not _short_weekday(text, start, end):
        return None
    before = text[max(0, start - 24) : start]
    if word[0].isupper() and _part_of_name(text, before, end):
        return None
    if re.search(r"\b(?:a|an|some)\s$", before) and _SOME_DAY.match(text, end):
        return None
    wd = weekday_of(word)
    return plain_weekday(wd, today=bool(_IS_NOW.search(before)))


def _part_of_name(text: str, before: str, end: int) -> bool:
    """The Friday Club, Agincourt Sunday is the name of their band."""
    after = text[end : end + 40]
    if _GROUP.match(after):
        return True
    if re.search(r"\b[Tt]he\s$", before) and _TITLE.match(after) and not _OF_TIME.match(after):
        return True
    someone = _SOMEONE.search(before)
    known = someone is not None and someone["w"].casefold() not in (
        "on",
        "this",
        "next",
        "last",
        "by",
        "every",
        "see",
        "until",
        "i",
    )
    return known and bool(_IS_NAME.match(after))


def _short_weekday(text: str, start: int, end: int) -> bool:
    """Sat, Sun, Wed, Mon are words of their own: something must say they are days."""
    before, after = text[max(0, start - 10) : start], text[end : end + 12]
    led = re.search(
        r"(?:\b(?:on|by|this|next|last|until|till|til|from|to|before|after|"
        r"since|each|every|coming|or|and)\s|[(,–-]\s?|^)$",
        before,
        re.IGNORECASE,
    )
    followed = re.match(
        r"\.?,?\s?(?:\d|[-–—]|at\b|\)|morning|night|evening|afternoon|noon|to\b|"
        r"next\b|this\b|last\b|the\s\d|[A-Z][a-z]{2}\b\s\d|$|[,.!?;])",
        after,
    )
    return (
        bool(led and followed)
        or bool(led and re.search(r"(?:on|by|this|next|last|until)\s$", before, re.IGNORECASE))
        or bool(
            followed and re.match(r"\.?,?\s?(?:\d|at\b|morning|night|evening|afternoon)", after)
        )
    )


def _nth(match: re.Match[str]) -> Sense | None:
    """the third Wednesday, the last Friday of a month."""
    word, wd = match["o"].casefold(), weekday_of(match["d"])
    nth = -1 if word == "last" else en_ordinal(word) or 0
    if not (nth == -1 or 1 <= nth <= 5):
        return None
    label = f"{'last' if nth < 0 else ORDINALS[nth - 1]} {WEEKDAYS[wd]}"
    return monthly(lambda y, m: nth_weekday(y, m, wd, nth), label)


def _last_day(_match: re.Match[str]) -> Sense | None:
    return month_end()


def _the_ordinal(match: re.Match[str]) -> Sense | None:
    number = en_ordinal(match["o"])
    return day_number(number) if number and number <= 31 else None


_SURE_LEAD = re.compile(
    r"\b(?:on|by|until|till|til|since|before|after|from|for|to|through|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|"
    r"sunday)\s(?:the\s)?$",
    re.IGNORECASE,
)


_NO_NOUN = re.compile(
    r"\s*(?:$|[,.!?;:)\-–—\x00]|(?:of|at|in|and|or|to|we|i|he|she|they|you|"
    r"it|is|was|if|because|so|but|with|for|by|please|as|then|when|when|the|"
    r"this|next|last|from|not|works?|instead|through|until|around|about|my|"
    r"our|his|her)\b)",
    re.IGNORECASE,
)


def _ordinal_doubt(match: re.Match[str]) -> bool:
    """the 15th counts alone after a word of time, and where no noun follows (the 3rd floor)."""
    text = match.string
    led = _SURE_LEAD.search(
        text[max(0, match.start() - 14) : match.start()]
        + ("the " if match.group().casefold().startswith("the") else "")
    )
    free = _NO_NOUN.match(text, match.end())
    return not (
        free
        and match["o"][0].isdigit()
        and (led or re.match(r"\s*(?:$|[.,!?])", text[match.end() : match.end() + 3]))
    )


def _beside(match: re.Match[str]) -> Sense | None:
    """two days before, a week from, a fortnight after: a distance from the day that follows."""
    count = en_number(match["n"]) if match["n"] else 1
    if match["n"] and match["n"].casefold() == "couple of":
        count = 2
    if not count:
        return None
    sign = -1 if match["w"].casefold() in ("before", "prior to", "ahead of") else 1
    unit = match["u"].casefold()
    if unit.startswith(("month", "year")):
        return Shift(months=sign * count * (12 if unit.startswith("y") else 1))
    return Shift(days=sign * count * {"d": 1, "n": 1, "w": 7, "f": 14}[unit[0]])


_FEAST_THINGS = (
    r"(?!\s(?:trees?|cards?|carols?|jumpers?|lights|songs?|album|movies?|"
    r"pudding|island|decorations?|presents?|gifts?|eggs?|bunny|costumes?|"
    r"sweaters?|market|stocking|crackers?|Island))"
)


_SUFFIX = r"(?:['’]s)?"


def _weekday_beside(match: re.Match[str]) -> Sense | None:
    """the Tuesday after, the Monday before a day that follows."""
    before = match["w"].casefold() == "before"
    return Shift(days=-1 if before else 1, weekday=weekday_of(match["d"]))


_A_DATE = "|".join([*(names for names, _feast in EN_FEASTS), MONTH, ORD, r"\d{1,2}\b"])


def _weekday_next(match: re.Match[str]) -> Sense | None:
    """Wednesday next, Friday last."""
    wd = weekday_of(match["d"])
    if match["w"].casefold() == "last":
        return Day(lambda scene: latest(scene.today, wd))
    return Day(lambda scene: weekday_of_week(scene.today, 1, wd))


EN_DAY_RULES: tuple[Rule, ...] = (
    rule(
        rf"(?<![A-Za-z])(?P<d>{WEEKDAY})\s+(?P<w>next|last)(?=\s*(?:$|[,.;!?]|at\b))",
        _weekday_next,
    ),
    rule(
        rf"(?:the\s+)?week\s+of\s+(?:the\s+)?(?=(?:{_A_DATE}))",
        constant(Shift(weekday=WHOLE_WEEK)),
    ),
    rule(
        rf"(?:the\s+)?(?P<d>{WEEKDAY})\s+(?P<w>before|after|"
        rf"following)\s+(?=(?:the\s+)?(?:{_A_DATE}))",
        _weekday_beside,
    ),
    *(rule(rf"\b(?:{words})\b", constant(from_today(days, name))) for words, days, name in _WORDS),
    rule(
        r"(?:the\s+)?(?P<o>first|second|third|fourth|fifth|last|[1-5](?:st|nd|"
        rf"rd|th))\s+(?P<d>{WEEKDAY})(?=\s+(?:of|in|each|every|next|this)\b)",
        _nth,
    ),
    rule(rf"{LEAD}\s+(?P<d>{WEEKDAY})\b", _one_weekday),
    rule(rf"(?:the\s+)?(?P<d>{WEEKDAY})\s+(?P<w>after\s+next|before\s+last)\b", _weekday_beyond),
    rule(rf"(?P<d>{WEEKDAY})\s+(?P<u>week|fortnight)\b(?!\s+(?:of|after|before))", _weekday_week),
    rule(
        r"(?:tomorrow|today)\s+(?:week|fortnight)\b",
        lambda m: from_today(
            (14 if m.group().casefold().endswith("fortnight") else 7)
            + m.group().casefold().startswith("tom")
        ),
    ),
    rule(
        rf"(?:(?P<n>{N})\s+weeks?|a\s+fortnight)\s+ago\s+(?:on\s+|last\s+|"
        rf"this\s+)?(?P<d>{WEEKDAY})\b|(?P<e>{WEEKDAY}),?\s+(?P<k>{N})\s+weeks?\s"
        r"+ago\b",
        _weeks_ago_weekday,
    ),
    rule(rf"(?P<n>{N})\s+(?P<d>{WEEKDAY})s\s+(?P<w>ago|from\s+now)\b", _weekdays_ago),
    rule(rf"(?<![A-Za-z])(?P<d>{WEEKDAY})(?:['’]s)?(?![A-Za-z]|['’]\w)\.?(?<!\.)", _plain_weekday),
    rule(r"(?:the\s+)?last\s+day(?=\s+of\s)", _last_day),
    rule(
        rf"(?:the\s+)?(?P<o>{ORD})(?=\s+(?:of\s+)?(?:the|this|next|last|each|"
        r"every)\s+(?:following\s+|coming\s+)?month\b)",
        _the_ordinal,
    ),
    rule(
        r"(?:the\s+)(?P<o>\d{1,2}(?:st|nd|rd|th))\b(?!\s+(?:of\s+(?!(?:the|this|"
        r"next|last|each|every)\b)))",
        _the_ordinal,
        _ordinal_doubt,
    ),
    rule(
        rf"(?:the\s+)?(?:(?P<n>{N}|couple\s+of)\s+)?(?P<u>days?|nights?|weeks?|"
        r"fortnights?|months?|years?)\s+(?P<w>before|prior\s+to|ahead\s+of|"
        r"after|from|on|following)\s+(?!now\b|that|then|work|school|we|i\b|he|"
        r"she|they|it\b)(?:the\s+)?",
        _beside,
    ),
    *(
        rule(
            rf"\b(?:the\s+)?(?:{names}){_FEAST_THINGS}(?![A-Za-z])",
            constant(yearly_feast(feast)),
        )
        for names, feast in EN_FEASTS
    ),
    rule(
        r"day-to-day|day\s+by\s+day|one\s+day|some\s+day|these\s+days|"
        r"the\s+other\s+day|second\s+nature|first\s+of\s+all|"
        r"twenty-first\s+century|\d+(?:st|th|nd|rd)\s+century|sunday\s+best|"
        r"black\s+friday\s+sale(?=\x00)|monday\s+blues|"
        r"groundhog\s+day\s+(?:movie|film)|casual\s+friday|may\s+as\s+well|"
        r"may\s+have",
        lambda _m: Void(),
    ),
)
"""Day words, weekdays, days of the month, feasts."""
