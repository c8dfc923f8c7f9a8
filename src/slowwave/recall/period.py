"""The days that a question names: "last weekend", "since March", 三月份以来, "in May or June".

A question to a memory looks back: where its words leave the year or the week open (周三, "in May",
"over Christmas") the time that is past is meant, unless it asks for what is to come; and where
neither is said, both are.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Literal

from slowwave.text.later import later

if TYPE_CHECKING:
    from slowwave.text.dates import TimeExpr

Days = tuple[tuple[date, date], ...]
"""First and last day of each period."""

Open = Literal["", "since", "until", "before", "after"]

_TIME_WORD = later(
    r"\d|[今昨明前后去当那][天日年晚晨早]|[天年日月号周旬]|星期|礼拜|季度|[春夏秋冬]|节|最近|刚才|现在"
    r"|\b(?:today|tonight|yesterday|tomorrow|now|current(?:ly)?|ago|last|next|past|recent(?:ly)?"
    r"|(?:week|month|year|day|night|morning|evening|afternoon|weekend|season|quarter|decade)s?"
    r"|(?:mon|tues?|wednes|thurs?|fri|satur|sun)day"
    r"|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|spring|summer|autumn|fall|winter|christmas|easter|halloween|thanksgiving|holidays?)\b",
    re.IGNORECASE,
)
"""Words that times are made of (a closed class): without any of them no day can be named."""

_DURATION = later(
    r"(?:(?<!\d)\d{1,3}|[一二两三四五六七八九十百几半多数]+)(?:个|多)*(?:半)?"
    r"(?:天|年|周|星期|礼拜|月|小时|分钟|季度|日)$"
)
_MONTH = later(r"(?:\d{1,2}|[一二三四五六七八九十]{1,2})月$")
_AFTER_ZH = later(
    r"(?P<since>以来|至今|到现在|到今天|起至今|开始|起(?![床来])|[之]后到现在)"
    r"|(?P<until>为止)|(?P<before>[之以]前|前(?![天年后]))|(?P<after>[之以]后|过后|后(?![天年面来]))"
    r"|(?P<within>之间|期间|那段时间|的时候)"
)
_BEFORE_ZH = later(r"(?:(?P<since>自从?|打从?|从)|(?P<until>一?直?到|截[至止]到?))$")
_BEFORE_EN = later(
    r"\b(?:(?P<since>since|from|starting|ever since)|(?P<until>until|till|up to|through|by)"
    r"|(?P<before>before|prior to|earlier than)|(?P<after>after|later than))"
    r"(?: (?:the|about|around))?\s*$",
    re.IGNORECASE,
)
_ONWARDS = later(r"^\s*(?:onwards?|on\b|and after|or later|until now|till now)", re.IGNORECASE)
_BETWEEN = later(r"\b(?:between|from)\s*$", re.IGNORECASE)

_COMING = later(
    r"[下明后](?:个|一)?(?:周|星期|礼拜|个?月|年|天|次|季度)|[要将](?![了过])|会不会|打算|计划|准备|安排|即将|未来"
    r"|该|别忘|提醒|到期|截止|预约|预定|接下来|还有"
    r"|\b(?:will|shall|going to|gonna|upcoming|next|coming|tomorrow|tonight|later|due|schedul\w+"
    r"|plan(?:s|ned|ning)?|appointments?|should|need(?:s|ed)? to|have to|has to|supposed to"
    r"|am i|are we|is there|do i have|do we have|expires?|deadline|remind)\b",
    re.IGNORECASE,
)
_GONE = later(
    r"了(?!吗$)|过|以来|[上去昨前][个一]?(?:周|星期|礼拜|月|年|天|次)|当时|曾"
    r"|\b(?:did|was|were|had|has|have been|ago|last|past|happened|since|went|said|told"
    r"|(?!plan|sched|suppos|need)[a-z]{3,}ed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Named:
    """One period, where it stands in the text, and which of its ends is open."""

    first: date
    last: date
    start: int
    end: int
    kind: Open = ""


def named(text: str, now: datetime) -> tuple[Days, str]:
    """The periods that a question names at `now` (aware), and the question without them.

    An open end is `date.min`, or today where the question looks back, else `date.max`.
    """
    if not _TIME_WORD.search(text):
        return (), text
    found = list(_named(text, now))
    rest = text
    for one in found:
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    return tuple(dict.fromkeys(_opened(one, text, now) for one in found)), rest


def looks_ahead(text: str) -> bool:
    """Whether a question asks for what is to come."""
    return bool(_COMING.search(text)) and not _GONE.search(text)


def _opened(one: _Named, text: str, now: datetime) -> tuple[date, date]:
    today = now.date()
    match one.kind:
        case "since":
            return one.first, max(today, one.first)
        case "until":
            return date.min, one.last
        case "before":
            return date.min, one.first - timedelta(days=1)
        case "after":
            # 三月以后 begins with March, "after March" when that is over.
            wide = "\u4e00" <= text[one.end - 1] <= "\u9fff" and one.first < one.last
            start = one.first if wide else one.last + timedelta(days=1)
            ahead = start > today or looks_ahead(text)
            return start, date.max if ahead else today
        case _:
            return one.first, one.last


def _named(text: str, now: datetime) -> Iterator[_Named]:
    # The calendars take a third of a cold recall to load: only a question with a time pays that.
    from slowwave.text.dates import find_times  # noqa: PLC0415

    plain = _without_frames(text)
    for found in find_times(plain, now):
        days = _days(found)
        if days is None:
            continue
        kind, start, end = _frame(text, found.start, found.end)
        for first, last in _readings(text, found, days, now, kind):
            yield _Named(first, last, start, end, kind)


def _days(found: "TimeExpr") -> tuple[date, date] | None:
    if found.kind == "recurring" or found.bounds is None:
        return None
    try:
        first, last = (date.fromisoformat(bound[:10]) for bound in found.bounds)
    except ValueError:
        return None  # an open end: it names no days
    return first, max(first, last)


def _readings(
    text: str, found: "TimeExpr", days: tuple[date, date], now: datetime, kind: Open
) -> list[tuple[date, date]]:
    """The period as it lies in the past, as it lies ahead, or both where the words do not tell."""
    if days[1] <= now.date() or (days[0] <= now.date() and kind != "until"):
        return [days]
    back = kind == "since" or bool(_GONE.search(text))
    if not back and kind != "after" and looks_ahead(text):
        return [days]
    past = _as_past(text, found, now)
    if past is None or past == days:
        return [days]
    return [past] if back or kind in {"until", "before"} else [past, days]


def _as_past(text: str, found: "TimeExpr", now: datetime) -> tuple[date, date] | None:
    """How an expression is read in a sentence about what is over; None when no other way."""
    from slowwave.text.dates import find_times  # noqa: PLC0415

    wide = any("\u4e00" <= char <= "\u9fff" for char in found.expr)
    between = _BETWEEN.search(text[: found.start])
    before = between.group() if between and not wide else "曾经" if wide else ""
    told = f"{before}{found.expr}" + ("去过了" if wide else " it was, as it happened")
    read = [days for one in find_times(told, now) if (days := _days(one)) is not None]
    return read[0] if len(read) == 1 and read[0][0] <= now.date() else None


def _without_frames(text: str) -> str:
    """The text without 之前, 以后 … behind a day or a month; a duration needs them."""
    pieces, at = [], 0
    for match in _AFTER_ZH.finditer(text):
        head = text[: match.start()].removesuffix("份")
        if _DURATION.search(head) and not _MONTH.search(head):
            continue
        if head[-1:] not in tuple("月号日天周末年节一二三四五六日度春夏秋冬季底初旬晚早午"):
            continue
        pieces += [text[at : match.start()], "，" * len(match.group())]
        at = match.end()
    return "".join([*pieces, text[at:]])


def _frame(text: str, start: int, end: int) -> tuple[Open, int, int]:
    """The word before or behind an expression that opens one of its ends, and both together."""
    tail = text[end:]
    skipped = len(tail) - len(tail.removeprefix("份"))
    after = _AFTER_ZH.match(tail, skipped)
    before = _BEFORE_EN.search(text[:start]) or _BEFORE_ZH.search(text[:start])
    if after is not None and _without_frames(text)[end + skipped] == "，":
        end += after.end()
        return _kind(after), before.start() if before else start, end
    if before is None:
        return "", start, end
    kind = _kind(before)
    if kind == "since" and before.group().strip().lower().startswith(("from", "从")):
        onwards = _ONWARDS.match(tail)
        if onwards is None:
            return "", start, end
        end += onwards.end()
    return kind, before.start(), end


def _kind(match: re.Match[str]) -> Open:
    kinds: tuple[Open, ...] = ("since", "until", "before", "after")
    return next((kind for kind in kinds if match.groupdict().get(kind)), "")
