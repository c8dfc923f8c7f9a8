"""The same slot with another value: where the thing that a value belongs to is found by grammar.

"Dad takes 40 mg of X" and "Dr Hale put Dad's X down to 20 mg" differ in their verbs and their
quantity; what is left says of what it is. One has ended when the later one tells a change, gives a
value of the same sort, and neither has words of its own that could name another thing. Which slots
there are is not listed anywhere.
"""

import re
from functools import lru_cache
from itertools import product

from slowwave.dream.compare_alike import Alike, laid_beside, names_anything
from slowwave.dream.compare_quantity import Quantity, other_value, quantities, same_value
from slowwave.dream.compare_reading import Reading
from slowwave.dream.compare_topic import EN_CHANGE, EN_NOW, ZH_CHANGE, ZH_NOW

__all__ = ["LOOSE", "TIGHT", "revalued"]

TIGHT = "the later one gives another value for the same thing"
LOOSE = "the later one gives another value for what is done, and names nothing else"
"""The thing itself is named in one of them only: it counts where a single memory is meant."""

_TELLS_ZH = re.compile(
    rf"{ZH_CHANGE.pattern}|{ZH_NOW.pattern}|[改换调升降涨减加提推延缩压砍](?:到|至|成|为|了)|才|还是|"
    r"再加|放到|放宽|就行|重新|宽限"
)
_TELLS_EN = re.compile(
    rf"{EN_CHANGE.pattern}|{EN_NOW.pattern}|\bafter all\b|^(?:ok,? )?make (?:it|that)\b|"
    r"\b(?:upped|put|given|gave|granted|let|set|took|taken|brought|come|came|going|gone)\b.*"
    r"\b(?:up|down|until|till|to)\b|\bup to\b|\bextension\b|\bnew (?:date|time|deadline|price|dose)\b"
)
_JUST_THIS = re.compile(
    r"(?<![从自打])(?:今[天晚早]|昨[天晚]|这(?:回|趟|一次))(?![起开])|"
    r"(?<!from )(?<!since )(?<!as of )(?<!starting )\b(?:today|tonight|yesterday|this time|"
    r"this (?:morning|evening|week|month)|last (?:night|week|month))\b"
)
"""What is so on one day only changes nothing."""
_MEASURED = re.compile(r"[降升涨减增长]到")
_ZH_BREAK = re.compile(r"[，,。；;！!？?：:（）()]+")
_EN_BREAK = re.compile(r"[,;!?()]+|[.:](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so)\b")
_ZH_AGENT = re.compile(r"^.{0,14}?[把让将]")
_ZH_AFTER = re.compile(
    r"^(?:[^，。]{1,5}?(?<![餐饭睡饮以今])(?:之后|后)|这[次回](?:[去来]?[复体检化抽][^，。的]{1,2})?)"
    r"(?=[^，。]{3})"
)
_EN_AGENT = re.compile(
    r"^[a-z' .]*?\b(?:has |have |had |'ve |just |now )*(?:upped|put|given|raised|lowered|changed|"
    r"moved|reduced|increased|cut|dropped|bumped|switched|pushed|extended|shifted|set|brought)\b"
    r"(?: us| me| them)?(?= (?!to\b|by\b|from\b|up to\b|down to\b|until\b|at\b|on\b)[a-z])"
)
"""Who made the change, and the verb: not a word of the thing."""
_OPEN_IT = re.compile(r"^(?:so )?(?:it|that|this)\b|'s been\b")
_PEOPLE = re.compile(r"^(?:so )?(?:they|we|i|he|she|you)\b")
_KINDS = frozenset(("clock", "weekday", "date", "month", "number", "code"))
_GIVEN_UP = re.compile(r"\b(?:spent|paid|bought|sold|cost me)\b|花了|买了|卖了|用了")
"""What was spent once is no value that anything has."""


def revalued(earlier: Reading, later: Reading) -> str:
    """Why the later statement gives a thing another value, or "".

    TIGHT: the thing is named in both. LOOSE: only what is done, or only in one of them.
    """
    zh = later.han > 0.5
    if (earlier.han > 0.5) != zh or earlier.negators > 1:
        return ""
    once = "once" in later.marks and not _MEASURED.search(later.folded)
    if once or _JUST_THIS.search(later.folded) or _GIVEN_UP.search(later.folded):
        return ""
    tells = _TELLS_ZH if zh else _TELLS_EN
    if not tells.search(later.folded) or _GIVEN_UP.search(earlier.folded):
        return ""
    reasons = {
        _one_slot(old, new, later, zh)
        for old, new in product(_valued(earlier.folded, zh), _valued(later.folded, zh))
    }
    return TIGHT if TIGHT in reasons else LOOSE if LOOSE in reasons else ""


class _Valued(tuple[str, str, tuple[Quantity, ...]]):
    """A clause with values: its words without agent, what was named before it, its values."""

    __slots__ = ()


@lru_cache(maxsize=8_192)
def _valued(folded: str, zh: bool) -> tuple[_Valued, ...]:
    found, before = [], ""
    for part in (_ZH_BREAK if zh else _EN_BREAK).split(folded):
        text = part.strip()
        if not text:
            continue
        held = tuple(one for one in quantities(text) if one.kind in _KINDS)
        if held:
            found.append(_Valued((_thing(text, zh), before, held)))
        before = f"{before} {text}".strip()
    return tuple(found)


def _thing(text: str, zh: bool) -> str:
    """A clause without who made the change and when."""
    if zh:
        return _ZH_AGENT.sub("", _ZH_AFTER.sub("", text))
    return _EN_AGENT.sub("", text)


def _one_slot(old: _Valued, new: _Valued, later: Reading, zh: bool) -> str:
    """Whether two clauses give one slot two values, and how surely."""
    if not _changed(old[2], new[2]):
        return ""
    named, held = new[0], old[0]
    if old[1] and not names_anything(held, zh):
        held = f"{old[1]} {held}"
    beside = laid_beside(held, named, zh)
    if beside.told and (zh or not _OPEN_IT.search(named)):
        return _judged(beside)
    # It names nothing: it goes on about what was named right before.
    wide = laid_beside(held, f"{new[1]} {named}", zh)
    if new[1] and wide.common and not wide.persons_only:
        told = any(same_value(one, other) for one in old[2] for other in later.numbers)
        if _heads(wide) or told:
            return TIGHT
    people = bool(_PEOPLE.match(new[1]))
    return LOOSE if people and beside.told and _judged(beside) else ""


def _judged(beside: Alike) -> str:
    if not beside.common or beside.alone_second:
        named = beside.alone_second and beside.common and not beside.alone_first
        return LOOSE if named and beside.second_persons else ""
    if beside.persons_only and not beside.same_doing:
        return ""
    return TIGHT if _heads(beside) else LOOSE


def _heads(beside: Alike) -> bool:
    """Whether what the earlier one begins with is named in the later one as well."""
    return beside.opens or not beside.alone_first


def _changed(old: tuple[Quantity, ...], new: tuple[Quantity, ...]) -> frozenset[str]:
    """The kinds of quantity of which both have one, and not one in common."""
    found = set()
    for one, other in product(old, new):
        if not other_value(one, other):
            continue
        if any(same_value(each, other) for each in old) and not any(
            each.kind == other.kind and not any(same_value(each, held) for held in old)
            for each in new
        ):
            continue
        found.add(other.kind)
    held = {one.kind for one in old}
    if found == {"clock"} and "weekday" not in held and any(q.kind == "weekday" for q in new):
        return frozenset()  # one day of the week has another hour
    return frozenset(found)
