"""Time expressions in Chinese and English text, and what they mean when they are said.

`find_times` reads a text at a moment; `annotate` writes the day beside the relative words of it;
`validity` gives the time a plan or an event holds. Everything is deterministic, knows no locale
but the zone of the moment, and never raises on any text.

The way of a text: one spelling, what is no time blanked out (dates_frame) → parts with a sense
(the rules of dates_numeric, dates_zh*, dates_en*) → phrases and ranges (dates_grammar) → values
(dates_value).
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import Literal

import msgspec

from slowwave.model import When
from slowwave.text.dates_days import absolute
from slowwave.text.dates_en import EN_DAY_RULES
from slowwave.text.dates_en_clock import EN_CLOCK_RULES
from slowwave.text.dates_en_every import EN_EVERY_RULES
from slowwave.text.dates_en_frames import EN_FRAME_RULES
from slowwave.text.dates_en_months import EN_MONTH_RULES
from slowwave.text.dates_frame import BLANK, clause, even, is_early, masked, region_of, tense_of
from slowwave.text.dates_grammar import Phrase, pairs, phrases
from slowwave.text.dates_numeric import NUMERIC_RULES
from slowwave.text.dates_sense import Day, Part, Rule, Scene, Zone, lex
from slowwave.text.dates_value import Point, Value, is_sure, range_of, value_of
from slowwave.text.dates_zh import ZH_DAY_RULES
from slowwave.text.dates_zh_clock import ZH_CLOCK_RULES
from slowwave.text.dates_zh_every import ZH_EVERY_RULES
from slowwave.text.dates_zh_year import ZH_YEAR_RULES
from slowwave.text.dates_zones import their_zone

__all__ = ["TimeExpr", "annotate", "find_times", "validity"]

_CHINESE = ZH_DAY_RULES + ZH_YEAR_RULES + ZH_CLOCK_RULES + ZH_EVERY_RULES
_ENGLISH = EN_MONTH_RULES + EN_DAY_RULES + EN_FRAME_RULES + EN_CLOCK_RULES + EN_EVERY_RULES

LONGEST = 100_000
"""Characters of a text that are read for times; what stands behind them is not looked at."""

_CHUNK = 4_000
"""Characters read at once, cut at a line end where there is one."""

_SINCE_EN = r"\bsince\s(?:(?:the|early|late|mid|last|this)[\s-])?"
_SINCE = re.compile(rf"(?:{_SINCE_EN}|自从?|打从?)$", re.IGNORECASE)
_BEGUN = re.compile(rf"(?:{_SINCE_EN}|\blast\s|自从|打从)$", re.IGNORECASE)
"""Before what has been: 自四月起 may be ahead, 自从四月 is not."""
_REASON = re.compile(
    r"\s(?:is|isn|are|was|has|will|won|would|can|could|does|doesn|looks|seems|works|suits|falls|"
    r"comes|gets)\b"
)
"""Behind "since Monday": the word gives a reason, and no time."""
_UP_TO_NOW = re.compile(r"份?(?:以来|至今|到现在|起至今|到今天)")
_NOTE_DAY = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?"
_NOTE = re.compile(rf"[ ]?[（(](?P<a>{_NOTE_DAY})(?:(?:～| – )(?P<b>{_NOTE_DAY}))?[)）]")
"""What `annotate` writes."""
_RETURN = re.compile(r"\b(?:back|return\w*|home|until|till|through)\b|[回返]|结束", re.IGNORECASE)
"""Says that a stretch of time that began before ends."""
_SENTENCE_END = re.compile(r"[。！？!?；;\n]|\.\s")


class TimeExpr(msgspec.Struct, frozen=True):
    """One time expression: its place in the text (code points), its kind and its value.

    `value` is `2026-08-21`, `2026-09-03T14:00` (local), `{"from": …, "to": …}` of such, inclusive,
    or a recurrence (`every 2 weeks Thu`). `bounds` are the same ends as `When`; `gloss` is what
    the words leave unsaid (empty for full dates and recurrences).
    """

    expr: str
    start: int
    end: int
    kind: Literal["date", "datetime", "range", "recurring"]
    value: str | dict[str, str]
    bounds: tuple[When, When] | None = None
    gloss: str = ""


def find_times(text: str, now: datetime) -> list[TimeExpr]:
    """The time expressions of a text said at `now` (aware, in the speaker's zone), in order."""
    if now.tzinfo is None:
        now = now.replace(tzinfo=UTC)
    pieces = _pieces(text[:LONGEST])
    return [found for start, piece in pieces for found in _find(piece, start, now)]


def annotate(text: str, times: Sequence[TimeExpr]) -> str:
    """The text with the resolved day beside relative words: `昨天（2026-04-30）去了…`.

    Full dates and recurrences stay as they are, and so does what is annotated already.
    """
    pieces, done = [], 0
    for found in sorted(times, key=lambda t: t.start):
        annotated = text[found.end : found.end + 2].lstrip()[:1] in ("(", "（")
        if not found.gloss or found.start < done or annotated:
            continue
        pieces += [text[done : found.end], found.gloss]
        done = found.end
    return "".join([*pieces, text[done:]])


def validity(times: Sequence[TimeExpr]) -> tuple[When | None, When | None]:
    """(valid_from, valid_to), both inclusive, of a plan or an event with these times.

    The first day or moment counts; a range only where there is none; a recurrence holds always.
    """
    dated = sorted((t for t in times if t.bounds), key=lambda t: t.kind == "range")
    return (dated[0].bounds or (None, None)) if dated else (None, None)


# ── finding ─────────────────────────────────────────────────────────────────────────────────────


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces of bounded length, whole lines where possible."""
    start = 0
    while start < len(text):
        end = min(start + _CHUNK, len(text))
        if end < len(text):
            end = text.rfind("\n", start + 1, end) + 1 or end
        yield start, text[start:end]
        start = end


def _is_wide(text: str) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text)


def _rules(text: str) -> tuple[Rule, ...]:
    """The rules whose script occurs in a text."""
    chinese = _CHINESE if _is_wide(text) else ()
    latin = any(c.isascii() and c.isalpha() for c in text)
    return NUMERIC_RULES + chinese + (_ENGLISH if latin else ())


def _find(text: str, offset: int, now: datetime) -> Iterator[TimeExpr]:
    plain = masked(even(text))
    notes = {note.start(): note for note in _NOTE.finditer(plain)}
    plain, parts = _lexed(plain, notes)
    if not parts:
        return
    found = phrases(plain, parts, Scene(now))
    if any(isinstance(part.sense, Zone) and not part.sense.key for part in parts):
        # "I mean their time": every hour of the text is on the other clock.
        for phrase in found:
            phrase.zone = phrase.zone or Zone("")
    _lend_days(plain, found)
    reading = _Reading(plain, Scene(now, 0, region_of(now)), their_zone(plain), notes)
    for first, second in pairs(found):
        for ends, value in reading.values(first, second):
            yield _expr(text, offset, ends, value, reading.scene)


def _lexed(plain: str, notes: dict[int, re.Match[str]]) -> tuple[str, list[Part]]:
    """The parts of a text without the notes that `annotate` wrote behind expressions.

    A note that follows no expression is text like any other.
    """
    rules = _rules(plain)
    if not notes:
        return plain, lex(plain, rules)
    bare = _NOTE.sub(lambda note: BLANK * len(note.group()), plain)
    ends = {part.end for part in lex(bare, rules)}
    for start in [start for start in notes if start not in ends]:
        note = notes.pop(start)
        bare = bare[:start] + note.group() + bare[note.end() :]
    return bare, lex(bare, rules)


def _noted(
    first: Phrase, second: Phrase | None, note: re.Match[str]
) -> tuple[list[Phrase], Value] | None:
    """What a note says its phrase means, whenever it is read; None where only its day is given
    and the hour is in the words.
    """
    ends = [first, second] if second is not None else [first]
    try:
        points = [_read(note[name] or note["a"]) for name in ("a", "b")]
    except ValueError:
        return None
    if any(end.clocks for end in ends) and not isinstance(points[0], datetime):
        first.day = absolute(points[0])
        return None
    return ends, Value(points[0], points[1])


def _read(written: str) -> Point:
    return datetime.fromisoformat(written) if ":" in written else date.fromisoformat(written)


_LOOSE = re.compile(
    r"(?!.*\b(?:and|then|but|so|or|because)\b)[\x20-\x2b\x2d\x2f-\x39\x40-\x" r"7e]{1,40}"
)
"""What may stand between an hour and its day in one English clause (9 am standup tomorrow)."""


def _lend_days(text: str, found: list[Phrase]) -> None:
    """Give an English hour without a day the day that follows in its clause."""
    for phrase, after in itertools.pairwise(found):
        hour = bool(phrase.clocks) and not phrase.day and not phrase.every and not phrase.joins
        lone = after.day and not (after.clocks or after.every or after.joins)
        if hour and lone and _LOOSE.fullmatch(text, phrase.end, after.start):
            phrase.day = after.day


@dataclass
class _Reading:
    """Going through the phrases of a text: `day` is the last day named in the same sentence."""

    text: str
    scene: Scene
    their: str
    notes: dict[int, re.Match[str]]
    day: date | None = None
    end: int = 0

    def values(self, first: Phrase, second: Phrase | None) -> list[tuple[list[Phrase], Value]]:
        """The phrases with their values: one range, or each by itself."""
        self._move(first, second or first)
        note = self.notes.get((second or first).end)
        if note is not None and (noted := _noted(first, second, note)):
            return [noted]
        if second is not None and _may_join(first, second):
            value = range_of(first, second, self.scene, self.their)
            if value is not None:
                return [([first, second], value)]
        singles = [first, second] if second is not None else [first]
        return [([p], value) for p in singles if (value := self._single(p)) is not None]

    def _move(self, first: Phrase, last: Phrase) -> None:
        if _SENTENCE_END.search(self.text, self.end, first.start):
            self.day = None
        self.end = last.end
        before, after = clause(self.text, first.start, last.end)
        begun = _BEGUN.search(before) and not _REASON.match(after)
        tense = -2 if begun or _UP_TO_NOW.match(after) else tense_of(before, after)
        self.scene = replace(self.scene, tense=tense, early=is_early(before, after))

    def _single(self, phrase: Phrase) -> Value | None:
        if not phrase.sure or phrase.empty:
            return None
        scene, day = self.scene, self.day
        if phrase.clocks and phrase.day is None and day and (day >= scene.today or scene.tense < 0):
            phrase.day = Day(lambda _scene: day)
        value = self._later(phrase) or value_of(phrase, scene, self.their)
        if value is None or value.first is None or value.last is None:
            return value
        if value.first == value.last:
            self.day = value.first.date() if isinstance(value.first, datetime) else value.first
        elif self._is_since(phrase) and not isinstance(value.first, datetime):
            return replace(value, last=max(scene.today, value.first), lasting=True)
        return value

    def _later(self, phrase: Phrase) -> Value | None:
        """Away from 14 December, back on the 19th: the month of the day before it.

        The month after it only where the words tell of a return; else a bare day of the month
        is read by itself.
        """
        slot, before = phrase.day, self.day
        if slot is None or slot.needs != "month" or before is None or before < self.scene.today:
            return None
        if phrase.clocks or phrase.every or self.scene.tense < 0:
            return None
        start = datetime.combine(before, time(0), tzinfo=self.scene.now.tzinfo)
        value = value_of(phrase, replace(self.scene, now=start, tense=1), self.their)
        if value is None or not isinstance(value.first, date):
            return None
        same = (value.first.year, value.first.month) == (before.year, before.month)
        around = self.text[max(0, phrase.start - 30) : phrase.end + 12]
        return value if same or _RETURN.search(around) else None

    def _is_since(self, phrase: Phrase) -> bool:
        before = self.text[max(0, phrase.start - 16) : phrase.start]
        return bool(_SINCE.search(before) or _UP_TO_NOW.match(self.text, phrase.end))


def _may_join(first: Phrase, second: Phrase) -> bool:
    """Two doubtful hours are no range; two doubtful months (June to August) are."""
    return first.sure or second.sure or (first.day is not None and second.day is not None)


# ── the result ──────────────────────────────────────────────────────────────────────────────────


def _expr(text: str, offset: int, ends: list[Phrase], value: Value, scene: Scene) -> TimeExpr:
    start, end = ends[0].start, ends[-1].end
    expr, start, end = text[start:end], start + offset, end + offset
    if value.first is None or value.last is None:
        return TimeExpr(expr, start, end, "recurring", value.every)
    bounds = (_when(value.first, scene), _when(value.last, scene))
    gloss = _gloss(ends, value, scene, _is_wide(expr))
    first, last = (_written(point, "T") for point in (value.first, value.last))
    if first != last:
        return TimeExpr(expr, start, end, "range", {"from": first, "to": last}, bounds, gloss)
    kind: Literal["date", "datetime"] = "datetime" if isinstance(value.first, datetime) else "date"
    return TimeExpr(expr, start, end, kind, first, bounds, gloss)


def _written(point: Point, middle: str) -> str:
    return point.isoformat(middle, "minutes") if isinstance(point, datetime) else point.isoformat()


def _when(point: Point, scene: Scene) -> When:
    if isinstance(point, datetime):
        return point.replace(tzinfo=scene.now.tzinfo).isoformat("T", "minutes")
    return point.isoformat()


def _gloss(ends: list[Phrase], value: Value, scene: Scene, wide: bool) -> str:
    """What the words leave unsaid, as it is written behind them; "" for nothing."""
    if value.first is None or value.last is None:
        return ""
    said = all(end.day is not None and end.day.explicit for end in ends)
    clear = all(
        _hour_is_said(end, point, scene)
        for end, point in zip(ends, (value.first, value.last), strict=False)
    )
    if said and clear:
        return ""
    first, last = (
        _written(point.date() if clear and isinstance(point, datetime) else point, " ")
        for point in (value.first, value.last)
    )
    last = first if value.lasting else last
    inner = first if first == last else f"{first}～{last}" if wide else f"{first} – {last}"
    return f"（{inner}）" if wide else f" ({inner})"


def _hour_is_said(phrase: Phrase, point: Point, scene: Scene) -> bool:
    """Whether the words tell the hour, so that the day alone is worth adding."""
    if not isinstance(point, datetime):
        return True
    if phrase.moment or phrase.zone or not is_sure(phrase):
        return False
    found = phrase.day.alone(scene) if phrase.day else None
    return not isinstance(found, date) or found == point.date()
