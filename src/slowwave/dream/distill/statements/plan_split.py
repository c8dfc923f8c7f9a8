"""What lasts inside a dated plan outlives the plan: "lunch with Tomasz on Thursday, he's a lawyer".

Behind a plan people say who somebody is, where a place lies, what somebody cannot eat. Such a
clause becomes a statement of its own about the one it speaks of, whose name is taken from the plan.
"""

import re
from collections.abc import Sequence

from slowwave.dream.distill.clauses.cues import cue
from slowwave.dream.distill.clauses.people import kin_in, person_in
from slowwave.dream.distill.clauses.reading import Reading
from slowwave.dream.distill.statements.groups import Group
from slowwave.dream.distill.statements.lasting import lasting
from slowwave.dream.distill.subject import WORLD

__all__ = ["parted_plans"]

_PLANNED = ("event", "agenda", "scheduled", "intend", "reminder", "change")
_PLACE = re.compile(
    r"\b(?:to|at|in|with|from|visit\w*|see(?:ing)?) (?P<np>(?:(?:the|my|our|a|an|this|that) )?"
    r"(?:[\w'’&.-]+ ){0,4}?[\w'’&.-]+)$",
    re.IGNORECASE,
)
_WITH = re.compile(
    r"\b(?:with|meet|meeting|see|seeing|visit|visiting|pick(?:ing)? up)(?: (?:my|our|"
    r"the)(?: [a-z-]+){0,3})? "
    r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? |(?:Aunt|Uncle|Auntie|Grandma|Grandpa|Cousin) )?"
    r"[A-ZÀ-Þ][\w’'-]*(?: [A-ZÀ-Þ][\w’-]*)?)"
)
_TIME_TAIL = re.compile(
    r"\s*(?:\([^)]*\)|\b(?:(?:on|this|next|by|at) )?(?:(?:the )?\w+day(?: (?:morning|afternoon|"
    r"evening|night))?|weekend|week|month|tomorrow|today|tonight|[a-z]{3,9} \d{1,2}(?:st|nd|rd|"
    r"th)?|"
    r"\d{1,2}(?::\d\d)? ?(?:am|pm)?))$",
    re.IGNORECASE,
)


def parted_plans(groups: Sequence[Group]) -> list[Group]:
    """The statements, each plan without what lasts in it, and that behind it."""
    found: list[Group] = []
    for statement in groups:
        if found and _goes_on(found[-1], statement):
            statement.about, statement.subject = _named(found[-1].clauses) or (None, WORLD)
        cut = _cut(statement)
        name = _named(statement.clauses[:cut]) if cut else None
        if not cut or name is None or _elsewhere(statement, name):
            found.append(statement)
            continue
        rest = statement.clauses[cut:]
        statement.clauses = statement.clauses[:cut]
        found.append(statement)
        about, subject = name
        for reading in rest:
            reading.act = "fact"
        found.append(Group("fact", subject, rest, about=about))
    return found


def _goes_on(before: Group, after: Group) -> bool:
    """Whether a statement goes on about somebody of the plan before it, whom it does not name."""
    near = after.clauses[0].clause.sentence - before.clauses[-1].clause.sentence <= 1
    nobody = after.subject == WORLD and after.act == "fact" and after.since < 0
    return near and nobody and _is_plan(before.clauses) and lasting(after.clauses[0])


def _is_plan(head: Sequence[Reading]) -> bool:
    dated = any(r.has("day") and r.any(*_PLANNED) for r in head)
    return dated and not any(r.any("body", "habit") for r in head)


def _cut(statement: Group) -> int:
    """The place of the first clause that outlives the plan; 0 where there is none."""
    if statement.act != "fact":
        return 0
    for at, reading in enumerate(statement.clauses):
        if at and lasting(reading):
            return at if _is_plan(statement.clauses[:at]) else 0
    return 0


def _elsewhere(statement: Group, name: tuple[tuple[int, int], str]) -> bool:
    return statement.since >= 0 or not name[1]


def _company(text: str, folded: str) -> str | None:
    """Whoever a plan is shared with, by the name behind "with", "跟"."""
    found = _WITH.search(text)
    if found:
        return found["name"].strip()
    pattern = cue("zh", "company")
    match = pattern.search(folded) if pattern else None
    return (
        text[match.start(match.lastindex) : match.end(match.lastindex)]
        if match and match.lastindex
        else None
    )


def _named(head: Sequence[Reading]) -> tuple[tuple[int, int], str] | None:
    """Whom or what a plan names last: the span of the name, and the subject it gives."""
    for reading in reversed(head):
        text = reading.clause.text
        name = (
            _company(text, reading.folded)
            or person_in(text, reading.folded)
            or kin_in(text, reading.folded)
        )
        at = text.find(name) if name else -1
        if name and at >= 0:
            start = reading.clause.start + at
            return (start, start + len(name)), name
    text = head[-1].clause.text
    while trimmed := _TIME_TAIL.sub("", text):
        if trimmed == text:
            break
        text = trimmed
    place = _PLACE.search(text)
    if place is None or head[-1].zh:
        return None
    start = head[-1].clause.start + place.start("np")
    return (start, start + len(place["np"])), WORLD
