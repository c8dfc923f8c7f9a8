"""The sort of value a question asks for, and what a text must have in it to give one.

"What is Ana's mail address" finds all that is known of Ana, in the words and the meaning of the
question, though nobody ever told an address. Whether a text has a value of that sort is read off
its form (digits, an @, a unit), whatever it is about: what has none cannot be the answer. Sorts
without a form of their own (names, places, reasons) ask for nothing here.
"""

import re

from slowwave.recall.telling import COUNTS, wanted
from slowwave.text.later import later
from slowwave.text.segment import terms

__all__ = ["gives", "sort_of"]

_MASKED = r"\[[a-z]+:|\[[A-Z]+-\d"
"""What capture put in place of a secret: the value is there, and not to be seen."""

_NUMERAL = r"[\d零〇一二两三四五六七八九十百千万亿几半多]"
_WORDS = f"{COUNTS}|half"
_PLAIN = (
    r"(?<![\d:./#号楼栋幢第-])(?<![号楼栋幢第] )(?<![Nn]o\. )\d[\d,.]*"
    r"(?![\d:/-]|\.\d|[:：]\d|\s*(?:[号年月日点时分室楼栋幢层周级页章集到至]"
    r"|(?:st|nd|rd|th|am|pm)\b|o'clock))"
)
"""A number that is no day, no time and no place in a building."""

_SORTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        later(
            r"(?:'s|s'|\b(?:my|your|his|her|their|our|the|whose|which|what)) e-?mail\b"
            r"(?! (?:about|from|to|with|did|say))|\be?-?mail address|邮箱|邮件地址|电邮",
            re.IGNORECASE,
        ),
        later(rf"[\w.+-]@\w|\w at [\w-]+ dot \w|{_MASKED}"),
    ),
    (
        later(
            r"\b(?:phone|mobile|cell|telephone|fax|contact) ?(?:number|no\b)"
            r"|\bnumber to call\b|手机号|电话号|(?:电话|手机|座机)(?:号码)?(?:是|多少|几号)"
            r"|联系电话",
            re.IGNORECASE,
        ),
        later(
            r"(?:\d[ ().-]*){6}|(?<!\d)1[12]\d(?!\d)|[零一二三四五六七八九〇幺]{6}"
            rf"|{_MASKED}"
        ),
    ),
    (
        later(
            r"\b(?:account|card|passport|id|serial|tax|licen[cs]e|plate|policy|member\w*|order"
            r"|invoice|tracking|flight|model) (?:number|no\b|code\b)"
            r"|号码|账号|卡号|证号|车牌|单号",
            re.IGNORECASE,
        ),
        later(rf"\d{{3}}|(?:\d[ -]?){{4}}|[A-Za-z]{{1,3}}-?\d|\d[A-Za-z]|{_MASKED}"),
    ),
    (
        later(
            r"\bbirthday|\bdate of birth|\bborn\b|\bdob\b|生日|出生|哪年生|哪天生|生辰",
            re.IGNORECASE,
        ),
        later(
            rf"\bbirth|\bborn\b|\bdob\b|\bturn(?:s|ed|ing)? (?:\d|{_WORDS})"
            rf"|生日|出生|生于|[周满]{_NUMERAL}+岁|{_NUMERAL}岁|大寿|[属年]生|{_MASKED}",
            re.IGNORECASE,
        ),
    ),
    (
        later(
            r"\bhow much (?:\w+ ){0,3}"
            r"(?:costs?|paid|pay|earns?|makes?|charges?|owes?|spen[dt])\b"
            r"|\b(?:what|how much)(?: is| are| was| were|'s) .*\b(?:salary|wages?|price|rent"
            r"|fees?|costs?|budget|deposit|fare|bill|tuition|mortgage|bonus|rate)\b"
            r"|多少钱|(?:租金|房租|工资|薪水|月薪|年薪|价格|价钱|费用|稿[酬费]|学费|房贷|押金|预算"
            r"|奖金|报价|单价|定金|尾款|票价)[^，。？?]{0,8}(?:多少|几)",
            re.IGNORECASE,
        ),
        later(
            rf"[$€£¥￥]|{_PLAIN}|{_NUMERAL}[万千百元块毛]|\b(?:hundred|thousand|grand|free)\b"
            rf"|免费|不要钱|{_MASKED}",
            re.IGNORECASE,
        ),
    ),
)
"""By sort: how it is asked for, and what every value of it looks like."""

_NUMBER = later(
    rf"\d|{_MASKED}|[零〇一二两三四五六七八九十百千万亿]{{2}}|[一二两三四五六七八九十百千万几半]"
    r"[个只次年天块元人岁本件条位点月周斤米间套张层名台辆瓶杯份种]"
    rf"|\b(?:{_WORDS}|first|second|third|every|each|daily|weekly|monthly|often)\b|每",
    re.IGNORECASE,
)
_HOW_MANY = later(r"\bhow many (?:more |other |different )?([a-z]{3,})", re.IGNORECASE)
_MEASURED = later(r"(?:多少|几)([平米斤公克升度岁亩页字寸瓦杯瓶辆台张本])")
_VAGUE = frozenset(["times", "people", "days", "hours", "minutes", "weeks", "months", "years"])


def gives(text: str, question: str) -> bool:
    """Whether a text has a value of the sort that is asked for; True where no sort is."""
    sort = sort_of(question)
    if sort is not None and not sort.search(text):
        return False
    counted = _HOW_MANY.search(question)
    if counted is None or counted[1].lower() in _VAGUE:
        return True
    return not set(terms(counted[1])).isdisjoint(terms(text))


def sort_of(question: str) -> re.Pattern[str] | None:
    """What a value of the sort that is asked for looks like; None where any text may have it."""
    for asked, value in _SORTS:
        if asked.search(question):
            return value
    measured = _MEASURED.search(question)
    if measured is not None:
        return re.compile(rf"{_NUMERAL}\s*(?:多|来|余)?(?:平方|个|点\d+)?{measured[1]}|{_MASKED}")
    return _NUMBER if wanted(question).number else None
