"""What a piece of a time expression means, before it is known what stands beside it.

The lexers turn text into `Part`s; the grammar joins neighbours. A `Day` is a day or a span of
days, a frame for others (下个月, 2027) or a slot in one (3号, Friday); a `Clock` is a time of day
as said; a `Daytime` a stretch of the day; an `Every` what recurs; a `Moment` an exact distance
from now; a `Shift` a distance from the day beside it; a `Zone` whose clock is meant.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Literal

from slowwave.text.calendar_math import (
    Span,
)

Frame = Literal["", "year", "month", "week", "any"]
Named = Literal["dawn", "morning", "noon", "afternoon", "evening", "night"]
Grain = Literal["day", "month", "year"]
Found = date | Span | None


@dataclass(frozen=True)
class Scene:
    """What an expression is resolved against.

    `now` is aware, in the speaker's zone. `tense` is -2 surely past, -1 past, 1
    future, 0 unknown. `region` is
    `us`, `ca`, `gb`, `au`, `nz`, `cn` or "". `early` = the clause is about getting up.
    """

    now: datetime
    tense: int = 0
    region: str = ""
    early: bool = False

    @property
    def today(self) -> date:
        """The speaker's day."""
        return self.now.date()


Alone = Callable[[Scene], Found]
Within = Callable[[Span], Found]


@dataclass(frozen=True)
class Day:
    """A day or span of days.

    `alone` resolves it by itself, `within` in the frame it `needs`; `frame` is what it can hold.
    `label` is its name in recurring values. `rank` decides between two that stand side by side:
    3 a full date, 2 day and month, 1 relative, 0 a weekday. `grain` is how exact it is, `daytime`
    the stretch of the day its word carries (今晚, tonight). `explicit` = the words name the date
    itself (6月18号, 2019), nothing is counted from now.
    """

    alone: Alone
    within: Within | None = None
    needs: Frame = ""
    frame: Frame = ""
    label: str = ""
    rank: int = 1
    grain: Grain = "day"
    daytime: Named | None = None
    explicit: bool = False


@dataclass(frozen=True)
class Clock:
    """A time of day as said; `half` is "am", "pm", "24" when the half of the day is sure."""

    hour: int
    minute: int = 0
    half: Literal["", "am", "pm", "24"] = ""


@dataclass(frozen=True)
class Daytime:
    """A stretch of the day."""

    name: Named


@dataclass(frozen=True)
class Every:
    """Something that recurs: `base` is `every 2 weeks`, `every day`; `frame` what slots fit."""

    base: str
    frame: Frame = ""
    tail: str = ""


@dataclass(frozen=True)
class Moment:
    """A distance from now in real time, in minutes."""

    minutes: int


WHOLE_WEEK = 7
"""As a `Shift.weekday`: the week the day beside it is in."""


@dataclass(frozen=True)
class Shift:
    """A distance from the day beside it: days and months, or the next (days 1) or last (-1) such
    weekday.
    """

    days: int = 0
    months: int = 0
    weekday: int | None = None


@dataclass(frozen=True)
class Zone:
    """Whose clock is meant: an IANA key; "" = the other zone named in the text."""

    key: str


@dataclass(frozen=True)
class Void:
    """Looks like a time and is none; it keeps others from reading a part of it."""


Sense = Day | Clock | Daytime | Every | Moment | Shift | Zone | Void


@dataclass(frozen=True)
class Part:
    """A sense at a span. `doubt` = counts only beside another part."""

    start: int
    end: int
    sense: Sense
    doubt: bool = False


# ── lexing ──────────────────────────────────────────────────────────────────────────────────────

Make = Callable[[re.Match[str]], Sense | None]


@dataclass(frozen=True)
class Rule:
    """A pattern and the sense of what it matches (None = nothing after all).

    `doubt` says of a match whether it counts only beside another part.
    """

    source: str
    make: Make
    doubt: Callable[[re.Match[str]], bool] | None = None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when first needed: start-up pays for no rule, and no text for all of them."""
        return re.compile(self.source, re.IGNORECASE)


def rule(pattern: str, make: Make, doubt: Callable[[re.Match[str]], bool] | None = None) -> Rule:
    """A rule from the source of its pattern (any case)."""
    return Rule(pattern, make, doubt)


def constant(sense: Sense) -> Make:
    """The maker of a sense that does not depend on the match."""
    return lambda _match: sense


def always(_match: re.Match[str]) -> bool:
    """The doubt of what never counts alone."""
    return True


def lex(text: str, rules: Iterable[Rule]) -> list[Part]:
    """The parts of a text in order, the longest first where they overlap, then the earlier rule."""
    found: list[tuple[int, int, int, Part]] = []
    for order, each in enumerate(rules):
        for match in each.pattern.finditer(text):
            start, end = match.span()
            sense = each.make(match) if end > start else None
            if sense is not None:
                part = Part(start, end, sense, bool(each.doubt and each.doubt(match)))
                found.append((start, start - end, order, part))
    found.sort(key=lambda item: item[:3])
    parts: list[Part] = []
    for _start, _length, _order, part in found:
        if not parts or part.start >= parts[-1].end:
            parts.append(part)
    return parts
