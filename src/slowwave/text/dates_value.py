"""The value of a phrase or a range of two: local days and moments, or a recurrence."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time

from slowwave.text.calendar_math import (
    WEEKDAYS,
    add_months,
    coming,
    elapse,
    latest,
    settle,
    shift,
    week_span,
    year_span,
)
from slowwave.text.dates_days import absolute, nested
from slowwave.text.dates_grammar import Phrase
from slowwave.text.dates_sense import WHOLE_WEEK, Clock, Day, Every, Found, Named, Scene, Shift
from slowwave.text.dates_zones import load_zone

Point = date | datetime
"""A day, or a local moment without its zone."""


@dataclass(frozen=True)
class Value:
    """What a phrase stands for: a point or a stretch (inclusive), or `every` …

    `lasting`: it goes on, `last` is only the day of speaking.
    """

    first: Point | None = None
    last: Point | None = None
    every: str = ""
    lasting: bool = False


def value_of(phrase: Phrase, scene: Scene, their: str = "") -> Value | None:
    """The value of one phrase; None where it has none. `their` = the other zone in the text."""
    if phrase.every is not None:
        return Value(every=_recurrence(phrase, scene))
    if phrase.moment is not None:
        later = elapse(scene.now, phrase.moment.minutes)
        return _point(later.replace(tzinfo=None, second=0, microsecond=0)) if later else None
    found = _day_found(phrase, scene)
    if phrase.day is not None and found is None:
        return None
    if not phrase.clocks:
        return _days(found) if found is not None else None
    base = found if not isinstance(found, tuple) else found[0]
    moment = _moment(phrase, base, scene)
    return _point(_to_speaker(moment, phrase, scene, their)) if moment else None


def range_of(first: Phrase, second: Phrase, scene: Scene, their: str = "") -> Value | None:
    """The value of a range; None where the two do not make one."""
    if first.every is not None:
        return _recurring_days(first, second, scene) or _recurring_hours(first, second, scene)
    if _of_weekdays(first, second):
        return _recurring_days(replace(first, every=Every(f"every {_label(first)}")), second, scene)
    if first.moment or second.moment or _unlike(first, second):
        return None
    same_day = bool(second.clocks) and (second.day is None) != (first.day is None)
    first, second = _share(_framed(first, second, scene), second)
    a = value_of(first, scene, their)
    if a is None or a.first is None or a.last is None:
        return None
    if same_day and isinstance(a.first, datetime):
        second.day = absolute(a.first.date())
    b = value_of(second, _anchored(second, scene, a.first), their)
    if second.clocks and first.clocks and not is_sure(second):
        b = _after(second, a.first, scene)
    if b is None or b.first is None or b.last is None or _as_moment(b.last) <= _as_moment(a.first):
        return None
    return Value(a.first, b.last)


# ── days ────────────────────────────────────────────────────────────────────────────────────────


def _day_found(phrase: Phrase, scene: Scene) -> Found:
    if phrase.day is None:
        return None
    found = phrase.day.alone(scene)
    return _shifted(found, phrase.shift) if phrase.shift and found else found


def _shifted(found: date | tuple[date, date], by: Shift) -> Found:
    ends = found if isinstance(found, tuple) else (found, found)
    if by.weekday == WHOLE_WEEK:
        return week_span(ends[0])
    if by.weekday is not None:
        after = shift(ends[1], 1)
        return coming(after, by.weekday) if by.days > 0 and after else latest(ends[0], by.weekday)
    start = ends[0] if by.days < 0 or by.months < 0 else ends[1]
    return add_months(start, by.months) if by.months else shift(start, by.days)


def _days(found: date | tuple[date, date]) -> Value:
    first, last = found if isinstance(found, tuple) else (found, found)
    return Value(first, last)


def _point(moment: datetime) -> Value:
    return Value(moment, moment)


# ── moments ─────────────────────────────────────────────────────────────────────────────────────


def _daytime(phrase: Phrase) -> Named | None:
    if phrase.daytimes:
        return phrase.daytimes[-1].name
    return phrase.day.daytime if phrase.day else None


def _moment(phrase: Phrase, base: date | None, scene: Scene) -> datetime | None:
    clock, daytime = phrase.clocks[0], _daytime(phrase)
    # 昨晚凌晨两点, last night at 2 am: the night that began on that day.
    carried = phrase.day.daytime if phrase.day else None
    overnight = carried in ("evening", "night") and (daytime == "dawn" or clock.half == "am")
    sure = sure_hour(clock, daytime)
    if sure is not None:
        days, hour = (1, sure[1]) if overnight and sure[1] < 6 else sure
        if base is not None:
            return _at(base, days, hour, clock.minute)
        return _nearest([(days, hour)], clock.minute, scene)
    if base is not None:
        return _at(base, 0, _likely_hour(clock, base, scene), clock.minute)
    return _nearest([(0, h) for h in _wakeful(clock, scene)], clock.minute, scene)


def sure_hour(clock: Clock, daytime: Named | None) -> tuple[int, int] | None:
    """(days on, hour 0–23) where the words leave no doubt; None for a bare `at 7`."""
    hour = clock.hour
    if hour == 24 or (hour == 0 and daytime in ("evening", "night")):
        return 1, 0
    if clock.half == "24" or hour > 12:
        return 0, hour
    if clock.half:
        return 0, hour % 12 + (12 if clock.half == "pm" else 0)
    return _in_daytime(hour, daytime) if daytime else None


def _in_daytime(hour: int, daytime: Named) -> tuple[int, int]:
    """An hour 0–12 in a stretch of the day; after midnight an evening is on the next day."""
    match daytime:
        case "dawn":
            return 0, hour % 12
        case "morning":
            return 0, hour
        case "noon":
            return 0, hour if hour >= 10 else hour + 12
        case "afternoon":
            return 0, hour % 12 + 12
        case "evening" | "night":
            small = 3 if daytime == "evening" else 5
            return (1, hour % 12) if hour == 12 or hour <= small else (0, hour + 12)


def _likely_hour(clock: Clock, base: date, scene: Scene) -> int:
    """A bare hour on a known day: 1–6 in the afternoon, 7–12 before noon, unless that is over."""
    hour = clock.hour
    if hour == 12 or (scene.early and hour >= 4):
        return hour
    if hour <= 6:
        return hour + 12
    over = base == scene.today and time(hour, clock.minute) <= scene.now.time() and scene.tense >= 0
    return hour + 12 if over and hour + 12 > scene.now.hour else hour


def _wakeful(clock: Clock, scene: Scene) -> list[int]:
    """The hours of the day a bare `at 7` may be, small hours only at night."""
    early = scene.early and clock.hour >= 4
    hours = [clock.hour] if early else [clock.hour % 12, clock.hour % 12 + 12]
    night = scene.now.hour >= 22 or scene.now.hour < 5
    return [h for h in hours if h >= 6 or night or early] or hours


def _nearest(places: list[tuple[int, int]], minute: int, scene: Scene) -> datetime | None:
    """The next of some hours from now on, or the last when the clause is in the past."""
    now = scene.now.replace(tzinfo=None)
    moments = [
        m
        for d in (-1, 0, 1)
        for days, hour in places
        if (m := _at(scene.today, d + days, hour, minute))
    ]
    before = [m for m in moments if m <= now]
    after = [m for m in moments if m > now]
    if scene.tense < 0:
        return max(before, default=None)
    return min(after, default=None)


def _at(base: date, days: int, hour: int, minute: int) -> datetime | None:
    moved = shift(base, days)
    return datetime.combine(moved, time(hour % 24, minute)) if moved else None


def _to_speaker(moment: datetime, phrase: Phrase, scene: Scene, their: str) -> datetime:
    """A local moment of another zone in the speaker's; one in a clock change's gap moved on."""
    key = (phrase.zone.key or their) if phrase.zone else ""
    zone = load_zone(key) if key else None
    try:
        aware = settle(moment.replace(tzinfo=zone or scene.now.tzinfo))
        return aware.astimezone(scene.now.tzinfo).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return moment


# ── ranges ──────────────────────────────────────────────────────────────────────────────────────


def _unlike(first: Phrase, second: Phrase) -> bool:
    """Whether two phrases cannot be the ends of one range."""
    return (
        first.empty or second.empty or bool(first.clocks and not second.clocks and not second.day)
    )


def _share(first: Phrase, second: Phrase) -> tuple[Phrase, Phrase]:
    """Give each end the day, the stretch of the day and the half that only the other one says."""
    a, b = replace(first), replace(second)
    if a.clocks and not a.day and b.day:
        a.day = b.day
    elif b.clocks and not b.day and a.day:
        b.day = a.day
    if a.clocks and b.clocks and not is_sure(a) and is_sure(b):
        place = sure_hour(b.clocks[0], _daytime(b))
        if place is not None:
            hour = a.clocks[0].hour % 12
            late = hour + 12 <= place[1] if place[1] >= 12 else False
            a.clocks = [Clock(hour + 12 if late else hour, a.clocks[0].minute, "24")]
    if b.clocks and not b.daytimes and a.daytimes and not b.clocks[0].half:
        same = a.clocks and b.clocks[0].hour % 12 > a.clocks[0].hour % 12
        b.daytimes = list(a.daytimes) if same else []
    return a, b


def is_sure(phrase: Phrase) -> bool:
    """Whether a phrase's hour leaves no doubt about the half of the day."""
    return bool(phrase.clocks) and sure_hour(phrase.clocks[0], _daytime(phrase)) is not None


