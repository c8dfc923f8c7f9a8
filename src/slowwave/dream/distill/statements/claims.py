"""From a statement's clauses to a `Claim`: its kind, standing, importance, dates and evidence.

Importance asks N7's three questions and answers in N9's bands: does it change a future decision
(90–100), is it about a relationship or a preference, or key progress of a running project (60–89),
is it background (40–59). Confidence is separate: how plainly it was said, and by whom.
"""

import re
from datetime import datetime, tzinfo
from typing import Final

import msgspec

from slowwave.dream.compare.turns.due_day import is_monthly
from slowwave.dream.compare.turns.hold import RELEASE
from slowwave.dream.distill.acts.abstain import spell
from slowwave.dream.distill.acts.turning import only_frees
from slowwave.dream.distill.clauses.reading import KEPT
from slowwave.dream.distill.statements.denial import is_denial
from slowwave.dream.distill.statements.edges import edges
from slowwave.dream.distill.statements.groups import Group
from slowwave.dream.distill.subject import AGENT, WORLD
from slowwave.model import USER, Claim, Event, Evidence, Kind, Standing, When
from slowwave.text.dates import TimeExpr, annotate, find_times, validity
from slowwave.text.entities import find_entities
from slowwave.text.polarity import canonical, is_negated, is_this_once

__all__ = ["SEED_IMPORTANCE", "claim_of", "evidence_of"]

SEED_IMPORTANCE: Final = 90
"""A seed's importance (N18)."""

_BAND: Final[dict[str, int]] = {
    "rule": 80, "plan": 70, "relationship": 65, "preference": 70, "profile": 65, "project": 65,
    "environment": 60, "fact": 50,
}  # fmt: skip
_VITAL = re.compile(
    r"过敏|癫痫|糖尿病|血压|哮喘|助听|轮椅|华法林|怀孕|allerg|anaphyla|epilep|diabet|insulin"
    r"|asthma|wheelchair"
    r"|pacemaker|coeliac|celiac|intoleran|不耐"
)
_TIMELY = re.compile(
    r"\d|[今明昨前后後上下本去来來每周週月年日号號点點晚早春夏秋冬底初节節刚剛]"
    r"|[一二三四五六七八九十两兩][天日号號点點月年周週个個]|星期|礼拜|禮拜"
    r"|day|night|week|month|year|quarter|noon|morning|evening|weekend|tomorrow|spring|summer"
    r"|autumn|winter|fall|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat"
    r"|sun|next|last|ago|until|till|since|hour|minute|easter|christmas|decade|century|now|recent",
    re.IGNORECASE,
)
_ONWARDS = re.compile(
    r"[从自打][^，]{1,10}(?:起|开始)|[这下本](?:个?学期|季度|个月|周|年)起"
    r"|\b(?:starting|as of|effective|from (?:now|today|tomorrow|next|mon|tue|wed|thu|fri|sat|sun))"
    r"|\bfrom (?:jan|feb|march|april|may|june|july|aug|sept?|oct|nov|dec)\w*(?! \d)"
    r"(?!.*\b(?:to|till|until|through)\b)",
    re.IGNORECASE,
)
_FROM_DAY = re.compile(r"from (?!now|today|tomorrow|next)", re.IGNORECASE)
_SPELL = re.compile(r"[\d零一二三四五六七八九十百两半几 ]+(?:年|个月|天|周|小时|分钟|个?星期)")
_HOUR = (
    r"(?:早上|上午|中午|下午|晚上|凌晨|清晨|傍晚|夜里|半夜|深夜|早|晚)?"
    r"\s*[\d一二三四五六七八九十两]{1,3}"
    r"\s*(?:[:：]\d{2}|点半?|点钟|\s*(?:am|pm|a\.m\.|p\.m\.|o'clock))"
    r"[\d零〇一二三四五六七八九十分刻钟半]*\s*(?:am|pm|a\.m\.|p\.m\.)?"
)
_CLOCK = re.compile(
    # A bare time of day, or from one to another, names no day: "moved to 10:15" is not about today.
    rf"^(?:at |by |around |about |before |after |from )?\W*{_HOUR}"
    rf"(?:\s*(?:to|till|until|and|-|–|—|到|至|~|～)\s*(?:第二天|次日)?{_HOUR})?$"
    r"|^(?:(?:at|by|around|about|before|after|until|till) )?(?:\d{1,2}|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|noon|midnight)$",
    re.IGNORECASE,
)
_NEW_HOUR = re.compile(rf"^\W*{_HOUR}\s*(?:starting|as of|from|since|effective)\b", re.IGNORECASE)
_MOVED = re.compile(
    r"[改挪推延调換换移]到|提前到|推迟到"
    r"|\b(?:mov|push|postpon|reschedul|shift|bump|brought forward|bring forward)\w*\b"
    r"[^.;]*?\b(?:to|for|until)\b",
    re.IGNORECASE,
)
_ONLY_ONCE = re.compile(
    r"[仅只就]此一次|下不为例|just this once|this (?:one )?time only", re.IGNORECASE
)
_DUE = re.compile(r"\b(?:deadline|due|by)\b|截止|交付|[日号天周月]之?前", re.IGNORECASE)
"""A project runs until its deadline, not from it."""

