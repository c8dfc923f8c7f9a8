"""Whether a later statement gives a plan another day, or calls it off, in whatever words.

A plan is named again by a part of its name ("the audit"), by the same sort of event in
another word (聚餐, 饭局), or by what stands right before ("the dentist can't do Friday, so we
rescheduled").
What is named must stand in the plan, all of it; a name that covers little of the plan counts only
where a single plan can be meant.
"""

import re
from typing import Literal, NamedTuple

from slowwave.dream.compare.reading.quantity import blank, quantities, same_value
from slowwave.dream.compare.reading.statement import stem_of
from slowwave.dream.compare.turns.reschedule_words import (
    BA_ZH,
    CLAUSE,
    ELSEWHERE,
    FAMILY,
    HAN,
    LIGHT_EN,
    LIGHT_ZH,
    MOVE_EN,
    MOVE_ZH,
    NOW_EN,
    OFF_EN,
    OFF_ZH,
    ONCE_AGAIN,
    RUN,
    SAID_ZH,
    SORT_EN,
    SORT_ZH,
    STILL,
    UNSURE,
    WHITHER_EN,
    WORD,
)
from slowwave.text.lately import lately
from slowwave.text.may import without_may
from slowwave.text.stopwords import ENGLISH

__all__ = [
    "LOOSELY",
    "Replan",
    "intends",
    "longest_shared",
    "named_by",
    "replanned",
    "says_none",
    "says_something",
    "tells_replan",
]

MOVED = "the later one gives this plan another day"
OFF = "the later one calls this plan off"
LOOSELY = frozenset(
    f"{reason}, which it names in part: no other plan can be meant" for reason in (MOVED, OFF)
)
"""The reasons that count only where a single memory is meant."""

_ALONE = re.compile(r"postpon|re-?sch|re-?book|re-?arr|re-?plan|delay|defer|adjourn")
"""What moves a plan without saying where to."""
_OBJECT = re.compile(
    r"(?:of )?(?:the|my|our|his|her) [\w' -]{2,40}?(?= to\b| by\b| until\b| for\b|$)"
)
_BY_STEPS = re.compile(
    r"\b(?:day|week|month|hour|minute)s?\b|\b(?:indefinitely|later|earlier|forward|tbd|"
    r"until further)\b|"
    r"\b(?:next |this )?(?:spring|summer|autumn|fall|winter|year|easter|christmas|new year|term|"
    r"semester|season|quarter)\b|"
    r"[天周月年春夏秋冬]|星期|礼拜|小时|分钟|\d\s?[号日点]|[今明后]天|待定|另行|再定|延期|顺延|"
    r"[元国端重中][旦庆午阳秋](?!于)|学期|季度|寒假|暑假|节后"
)
_NONE_EN = re.compile(
    r"^(?:there is |there's |we have |i have )?no (?P<thing>(?:[\w'-]+ ){0,3}[\w'-]+)(?<!s) "
    r"(?:(?:this|next) (?:week|\w+day)|on \w+day|today|tomorrow|tonight)$"
)
_NONE_ZH = re.compile(
    r"^(?:(?:[今明后]天|[这下本]个?(?:周|星期|礼拜)[一二三四五六日天]?|周[一二三四五六日天]|"
    r"星期[一二三四五六日天])(?:[上下]午|晚上)?)没有?(?P<thing>[^，了过]{2,10})了?$"
)
"""One thing that does not take place on its day."""
_DAYS = frozenset(("weekday", "date", "month"))
_Told = tuple[Literal["moved", "off"], tuple[str, ...], str]
_MEALS = (
    re.compile(r"早[餐饭点茶]|\b(?:breakfast|brunch)\b"),
    re.compile(r"[午中][餐饭]|\blunch\b"),
    re.compile(r"晚[餐饭宴]|\b(?:dinner|supper)\b"),
)
_GOES = re.compile(
    r"[去飞到回游玩]|出发|\b(?:go|goes|going|fly|flying|flies|leav\w+|travel\w*|driv\w+|visit\w*|"
    r"head\w*|tour\w*|sail\w*|hik\w+|cycl\w+)\b"
)
_MEANT = re.compile(
    r"打算|准备|计划|想去|\b(?:plan(?:s|ned|ning)? (?:to|on)|going to|want to|hope to|thinking of|"
    r"intend(?:s|ing)? to|booked)\b"
)
SHARE = 0.5
"""Least share of a plan's words that its name must cover to mean it beyond doubt."""


