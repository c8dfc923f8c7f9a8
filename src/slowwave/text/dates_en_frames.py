"""English weeks, months, quarters, seasons and years, and parts of them, as rules for the lexer."""

import re

from slowwave.text.calendar_math import (
    Span,
    add_months,
    day,
    month_span,
    months_span,
    quarter_span,
    shift,
    week_span,
    year_span,
)
from slowwave.text.dates_days import choose, known_year, yearly
from slowwave.text.dates_en_words import YEAR, N
from slowwave.text.dates_numeric import en_number
from slowwave.text.dates_sense import Day, Found, Frame, Rule, Scene, Sense, always, rule

_EDGES = {"early": 0, "start": 0, "beginning": 0, "mid": 1, "middle": 1, "late": 2, "end": -1}


def _edge(match: re.Match[str]) -> Sense | None:
    """early, mid-, late, end of …: a slot in the frame that follows."""
    place = _EDGES[re.split(r"[\s-]", match["e"].casefold())[0]]
    return Day(
        lambda _scene: None,
        within=lambda span: cut(span, place),
        needs="any",
        label="last day" if place < 0 else "",
    )


def cut(span: Span, place: int) -> Found:
    """The early (0), middle (1) or late (2) part of a week, month, season or year; -1 its end."""
    first, last = span
    length = (last - first).days + 1
    if place < 0:
        # The end of a week is its Friday.
        return shift(first, 4) if length == 7 else last
    if length > 300:
        months = {0: (0, 3), 1: (5, 8), 2: (10, 12)}[place]
        a, b = add_months(first, months[0]), shift(add_months(first, months[1]), -1)
    else:
        days = {7: ((0, 1), (2, 2), (3, 4))}.get(length) or (
            ((0, 9), (10, 19), (20, length - 1)) if length < 32 else _thirds(length)
        )
        a, b = shift(first, days[place][0]), shift(first, days[place][1])
    return (a, b) if a and b else None


def _thirds(length: int) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
    third = length // 3
    return (0, third - 1), (third, 2 * third - 1), (2 * third, length - 1)


def _so_far(match: re.Match[str]) -> Sense | None:
    """earlier this year: up to yesterday; later this week: from tomorrow on."""
    unit, later = match["u"].casefold(), match["w"].casefold() != "earlier"

    def alone(scene: Scene) -> Found:
        span = _unit_span(unit, scene, 0)
        if span is None:
            return None
        a, b = (shift(scene.today, 1), span[1]) if later else (span[0], shift(scene.today, -1))
        return (a, b) if a and b and a <= b else span

    return Day(alone)


def _unit_span(unit: str, scene: Scene, step: int) -> Span | None:
    today = scene.today
    if unit == "week":
        return week_span(today, step)
    if unit == "month":
        first = add_months(today.replace(day=1), step)
        return month_span(first.year, first.month) if first else None
    if unit == "quarter":
        return quarter_span(today.year, (today.month - 1) // 3 + 1 + step)
    return year_span(today.year + step)


_STEPS = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "the": 0,
    "this past": -1,
    "this coming": 1,
    "next": 1,
    "coming": 1,
    "following": 1,
    "upcoming": 1,
}


LEAD = (
    r"(?:the\s+)?(?P<w>this\s+past|this\s+coming|last|past|previous|this|"
    r"current|next|coming|following|upcoming)"
)


def step_of(match: re.Match[str]) -> int:
    """-1, 0, 1 of last, this, next."""
    return _STEPS[re.sub(r"\s+", " ", match["w"].casefold())]


def _frame(match: re.Match[str]) -> Sense | None:
    if match["w"].casefold() == "past":
        return _up_to_today(match["u"].casefold())
    return _frame_day(match["u"].casefold(), step_of(match))


def _up_to_today(unit: str) -> Day:
    """the past week, month: it ends today."""
    months = {"month": 1, "quarter": 3, "year": 12}.get(unit, 0)

    def alone(scene: Scene) -> Found:
        first = add_months(scene.today, -months) if months else shift(scene.today, -7)
        return (first, scene.today) if first else None

    return Day(alone)


def _frame_day(unit: str, step: int) -> Day:
    frames: dict[str, Frame] = {"week": "week", "month": "month", "year": "year"}
    return Day(
        lambda scene: _unit_span(unit, scene, step),
        frame=frames.get(unit, ""),
        grain="day" if unit == "week" else "year" if unit == "year" else "month",
    )