_EVER = re.compile(
    r"(?<![点时号日月天年周完了束后钟半])以后|今后|往后|\b(?:from now on|going forward)\b"
)
"""From now on: a weekday beside it comes every week."""

_BEGUN = re.compile(
    r"\b(?:start\w*|beg[aiu]n\w*|launch\w*|kick\w*|join\w*|took (?:over|on)|working|"
    r"set (?:up|out))\b|[开启]"
)
"""Words of what goes on from then."""

_CHOICE = re.compile(
    r"\b(?:decided on|settled on|going with|went with|chose|chosen)\b"
    r"|决定[用买选要]|选了|选定|定了用",
    re.IGNORECASE,
)


def evidence_of(event: Event, start: int, end: int) -> Evidence:
    """The exact span of an event as evidence."""
    return Evidence(
        event_id=event.id,
        quote=event.text[start:end],
        start=start,
        end=end,
        ref=event.ref,
        ts=event.ts,
        speaker=event.speaker,
    )


def claim_of(group: Group, event: Event, zone: tzinfo, *, agreed: Evidence | None = None) -> Claim:
    """The claim of one statement of `event`; `agreed` is the proposal it answers, if any."""
    start, end = edges(group, event)
    span = event.text[start:end]
    now = event.ts.astimezone(zone)
    habit = (group.any("habit") and not group.any("change")) or group.any("explains", "defines")
    habit |= _EVER.search(span) is not None and not any(c.isdigit() for c in span)
    habit = habit and not group.any("reminder")
    habit |= is_monthly(canonical(span))
    habit |= group.kind in ("rule", "preference")  # "Reports: Fridays" is about every Friday
    times = [] if habit else _since_when(span, _times_in(span, now))
    mine = group.subject in (USER, event.speaker)
    kind = group.kind or _kind(group, span, times, now, own=mine)
    standing = _standing(group, kind, span, now)
    to = _of_move(group, times, start) or _moved_to(span, times)
    without = group.turn("without") and standing == "temporary"
    since, until = _period(kind, standing, to or (spell(span, now) if without else []), now)
    if group.any("annual"):
        since, until = None, None  # a birthday comes every year
    due = kind == "project" and _DUE.search(span) is not None
    if group.act == "fact" and kind != "plan" and (due or group.any("expiry")) and (since or until):
        since, until = None, until or since
    elif kind == "fact" and group.any("decide") and since and since[:10] > now.date().isoformat():
        since = None  # a choice holds from now on, whatever day comes with it
    own = evidence_of(event, start, end)
    freed = group.subject == WORLD and not times and only_frees(group.clauses)
    return Claim(
        kind=kind,
        subject=group.subject,
        text=annotate(span, times).strip(),
        evidence=(own,) if agreed is None else (agreed, own),
        entities=tuple(dict.fromkeys(entity.text for entity in find_entities(span))),
        importance=_importance(group, kind, standing),
        confidence=_confidence(group, agreed),
        standing=standing,
        negated=is_denial(group, event.text[group.start : end]) and not group.turn("release"),
        valid_from=since,
        valid_to=until,
        rule=RELEASE if freed else f"{group.act}:{kind}",
    )


def _times_in(span: str, now: datetime) -> list[TimeExpr]:
    """The days a statement names. Looking for them costs more than all else, so words first."""
    if _TIMELY.search(span) is None:
        return []
    times = find_times(span, now)
    moved = _MOVED.search(span)
    if moved and any(time.start < moved.end() - 1 < time.end for time in times):
        # "moved from Thursday to Tuesday" is no stretch of time.
        times = [
            msgspec.structs.replace(
                time, start=time.start + moved.end(), end=time.end + moved.end()
            )
            for time in find_times(span[moved.end() :], now)
        ]
    return [
        t
        for t in times
        if not (_CLOCK.match(t.expr) or _SPELL.fullmatch(t.expr) or _NEW_HOUR.match(t.expr))
    ]


