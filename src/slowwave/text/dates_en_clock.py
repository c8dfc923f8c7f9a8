"""English hours, stretches of the day and distances from now, as rules for the lexer."""

import re

from slowwave.text.calendar_math import add_months, shift
from slowwave.text.dates_en_words import HOUR, N
from slowwave.text.dates_numeric import clock, en_number
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
    always,
    constant,
    rule,
)
from slowwave.text.dates_zh_clock import grain_of, moved_day

# ── hours ───────────────────────────────────────────────────────────────────────────────────────


def _half_of(match: re.Match[str]) -> str:
    return (match.groupdict().get("half") or "").casefold()


def _past_to(match: re.Match[str]) -> Sense | None:
    """quarter past six, ten to eight, quarter past noon."""
    if re.search(
        r"\b(?:from|between)\s$",
        match.string[max(0, match.start() - 8) : match.start()],
        re.IGNORECASE,
    ):
        return None
    word = match["n"].casefold()
    minutes = {"quarter": 15, "a quarter": 15, "half": 30}.get(word) or en_number(word)
    hour_word = match["h"].casefold()
    if not minutes or minutes > 59:
        return None
    noon = {"noon": 12, "midday": 12, "midnight": 0}
    hour = noon.get(hour_word, en_number(hour_word))
    if hour is None:
        return None
    if match["w"].casefold() in ("to", "before", "till", "til", "of"):
        hour, minutes = (hour - 1) % 24 if hour_word in noon else (hour - 2) % 12 + 1, 60 - minutes
    if hour_word in noon:
        return Clock(hour, minutes, "24")
    return clock(hour, minutes, _half_of(match))


def _british_half(match: re.Match[str]) -> Sense | None:
    hour = en_number(match["h"])
    return clock(hour, 30, _half_of(match)) if hour else None


def _oclock(match: re.Match[str]) -> Sense | None:
    hour = en_number(match["h"])
    minute = (
        en_number(match["m"].split()[-1] if match["m"].casefold().startswith("oh ") else match["m"])
        if match["m"]
        else 0
    )
    return clock(hour, minute or 0, _half_of(match)) if hour else None


def _bare_hour(match: re.Match[str]) -> Sense | None:
    hour = en_number(match["h"])
    return clock(hour, 0) if hour and hour <= 12 else None


_ALONE = re.compile(
    r"\s*(?:$|[,.!?;:)]|(?:sharp|on the dot|for|with|so|and|if|please|"
    r"as usual|then|because|but|or|local|today|when|to)\b)",
    re.IGNORECASE,
)


def _hour_doubt(match: re.Match[str]) -> bool:
    """`at 7` counts alone where the sentence ends or goes on without a noun."""
    text = match.string
    led = re.search(
        r"(?:\bat|@)\s$", text[max(0, match.start() - 4) : match.start()], re.IGNORECASE
    )
    return not (led and _ALONE.match(text, match.end()))


def _pair_doubt(_match: re.Match[str]) -> bool:
    return True


def _second_of_pair(match: re.Match[str]) -> Sense | None:
    """The 4 of `between 2 and 4`, the 5 of `from 9 to 5`."""
    before = match.string[max(0, match.start() - 34) : match.start()]
    if not re.search(
        rf"\b(?:between\s{HOUR}(?::\d\d)?\s?and|from\s{HOUR}(?::\d\d)?\s?(?:to|"
        rf"until|till)|{HOUR}(?::\d\d)?\s?(?:[ap]m)?\s?[-–—])\s?$",
        before,
        re.IGNORECASE,
    ):
        return None
    return _bare_hour(match)


# ── stretches of the day ────────────────────────────────────────────────────────────────────────

_DAYTIMES: tuple[tuple[str, Named], ...] = (
    (
        r"in\s+the\s+(?:early\s+)?morning|first\s+thing|at\s+dawn|at\s+sunrise|"
        r"before\s+breakfast",
        "morning",
    ),
    (r"in\s+the\s+small\s+hours|in\s+the\s+wee\s+hours", "dawn"),
    (
        r"(?:early\s+|late\s+|mid-?)?morning(?!\s+(?:everyone|all|team|glory|" r"folks|sickness))",
        "morning",
    ),
    (r"(?:at\s+)?lunch\s?time|at\s+midday", "noon"),
    (
        r"in\s+the\s+(?:late\s+|early\s+)?afternoon|(?:early\s+|late\s+|" r"mid-?)?afternoon|arvo",
        "afternoon",
    ),
    (
        r"in\s+the\s+(?:late\s+|early\s+)?evening|(?:early\s+|late\s+)?evening|"
        r"at\s+dusk|at\s+sunset|eve(?=\s|$)",
        "evening",
    ),
    (r"at\s+night|(?:late\s+)?night|in\s+the\s+night|late\s+at\s+night", "night"),
)


