"""Puts the kept clauses of a message together into statements.

Neighbouring clauses of one sentence that do the same thing about the same subject are one
statement; an elaboration without a subject of its own belongs to what it elaborates; a sentence
that leans on the one before ("it …", "…, too", "因为 …") is merged into it. A chain of cause and
effect is never cut: the instruction that follows from a fact keeps the fact (L4).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from slowwave.dream.distill.clauses.reading import KEPT, Act, Reading, Turned
from slowwave.dream.distill.statements.lasting import lasting
from slowwave.dream.distill.subject import AGENT, WORLD, introduced, named_first, subject_of, whose
from slowwave.model import USER, Kind

__all__ = ["Group", "group"]

_SO: Final = re.compile(r"^(?:所以|因此|于是|那就|so\b|therefore|hence)")
_ANAPHOR: Final = re.compile(
    r"(?:照|按|用|报|记|走|写|放)(?:这|那)(?:个|样|支|种|儿|里)?|带上|来了|到时候?|那(?:天"
    r"|段时间|几天|时候|之[前后]|会儿)|\b(?:use|that"
    r"|those|it|them|this way"
    r"|that way)\b"
)
_THIRD: Final = re.compile(r"^(?:also |and |only )?(?:[a-z]{3,}s|email only|text only) ")
_NEEDS_OBJECT: Final = re.compile(
    r"(?:备注|注意|避开|提醒我?|标注|说明|照做|考虑|知道)(?:一下|清楚|好)?$"
)
_STATE: Final = re.compile(
    r"^(?:因为|毕竟)?(?:我们?|我这边)(?:现在|这会儿|最近)?(?:正|还)?在(?!▒)"
    r"|^(?:because |since |as )?(?:i|we)(?:['’]?m|['’]re| am| are)\b"
)
_DOES_TO: Final = r"(?:(?:has|had|just|also) )*\w+ (?:our|my|the|this|us)\b"
"""Somebody does something to a thing: "Petra moved our call"."""
_LIST: Final = 3
"""Clauses of a sentence that tells one thing after the other."""

_ALSO: Final = re.compile(r"^[^，]{1,4}也[^，]{1,5}$|\b(?:too|as well|agrees?|agreed)$")
"""Says of somebody what was just said: no statement of its own."""

_FORMER: Final = re.compile(r"\bno longer\b|\bany ?more\b|不再|不[^，不]{1,6}了$")
_NEW_TOPIC: Final = re.compile(
    r"^(?:also|btw|by the way|oh and|another thing|plus|separately|ps|one more)\b"
    r"|^(?:另外|还有|对了|顺便|再有|此外)"
)
_LONG: Final = 220
"""Statements longer than this are not merged any further."""


@dataclass
class Group:
    """One statement in the making: its clauses in order, what it does, whom it is about.

    `since` is where its text starts (earlier than its first clause when a cause belongs to it);
    `kind` is set where more than its own words tell it (a heading). `about` is where the one it
    speaks of is named, in front of it.
    """

    act: Act
    subject: str
    clauses: list[Reading] = field(default_factory=list)
    since: int = -1
    kind: Kind | None = None
    about: tuple[int, int] | None = None

    @property
    def start(self) -> int:
        """First offset of the statement's text."""
        return self.since if self.since >= 0 else self.clauses[0].clause.start

    @property
    def end(self) -> int:
        """End offset of the statement's text."""
        return self.clauses[-1].clause.end

    def turn(self, *turns: Turned) -> bool:
        """Whether any clause tells of one of these turns."""
        return any(reading.turn in turns for reading in self.clauses)

    def any(self, *names: str) -> bool:
        """Whether any clause has any of these cues."""
        return any(reading.any(*names) for reading in self.clauses)