def _since_when(span: str, times: list[TimeExpr]) -> list[TimeExpr]:
    """ "Moved to Thursdays from next week on": only the day it begins is a day."""
    onwards = _ONWARDS.search(span)
    if onwards is None or not (_is_onwards(span) and _MOVED.search(span)):
        return times
    return [t for t in times if t.start <= onwards.end() + 1 and t.end >= onwards.start()]


def _moved_to(span: str, times: list[TimeExpr]) -> list[TimeExpr]:
    """Of a thing that is moved from one day to another only the new day counts."""
    moved = list(_MOVED.finditer(span))
    return [time for time in times if moved and time.start >= moved[-1].end() - 1] or times


def _of_move(group: Group, times: list[TimeExpr], start: int) -> list[TimeExpr]:
    """The days in the clauses that move a plan: "she can't do Friday, we meet on Monday"."""
    spans = [(r.clause.start, r.clause.end) for r in group.clauses if r.turn == "moved"]
    found = [t for t in times if any(a <= start + t.start < b for a, b in spans)]
    return _moved_to("", found) if len(spans) < len(group.clauses) else []


# ── kind ────────────────────────────────────────────────────────────────────────────────────────


def _kind(group: Group, span: str, times: list[TimeExpr], now: datetime, *, own: bool) -> Kind:
    if group.act == "fact" and any(r.has("reminder") and r.has("day") for r in group.clauses[:1]):
        return "plan"
    if group.act in ("rule", "hold") or (group.act == "exception" and group.subject == AGENT):
        return "rule"
    without = group.turn("without") and own
    if without or _is_plan(group, span, times, now):
        return "profile" if without else "plan"
    if group.subject == WORLD:
        return "environment" if group.any("env") else "fact"
    if not own:
        return "relationship"
    over = group.any("past", "done") or _is_over(group, times, now)
    kind = _kind_of_user(group, over=over)
    at_work = any(r.goal for r in group.clauses) and not over
    return "project" if at_work and kind in ("fact", "environment") else kind


def _is_plan(group: Group, span: str, times: list[TimeExpr], now: datetime) -> bool:
    """Something ahead that happens on its day; neither a habit nor a new standing state."""
    head = next((r for r in group.clauses if r.act in KEPT), group.clauses[0])
    if head.any("role", "naming", "trait", "pref") and not head.has("day"):
        return False
    if head.any("body", "habit") or group.any("expiry", "annual") or _CHOICE.search(span):
        return False
    if _is_onwards(span):
        return False
    if group.turn("moved") and _is_ahead(times, now, today=True):
        return True
    past = group.any("did", "done") and not group.any("decide")
    if group.any("until") and is_negated(span):
        return False  # "no new pupils until May" is a hold
    ahead = _is_ahead(times, now, today=not past)
    return ahead and group.any("event", "change", "agenda", "scheduled")


def _is_onwards(span: str) -> bool:
    """ "Starting Monday": a new state of things; "from Thursday to Friday" only moves a day."""
    found = _ONWARDS.search(span)
    if found is None:
        return False
    return _MOVED.search(span) is None or _FROM_DAY.match(found.group()) is None


def _is_over(group: Group, times: list[TimeExpr], now: datetime) -> bool:
    """ "I signed the paper today": done on its day; "we started the migration today" goes on."""
    told = any(r.has("did") and not _BEGUN.search(r.folded) for r in group.clauses)
    return told and bool(times) and not any(_is_ahead([t], now, today=False) for t in times)


def _kind_of_user(group: Group, *, over: bool) -> Kind:
    named = group.any("role", "naming", "trait") or group.turn("named")
    valued = group.any("env") and any(r.has_code() for r in group.clauses)
    own = group.any("i", "mine", "kin", "he")
    happened = group.any("past", "done") and not group.any("pref")
    happened &= not (own and group.any("naming"))
    happened &= group.any("kin") or not group.any("body")
    passing = group.any("feeling", "wish") and not (named or group.any("body", "habit"))
    reacts = group.any("pref") and group.any("you") and not group.any("habit")
    order: tuple[tuple[bool, Kind], ...] = (
        (happened or passing or reacts, "fact"),
        (group.any("body", "home"), "profile"),
        (valued and not named, "environment"),
        (group.any("pref") and not named, "preference"),
        (group.any("project") and not over, "project"),
        (group.any("env") and not group.any("role", "trait"), "environment"),
        (named or group.any("is"), "profile"),
    )
    return next((kind for holds, kind in order if holds), "fact")


