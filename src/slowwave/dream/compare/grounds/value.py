"""The same slot with another value: where the thing that a value belongs to is found by grammar.

"Dad takes 40 mg of X" and "Dr Hale put Dad's X down to 20 mg" differ in their verbs and their
quantity; what is left says of what it is. One has ended when the later one tells a change, gives a
value of the same sort, and neither has words of its own that could name another thing. Which slots
there are is not listed anywhere.
"""

import re
from itertools import product
from typing import NamedTuple

from slowwave.dream.compare.grounds.alike import Alike, laid_beside, names_anything
from slowwave.dream.compare.grounds.weight import HAPPENED, is_event
from slowwave.dream.compare.reading.change import clauses
from slowwave.dream.compare.reading.label import things_apart
from slowwave.dream.compare.reading.lexicon import KIN_PATTERN
from slowwave.dream.compare.reading.quantity import Quantity, other_value, quantities, same_value
from slowwave.dream.compare.reading.statement import Reading, stem_of
from slowwave.dream.compare.reading.topic import EN_CHANGE, EN_NOW, ZH_CHANGE, ZH_NOW
from slowwave.text.lately import lately

__all__ = ["LOOSE", "TIGHT", "revalued", "tells_value"]

TIGHT = "the later one gives another value for the same thing"
LOOSE = "the later one gives another value for what is done, and names nothing else"
"""The thing itself is named in one of them only: it counts where a single memory is meant."""