def _frame_beyond(match: re.Match[str]) -> Sense | None:
    """the week after next, the month before last."""
    step = 2 if match["w"].casefold().startswith("after") else -2
    unit = match["u"].casefold()
    return _weekend_day(step) if unit == "weekend" else _frame_day(unit, step)


def _weekend_day(step: int | None) -> Day:
    def alone(scene: Scene) -> Found:
        week = week_span(scene.today, _weekend_step(step, scene))
        return _weekend_of(week) if week else None

    return Day(alone, within=_weekend_of, needs="week" if step is None else "", label="weekend")


def _weekend_step(step: int | None, scene: Scene) -> int:
    if step is None:
        return -1 if scene.tense < 0 and scene.today.weekday() < 5 else 0
    return step


def _weekend_of(span: Span) -> Span | None:
    saturday, sunday = shift(span[0], 5), shift(span[0], 6)
    return (saturday, sunday) if saturday and sunday else None


def _weekend(match: re.Match[str]) -> Sense | None:
    if not match["w"]:
        return _weekend_day(None)
    step = step_of(match)
    return _weekend_day(0 if "coming" in match["w"].casefold() else step)


# ── seasons, quarters, halves ───────────────────────────────────────────────────────────────────

_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


def _season_in(name: str, region: str, year: int) -> Span | None:
    """Three whole months, six later south of the equator."""
    start = _SEASONS[name] + (6 if region in ("au", "nz") else 0)
    first = day(year, (start - 1) % 12 + 1, 1)
    return months_span(first, 3) if first else None


def _season_day(name: str, step: int | None) -> Day:
    def alone(scene: Scene) -> Found:
        spans = [
            s
            for y in (-4, -3, -2, -1, 0, 1, 2)
            if (s := _season_in(name, scene.region, scene.today.year + y))
        ]
        if step is None or step == 0:
            return choose(list(spans), scene)
        if step > 0:
            return _season_in(name, scene.region, scene.today.year + step)
        over = [s for s in spans if s[1] < scene.today]
        return over[step] if len(over) >= -step else None

    return Day(
        alone,
        within=lambda span: _season_in(name, "", span[0].year),
        needs="year" if step is None else "",
        grain="month",
        label=name,
    )


def _season(match: re.Match[str]) -> Sense | None:
    return _season_day(match["s"].casefold(), step_of(match) if match["w"] else None)


def _seasons_ago(match: re.Match[str]) -> Sense | None:
    count = en_number(match["n"])
    return _season_day(match["s"].casefold(), -count) if count and count < 5 else None


def _season_year(match: re.Match[str]) -> Sense | None:
    name, year = match["s"].casefold(), int(match["y"])
    return Day(lambda scene: _season_in(name, scene.region, year), rank=3, grain="month")


def _quarter(match: re.Match[str]) -> Sense | None:
    word = (match["q"] or match["o"]).casefold()
    number = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}.get(word) or int(word[0])
    return yearly(lambda year: quarter_span(year, number), label=f"Q{number}")


def _half_year(match: re.Match[str]) -> Sense | None:
    second = match.group().casefold().startswith(("second", "h2", "the second", "back", "latter"))

    def within(year: int) -> Found:
        first = day(year, 7 if second else 1, 1)
        return months_span(first, 6) if first else None

    return yearly(within, label="half")


def _year(match: re.Match[str]) -> Sense | None:
    year = int(match["y"] or match["y2"])
    return known_year(lambda _scene: year, relative=False)


def _last_of(match: re.Match[str]) -> Sense | None:
    return _end_of(match["u"].casefold())


def _end_word(match: re.Match[str]) -> Day | None:
    unit = re.split(r"[- ]", match.group().casefold().removeprefix("the "))[0].strip()
    return _end_of(unit)


def _end_of(unit: str) -> Day:
    """The last day of this week (its Sunday), month, quarter or year."""
    return Day(lambda scene: span[1] if (span := _unit_span(unit, scene, 0)) else None)