def group(readings: Sequence[Reading], known: Sequence[str]) -> list[Group]:
    """The statements of a message. `known`: people named shortly before, most recent last."""
    groups: list[Group] = []
    sentence: list[Reading] = []
    for reading in readings:
        if sentence and reading.clause.sentence != sentence[0].clause.sentence:
            _take(groups, sentence, readings, known)
            sentence = []
        sentence.append(reading)
    if sentence:
        _take(groups, sentence, readings, known)
    groups = _absorb(groups)
    for statement in groups:
        if statement.act not in ("fact", "exception"):
            continue
        if statement.turn("release") and statement.subject in (USER, WORLD):
            statement.subject = WORLD
            continue
        name = introduced(statement.clauses)
        if name:
            statement.subject = name
        elif statement.subject == USER and not statement.turn("named"):
            statement.subject = whose(statement.clauses)
    return groups


def _take(
    groups: list[Group], sentence: list[Reading], message: Sequence[Reading], known: Sequence[str]
) -> None:
    found = _within(sentence, message, known)
    if not found:
        _lean(groups, sentence)
        return
    first = found[0]
    if groups and _continues(groups[-1], first, sentence):
        groups[-1].clauses.extend(first.clauses)
        groups[-1].act = _stronger(groups[-1].act, first.act)
        found = found[1:]
    elif groups and first.act in ("rule", "hold") and first.since < 0:
        gap = first.clauses[0].clause.sentence - groups[-1].clauses[-1].clause.sentence
        short = len(first.clauses[0].clause.text) < 40
        if gap == 1 and short and _ANAPHOR.search(first.clauses[0].clause.folded):
            first.since = groups[-1].start
    groups.extend(found)


def _within(
    sentence: Sequence[Reading], message: Sequence[Reading], known: Sequence[str]
) -> list[Group]:
    """The statements of one sentence."""
    found: list[Group] = []
    leading: list[Reading] = []
    is_open = False
    listed = len(sentence) >= _LIST and any(r.act in KEPT for r in sentence)
    for reading in sentence:
        if (is_open or listed) and _is_of_another(found[-1] if is_open else None, reading):
            reading.act = "fact"
        if reading.act == "depend":
            if is_open:
                found[-1].clauses.append(reading)
            else:
                leading.append(reading)
        elif reading.act in KEPT:
            fresh = _start(reading, leading, message, known)
            if is_open and _joins(found[-1], fresh):
                found[-1].clauses.extend(fresh.clauses)
                found[-1].act = _stronger(found[-1].act, fresh.act)
            else:
                _keep_cause(found, fresh, is_open=is_open)
                found.append(fresh)
            leading, is_open = [], True
        else:
            leading, is_open = [], False
    return found


def _is_of_another(current: Group | None, reading: Reading) -> bool:
    """ "We are three, my wife is at the town hall": told of another, it stands for itself."""
    if reading.act != "depend" or (current is not None and current.act != "fact"):
        return False
    if reading.any("depend", "reason", "opinion", "transient", "said"):
        return False
    own = named_first(reading)
    if own is None or own == USER:
        return False
    return current is None or not _same_name(own, current.subject)


def _start(
    reading: Reading, leading: list[Reading], message: Sequence[Reading], known: Sequence[str]
) -> Group:
    clauses = [*leading, reading]
    if reading.act in ("rule", "hold"):
        return Group(reading.act, AGENT, clauses)
    earlier = [r for r in message if r.clause.end <= clauses[0].clause.start]
    subject = subject_of(clauses, earlier, known)
    subject = WORLD if reading.turn == "release" and subject == USER else subject
    agent = subject not in (USER, AGENT, WORLD) and reading.turn in ("moved", "off")
    mover = agent and re.match(rf"{re.escape(subject)} {_DOES_TO}", reading.clause.text) is not None
    if mover or reading.turn == "named" or (reading.turn and reading.any("said", "reported")):
        subject = USER  # who brings the news is not whom it is about
    if reading.act == "exception" and (reading.any("bid", "ban") or not reading.any("i", "is")):
        subject = AGENT
    return Group(reading.act, subject, clauses)


def _absorb(groups: Sequence[Group]) -> list[Group]:
    """One idea, one statement: a rule that carries the whole fact before it takes its place.

    The fact stays beside the rule only when it is asked for by itself: a condition of the body, a
    day, a number, a name.
    """
    kept: list[Group] = []
    for statement in groups:
        before = kept[-1] if kept and statement.act != "exception" else None
        if before is not None and statement.since == before.start and not _by_itself(before):
            kept.pop()
            statement.clauses = [*before.clauses, *statement.clauses]
        kept.append(statement)
    return kept