def _framed(first: Phrase, second: Phrase, scene: Scene) -> Phrase:
    """The first end in the frame that only the second names (Mon–Wed next week)."""
    day, other = first.day, second.day
    if day is None or other is None or not day.needs:
        return first
    inside = nested(second.frame, day) if second.frame else None
    if inside is None and day.needs == "year" and other.rank == 3:
        end = other.alone(scene)
        inside = _before_in_year(day, end) if end else None
    return replace(first, day=inside) if inside else first


def _before_in_year(day: Day, end: date | tuple[date, date]) -> Day | None:
    """A yearly day in the year of the end, or in the one before where it would come after."""
    last = end[1] if isinstance(end, tuple) else end
    for year in (last.year, last.year - 1):
        span = year_span(year)
        found = day.within(span) if day.within and span else None
        start = found[0] if isinstance(found, tuple) else found
        if start and start <= last:
            return absolute(found)
    return None


def _anchored(phrase: Phrase, scene: Scene, start: Point) -> Scene:
    """The second end counts from the first where it is a slot (12号, Wednesday)."""
    if phrase.day is None or not phrase.day.needs:
        return scene
    day = start.date() if isinstance(start, datetime) else start
    return replace(scene, now=datetime.combine(day, time(0), tzinfo=scene.now.tzinfo), tense=1)