class Replan(NamedTuple):
    """What a statement tells of plans: they were moved or called off, and what it names them by.

    `names` are the places where the thing may be named, the likeliest first; `before` is what
    stands before the verb, where a day is the one it had.
    """

    kind: Literal["moved", "off"]
    names: tuple[str, ...]
    before: str = ""


def intends(folded: str) -> bool:
    """Whether a canonical text says of itself that it is a plan."""
    return _MEANT.search(folded) is not None


def says_none(part: str) -> bool:
    """Whether a clause says that there is none of something on a day, be it an event or milk."""
    return bool((_NONE_ZH if HAN.search(part) else _NONE_EN).match(part))


def replanned(one: str, other: str) -> str:
    """Why a later statement ends a plan, or "". Both are canonical texts."""
    for told in tells_replan(other):
        if ONCE_AGAIN.search(one) and told.kind == "moved":
            continue
        if not _days_fit(told.before, one):
            continue
        for name in told.names:
            how = named_by(name, one)
            if how:
                reason = MOVED if told.kind == "moved" else OFF
                loosely = f"{reason}, which it names in part: no other plan can be meant"
                return reason if how == "wholly" else loosely
            if says_something(name):
                break  # it names another thing
    return ""


@lately(4_096)
def tells_replan(folded: str) -> tuple[Replan, ...]:
    """The moves and cancellations that a canonical text tells of, in order."""
    parts = [part.strip() for part in CLAUSE.split(folded) if part and part.strip()]
    found: list[Replan] = []
    for at, part in enumerate(parts):
        if UNSURE.search(without_may(part)) or STILL.search(part):
            continue
        told = _told(part)
        if told is None:
            continue
        kind, names, before = told
        if kind == "moved" and not _tells_when(folded):
            continue  # not to another day
        around = (*names, *parts[max(0, at - 1) : at], *parts[at + 1 : at + 2])
        found.append(Replan(kind, tuple(filter(None, around)), before))
    # "Can't do Friday, moved to Sunday" is a move and no end.
    return tuple(sorted(found, key=lambda told: told.kind != "moved"))


def _tells_when(folded: str) -> bool:
    """Whether a text names a day, a month, a season or a step to another time."""
    return bool(quantities(folded) or _BY_STEPS.search(folded)) or without_may(folded) != folded


def _told(part: str) -> _Told | None:
    """Whether one clause tells of a move or an end, and where it names the thing."""
    none = (_NONE_ZH if HAN.search(part) else _NONE_EN).match(part)
    if none:
        return "off", (none["thing"],), part
    if HAN.search(part):
        off, move = OFF_ZH.search(part), MOVE_ZH.search(part)
        if off and not (move and move.start() > off.start()):
            return "off", _names_zh(part, off), part[: off.start()]
        return ("moved", _names_zh(part, move), part[: move.start()]) if move else None
    return _told_en(part)


def _told_en(part: str) -> _Told | None:
    off, now = OFF_EN.search(part), NOW_EN.search(part)
    if off:
        inner = re.sub(r"^call\w*|off$|^giv\w+|a miss$", " ", off[0]) if " " in off[0] else ""
        inner = inner if re.match(r"call|giv", off[0]) else ""
        names = (inner.strip(), part[off.end() :].strip(), part[: off.start()].strip())
        return "off", names, part
    if part.endswith(" instead") and quantities(part):
        return "moved", (part.removesuffix(" instead"),), ""
    if now:
        thing = (now["thing"] or now["thing2"]).strip()
        return "moved", (thing,), thing
    move = MOVE_EN.search(part)
    if move is None or ELSEWHERE.match(part, move.start()):
        return None  # who moves in or out is no plan that is moved
    places = _around(part, move)
    return ("moved", places, f"{places[0]} {places[-1]}") if places else None


def _days_fit(named: str, plan: str) -> bool:
    """Whether no day by which a thing is named is another one than the plan's."""
    held = quantities(plan)
    for one in quantities(named):
        alike = [other for other in held if other.kind == one.kind]
        if one.kind in _DAYS and alike and not any(same_value(one, other) for other in alike):
            return False
    return True


def _around(part: str, move: re.Match[str]) -> tuple[str, ...]:
    """Where the thing may be named around a verb of moving; empty where nothing is moved."""
    after = part[move.end() :]
    whither = WHITHER_EN.search(after)
    if whither is None and not _ALONE.match(move[0]):
        return ()
    behind = after[: whither.start()] if whither else after
    rest = re.sub(r"^(?:back|forward|up|off|out) ", "", after[whither.start() :]) if whither else ""
    tail = _OBJECT.match(rest)
    return behind.strip(), tail[0] if tail else "", part[: move.start()].strip()