EN_FRAME_RULES: tuple[Rule, ...] = (
    rule(
        rf"(?<=\bfrom\s){YEAR}(?=\s?(?:to|until|through|till|-|–)\s?(?:19|"
        r"20)\d\d\b)|(?<=\bbetween\s)(?P<y2>(?:19|20)\d\d)(?=\sand\s(?:19|"
        r"20)\d\d\b)",
        _year,
    ),
    rule(
        r"(?:the\s+)?(?P<e>early|start\s+of|beginning\s+of|mid|middle\s+of|late|"
        r"end\s+of)(?:\s+|-)(?:(?:in|on|of)\s+)?",
        _edge,
        lambda _m: True,
    ),
    rule(
        r"(?<=\bof\s)(?:the\s)(?P<u>week|month|quarter|year)\b",
        lambda m: _frame_day(m["u"].casefold(), 0),
        lambda _m: True,
    ),
    rule(r"(?:the\s+)?(?:week|month|year)[- ]end\b(?<!weekend)", _end_word),
    rule(
        r"(?P<w>earlier|later|(?:the\s)?rest\s+of)\s+(?:on\s+)?th(?:is|"
        r"e)\s+(?P<u>week|month|quarter|year)\b",
        _so_far,
    ),
    rule(
        rf"(?:all\s+(?:of\s+)?|during\s+|throughout\s+)?{LEAD}\s+(?:whole\s+|"
        r"entire\s+|full\s+|calendar\s+)?(?P<u>week|month|quarter|"
        r"year)\b(?!['’]s\s+time|-)",
        _frame,
    ),
    rule(
        r"(?:the\s+)?(?P<u>week|month|quarter|year|"
        r"weekend)\s+(?P<w>after\s+next|before\s+last)\b",
        _frame_beyond,
    ),
    rule(
        rf"(?:(?:over|at|on|during|for|all)\s+)?(?:{LEAD}|" r"the(?P<none>))\s+weekend\b(?!s)",
        _weekend,
    ),
    rule(rf"{LEAD}\s+(?P<s>spring|summer|autumn|fall|winter)\b", _season),
    rule(
        r"(?:(?<=\bin\s)|(?<=\bby\s)|(?<=\bsince\s)|(?<=\buntil\s)|"
        r"(?<=\bearly\s)|(?<=\blate\s)|(?<=\bof\s)|"
        r"(?<=\bin\sthe\s))(?P<w>)(?P<s>spring|summer|autumn|"
        r"winter)\b(?!\s(?:roll|break|clothes))",
        _season,
    ),
    rule(rf"(?P<n>{N})\s+(?P<s>spring|summer|autumn|fall|winter)s\s+ago\b", _seasons_ago),
    rule(rf"(?P<s>spring|summer|autumn|fall|winter)\s+(?:of\s+)?{YEAR}\b", _season_year),
    rule(
        r"(?:\bQ(?P<q>[1-4])\b|(?:the\s+)?(?P<o>first|second|third|fourth|last|"
        r"[1-4](?:st|nd|rd|th))\s+quarter\b(?!\s+of\s+(?!the\s+year|(?:19|20)\d\d|this|last"
        r"|next|fiscal))(?!\s?-?(?:final|mile|back|"
        r"century)))",
        _quarter,
    ),
    rule(
        r"\bH[12]\b|(?:the\s+)?(?:first|second|back|"
        r"latter)\s+half\s+of\s+(?:the\s+year\b|(?=(?:19|20)\d\d|this\syear|"
        r"next\syear|last\syear))",
        _half_year,
    ),
    rule(
        r"(?:(?<=\bin\s)|(?<=\bsince\s)|(?<=\buntil\s)|(?<=\bby\s)|(?<=\bof\s)|"
        r"(?<=\bbefore\s)|(?<=\bafter\s)|(?<=\bduring\s)|(?<=\bQ[1-4]\s)|"
        r"(?<=\blate\s)|(?<=\bearly\s)|(?<=\bmid-)|(?<=\bcirca\s)|"
        rf"(?<=\bChristmas\s)|(?<=\bEaster\s)){YEAR}(?![\d.,]\d|s\b|\s?(?:people|"
        r"dollars|euros|pounds|units|meters|metres|km|miles|users|items|square|"
        r"kg|rows|lines|pages|words))",
        _year,
    ),
    rule(r"(?:the\s+)?last\s+day\s+of\s+the\s+(?P<u>week|month|quarter|year)\b", _last_of),
    rule(rf"(?<![\w.:/#$£€-]){YEAR}(?![\d:/-]|[.,]\d|s\b)", _year, always),
)
"""Weeks, months, quarters, seasons, years."""