# ── distances ───────────────────────────────────────────────────────────────────────────────────

_MINUTES = {"min": 1, "minute": 1, "hour": 60, "hr": 60}


_UNIT = (
    r"minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|wks?|fortnights?|"
    r"months?|quarters?|years?|yrs?|decades?"
)


_AMOUNT = (
    r"(?P<n>half\s+an?|an?\s+couple(?:\s+of)?|a\s+couple(?:\s+of)?|"
    rf"couple(?:\s+of)?|{N})(?P<h>\s+and\s+a\s+half)?\s+(?P<u>{_UNIT})\b"
    r"(?P<h2>\s+and\s+a\s+half\b)?"
)


def _amount(match: re.Match[str]) -> tuple[int, int, int] | None:
    """(minutes, days, months) of an amount; exactly one is not 0."""
    word = re.sub(r"\s+", " ", match["n"].casefold())
    count = 0.5 if word.startswith("half") else 2 if "couple" in word else en_number(word)
    if not count:
        return None
    amount = count + (0.5 if match["h"] or match["h2"] else 0)
    unit = match["u"].casefold().rstrip("s")
    if unit in _MINUTES:
        return round(amount * _MINUTES[unit]), 0, 0
    days = {"day": 1, "night": 1, "week": 7, "wk": 7, "fortnight": 14}.get(unit)
    if days:
        return 0, round(amount * days), 0
    months = amount * {"month": 1, "quarter": 3, "year": 12, "yr": 12, "decade": 120}[unit]
    return (0, 0, int(months)) if months == int(months) else (0, round(months * 30), 0)


def _distance(match: re.Match[str]) -> Sense | None:
    moved = _amount(match)
    if moved is None:
        return None
    past = (match["w"] or "").casefold() in ("ago", "back", "earlier")
    minutes, days, months = (-n if past else n for n in moved)
    if minutes:
        return Moment(minutes)
    return moved_day(days, months, grain_of(months))


def _stretch_of(match: re.Match[str]) -> Sense | None:
    """within three days, the next two weeks: from today on; the past month: up to today."""
    word = (match["w"] or match["w2"]).casefold()
    sign = -1 if word in ("past", "last", "previous") else 1
    moved = _amount(match)
    if moved is None or moved[0]:
        return None

    def alone(scene: Scene) -> Found:
        other = (
            add_months(scene.today, sign * moved[2])
            if moved[2]
            else shift(scene.today, sign * moved[1])
        )
        return (min(other, scene.today), max(other, scene.today)) if other else None

    return Day(alone)