_TELLS_ZH = re.compile(
    rf"{ZH_CHANGE.pattern}|{ZH_NOW.pattern}|[改换调升降涨减加提推延缩压砍](?:到|至|成|为|了)|才|"
    rf"还是|"
    r"再加|放到|放宽|就行|重新|宽限"
)
_TELLS_EN = re.compile(
    rf"{EN_CHANGE.pattern}|{EN_NOW.pattern}|\bafter all\b|^(?:ok,? )?make (?:it|that)\b|"
    r"\b(?:upped|put|given|gave|granted|let|set|took|taken|brought|come|came|going|gone)\b.*"
    r"\b(?:up|down|until|till|to)\b|\bup to\b|\bextension\b|\b(?:switch|go|move|shift|"
    r"change)(?:s|es)? to\b|\bnew (?:date|time|deadline|price|dose)\b"
)
_JUST_THIS = re.compile(
    r"(?<![从自打])(?:今[天晚早]|昨[天晚]|这(?:回|趟|一次))(?![起开])|"
    r"(?<!from )(?<!since )(?<!as of )(?<!starting )\b(?:today|tonight|yesterday|this time|"
    r"this (?:morning|evening|week|month)|last (?:night|week|month))\b"
)
"""What is so on one day only changes nothing."""
_MEASURED = re.compile(r"[降升涨减增长]到")
_ZH_BREAK = re.compile(r"[，。；;！!？?：（）()]+|[,:](?!\d)")
_EN_BREAK = re.compile(r"[;!?()]+|,(?!\d)|[.:](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so)\b")
_ZH_AGENT = re.compile(r"^.{0,14}?(?:[把让将]|说|通知|告知|回复|同意|批准|要求)|^[^给]{2,8}给")
_ZH_AFTER = re.compile(
    r"^(?:[^，。]{1,5}?(?<![餐饭睡饮以今])(?:之后|后)|"
    r"这[次回](?:[去来]?[复体检化抽][^，。的]{1,2})?)"
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
_FIRST = re.compile(r"\b(?:i|we|my|our)\b|[我咱俺]")
_I = re.compile(r"(?:so )?(?:i|we)\b|[我咱俺](?![家的])")
_HE = re.compile(r"(?:so )?(?:he|she)\b|[他她]")
_OWNER = re.compile(r"\b([a-z]+)'s\b")
_PART = re.compile(
    r"早|中午|午后|下午|晚|夜|睡前|\b(?:morning|noon|lunch|afternoon|evening|night|breakfast|"
    r"dinner|bed)"
)
_MAYBE = re.compile(r"\b(?:if|maybe|perhaps|might|would|could)\b|如果|要是|假如|万一|也许|可能")
_YEAR = re.compile(r"(?:19|20)\d\d")
LONGEST_ZH, LONGEST_EN = 32, 100
"""A longer clause (characters) says more than what value a thing has."""
MOST = 2
"""Most quantities of one kind in a clause that gives a thing its value."""
_KINDS = frozenset(("clock", "weekday", "date", "month", "number", "code"))
_GIVEN_UP = re.compile(r"\b(?:spent|paid|bought|sold|cost me)\b|花了|买了|卖了|用了")
"""What was spent once is no value that anything has."""


class _Valued(NamedTuple):
    """A clause with values: its place, its words without who made the change, what was said before
    it, its values."""

    place: int
    thing: str
    before: str
    held: tuple[Quantity, ...]


def revalued(earlier: Reading, later: Reading, *, planned: bool = False) -> str:
    """Why the later statement gives a thing another value, or "".

    TIGHT: the thing is named in both. LOOSE: only what is done, or only in one of them. `planned`:
    the earlier one is remembered as a plan; what has happened keeps its value.
    """
    zh = later.han > 0.5
    if (earlier.han > 0.5) != zh or earlier.negators > 1:
        return ""
    if things_apart(earlier.folded, later.folded):
        return ""
    if "past" in earlier.marks or (is_event(earlier) and not planned) or is_event(later):
        return ""
    once = "once" in later.marks and not _MEASURED.search(later.folded)
    if (
        once
        or _MAYBE.search(later.folded)
        or _JUST_THIS.search(later.folded)
        or _GIVEN_UP.search(later.folded)
    ):
        return ""
    if _GIVEN_UP.search(earlier.folded):
        return ""
    origin = tuple(one for clause in clauses(later.folded) for one in clause.origin)
    reasons = {
        _one_slot(old, new, later, zh)
        for old, new in product(_valued(earlier.folded, zh), _valued(later.folded, zh))
        if _from_there(origin, old.held) and _told(new, later.folded, zh)
    }
    return TIGHT if TIGHT in reasons else LOOSE if LOOSE in reasons else ""


def tells_value(later: Reading) -> bool:
    """Whether a statement tells that something has another value, as far as it says itself."""
    zh = later.han > 0.5
    return any(_told(one, later.folded, zh) for one in _valued(later.folded, zh))


def _from_there(origin: tuple[Quantity, ...], held: tuple[Quantity, ...]) -> bool:
    """Whether a change starts from a value that is held, if it says from where."""
    told = [one for one in origin if any(one.kind == each.kind for each in held)]
    return not told or any(same_value(one, each) for one in told for each in held)


def _told(new: _Valued, folded: str, zh: bool) -> bool:
    """Whether a change is told with a value: in its clause or right beside it."""
    tells = _TELLS_ZH if zh else _TELLS_EN
    near = _parts(folded, zh)[max(0, new.place - 1) : new.place + 2]
    return any(tells.search(part) for part in near)


@lately(4_096)
def _parts(folded: str, zh: bool) -> tuple[str, ...]:
    found = (_ZH_BREAK if zh else _EN_BREAK).split(folded)
    return tuple(part.strip() for part in found if part and part.strip())


@lately(4_096)
def _valued(folded: str, zh: bool) -> tuple[_Valued, ...]:
    found, before = [], ""
    for place, text in enumerate(_parts(folded, zh)):
        held = tuple(one for one in quantities(text) if one.kind in _KINDS)
        if held and not _a_deed(text, zh) and len(text) <= (LONGEST_ZH if zh else LONGEST_EN):
            found.append(_Valued(place, _thing(text, zh), before, held))
        before = f"{before} {text}".strip()
    return tuple(found)


def _a_deed(text: str, zh: bool) -> bool:
    """Whether a clause tells what somebody has done, without a change of anything."""
    if _YEAR.fullmatch(text):
        return True  # the end of a date
    changes = ZH_CHANGE.search(text) if zh else _EN_AGENT.search(text) or EN_CHANGE.search(text)
    return bool(HAPPENED.search(text)) and not changes


def _thing(text: str, zh: bool) -> str:
    """A clause without who made the change and when."""
    if zh:
        return _ZH_AGENT.sub("", _ZH_AFTER.sub("", text))
    return _EN_AGENT.sub("", text)


def _one_slot(old: _Valued, new: _Valued, later: Reading, zh: bool) -> str:
    """Whether two clauses give one slot two values, and how surely."""
    if not _changed(old.held, new.held, (old.thing, new.thing)):
        return ""
    named, held = new.thing, old.thing
    if old.before and not names_anything(held, zh):
        held = f"{old.before} {held}"
    beside = laid_beside(held, named, zh)
    if _other_person(held, named, beside):
        return ""
    told = any(
        one.kind == "number" and same_value(one, other)
        for one, other in product(old.held, later.numbers)
    )
    wide = laid_beside(held, f"{new.before} {named}", zh)
    if beside.told and (zh or not _OPEN_IT.search(named)):
        # "The old sum does not do": what has another value now was named with the old one.
        return _judged(beside) or (TIGHT if told and wide.opens and not beside.common else "")
    # It names nothing: it goes on about what was named right before.
    heads = _heads(wide) if zh else not wide.alone_first
    if new.before and wide.common and not wide.persons_only and (heads or told):
        return TIGHT
    people = bool(_PEOPLE.match(new.before))
    return LOOSE if people and beside.told and _judged(beside) else ""


def _other_person(old: str, new: str, beside: Alike) -> bool:
    """Whether one of two clauses is of the speaker and the other one of somebody else."""
    kin = [frozenset(one[0] for one in KIN_PATTERN.finditer(text)) for text in (old, new)]
    mine = [bool(_FIRST.search(text)) for text in (old, new)]
    if kin[0] and kin[1] and kin[0].isdisjoint(kin[1]):
        return True
    if (mine[1] and kin[0] - kin[1]) or (mine[0] and kin[1] - kin[0]):
        return True
    if mine[0] and _HE.match(new) and not mine[1]:
        return True
    owners = {stem_of(name) for name in _OWNER.findall(old)}
    return mine[1] and bool(
        owners & beside.alone_first or (not mine[0] and _I.match(new) and beside.alone_first)
    )


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


def _changed(
    old: tuple[Quantity, ...], new: tuple[Quantity, ...], texts: tuple[str, str]
) -> frozenset[str]:
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
    for kind in list(found):
        if max(sum(one.kind == kind for one in side) for side in (old, new)) > MOST:
            found.discard(kind)
    held = {one.kind for one in old}
    parts = [frozenset(_PART.findall(text)) for text in texts]
    if "clock" not in found and parts[0] and parts[1] and parts[0].isdisjoint(parts[1]):
        return frozenset()  # another time of the day has a value of its own
    if found == {"clock"} and "weekday" not in held and any(q.kind == "weekday" for q in new):
        return frozenset()  # one day of the week has another hour
    return frozenset(found)
