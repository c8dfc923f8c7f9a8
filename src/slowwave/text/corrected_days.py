"""The days of a memory that was set right: those that the new words name, else those it had.

"The launch is on the 11th" moves the plan; "it is at Luca's" leaves it on its day; "at four, not
three" moves the hour of that day.
"""

import re
from datetime import date, datetime, timedelta

import msgspec

from slowwave.model import Memory, When
from slowwave.text.dates import TimeExpr, annotate, find_times, validity

__all__ = ["dated_as"]

_TODAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening))\b|"
    r"[今明昨后前][天日晚早]|今儿|明儿"
)
_DENIED = re.compile(
    r"\bnot (?:on |at |the )?$|不是$|而不是$|\b(?:instead of|rather than) (?:on |at )?$"
)


def dated_as(right: Memory, wrong: Memory, now: datetime) -> Memory:
    """The memory of the right words, with its days: read at `now`, else taken from the wrong one.

    A memory without any day stays without one, unless it is a plan.
    """
    dated = wrong.kind == "plan" or wrong.standing in ("dated", "temporary", "one_off")
    if not (dated or wrong.valid_from or wrong.valid_to):
        return right
    times = [time for time in find_times(right.text, now) if not _is_denied(right.text, time)]
    since, until = validity(times)
    had = _day(wrong.valid_from) or _day(wrong.valid_to)
    if had is not None and since is not None and _is_hour_only(times, now):
        at = datetime.combine(had, now.timetz())
        times = find_times(right.text, at)
        since, until = validity(times)
    if since is None and until is None:
        since, until, text = wrong.valid_from, wrong.valid_to, right.text
    else:
        text = annotate(right.text, times)
        if wrong.standing in ("temporary", "one_off"):
            since, until = wrong.valid_from, until or since
        elif wrong.kind == "plan" or wrong.valid_to:
            until = until or since
    return msgspec.structs.replace(
        right, text=text, valid_from=since, valid_to=until,
        expires_at=_expiry(wrong, until or since),
    )  # fmt: skip


def _is_denied(text: str, time: TimeExpr) -> bool:
    """Whether the words deny a day ("on the 5th, not on the 3rd")."""
    return _DENIED.search(text[: time.start].lower()) is not None


def _is_hour_only(times: list[TimeExpr], now: datetime) -> bool:
    """Whether nothing but an hour is named, which is one of the day the plan has."""
    today = now.date().isoformat()
    return all(
        time.kind == "datetime"
        and isinstance(time.value, str)
        and time.value[:10] in (today, (now.date() + timedelta(days=1)).isoformat())
        and not _TODAY.search(time.expr.lower())
        and not re.search(
            r"day\b|周|星期|礼拜|[月号日]|\b\d{1,2}(?:st|nd|rd|th)\b", time.expr.lower()
        )
        for time in times
    )


def _expiry(wrong: Memory, end: When | None) -> When | None:
    """As long after its new end as the wrong one after its own."""
    old, new = _day(wrong.valid_to) or _day(wrong.valid_from), _day(end)
    leaves = _day(wrong.expires_at)
    if leaves is None or old is None or new is None:
        return wrong.expires_at
    return (new + (leaves - old)).isoformat()


def _day(when: When | None) -> date | None:
    try:
        return date.fromisoformat(when[:10]) if when else None
    except ValueError:
        return None