def _after(phrase: Phrase, start: Point, scene: Scene) -> Value | None:
    """A bare hour that ends a stretch: the first one after its beginning."""
    if not isinstance(start, datetime):
        return None
    clock = phrase.clocks[0]
    day: Found = phrase.day.alone(scene) if phrase.day and phrase.day.rank >= 0 else None
    base = start.date() if not isinstance(day, date) or day < start.date() else day
    options = (_at(base, d, clock.hour % 12 + h, clock.minute) for d in (0, 1) for h in (0, 12))
    later = [m for m in options if m and m > start]
    return _point(min(later)) if later else None


def _as_moment(point: Point) -> datetime:
    return point if isinstance(point, datetime) else datetime.combine(point, time(23, 59))


# ── recurrences ─────────────────────────────────────────────────────────────────────────────────


def _recurrence(phrase: Phrase, scene: Scene) -> str:
    every, day = phrase.every, phrase.day
    if every is None:
        return ""
    base = every.base
    label = (
        day.label
        if day
        and (day.needs in (every.frame, "week") or day.rank == 0 or day.label.startswith("lunar"))
        else ""
    )
    if label and base == "every week":
        base = "every"
    words = [base, label] if label else [base]
    if phrase.clocks:
        words.append(",".join(_hours(phrase, every.tail, scene)))
    else:
        names = ",".join(d.name for d in phrase.daytimes) or every.tail
        words += [names] if names else []
    return " ".join(words)


_TAILS: dict[str, Named] = {"evening": "evening", "night": "evening", "morning": "morning"}


def _hours(phrase: Phrase, tail: str, scene: Scene) -> list[str]:
    names: list[Named | None] = [d.name for d in phrase.daytimes]
    if not names:
        names = [_TAILS.get(tail)]
    said = []
    for index, clock in enumerate(phrase.clocks):
        name = names[min(index, len(names) - 1)]
        place = sure_hour(clock, name)
        hour = place[1] if place else _habitual(clock, scene)
        said.append(f"{hour:02}:{clock.minute:02}")
    return said


def _habitual(clock: Clock, scene: Scene) -> int:
    """A bare hour of a habit: 1–5 in the afternoon, 6–12 as it is."""
    return clock.hour + 12 if clock.hour <= 5 and not scene.early else clock.hour


def _label(phrase: Phrase) -> str:
    """The weekday of a phrase that is a bare weekday, else ""."""
    return phrase.day.label if phrase.day and phrase.day.rank == 0 else ""


def _of_weekdays(first: Phrase, second: Phrase) -> bool:
    """Monday to Friday at 9: an hour for each of the days is a habit."""
    return bool(_label(first) and _label(second) and second.clocks and not first.clocks)


def _recurring_days(first: Phrase, second: Phrase, scene: Scene) -> Value | None:
    """every Monday through Thursday; `every Mon-Thu`."""
    begin, end = first.every.base.removeprefix("every ") if first.every else "", _label(second)
    if begin not in WEEKDAYS or not end or first.clocks:
        return None
    base = "every weekday" if (begin, end) == ("Mon", "Fri") else f"every {begin}-{end}"
    whole = replace(second, every=Every(base), day=None)
    return Value(every=_recurrence(whole, scene))


def _recurring_hours(first: Phrase, second: Phrase, scene: Scene) -> Value | None:
    """每天九点到十一点; `every Tue 09:00-11:00`."""
    if not first.clocks or not second.clocks or second.day:
        return None
    start = _recurrence(first, scene)
    begin = start.rsplit(" ", 1)[1]
    moment = datetime.combine(scene.today, time.fromisoformat(begin.split(",")[0]))
    if is_sure(second):
        end = _hours(second, "", scene)[0]
    else:
        later = _after(second, moment, scene)
        end = f"{later.first:%H:%M}" if later and later.first else ""
    return Value(every=f"{start}-{end}") if end else None