def _names_zh(part: str, verb: re.Match[str]) -> tuple[str, ...]:
    before, after = part[: verb.start()], part[verb.end() :]
    held = BA_ZH.match(before)
    before = held["thing"] if held else SAID_ZH.sub("", before)
    # 不去青城山了: what is not done stands between the verb and its end.
    inner = verb[0].strip("不了啊吧呢哈，") if verb[0].startswith("不") else ""
    return inner, before.strip(), after.strip()


def named_by(name: str, plan: str) -> Literal["", "partly", "wholly"]:
    """Whether a name stands for a plan: all that it says stands there, or a word of the same sort.

    `partly`: it covers little of the plan, or only its sort of event.
    """
    name, plan_bare = _bare(name), _bare(plan)
    if not name:
        return ""
    sorts = {which for which, pattern in FAMILY if pattern.search(name)}
    shared = {which for which, pattern in FAMILY if which in sorts and pattern.search(plan)}
    meals = [{at for at, meal in enumerate(_MEALS) if meal.search(text)} for text in (name, plan)]
    if (meals[0] and meals[1] and not meals[0] & meals[1]) or (
        "trip" in sorts - shared and not _GOES.search(plan)
    ):
        return ""
    # Who goes somewhere is on a trip there, in whatever words.
    alike = shared | ({"trip"} & sorts)
    stems, there = _stems(name), _stems(plan_bare)
    left = [word for word in stems if word not in there and not _of_sort(word, alike)]
    if left:
        return ""
    runs = [run for run in RUN.findall(SORT_ZH.sub(" ", name)) if not set(run) <= LIGHT_ZH]
    covered = 0
    for run in runs:
        got = _covered(run, plan_bare, alike)
        if got is None:
            return ""
        covered += got
    exact = len(set(stems) & set(there))
    if not exact and not covered:
        return "partly" if shared else ""
    own = len(set(there)) + sum(
        len(set(run) - LIGHT_ZH) for run in RUN.findall(SORT_ZH.sub(" ", plan_bare))
    )
    return "wholly" if (exact + covered) >= SHARE * own else "partly"


def _covered(run: str, plan: str, shared: set[str]) -> int | None:
    """How many telling characters of a run stand in a plan; None where some of them do not."""
    found = _covers(run, plan, shared)
    if found is None and shared:
        for which, pattern in FAMILY:
            run = pattern.sub("", run) if which in shared else run
        found = _covers(run, plan, shared)
    return found


def _covers(run: str, plan: str, shared: set[str]) -> int | None:
    covered, left, longest = 0, run, 0
    while left:
        best = longest_shared(left, plan)
        if len(best) < 2 and not (len(run) == 1 or longest >= 2 or shared):
            break
        if not best:
            break
        longest = max(longest, len(best))
        covered += len(set(best) - LIGHT_ZH)
        left = left.replace(best, "", 1)
    if set(left) <= LIGHT_ZH and (covered or shared):
        return covered
    return None


def longest_shared(run: str, text: str) -> str:
    """The longest stretch of a run that stands in a text, the first of several; "" for none."""
    size = len(run)
    parts = (run[at : at + long] for long in range(size, 0, -1) for at in range(size - long + 1))
    return next((part for part in parts if part in text), "")


def _of_sort(stem: str, shared: set[str]) -> bool:
    return any(
        which in shared and any(stem_of(word) == stem for word in _words_of(pattern.pattern))
        for which, pattern in FAMILY
    )


@lately(64)
def _words_of(pattern: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[a-z]{3,}", pattern))


def _bare(text: str) -> str:
    return re.sub(r"[上下这本]个?(?=\s)|\s+", " ", blank(text)).strip(" ,.，。的")


def _stems(text: str) -> list[str]:
    words = (word.removesuffix("'s") for word in WORD.findall(RUN.sub(" ", text)))
    stems = [stem_of(word) for word in words if word not in ENGLISH and len(word) > 1]
    return [stem for stem in stems if stem not in LIGHT_EN and stem not in SORT_EN]


def says_something(name: str) -> bool:
    """Whether a place names anything at all, so that the next one is not asked."""
    bare = _bare(name)
    if _stems(bare):
        return True
    runs = RUN.findall(SORT_ZH.sub(" ", bare))
    return any(len(run) > 1 and set(run) - LIGHT_ZH for run in runs)
