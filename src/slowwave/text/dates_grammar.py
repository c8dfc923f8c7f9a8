"""The grammar: parts that stand side by side become one phrase, two phrases a range.

    phrase := (day | daytime | clock | zone | shift | every | moment)+      in any order
    range  := phrase joiner phrase

A day slot goes into the frame beside it (下个月 + 3号, Friday + of next week); of two days for the
same thing the fuller one counts (Friday 3 July). What does not fit begins a new phrase.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from slowwave.text.calendar_math import WEEKDAYS
from slowwave.text.dates_days import nested, on_weekday
from slowwave.text.dates_sense import (
    Clock,
    Day,
    Daytime,
    Every,
    Moment,
    Part,
    Scene,
    Shift,
    Void,
    Zone,
)

_GLUE = re.compile(
    r"(?:[ \t]*[,，(（)）]?[ \t]*|[ \t]*[的之][ \t]*|T"
    r"|[ \t]*[,(]?[ \t]*(?:(?:at|on|by|in|of|the|from|around|about|say|"
    r"before|after|for|during|this|that|starting|"
    r"sharp|promptly|@|-|–|—|bright and early|some time|sometime|until|till|"
    r"to be precise|exactly)[ \t]+){1,3})",
    re.IGNORECASE,
)
_JOINER = re.compile(
    r"[ \t]*(?:到|至|直到|[-–—~～]{1,2}|(?:right |"
    r"straight |all the way )?(?:to|through|"
    r"thru|until|till|til))[ \t]*(?:the[ \t]+|"
    r"at[ \t]+)?",
    re.IGNORECASE,
)
_AND = re.compile(r"[ \t]*(?:and|&|和|与)[ \t]*(?:the[ \t]+|on[ \t]+)?", re.IGNORECASE)
_ALSO = re.compile(
    r"[ \t]*(?:and|&|和|、|,|，|及|" r",[ \t]*and)[ \t]*(?:at[ \t]+|on[ \t]+)?", re.IGNORECASE
)
_BETWEEN = re.compile(r"(?:\bbetween|在|介于)[ \t]+(?:the[ \t]+)?$", re.IGNORECASE)


@dataclass
class Phrase:
    """Parts joined to one expression; `joins` = a range goes on in the next phrase."""

    start: int
    end: int
    day: Day | None = None
    daytimes: list[Daytime] = field(default_factory=list)
    clocks: list[Clock] = field(default_factory=list)
    every: Every | None = None
    moment: Moment | None = None
    shift: Shift | None = None
    zone: Zone | None = None
    frame: Day | None = None
    size: int = 0
    sure: bool = False
    joins: bool = False

    @property
    def empty(self) -> bool:
        """Whether there is nothing to resolve."""
        return not (self.day or self.clocks or self.every or self.moment)


def phrases(text: str, parts: list[Part], scene: Scene) -> list[Phrase]:
    """The phrases of a text in order."""
    made: list[Phrase] = []
    open_one: Phrase | None = None
    for part in parts:
        if isinstance(part.sense, Void):
            open_one = None
            continue
        gap = text[open_one.end : part.start] if open_one else ""
        if open_one and len(gap) <= 30:
            if _glued(open_one, part, gap) and _take(open_one, part, gap, scene):
                continue
            open_one.joins = _joined(text, open_one, gap)
        open_one = Phrase(part.start, part.start)
        _take(open_one, part, "", scene)
        made.append(open_one)
    return made


def _glued(phrase: Phrase, part: Part, gap: str) -> bool:
    """Whether a gap only holds two parts together; recurrences also take lists."""
    if _GLUE.fullmatch(gap):
        return True
    listed = phrase.every is not None and isinstance(part.sense, Clock | Daytime | Day)
    return listed and bool(_ALSO.fullmatch(gap))


def _joined(text: str, phrase: Phrase, gap: str) -> bool:
    if _JOINER.fullmatch(gap):
        return True
    before = text[max(0, phrase.start - 14) : phrase.start]
    return bool(_AND.fullmatch(gap) and _BETWEEN.search(before))


def _take(phrase: Phrase, part: Part, gap: str, scene: Scene) -> bool:
    """Take a part into a phrase; False where it does not fit."""
    match part.sense:
        case Day() as day:
            fits = _take_day(phrase, day, gap, scene)
        case Clock() as clock:
            fits = not phrase.moment and (not phrase.clocks or phrase.every is not None)
            phrase.clocks += [clock] if fits else []
        case Daytime() as daytime:
            fits = not phrase.moment and (
                not phrase.clocks or phrase.every is not None or gap.strip() != ","
            )
            phrase.daytimes += [daytime] if fits else []
        case Every() as every:
            both = _both(phrase.every, every) if phrase.every else every
            fits = both is not None and not phrase.moment
            phrase.every = both if fits else phrase.every
        case Moment() as moment:
            fits = phrase.size == 0
            phrase.moment = moment if fits else phrase.moment
        case Shift() as shift:
            fits = phrase.shift is None and not phrase.clocks
            phrase.shift = shift if fits else phrase.shift
        case Zone() as zone:
            fits = phrase.zone is None
            phrase.zone = zone if fits else phrase.zone
        case Void():
            fits = False
    if fits:
        phrase.size += 1
        phrase.sure |= not part.doubt or phrase.size > 1
        phrase.end = part.end
    return fits


def _both(first: Every, second: Every) -> Every | None:
    """`biweekly` + `on Fridays`; None where two recurrences are two."""
    names = second.base.removeprefix("every ")
    if "week" not in first.base or not names.startswith(WEEKDAYS):
        return None
    base = first.base if first.base != "every week" else "every"
    return Every(f"{base} {names}", "", second.tail)


def _take_day(phrase: Phrase, day: Day, gap: str, scene: Scene) -> bool:
    if phrase.moment:
        return False
    known = phrase.day
    if known is None:
        phrase.day = day
        return True
    if phrase.every and known.label and known.needs == day.needs and not phrase.clocks:
        phrase.day = replace(known, label=f"{known.label},{day.label}")
        return True
    together = nested(known, day)
    phrase.frame = known if together else phrase.frame
    if together is None:
        together = nested(day, known)
        phrase.frame = day if together else phrase.frame
    together = together or _narrowed(phrase.frame, known, day)
    together = together or _apposed(known, day, gap, scene)
    if together is not None and known.daytime and together.daytime is None:
        together = replace(together, daytime=known.daytime)
    phrase.day = together or known
    return together is not None


def _narrowed(frame: Day | None, known: Day, day: Day) -> Day | None:
    """月底 28 号: the day of the month counts, in the frame that the end stands in."""
    if known.label != "last day" or day.needs != "month" or not day.label.isdigit():
        return None
    return nested(frame, day) if frame is not None else day


def _apposed(first: Day, second: Day, gap: str, scene: Scene) -> Day | None:
    """The fuller of two days that name the same (周四，6月18号; tomorrow, 3 May); else None."""
    fuller, other = (second, first) if second.rank > first.rank else (first, second)
    if other.rank == 0 and fuller.rank > 0 and not fuller.frame and fuller.grain == "day":
        return on_weekday(fuller, other.label)
    bracketed = bool(re.search(r"[(（]", gap))
    # 今天 2026-02-15: what is written out counts, whatever the day it is read on.
    written = fuller.rank == 3 and other.rank == 1 and not fuller.frame and not gap.strip(" :：")
    if (bracketed and fuller.rank > other.rank) or written:
        return fuller
    same = fuller.rank >= 1 and fuller.alone(scene) == other.alone(scene)
    return fuller if same else None


def pairs(found: list[Phrase]) -> Iterator[tuple[Phrase, Phrase | None]]:
    """Each phrase, or two that make a range."""
    position = 0
    while position < len(found):
        phrase = found[position]
        if phrase.joins and position + 1 < len(found) and not found[position + 1].every:
            yield phrase, found[position + 1]
            position += 2
        else:
            yield phrase, None
            position += 1