EN_CLOCK_RULES: tuple[Rule, ...] = (
    rule(
        rf"\b(?P<n>(?:a\s)?quarter|half|{N})(?:\s+minutes?)?\s+(?P<w>past|to|"
        rf"before|till|til|after|of)\s+(?P<h>{HOUR}|noon|midday|"
        r"midnight)\b(?!\s?%|:\d)(?:\s?(?P<half>[ap]m\b|[ap]\.m\b\.?))?",
        _past_to,
        lambda m: (
            m["w"].casefold() in ("to", "of", "before", "after")
            and not re.search(r"quarter|half", m["n"], re.IGNORECASE)
            and not re.search(
                r"\b(?:at|by|say|around|until|till|from|about|@)\s$",
                m.string[max(0, m.start() - 7) : m.start()],
                re.IGNORECASE,
            )
        ),
    ),
    rule(
        rf"\bhalf\s+(?P<h>{HOUR})\b(?!\s+(?:a|of|percent|price|cups?|hours?|"
        r"days?|minutes?|weeks?|inch))(?:\s?(?P<half>[ap]\.?m\b))?",
        _british_half,
        lambda m: (
            not re.search(
                r"\b(?:at|by|around|till|until|til|from|about|for|to)\s$",
                m.string[max(0, m.start() - 7) : m.start()],
                re.IGNORECASE,
            )
        ),
    ),
    rule(rf"\b(?P<h>{HOUR})(?P<m>)\s?o['’]?\s?clock\b", _oclock),
    rule(
        r"\b(?P<h>one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
        r"twelve)[\s-](?P<m>oh\sfive|ten|fifteen|twenty(?:[- ]five)?|"
        r"thirty(?:[- ]five)?|forty(?:[- ]five)?|"
        r"fifty(?:[- ]five)?)\b(?!\s+(?:people|minutes|percent|dollars|pages|"
        r"hours|days|years|of))(?:\s?(?P<half>[ap]\.?m\b))?",
        _oclock,
        lambda m: (
            not m["half"]
            and not re.search(
                r"\b(?:at|by|around|till|until|from)\s$",
                m.string[max(0, m.start() - 7) : m.start()],
                re.IGNORECASE,
            )
        ),
    ),
    rule(
        rf"\b(?P<h>{HOUR})\s?(?P<half>[ap]m\b|[ap]\.m\b\.?)",
        lambda m: clock(en_number(m["h"]) or 99, 0, m["half"]),
    ),
    rule(
        r"(?:(?<=\bat\s)|(?<=\bby\s)|(?<=\baround\s)|(?<=\buntil\s)|"
        r"(?<=\btill\s)|(?<=\bsay\s)|(?<=\bbefore\s)|(?<=\bafter\s)|(?<=@\s)|"
        rf"(?<=@)|(?<=\babout\s)|(?<=\bfrom\s))(?P<h>{HOUR})\b(?![:.,/%]\d|\s?%|"
        r"[-–—/]|\s+(?:percent|degrees|dollars|pounds|euros|people|of|years?|"
        r"months?|days?|weeks?|hours?|minutes?|times?|points?|miles|km|per|"
        r"items?|more|other|options?|things?|places?|different|or\s))",
        _bare_hour,
        _hour_doubt,
    ),
    rule(
        rf"\b(?P<h>{HOUR})(?=\s+(?:this\s+(?:morning|afternoon|evening)|tonight|"
        r"every\s+(?:night|morning|evening|day|afternoon)|each\s+(?:night|"
        r"morning|evening|day)|in\s+the\s+(?:morning|afternoon|evening)|"
        r"at\s+night|tomorrow\b|sharp\b))",
        _bare_hour,
        always,
    ),
    rule(
        rf"(?<=\bbetween\s)(?P<h>{HOUR})(?=\s+and\s+{HOUR}\b)|"
        rf"(?<=\bfrom\s)(?P<h2>{HOUR})(?=\s+(?:to|until|till)\s+{HOUR}\b)",
        lambda m: clock(en_number(m["h"] or m["h2"]) or 99, 0),
        _pair_doubt,
    ),
    rule(
        rf"(?<![\d.:/-])\b(?P<h>{HOUR})(?=\s?(?:[-–—]|to|until|"
        rf"till)\s?{HOUR}(?::\d\d)?\s?[ap]\.?m\b)",
        _bare_hour,
        _pair_doubt,
    ),
    rule(rf"(?P<h>{HOUR})\b(?![:.]\d|\s?%|\s?[ap]\.?m\b)", _second_of_pair, _pair_doubt),
    rule(r"\b(?:12\s+)?(?:noon|midday)\b", lambda _m: Clock(12, 0, "24")),
    rule(r"\b(?:12\s+)?midnight\b", lambda _m: Clock(24, 0, "24")),
    *(rule(rf"\b(?:{words})\b", constant(Daytime(name)), always) for words, name in _DAYTIMES),
    rule(
        r"\b(?:in|within(?P<x>))\s+(?:about\s+|around\s+|roughly\s+|just\s+|"
        rf"another\s+)?{_AMOUNT}(?P<w>['’]?\s?time\b)?(?!\s+(?:a\s+row|total))",
        lambda m: (
            None
            if m["x"] is not None and not re.match(r"(?:min|hour|hr)", m["u"], re.IGNORECASE)
            else _distance(m)
        ),
    ),
    rule(
        rf"\b(?:just\s+over\s+|about\s+|around\s+)?{_AMOUNT}\s+(?P<w>ago|"
        r"back(?=[,.!?\s]|$)|from\s+(?:now|today))(?!\s+to\b)\b",
        _distance,
    ),
    rule(rf"\b{_AMOUNT}['’]?\s+(?P<w>time)\b", _distance),
    rule(
        r"\b(?:(?P<w>within)|(?:over\s+|in\s+|for\s+|"
        r"during\s+)?(?:the\s+)(?P<w2>next|coming|following|past|last|"
        rf"previous))\s+(?:the\s+next\s+)?{_AMOUNT}",
        lambda m: _stretch_of(m),
    ),
)
"""Hours, stretches of the day, distances."""