def _by_itself(statement: Group) -> bool:
    if statement.act != "fact":
        return False
    if statement.any("teach") and not statement.any("naming", "body"):
        return False
    valued = any(r.has_value() for r in statement.clauses)
    return valued or statement.any(
        "body", "day", "naming", "trait", "role", "kin", "pref", "stored", "cancel"
    )


def _keep_cause(found: list[Group], fresh: Group, *, is_open: bool) -> None:
    """ "I cannot drive, so only send me trains": the rule keeps its reason."""
    if is_open and _carved(found[-1], fresh):
        fresh.since = found[-1].start
        return
    lead = fresh.clauses[0].clause.folded
    bare = len(lead) < (10 if fresh.clauses[0].zh else 20) or _NEEDS_OBJECT.search(lead) is not None
    if (
        is_open
        and fresh.act in ("rule", "hold")
        and (bare or _SO.search(lead) or _ANAPHOR.search(lead) or fresh.clauses[0].has("he"))
    ):
        fresh.since = found[-1].start


def _turns(fresh: Group) -> bool:
    """ "Also, my lease ends in May": a statement of its own, whatever stands before it."""
    lead = fresh.clauses[0]
    if not _NEW_TOPIC.search(lead.folded):
        return False
    return any(r.any("i", "mine", "kin", "bid", "ban") or r.person() for r in fresh.clauses[:1])


def _joins(current: Group, fresh: Group) -> bool:
    """Whether the next clause of a sentence belongs to the statement before it."""
    if _turns(fresh) or _carved(current, fresh):
        return False
    if fresh.act == "attach" or "exception" in (current.act, fresh.act):
        return True
    if fresh.clauses[0].has("next_step") or (current.act == "hold" and _is_state(fresh)):
        return True
    rules = ("rule", "hold")
    if current.act in rules or fresh.act in rules:
        return current.act in rules and (fresh.act in rules or _is_detail(fresh))
    return _go_together(current, fresh)


def _go_together(current: Group, fresh: Group) -> bool:
    """Two facts that are one statement: of the same person or thing, or one change."""
    if _leans_on_person(current, fresh) or _replaces(current, fresh):
        return True
    if _is_part_of_plan(current, fresh):
        return True
    if _is_unlike(current, fresh):
        return False
    if _same_person(current, fresh) or (current.any("env") and fresh.any("env")):
        return True
    return _SO.search(fresh.clauses[0].clause.folded) is not None


def _carved(current: Group, fresh: Group) -> bool:
    """ "…, but for Zurich you may use francs": a whole exception beside its rule."""
    told = fresh.clauses[0].has("contrast") and fresh.any("grant", "except")
    return fresh.act == "exception" and current.act in ("rule", "fact") and told


def _is_unlike(current: Group, fresh: Group) -> bool:
    """Of somebody else, or another kind of fact: two memories, however short the sentence."""
    head = fresh.clauses[0]
    if _is_plan_beside(current, fresh):
        return True
    if _SO.search(head.folded) or head.any("reason", "depend"):
        return False
    own = named_first(head)
    if own is not None and not _same_name(own, current.subject):
        return _ALSO.search(head.folded) is None
    if fresh.any("body") and not current.any("body") and {fresh.subject, current.subject} == {USER}:
        return not current.any("he", "change", "did")
    return False


def _is_plan_beside(current: Group, fresh: Group) -> bool:
    """ "I work in Hangzhou but move to Chengdu in May": what is now is not dated by what comes."""
    ahead = fresh.any("day") and fresh.any("event", "agenda", "scheduled")
    lasting = current.any("role", "naming", "trait", "pref", "body") and not current.any("day")
    return ahead and lasting and fresh.subject == current.subject


def _same_name(one: str, other: str) -> bool:
    return one in other or other in one


def _is_detail(fresh: Group) -> bool:
    """ "Bill it to Aster Ltd, tax number 44-1": a bare value beside the rule it belongs to."""
    brief = len(fresh.clauses) == 1 and fresh.clauses[0].has_value()
    return brief and not fresh.any(
        "i", "mine", "kin", "he", "body", "pref", "day", "role", "naming", "cancel", "progress"
    )