def _is_ahead(times: list[TimeExpr], now: datetime, *, today: bool) -> bool:
    """Whether a time that was said lies ahead; `today` counts unless it is told as done."""
    day = now.date().isoformat()
    for time in times:
        if time.kind == "recurring":
            continue
        value = time.value if isinstance(time.value, str) else max(time.value.values())
        if value[:10] > day or (today and value[:10] == day):
            return True
    return False


# ── time ────────────────────────────────────────────────────────────────────────────────────────


def _standing(group: Group, kind: Kind, span: str, now: datetime) -> Standing:
    once = _ONLY_ONCE.search(span) is not None
    if once and group.act in ("exception", "hold", "rule") and not group.any("usual"):
        return "one_off"
    if is_this_once(span) and group.act == "exception":
        return "temporary" if group.any("hold") else "one_off"
    if group.act == "hold":
        return "temporary"
    if kind == "plan" and group.act != "exception":
        return "dated"
    ends = group.any("hold") and group.any("until")
    without = group.turn("without") and (group.any("hold") or bool(spell(span, now)))
    if without or (ends and group.act == "fact" and is_negated(span)):
        return "temporary"
    held = group.any("hold") and not group.any("expiry") and group.act != "exception"
    return "temporary" if held and kind not in ("rule", "profile", "environment") else "standing"


def _period(
    kind: Kind, standing: Standing, times: list[TimeExpr], now: datetime
) -> tuple[When | None, When | None]:
    """From when to when a claim holds: a plan on its day, a hold from today to its end."""
    since, until = validity(times)
    today = now.date().isoformat()
    if kind == "plan":
        return since, until or since
    if standing in ("temporary", "one_off"):
        end = until or since
        if standing == "one_off" and end is None:
            end = today
        return today, end if end and end[:10] >= today else None
    return since, None


_STAYS: Final = (
    "change", "role", "naming", "trait", "pref", "body", "habit", "home", "decide", "stored",
    "cancel", "scheduled", "teach", "annual", "expiry", "project", "altered", "remember",
)  # fmt: skip
"""Cues of what stays so, or is asked for later."""


# ── weight ──────────────────────────────────────────────────────────────────────────────────────


def _importance(group: Group, kind: Kind, standing: Standing) -> int:
    folded = " ".join(r.clause.folded for r in group.clauses)
    if _VITAL.search(folded):
        return 95
    head = next((r for r in group.clauses if r.act in KEPT), group.clauses[0])
    if head.goal:
        return head.goal
    score = 90 if _changes_decisions(group, kind) else _BAND.get(kind, 50)
    if group.any("remember", "correct") and score < 75:
        score = 75
    if group.act == "fact" and group.any("decide") and score < _BAND["plan"]:
        score = _BAND["plan"]  # what was decided is asked for again
    if standing == "one_off":
        score = 60
    if kind == "fact" and group.any("change"):
        score = max(score, 60)
    if kind == "fact" and group.any("feeling", "wish"):
        score = min(score, 50)  # a mood or a wish of the moment is background
    if kind in ("fact", "environment") and score <= 60 and _is_bare(group, folded):
        score = 45
    score = min(score, _most_of_moment(group, kind))
    if kind == "fact" and group.any("defines", "teach"):
        return max(score, 65)
    return score - 8 * (group.any("opinion", "transient") and score < 60)


def _changes_decisions(group: Group, kind: Kind) -> bool:
    """The first of N7's questions: what future decisions must heed."""
    if group.act == "hold" or (kind == "rule" and group.any("ban", "remember")):
        return True
    if kind == "profile":
        return group.any("body")
    return kind == "preference" and group.any("habit", "remember", "rule")


def _most_of_moment(group: Group, kind: Kind) -> int:
    """The most that counts what somebody else did once, when nothing is different since ("she made
    a pie, so good")."""
    if kind != "relationship" or group.any(*_STAYS) or any(r.has_value() for r in group.clauses):
        return 100
    if group.any("reacts"):
        return 45
    return 55 if group.any("done", "past", "did") and not group.any("event") else 100


def _is_bare(group: Group, folded: str) -> bool:
    """Something happened, and neither to what, nor when, nor to whom is said ("换了新手机")."""
    short = len(folded) <= (8 if group.clauses[0].zh else 24)
    told = group.any("i", "mine", "kin", "day", "past", "body", "pref", "naming", "stored")
    return short and not told and not any(r.has_value() for r in group.clauses)


def _confidence(group: Group, agreed: Evidence | None) -> float:
    if agreed is not None:
        return 0.85
    if group.any("hypo", "opinion"):
        return 0.55
    if group.subject == USER and group.any("i", "mine"):
        return 0.9
    if group.act in ("rule", "hold", "exception"):
        return 0.85
    return 0.75
