"""What time has to do with an answer: first and last times, "when" questions, and whole periods.

"The first time I …" and 最近一次 order what matches about equally well by its time. "When" favours
what is dated. "What happened last week" asks for no words at all: the time index comes first (P3),
and the period is told by what mattered, spread over its days.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from slowwave.ledger import in_force
from slowwave.model import Event, Memory, day_bounds, day_of
from slowwave.ports import Store
from slowwave.recall import candidates, current, new_request
from slowwave.recall.found import Found
from slowwave.recall.index import spoken
from slowwave.recall.question import Asked
from slowwave.text.cited import cited_term
from slowwave.text.later import later
from slowwave.text.noise import noise_reason
from slowwave.text.segment import fold, query_phrases
from slowwave.text.stopwords import ENGLISH, HAN_CHARS, HAN_WORDS

Order = Literal["", "first", "last"]

ABOUT_AS_GOOD = 0.8
"""Share of the best match from which time decides between matches."""

UNDATED = 0.85
"""Factor on what tells no time, for a question that asks for one. Chosen on four conversations of
LoCoMo (0.8 to 1 tried)."""

PER_DAY = 40
MOST_EVENTS = 600
"""Events of one day, and of all, from which a period is told."""

LATELY = timedelta(days=14)
"""What "lately" is."""

AGAIN = 0.85
"""Factor for each hit of the same day that stands before: a period is told over its days."""

ONLY_NAMED = 0.8
"""Factor on what names a day of the period, and is about another: "moved from Wednesday"."""

LEAST, SPAN = 0.4, 0.4
"""Score of what did not matter at all, and how much more what mattered most has."""

_FIRST = later(
    r"第一次|第一回|首次|头一[次回]|最早|最初|最先|一开始|当初"
    r"|\b(?:the (?:very )?first time|my first|our first|first (?:ever )?\w+ed|earliest|originally"
    r"|initially|did (?:i|we|you|he|she|they) first|was the first|in the beginning"
    r"|to begin with)\b",
    re.IGNORECASE,
)
_LAST = later(
    r"最近一[次回]|最后一[次回]|上一?[次回]|最新|最近的?那[次回]|最晚"
    r"|\b(?:the last time|most recent(?:ly)?|latest|newest|did (?:i|we|you|he|she|they) last"
    r"|last (?:saw|met|went|had|did|talked|spoke|visited|bought|\w+ed))\b",
    re.IGNORECASE,
)
_WHEN = later(
    r"什么时候|甚么时候|何时|哪[一]?[天年日月周]|几[号月点]|多久[之以]?前|啥时候|哪个(?:月|星期|周|礼拜)|日期"
    r"|\b(?:when (?:did|was|were|is|are|do|does|will|had|have|has)"
    r"|what (?:date|day|time|month|year)|which (?:date|day|month|year|week)|how long ago"
    r"|since when)\b",
    re.IGNORECASE,
)
_DATED = later(
    r"\d{4}-\d\d|\d{1,2}[月号日点:：]|[今昨明前后去][天年晚日]|[上下这本][个]?(?:周|星期|礼拜|月)|周[一二三四五六日末]"
    r"|星期|礼拜[一二三四五六日]|月[初中底]"
    r"|\b(?:\d{1,2}(?:st|nd|rd|th)|yesterday|today|tonight|tomorrow|ago|(?:last|next|this) \w+"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august"
    r"|september|october|november|december|weekend)\b",
    re.IGNORECASE,
)
_TOLD_ZH = (
    r"发生|经历|做过?|干|忙|搞|弄|聊|说|谈|讨论|事情|事儿|大事|事|安排|计划|活动|日程|行程|进展|总结|回顾|盘点|汇总"
    r"|重要|要紧|主要|情况|内容|话题|概括|记录"
)
_TOLD_EN = (
    r"happen(?:ed|ing|s)?|did|do|doing|done|go(?:ing)? on|went on|events?|things?|stuff|up to"
    r"|summar\w+|recap|highlights?|review|important|main|major|talk(?:ed)?|discuss(?:ed)?|sa(?:y|id)"
    r"|work(?:ed|ing)? on|busy|schedul\w*|plan(?:s|ned)?|agenda|calendar|everything|news|notable"
)
_LATELY_ZH = "最近|近来|近期|这阵子|这段时间|这[几两]天|前[几两]天"
_LATELY_EN = "lately|recently|these days|the other day|past few days|last few days"
_LATELY = later(rf"{_LATELY_ZH}|\b(?:{_LATELY_EN})\b", re.IGNORECASE)
_LISTS = later(rf"{_TOLD_ZH}|有(?:什么|啥|哪些)|\b(?:{_TOLD_EN})\b", re.IGNORECASE)
_FRAME_ZH = later(
    rf"{_TOLD_ZH}|一?下|些|看看|列出?|哪些|怎么样|过得?|去|里|{_LATELY_ZH}"
    rf"|{'|'.join(sorted(HAN_WORDS, key=len, reverse=True))}|[{''.join(sorted(HAN_CHARS))}]"
)
_ASKS = later(
    r"[?？]|什么|甚么|啥|哪|[吗呢嘛么]|怎|几|多少|有没有|总结|回顾|盘点|汇总|概括|列|看看|说说|讲讲|告诉"
    r"|事情?$|大事|要闻|日程|行程|安排|计划|活动|进展|记录|情况|话题"
    r"|\b(?:what|which|who|how|any|anything|everything|list|show|give|tell|summar\w+|recap|review"
    r"|highlights?|agenda|calendar|schedule|plans|events|news"
    r"|(?:did|have|was|were|do|am) (?:i|we))\b",
    re.IGNORECASE,
)
"""What asks, or names what is to be told: "let's talk tomorrow" and 明天再说 do neither."""

_WONDERS = later(r"[?？]\s*$|呢[。.!！~～\s]*$|^\W*(?:what|how)(?:'s)?\b", re.IGNORECASE)
"""Nothing but a day, as a question: "and yesterday?", 前天呢."""

_FRAME_EN = later(
    rf"\b(?:{_TOLD_EN}|days?|mornings?|afternoons?|evenings?|nights?|weekends?|list|give|show|get|got|let|make|made|like|life|{_LATELY_EN})\b",
    re.IGNORECASE,
)
_TALK = later(
    r"[聊说谈讲问]|讨论|话题|\b(?:talk\w*|discuss\w*|sa(?:y|id)|ask(?:ed)?|chat\w*)\b",
    re.IGNORECASE,
)
_POINTS = later(r"[那这]|\b(?:that|this|those|these) \w", re.IGNORECASE)


def listing(asked: Asked) -> Asked | None:
    """The question with its period, where it asks for nothing else than what was in that."""
    rest = _LATELY.sub(" ", asked.rest)
    wonders = asked.days and _WONDERS.search(rest)
    if not (wonders or (_LISTS.search(rest) and _ASKS.search(rest))) or _POINTS.search(rest):
        return None
    words = re.findall(r"[^\W_]+", _FRAME_EN.sub(" ", _FRAME_ZH.sub(" ", fold(rest))))
    if any(word not in ENGLISH for word in words):
        return None
    if asked.days:
        return asked
    lately = ((asked.today - LATELY, asked.today),)
    return replace(asked, days=lately) if rest != asked.rest else None


def of_the_period(store: Store, asked: Asked) -> tuple[list[Found], list[Found]]:
    """The memories and the events of the periods that are named, each weighed by what it matters.

    Memories told then, and those about a day of then, whenever they were told.
    """
    events = _told(store, asked)
    phrases = [(cited_term(event.id),) for event in events]
    space = asked.query.space
    citing = (
        store.match(space, "memory", "own", phrases, mode="any", limit=3 * len(phrases))
        if phrases
        else []
    )
    ids = dict.fromkeys((*(hit.id for hit in citing), *candidates.dated(store, asked)))
    memories = [one for one in store.memories_by_id(space, list(ids)).values() if not one.undone]
    memories.sort(key=lambda one: (-one.importance, -one.mention_count, one.id))
    told = {event.id for event in events}
    owned: dict[str, float] = {}
    held = []
    for memory in memories:
        worth = LEAST + SPAN * (memory.importance + 10 * memory.pinned) / 110
        if not told.intersection(span.event_id for span in memory.evidence):
            worth *= 1.0 if _is_about(memory, asked) else ONLY_NAMED
        held.append(Found(memory, candidates.NOTHING, worth, strength=1.0))
        for span in memory.evidence:
            owned.setdefault(span.event_id, worth)
    said = [
        Found(event, candidates.NOTHING, owned.get(event.id) or _worth(event), strength=1.0)
        for event in events
    ]
    return held, said


def _is_about(memory: Memory, asked: Asked) -> bool:
    return any(current.falls_within(memory, *span, asked.zone) for span in asked.days)


def spread(found: Iterable[Found], asked: Asked) -> list[Found]:
    """The best first, but so that every day has its turn."""
    waiting = sorted(found, key=lambda each: (-each.score, each.unit.id))
    picked: list[Found] = []
    days: Counter[date] = Counter()
    while waiting and len(picked) < asked.query.k:
        best = max(waiting, key=lambda each: each.score * AGAIN ** days[_day(each, asked)])
        waiting.remove(best)
        day = _day(best, asked)
        best.factor *= AGAIN ** days[day]
        days[day] += 1
        picked.append(best)
    return _for_prompt(picked, asked) if asked.query.for_prompt else picked


def _for_prompt(found: Sequence[Found], asked: Asked) -> list[Found]:
    """What tells the period, scored so that it goes in: how much it matters is for the order.

    Where the talk itself is not asked for, an agent's words and what only asked tell nothing.
    """
    talk = _TALK.search(asked.query.text) is not None
    least = asked.settings.min_score
    kept = [each for each in found if talk or new_request.tells(each.unit)]
    for each in kept:
        each.given = least + (1 - least) * each.score
    return kept


def unordered(asked: Asked) -> Asked:
    """The question without the words that ask for the first or the last: no answer has them."""
    rest = _LAST.sub(_kept, _FIRST.sub(_kept, asked.rest))
    if rest == asked.rest or not query_phrases(rest):
        return asked
    matter = query_phrases(rest)
    return replace(asked, phrases=matter, matter=matter)


def _kept(match: re.Match[str]) -> str:
    """What of an order word is content: the verb of "last met"."""
    word = match.group().split()[-1]
    return f" {word} " if word.endswith("ed") or word in _VERBS else " "


_VERBS = frozenset({"saw", "met", "went", "had", "did", "spoke", "bought"})


def timed(found: Sequence[Found], asked: Asked) -> list[Found]:
    """`found` (best first) in the order that a question for a time asks for."""
    text = asked.query.text
    if _WHEN.search(text):
        for each in found:
            if not _is_dated(each):
                each.factor *= UNDATED
    ordered = sorted(found, key=lambda each: (-each.score, each.unit.id))
    order: Order = "first" if _FIRST.search(text) else "last" if _LAST.search(text) else ""
    if not order or not ordered:
        return ordered
    least = ABOUT_AS_GOOD * ordered[0].score
    group = [each for each in ordered if each.score >= least and not each.over]
    scores = [each.score for each in group]
    group.sort(key=lambda each: _when(each, order, asked), reverse=order == "last")
    for each, score in zip(group, scores, strict=True):
        if each.score > 0:
            each.factor *= score / each.score
    rest = [each for each in ordered if each not in group]
    return [*group, *rest]


def _told(store: Store, asked: Asked) -> list[Event]:
    """What was said in the periods, at most so much of each day: the longest, in its order."""
    found: list[Event] = []
    for first, last in asked.days:
        start = day_bounds(max(first, date(1970, 1, 2)), asked.zone)[0]
        end = day_bounds(min(last, asked.today), asked.zone)[1]
        if start < end:
            found += store.events_between(asked.query.space, start, end)
    by_day: dict[date, list[Event]] = {}
    for event in in_force(store, asked.query.space, found):
        if spoken(event) and candidates.said_within(asked.query, event.ts) and _counts(event):
            by_day.setdefault(day_of(event.ts, asked.zone), []).append(event)
    each_day = max(1, min(PER_DAY, MOST_EVENTS // max(1, len(by_day))))
    kept = []
    for said in by_day.values():
        said.sort(key=lambda event: (event.origin == "agent", -min(len(event.text), 200)))
        kept += said[:each_day]
    return kept[:MOST_EVENTS]


def _counts(event: Event) -> bool:
    return noise_reason(event.text[:2_000]) is None


def _worth(event: Event) -> float:
    """What an event matters that no memory holds."""
    value = LEAST * (0.75 + 0.25 * min(1.0, len(query_phrases(event.text[:400])) / 10))
    return value * (candidates.AGENT_TALK if event.origin == "agent" else 1.0)


def _day(each: Found, asked: Asked) -> date:
    """The day of the period that a unit belongs to."""
    unit = each.unit
    if isinstance(unit, Event):
        return day_of(unit.ts, asked.zone)
    days = [date.fromisoformat(unit.valid_from[:10])] if unit.valid_from else []
    days += [day_of(span.ts, asked.zone) for span in unit.evidence if span.ts]
    inside = [day for day in days if any(first <= day <= last for first, last in asked.days)]
    return inside[0] if inside else day_of(unit.last_seen, asked.zone)


def _is_dated(each: Found) -> bool:
    unit = each.unit
    if isinstance(unit, Memory) and unit.valid_from:
        return True
    return bool(_DATED.search(unit.text[:2_000]))


def _when(each: Found, order: Order, asked: Asked) -> datetime:
    """When it happened; where that is not told, when it was said."""
    unit = each.unit
    if isinstance(unit, Event):
        return unit.ts
    if unit.valid_from:
        day = date.fromisoformat(unit.valid_from[:10])
        return datetime(day.year, day.month, day.day, 12, tzinfo=asked.zone or UTC)
    return unit.first_seen if order == "first" else unit.last_seen