def _replaces(current: Group, fresh: Group) -> bool:
    """ "It no longer takes …, I changed it to …": what was and what is are one change."""
    things = (USER, WORLD)
    told = current.subject in things and fresh.subject in things
    was = _FORMER.search(current.clauses[-1].clause.folded)
    return told and was is not None and fresh.any("change")


def _leans_on_person(current: Group, fresh: Group) -> bool:
    """ "…, I take her there on Mondays": apart from her name "her" is nobody (L4)."""
    named = current.subject not in (USER, AGENT, WORLD)
    return named and fresh.any("he") and not fresh.any("kin")


def _is_part_of_plan(current: Group, fresh: Group) -> bool:
    """ "Picking Ines up on Friday, she lands at six": what happens to her then is of the plan."""
    plan = current.subject == USER and current.any("day") and current.any("event", "agenda")
    told = fresh.clauses[0].has("he") and not fresh.any("kin", "body")
    return plan and told and not lasting(fresh.clauses[0])


def _is_state(fresh: Group) -> bool:
    """What only tells why it must wait ("…, I'm on a train"): no knowledge beside the hold."""
    valued = any(r.has_value() for r in fresh.clauses)
    lasting = valued or any(r.any("body", "naming", "pref", "day") for r in fresh.clauses)
    return fresh.act == "fact" and not lasting and bool(_STATE.search(fresh.clauses[0].folded))


def _same_person(current: Group, fresh: Group) -> bool:
    head = fresh.clauses[-1]
    if (
        current.subject not in (USER, AGENT, WORLD)
        and len(head.clause.text.split()) <= 3
        and not head.zh
    ):
        return True
    # "…, the shop's manager, talks fast": a role beside the name is no other person.
    own = head.any("i", "mine", "he") or (head.has("kin") and not head.has("bare_role"))
    return fresh.subject == current.subject or not own


def _stronger(a: Act, b: Act) -> Act:
    for act in ("exception", "hold", "rule"):
        if act in (a, b):
            return act
    return "fact"


def _continues(before: Group, after: Group, sentence: Sequence[Reading]) -> bool:
    """Whether a sentence leans on the statement before it."""
    if after.end - before.start > _LONG or _turns(after):
        return False
    gap = sentence[0].clause.sentence - before.clauses[-1].clause.sentence
    if gap != 1:
        return False
    lead = after.clauses[0]
    if before.act == after.act and after.subject == USER and after.any("he"):
        return before.subject not in (USER, AGENT, WORLD) and not after.any("kin")
    if before.act == after.act and before.subject == after.subject:
        return lead.any("depend", "reason") or _alike(before, after)
    if before.act in ("rule", "hold") and after.act in ("rule", "hold", "exception"):
        return lead.has("depend") or after.act == "exception"
    reason_of_rule = before.act in ("rule", "hold") and after.act == "fact"
    return reason_of_rule and not lead.any("i", "mine") and lead.any("reason", "depend")


def _alike(before: Group, after: Group) -> bool:
    """Same kind of knowledge: then two short sentences are told together."""
    for cue in ("project", "env", "body", "day", "pref"):
        if before.any(cue) and after.any(cue):
            return True
    return before.act in ("rule", "hold")


def _lean(groups: list[Group], sentence: Sequence[Reading]) -> None:
    """A sentence with nothing of its own may complete the statement before it."""
    if not groups or any(r.act != "depend" for r in sentence):
        return
    last = groups[-1]
    gap = sentence[0].clause.sentence - last.clauses[-1].clause.sentence
    long = sentence[-1].clause.end - last.start > _LONG
    if gap != 1 or long or len(sentence[0].clause.text) < 3:
        return
    third = last.subject not in (USER, AGENT, WORLD) and _THIRD.search(sentence[0].clause.folded)
    if third or any(
        r.any("depend", "reason", "env", "ban", "rule") or any(c.isdigit() for c in r.clause.text)
        for r in sentence
    ):
        last.clauses.extend(sentence)
