"""Whether a turn that the later statement tells of is a turn of what the earlier one says.

Every answer needs the thing itself to be named in both, as a thing of its own, of one holder: the
old partner where one is named, else the role or place whose partner has changed.
"""

import re
from collections.abc import Callable
from difflib import SequenceMatcher
from itertools import product

from slowwave.dream.compare.grounds.ending import over_already
from slowwave.dream.compare.grounds.mention import content_of, mentioned
from slowwave.dream.compare.reading.label import things_apart
from slowwave.dream.compare.reading.quantity import Quantity, quantities, same_value
from slowwave.dream.compare.reading.statement import Reading, read, stem_of
from slowwave.dream.compare.reading.topic import topic_of
from slowwave.dream.compare.reading.turn import Turn, corrects, turns
from slowwave.dream.compare.turns.hold import released
from slowwave.dream.compare.turns.holder import takes_over
from slowwave.dream.compare.turns.reschedule import replanned
from slowwave.text.lately import lately
from slowwave.text.stopwords import ENGLISH

__all__ = ["off_for_now", "turned"]

_REPORTS = re.compile(r"\b(?:i|we)(?: now)? report to\b")
_RECURS = re.compile(
    r"每|都|一般|通常|总是|平时|\b(?:every|each|daily|weekly|always|usually|\w+days|mornings|"
    r"evenings|nights)\b"
)
_JUST_NOW = re.compile(
    r"(?<![从自打])(?:今[天晚早]|这(?:次|周|个?星期|回|趟)|本周|明天)(?![起开])|(?<!from )"
    r"(?<!starting )(?<!since )(?<!as of )\b(?:today|tonight|this (?:week|time|morning|evening|"
    r"month|afternoon)|tomorrow)\b"
)
_AHEAD = re.compile(
    r"打算|准备|计划|要|将|约|定|报名|报了|去|飞|订|下[周个]|明[天年]|后天|办|开|聚|会员|订阅|"
    r"\b(?:will|going|plan\w*|book\w*|sign\w*|regist\w*|fly\w*|meet\w*|see\w*|visit\w*|travel\w*|"
    r"next|tomorrow|subscri\w+|member\w*|appointment|have|launch\w*|host\w*|throw\w*|attend\w*|"
    r"scheduled|due|invited|reserv\w+|order\w*|move|moving)\b|'ll\b"
)
"""Words of what lies ahead, or runs on an arrangement."""
_INTENDS = re.compile(
    r"\b(?:need|have|has|want|must|should|ought|to-?do|remember|going to|plan\w*|will|due|"
    r"deadline)\b|"
    r"'ll\b|想|得|记得|待办|打算|准备|计划|要|将|截止"
)
"""Words of what is still to be done."""
_PART_OF_DAY = re.compile(
    r"凌晨|清晨|清早|早上|早晨|上午|中午|午后|下午|傍晚|晚上|夜里|深夜|睡前|饭后|下班后|上班前|"
    r"周末|"
    r"工作日|\b(?:mornings?|noon|lunch(?:time)?|afternoons?|evenings?|nights?|weekends?|weekdays?|"
    r"before work|after work|before bed|breakfast|dinner)\b"
)
_WHEN = re.compile(
    rf"{_PART_OF_DAY.pattern}|以后|今后|现在|从?[今明]天起?|每[天周日月]?|[我都了也]|时间"
)
_HABIT_MOVED_ZH = re.compile(
    r"(?P<before>[^,，。；]{0,12}?)(?:改|换|挪|调)(?:成|到|为|在|约)?(?P<after>[^,，。；]{1,20})$"
)
_HABIT_MOVED_EN = re.compile(
    r"\b(?:switched|moved|changed|shifted)(?: over)? to (?P<act>\w+ing\b[^,.;]*)|"
    r"\b(?:moved|shifted|switched|changed) (?:my |our |the )?(?P<obj>[^,.;]{2,30}?) to [^,.;]+"
)
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+(?:['.:-][^\W_\u3400-\u9fff]+)*")
_WAITS = (
    re.compile(r"\b(?:until|till|before|unless|pending) (?P<for>[^,.;]{3,60})"),
    re.compile(
        r"(?:^|[,，])(?P<for>[^,，。]{2,16}?)(?:之前|以前|前)[,，]?[^,，。]{0,12}[别不勿暂]"
    ),
    re.compile(
        r"(?:^|[,，])(?P<for>[^,，。]{1,10}?[没未][^,，。别不勿]{1,5}?)[,，]?(?:就|先|"
        r"暂时)?[别不勿]"
    ),
    re.compile(r"等(?P<for>[^,，。]{2,18}?)(?:了?再|之?后|以后)"),
)
_SOMEBODY = re.compile(
    r"(?P<who>(?!i\b|we\b|it\b|this\b|that\b|no\b|my\b|our\b|the\b|finally\b)[a-z]+) (?:has|had|"
    r"is|was|"
    r"quit|gave|stopped|dropped|sold|cut|no longer|never|doesn't|isn't)\b"
)
_NOT_YET = re.compile(r"还?[没未](?:有)?")
_STILL_TO = re.compile(
    r"\b(?:pays?|signs?|confirms?|calls?|rings?|arrives?|comes?|lands?|approves?|clears?|finishes|"
    r"finish|reads?|repl(?:y|ies)|answers?|agrees?|gets?|goes|go|says?|sends?|decides?|opens?|"
    r"passes)\b"
)
"""The verb of what is waited for, which stands in another form once it has come."""
_NOT_ONE = re.compile(
    r"一(?P<of>[口根支杯瓶罐包粒颗片块碗滴])(?:都|"
    r"也)?不(?:再)?(?P<verb>[抽喝吃嚼嗑])了?"
)
"""Not one of what the earlier one counts (一根都不抽了)."""
_WHOEVER = re.compile(r"^(?:they|he|she|it)\b")
_HOLDS = re.compile(
    r"\b(?:no|not|don't|never|nothing|hold|wait|pause|on hold|keep|leave)\b|n't\b|[别不勿暂先]|再"
)
_MET = re.compile(
    r"\b(?:is|are|has|have|was|'s)(?: now| finally| been| all| already)* (?:in|here|back|done|"
    r"ready|through|paid|"
    r"signed|approved|finished|dry|dried|over|complete\w*|settled|out|up|down|on|off|confirmed|"
    r"fixed|arrived|"
    r"landed|cleared|passed)\b"
    r"|\b(?:has|have|'ve|'s) (?:now |finally |already )*(?:been )?(?:\w+ed|read|come|gone|sent|"
    r"given|"
    r"seen|got|said|rung|put)\b|\b(?:arrived|came|called|signed|paid|approved|finished|landed|"
    r"confirmed|cleared|"
    r"went through|passed|"
    r"signs|approves)\b|了(?:$|[,，。])|已经?|好了"
)
"""That what was waited for has come."""
ALIKE = 0.5
"""Least share of both wordings that a correction leaves as it was."""
PLACE_ZH, PLACE_EN = 7, 4
"""Longest place (characters, words) that a correction fills anew."""
SPARE = 3
"""Most units a statement has beside the thing that gave way."""


def turned(
    earlier: Reading,
    later: Reading,
    *,
    planned: bool = False,
    apart: bool = False,
    held: bool = False,
) -> str:
    """Why the later statement ends the earlier one by a turn it tells of, or "".

    `planned`: the earlier one is remembered as a plan; `held`: as a hold or a rule. `apart`: they
    are filed under different people, so that only what names the role or the thing itself counts.
    """
    if things_apart(earlier.folded, later.folded):
        return ""
    one, other = (_REPORTS.sub("my manager is", text.folded) for text in (earlier, later))
    by_frame = _turned_by_frame(one, other, apart)
    if by_frame or over_already(earlier):
        return by_frame
    if _met(one, other):
        return "what it waited for has come"
    if off_for_now(earlier, later):
        return ""
    said = [turn for turn in turns(other) if not (apart and _needs_person(turn))]
    for turn, clause in product(said, _clauses(one)):
        if _FITS[turn.kind](turn, clause, earlier, later, planned):
            return _REASONS[turn.kind]
    freed = released(earlier.folded, later.folded) if held else ""
    others = later.who in later.kin - earlier.kin and later.who != earlier.who
    return freed or (replanned(earlier.folded, later.folded) if planned and not others else "")


def _turned_by_frame(one: str, other: str, apart: bool) -> str:
    none = _NOT_ONE.search(other)
    if none and not apart and re.search(rf"{none['verb']}[^，。,]{{0,3}}{none['of']}", one):
        return _REASONS["stop"]
    if not apart and _moved_habit(one, other):
        return "the later one gives the habit another time"
    return "the later one corrects it" if _corrected(one, other) else ""


def _needs_person(turn: Turn) -> bool:
    """Whether a turn only counts between statements of one person."""
    return turn.kind in ("stop", "done") or (turn.kind == "swap" and not turn.thing)


def off_for_now(earlier: Reading, later: Reading) -> bool:
    """Whether what comes again and again is only said to be off this day or week."""
    said = _JUST_NOW.search(later.folded)
    return said is not None and bool(_RECURS.search(earlier.folded))


def _met(one: str, other: str) -> bool:
    """Whether the later one tells that what a hold waits for has come."""
    waits = next((found["for"] for frame in _WAITS if (found := frame.search(one))), "")
    if not waits or not _HOLDS.search(one):
        return False
    waits = _NOT_YET.sub("", waits)
    parts = [part for part in _clauses(other) if not read(part).negators]
    if _WHOEVER.match(waits):
        # Who it waits for is named before: it is nobody else who has done it.
        parts = [part for part in parts if not _stranger(part, one)]
    bare = _MET.sub(" ", waits)
    return any(
        _MET.search(part) and (mentioned(bare, part) or _has_done(bare, part)) for part in parts
    )


def _has_done(waits: str, part: str) -> bool:
    """Whether a clause has the verb of what is waited for in another form ("pays", "has paid")."""
    verb = _STILL_TO.search(waits)
    if verb is None or not any(word.startswith(verb[0][:2]) for word in _TOKEN.findall(part)):
        return False
    return mentioned(_STILL_TO.sub(" ", waits), _MET.sub(" . ", part))


def _stranger(part: str, text: str) -> bool:
    """Whether a clause opens with a noun that a text does not have."""
    opens = _TOKEN.match(part)
    return opens is not None and opens[0] not in text and opens[0] not in ENGLISH


@lately(4_096)
def _clauses(folded: str) -> tuple[str, ...]:
    parts = re.split(r"[，。；;！!？?]+|[.](?=\s|$)|\s[-–—]+\s|,(?!\d)|\b(?:but|so)\b", folded)
    return tuple(part.strip() for part in parts if part and part.strip())


def _stop(turn: Turn, clause: str, earlier: Reading, later: Reading, _planned: bool) -> bool:
    if "like" in earlier.slots and "like" not in later.slots:
        return False
    if earlier.negators and not later.slots & {"diet"}:
        return False
    if not _one_person(earlier, later) or _of_another(turn, earlier, later):
        return False
    return mentioned(turn.old, clause) and not _within_list(turn.old, clause)


def _of_another(turn: Turn, earlier: Reading, later: Reading) -> bool:
    """Whether somebody stopped of whom the earlier one does not speak ("Tina quit …")."""
    said = _SOMEBODY.match(later.folded)
    return said is not None and said["who"] not in earlier.folded and said["who"] not in turn.old


def _off(turn: Turn, clause: str, earlier: Reading, later: Reading, planned: bool) -> bool:
    if earlier.negators or not mentioned(turn.old, clause):
        return False
    said = next((part for part in _clauses(later.folded) if turn.old in part), later.folded)
    if read(said).who not in ("", "owner", earlier.who):
        return False  # somebody else has called it off
    if not _times_fit(quantities(turn.old), quantities(clause)) or _within_list(turn.old, clause):
        return False
    held = _AHEAD.search(clause) or _RECURS.search(clause)
    return planned or bool(quantities(clause)) or bool(held)


def _done(turn: Turn, clause: str, earlier: Reading, later: Reading, planned: bool) -> bool:
    if not planned or earlier.negators or later.negators or not _one_person(earlier, later):
        return False
    if _RECURS.search(clause) or not mentioned(turn.old, clause):
        return False
    if not (_INTENDS.search(clause) or quantities(clause)):
        return False
    spare = SPARE if clause.isascii() else 2 * SPARE  # a word in Chinese is a pair or two
    if len(topic_of(clause) - topic_of(turn.old)) > spare:
        return False  # what is named in passing is not what was planned
    return _times_fit(quantities(turn.old), quantities(clause))


def _times_fit(named: tuple[Quantity, ...], held: tuple[Quantity, ...]) -> bool:
    """Whether no day or number that is named contradicts one of the same kind that is held."""
    for one in named:
        alike = [other for other in held if other.kind == one.kind]
        if alike and not any(same_value(one, other) for other in alike):
            return False
    return True


def _swap(turn: Turn, clause: str, earlier: Reading, later: Reading, _planned: bool) -> bool:
    named = mentioned(turn.old, clause) or any(
        name.startswith(turn.old + " ") and name in clause for name in earlier.names
    )
    if earlier.negators or not named or _within_list(turn.old, clause):
        return False
    if turn.new and mentioned(turn.new, clause):
        return False
    stems, runs = content_of(turn.thing)
    if stems or runs:
        return _named_loosely(turn.thing, clause)
    if not _one_person(earlier, later):
        return False
    return len(topic_of(clause) - topic_of(turn.old)) <= SPARE and not _like_only(earlier)


def _like_only(earlier: Reading) -> bool:
    return bool(earlier.slots & {"like", "dislike"})


def _named_loosely(thing: str, clause: str) -> bool:
    """Whether the words for a thing stand in a clause, wherever; half of them in Chinese."""
    stems, runs = content_of(thing)
    there, _ = content_of(clause)
    if stems:
        return bool(stems & there) and len(stems & there) * 2 >= len(stems)
    return any(run in clause or (len(run) > 2 and (run[:2] in clause or run[-2:] in clause))
               for run in runs)  # fmt: skip


def _holder(turn: Turn, clause: str, earlier: Reading, later: Reading, _planned: bool) -> bool:
    return not earlier.negators and takes_over(turn, clause, earlier, later)


def _one_person(earlier: Reading, later: Reading) -> bool:
    """Whether both are said of the same person, as far as they say so."""
    if earlier.who == later.who:
        return True
    if earlier.han > 0.5 or later.han > 0.5:
        return "" in (earlier.who, later.who)
    opens = any(later.folded.startswith(name) for name in later.names)
    return (later.who == "" and not opens and earlier.who == "owner") or (
        earlier.who == "" and later.who == "owner" and bool(earlier.names)
    )


def _within_list(thing: str, clause: str) -> bool:
    """Whether a thing is one of several that are named in one breath: the others still hold."""
    stems, runs = content_of(thing)
    for word in map(re.escape, runs):
        together = r"[和跟](?!.{1,6}(?:一起|去|玩|打|看))"
        if re.search(rf"[、和跟与]\s?{word}|{word}\s?(?:[、与]|{together})", clause):
            return True
    words = _TOKEN.findall(clause)
    marks = [stem_of(word) in stems for word in words]
    for at, word in enumerate(words):
        joins = word in ("and", "or") and 0 < at < len(words) - 1
        if joins and marks[at - 1] != marks[at + 1]:
            return True
    return False


def _moved_habit(one: str, other: str) -> bool:
    """Whether the later one puts the same doing at another part of the day or week."""
    for clause in _clauses(one):
        held = (frozenset(_PART_OF_DAY.findall(clause)), _when(clause))
        if not any(held):
            continue
        for part in _clauses(other):
            act = _act(part)
            now = (frozenset(_PART_OF_DAY.findall(part)), _when(part))
            if not act or not any(now) or not mentioned(act, clause):
                continue
            days = held[0] and now[0] and not held[0] & now[0]
            times = held[1] and now[1] and not held[1] & now[1]
            if (
                days
                or times
                or (bool(held[0]) != bool(now[0]) and held != now and not held[1] & now[1])
            ):
                return True
    return False


def _when(text: str) -> frozenset[tuple[str, str]]:
    kinds = ("clock", "weekday")
    return frozenset((one.kind, one.value) for one in quantities(text) if one.kind in kinds)


def _act(clause: str) -> str:
    """What is done at another time now, by a clause that says so."""
    if re.search(r"[\u4e00-\u9fff]", clause):
        match = _HABIT_MOVED_ZH.search(clause)
        if match is None:
            return ""
        kept = [_WHEN.sub(" ", match[name]) for name in ("after", "before")]
        return next((text for text in kept if content_of(text)[1]), "")
    moved = _HABIT_MOVED_EN.search(clause)
    if moved is None:
        return ""
    return _PART_OF_DAY.sub(" ", moved["act"] or moved["obj"])


def _corrected(one: str, other: str) -> bool:
    """Whether a correction repeats the earlier one but for one place, which it fills anew."""
    rest = corrects(other)
    if not rest:
        return False
    wordings = [part for part in _clauses(rest) if part]
    return any(_one_place(old, new) for old in (*_clauses(one), one) for new in wordings)


def _one_place(old: str, new: str) -> bool:
    first, second = _TOKEN.findall(old), _TOKEN.findall(new)
    steps = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    changed = [step for step in steps if step[0] != "equal"]
    kept = sum(step[2] - step[1] for step in steps if step[0] == "equal")
    if not kept or kept < ALIKE * min(len(first), len(second)) or kept < 2:
        return False
    if len(changed) != 1 or changed[0][0] != "replace":
        return False
    _, start, end, begin, stop = changed[0]
    most = PLACE_ZH if re.search(r"[\u4e00-\u9fff]", new) else PLACE_EN
    # What is spoken of stays; what is said of it changes.
    return (
        max(end - start, stop - begin) <= most and (start > 1 or end < len(first) / 2) and start > 0
    )


_FITS: dict[str, Callable[[Turn, str, Reading, Reading, bool], bool]] = {
    "stop": _stop, "off": _off, "swap": _swap, "holder": _holder, "done": _done,
}  # fmt: skip
_REASONS = {
    "stop": "the later one says that this is over",
    "off": "the later one says that this does not take place",
    "swap": "the later one puts something else in its place",
    "done": "the later one says that it has been done",
    "holder": "the later one names who or what holds this place now",
}
