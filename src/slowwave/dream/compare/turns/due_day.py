"""The day of the month of a duty that comes every month: rent, a mortgage, pay.

Such a day is a value and no date. Said with another day, a duty has moved where words of change
stand beside it; else nobody can tell which day holds, or whether there are two.
"""

import re

from slowwave.dream.compare.grounds.value import TIGHT
from slowwave.dream.compare.reading.statement import Reading
from slowwave.dream.compare.turns.reschedule import named_by

__all__ = ["NEW_DAY", "TWO_DAYS", "is_monthly", "other_day"]

NEW_DAY = f"{TIGHT}: it is due on another day of the month"
TWO_DAYS = "it is due on two days of the month, and nothing says that it was moved"

_DAY = re.compile(
    r"(?<![\d.:/-])(?<!\d月)(?<![一二三四五六七八九十]月)(?<!月\s)(?P<zh>\d{1,2}|"
    r"[一二三四五六七八九十]{1,3})\s?[号日](?![楼线院店机库仓箱柜桌床房车门厅馆])|"
    r"(?<!\d)(?:\bthe )?(?P<en>\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?(?:jan|feb|mar|apr|may|jun|"
    r"jul|aug|sep|oct|nov|dec))"
)
_MONTH = re.compile(
    r"\d{1,2}\s?月|[一二三四五六七八九十]{1,2}月|\b(?:january|february|march|april|june|july|"
    r"august|september|october|"
    r"november|december|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)\.? \d)"
)
_NATURE = re.compile(
    r"房租|租金|交租|收租|房贷|车贷|月供|还贷|工资|薪水|发薪|还款日|账单日|物业费|生活费|花呗|"
    r"信用卡|"
    r"\b(?:rent|mortgage|payday|salary|wages|payroll|pay ?check|credit card|allowance|pension)\b"
)
_MONTHLY = re.compile(
    r"每个?月|按月|月月|\b(?:monthly|every month|each month|of (?:the|each|every) month)\b"
)
_SAID = re.compile(
    r"每个?月|按月|变成|改成|改到|改为|改在|换成|换到|调整?[到成为]|挪到|推迟到|提前到|以后|现在|"
    r"今后|了$|的?(?:日子|时间)?是|要|得|都|"
    r"\b(?:now|monthly|every month|each month|of the month|due|is|was|are|on|by|moved|changed|to|"
    r"from|pay|paid|"
    r"gets|get|comes|starting|from now on|instead)\b"
)


def is_monthly(folded: str) -> bool:
    """Whether a canonical text gives a duty of every month its day."""
    if _MONTH.search(folded) or not _DAY.search(folded):
        return False
    return bool(_NATURE.search(folded) or _MONTHLY.search(folded))


def other_day(earlier: Reading, later: Reading) -> str:
    """NEW_DAY or TWO_DAYS where both give one duty of every month two days; else ""."""
    if not (is_monthly(earlier.folded) or is_monthly(later.folded)):
        return ""
    days = [_days(one.folded) for one in (earlier, later)]
    if (
        not all(days)
        or days[0] & days[1]
        or any(_MONTH.search(one.folded) for one in (earlier, later))
    ):
        return ""
    if "once" in later.marks or later.negators or earlier.negators or "past" in earlier.marks:
        return ""
    bare = [_SAID.sub(" ", _DAY.sub(" ", one.folded)) for one in (earlier, later)]
    if not (named_by(bare[1], bare[0]) == "wholly" or named_by(bare[0], bare[1]) == "wholly"):
        return ""
    return NEW_DAY if later.marks & {"change", "now"} else TWO_DAYS


def _days(folded: str) -> frozenset[str]:
    found = (match["zh"] or match["en"] for match in _DAY.finditer(folded))
    return frozenset(_number(day) for day in found if day)


_HAN = "一二三四五六七八九"


def _number(day: str) -> str:
    if day.isdigit():
        return str(int(day))
    tens, _, ones = day.rpartition("十") if "十" in day else ("", "", day)
    value = (_HAN.find(tens) + 1 or 1) * 10 if "十" in day else 0
    return str(value + (_HAN.find(ones) + 1 if ones else 0))
