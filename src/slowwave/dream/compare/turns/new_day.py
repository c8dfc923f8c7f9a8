"""The day that a plan has after it was moved: by a step ("a week later"), or to a day that is only
understood from the day it had ("pushed to Friday", "提前到18号", "moved to 4 pm").

The new day is written beside the words, as `annotate` does for relative words.
"""

import re
from calendar import monthrange
from datetime import date, datetime, timedelta

import msgspec

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.turns.reschedule import tells_replan
from slowwave.model import Claim, Memory, When
from slowwave.text.dates import TimeExpr, find_times

__all__ = ["has_step", "rescheduled"]

_COUNT = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "couple": 2, "半": 0, "一": 1,
    "两": 2, "二": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10, "俩": 2, "仨": 3,
}  # fmt: skip
_N_EN = r"(?P<n>\d{1,3}|an?(?: couple(?: of)?)?|one|two|three|four|five|six|seven|eight|nine|ten)"
_STEP_EN = re.compile(
    rf"\b(?:by |back |forward |up |out |off |for |another )*(?:about |around |"
    rf"another )?{_N_EN}(?: more)? "
    r"(?P<unit>minute|hour|day|week|fortnight|month)s?\b(?: (?P<after>earlier|later|forward|"
    r"sooner|early|late|back))?"
)
_STEP_ZH = re.compile(
    r"(?P<n>\d{1,3}|[一两二三四五六七八九十俩仨半])\s?个?(?P<unit>分钟|小时|钟头|天|周|星期|礼拜|"
    r"(?<=个)月)(?![初底末中一二三四五六日天])"
)
_UNIT = {
    "minute": "minute", "hour": "hour", "day": "day", "week": "week", "fortnight": "fortnight",
    "month": "month", "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day",
    "周": "week", "星期": "week", "礼拜": "week", "月": "month",
}  # fmt: skip
_EARLIER = re.compile(
    r"提前|往前|向前|前[挪移调提]|提早|早(?=\s?[\d一两二三半])|\b(?:forward|earlier|sooner|"
    r"ahead)\b|"
    r"\b(?:mov|bump|push|shift|pull)\w*(?: [\w']+){0,4}? (?:up|in)\b"
)
_LATER = re.compile(
    r"推|延|往后|向后|后[挪移调]|押后|拖|缓|\b(?:postpon|delay|defer|push|slip|slid)\w*|"
    r"\b(?:back|later|off)\b"
)
_DAY_ONLY = re.compile(
    r"^(?:the |on the )?\d{1,2}(?:st|nd|rd|th)?$|^\d{1,2}\s?[号日]$", re.IGNORECASE
)
_WEEKDAY = re.compile(
    r"^(?:on )?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?\b(?!s)|"
    r"^(?:周|星期|礼拜)[一二三四五六日天]",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    r"\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}\s?[号日]|\b(?:next|following)\b", re.IGNORECASE
)
_NOTE = re.compile(r"[ ]?[（(]\d{4}-\d\d-\d\d(?: \d\d:\d\d)?[)）]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HOURS = frozenset(("minute", "hour"))


def has_step(folded: str) -> bool:
    """Whether a canonical text that tells of a move says by how much."""
    return _step(folded) is not None


def rescheduled(claim: Claim, memory: Memory) -> Claim:
    """The claim that moves a plan, as a plan of its new day; unchanged where no day is found."""
    folded = read(claim.text).folded
    if not memory.valid_from or not any(told.kind == "moved" for told in tells_replan(folded)):
        return claim
    had = _moment(memory.valid_from)
    if had is None:
        return claim
    said = min((span.ts for span in claim.evidence if span.ts), default=None)
    since = _new_day(claim, folded, had, said, timed="T" in memory.valid_from)
    if since is None:
        return claim
    until = _end(claim, memory, since)
    return msgspec.structs.replace(
        claim, kind="plan", standing="dated", negated=False, valid_from=since, valid_to=until,
        text=_noted(claim, since),
    )  # fmt: skip


def _moment(when: When) -> datetime | None:
    try:
        return datetime.fromisoformat(when)
    except ValueError:
        return None


def _new_day(
    claim: Claim, folded: str, had: datetime, said: datetime | None, *, timed: bool
) -> When | None:
    step = _step(folded)
    given = claim.valid_from or (claim.valid_to if claim.kind == "plan" else None) or claim.valid_to
    bare = _NOTE.sub("", claim.text)
    times = [time for time in find_times(bare, said or had) if time.kind in ("date", "datetime")]
    if step is not None and not _names_day(times, folded):
        return _stepped(had, step, timed)
    if given is None:
        clock = next((time for time in find_times(bare, had) if time.kind == "datetime"), None)
        return str(clock.value) if clock and not isinstance(clock.value, dict) else None
    new = _moment(given)
    if new is None:
        return given
    moved = _in_its_place(times, new.date(), had.date(), folded, said.date() if said else None)
    return moved.isoformat() + given[10:]


def _names_day(times: list[TimeExpr], folded: str) -> bool:
    """Whether a day is named beside the step."""
    steps = [m.group() for m in (*_STEP_EN.finditer(folded), *_STEP_ZH.finditer(folded))]
    return any(not any(time.expr.lower() in step or step in time.expr.lower() for step in steps)
               for time in times)  # fmt: skip


def _step(folded: str) -> tuple[int, str] | None:
    """By how much a plan is moved, later ones positive: the number and its unit."""
    found = (_STEP_ZH if _HAN.search(folded) else _STEP_EN).search(folded)
    if found is None:
        return None
    word = found["n"].split(" of")[0]
    number = 2 if "couple" in word else int(word) if word.isdigit() else _COUNT.get(word, 0)
    unit = _UNIT[found["unit"]]
    if word == "半":
        number, unit = (30, "minute") if unit == "hour" else (15, "day")
    earlier = _EARLIER.search(folded)
    if not earlier and not _LATER.search(folded) and (_HAN.search(folded) or not _told(folded)):
        return None
    return (-number if earlier else number), unit


def _told(folded: str) -> bool:
    return any(told.kind == "moved" for told in tells_replan(folded))


def _stepped(had: datetime, step: tuple[int, str], timed: bool) -> When | None:
    number, unit = step
    if unit == "month":
        months = had.year * 12 + had.month - 1 + number
        year, month = divmod(months, 12)
        day = min(had.day, monthrange(year, month + 1)[1])
        moved = had.replace(year=year, month=month + 1, day=day)
    elif unit in _HOURS:
        if not timed:
            return None
        moved = had + (timedelta(minutes=number) if unit == "minute" else timedelta(hours=number))
    else:
        moved = had + timedelta(days=number * {"day": 1, "week": 7, "fortnight": 14}[unit])
    return moved.isoformat(timespec="minutes") if timed else moved.date().isoformat()


def _in_its_place(
    times: list[TimeExpr], new: date, had: date, folded: str, said: date | None
) -> date:
    """The day that a bare weekday or a bare day of a month means beside the day a plan had."""
    expr = next(
        (time.expr for time in times if str(time.value)[:10] == new.isoformat()), ""
    ).strip()
    earlier, later = _EARLIER.search(folded), _LATER.search(folded)
    choices: list[date] = []
    if _DAY_ONLY.match(expr):
        for step in (-1, 0, 1):
            year, month = divmod(had.year * 12 + had.month - 1 + step, 12)
            if new.day <= monthrange(year, month + 1)[1]:
                choices.append(date(year, month + 1, new.day))
    elif _WEEKDAY.match(expr) and not _NUMBERED.search(expr):
        monday = had - timedelta(days=had.weekday())
        same = monday + timedelta(days=new.weekday())
        choices = [same - timedelta(days=7), same, same + timedelta(days=7)]
        if not earlier and not later:
            choices = [same]
    choices = [day for day in choices if said is None or day >= said]
    if earlier:
        choices = [day for day in choices if day < had]
    elif later:
        choices = [day for day in choices if day > had]
    return min(choices, key=lambda day: (abs((day - had).days), day)) if choices else new


def _end(claim: Claim, memory: Memory, since: When) -> When:
    """The last day: of a stretch of days, as many days on as before."""
    start, end = _moment(memory.valid_from or ""), _moment(memory.valid_to or "")
    if claim.valid_to and claim.valid_from and claim.valid_to[:10] > claim.valid_from[:10]:
        return claim.valid_to
    new = _moment(since)
    if start is None or end is None or new is None or end.date() <= start.date():
        return since
    return (new.date() + (end.date() - start.date())).isoformat()


def _noted(claim: Claim, since: When) -> str:
    """The words with the new day beside them, unless they write it themselves."""
    day = since[:10]
    if day in claim.text:
        return claim.text
    if _NOTE.search(claim.text) and claim.valid_from and claim.valid_from[:10] in claim.text:
        return claim.text.replace(claim.valid_from[:10], day)
    plain = read(claim.text).folded
    month, number = int(day[5:7]), int(day[8:])
    if re.search(rf"(?<!\d){month}\s?月\s?{number}(?!\d)", plain):
        return claim.text
    if claim.valid_from == since and claim.kind == "plan":
        return claim.text  # it is written out
    return f"{claim.text}（{day}）" if _HAN.search(claim.text) else f"{claim.text} ({day})"
