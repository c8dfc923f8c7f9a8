"""What is done about one known memory for one claim: the grounds, the relation, the verdict.

Kinds, standings and days decide beside the words: what is only planned does not end what is, a rule
outlives its exceptions (N11), two things that happened are both true.
"""

import re
from datetime import date, datetime, timedelta
from typing import Literal, NamedTuple

from slowwave.dream.compare.grounds.called import called_alike
from slowwave.dream.compare.grounds.ending import OVER, announces, beside, ending, one_holder
from slowwave.dream.compare.grounds.frame import refilled
from slowwave.dream.compare.grounds.merge import mergeable
from slowwave.dream.compare.grounds.value import LOOSE, TIGHT, revalued, tells_value
from slowwave.dream.compare.grounds.weight import Weight
from slowwave.dream.compare.reading.change import clauses
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.dream.compare.reading.turn import corrects, turns
from slowwave.dream.compare.relation import MERGES, REPLACES, Comparison
from slowwave.dream.compare.turns.due_day import NEW_DAY, TWO_DAYS, other_day
from slowwave.dream.compare.turns.handed import handed_on
from slowwave.dream.compare.turns.hold import LOOSELY_FREED, tells_release
from slowwave.dream.compare.turns.reschedule import LOOSELY, tells_replan
from slowwave.dream.compare.turns.restated import restated
from slowwave.dream.compare.turns.turned import off_for_now, turned
from slowwave.dream.reconcile.bench import Bench, Entry
from slowwave.dream.reconcile.keys import apart
from slowwave.dream.reconcile.parts import parted
from slowwave.dream.weigh.ageing import day_in
from slowwave.model import Claim, Kind, Memory, Standing, When

__all__ = [
    "GROUNDED", "LOOSE_ENDS", "REPLACE_AT", "Ground", "Match", "Verdict", "allowed",
    "begins_later", "comparable", "expiry", "far",
    "for_good",
    "ground_of", "lifts", "said_at", "undecided", "verdict_of", "weighed",
]  # fmt: skip

Verdict = Literal[
    "confirm", "update", "merge", "replace", "past", "exception", "conflict"
]  # fmt: skip

REPLACE_AT = 0.5
"""Least confidence for ending an older memory; below it both stand."""
GROUNDED = 0.7
"""Confidence of an end that the texts give ground for."""
LOOSE_ENDS = frozenset({LOOSE, LOOSELY_FREED, *LOOSELY})
"""Grounds for an end that name the thing loosely: they count where one memory can be meant."""
PLAIN, PLAIN_ZH = 8, 20
"""Longest statement (words, characters) that says one thing only."""
PLAN_DAYS, HOLD_DAYS, ONCE_DAYS = 7, 14, 7
"""Days after which a plan, a hold without an end and an exception leave recall."""

_PAUSE = re.compile(r"\b(?:hold|pause|wait|freeze|suspend|halt)\b|暂停|暂缓|先停|缓一?缓")
_RESUME = re.compile(
    r"\b(?:resume|go(?:es)? ahead|restart|unpause|proceed|carry on|continue|unfreeze|back on)\b|"
    r"恢复|重启|继续|解冻|开工"
)
_APART: frozenset[Kind] = frozenset({"quote", "emotion", "digest", "skill", "lesson"})
"""Kinds that are only compared with their own kind."""


class Ground(NamedTuple):
    """What two texts give ground for: one memory, an end (why), standing beside each other.

    `turn`: the later one says in so many words that this has turned, whatever kinds they are of.
    `again`: it only says what the earlier one has turned to.
    """

    merge: bool
    end: str
    beside: bool
    plain: bool = False
    turn: bool = False
    again: bool = False


class Match(NamedTuple):
    """One known memory, what is to be done about it, and on which grounds."""

    verdict: Verdict
    entry: Entry
    reason: str
    confidence: float
    fuller: bool
    scores: dict[str, float]
    loose: bool = False


def said_at(claim: Claim, now: datetime) -> datetime:
    """When a claim was said: its earliest evidence."""
    return min((span.ts for span in claim.evidence if span.ts), default=now)


def comparable(claim: Claim, memory: Memory) -> bool:
    """Whether a claim may touch a memory of its kind at all."""
    if memory.kind in _APART or claim.kind in _APART:
        return memory.kind == claim.kind
    # What is only planned does not end what is, and a plan is not a repetition of a fact.
    same = (memory.kind == "plan") == (claim.kind == "plan")
    later = read(claim.text)
    turned_to = _tells_turn(later) or tells_value(later)
    return same or (claim.kind == "plan" and for_good(claim)) or turned_to


def _tells_turn(later: Reading) -> bool:
    """Whether a statement says that something has changed, is over or was wrong."""
    told = any(clause.change in ("changed", "over", "now") for clause in clauses(later.folded))
    said = turns(later.folded) or corrects(later.folded) or tells_replan(later.folded)
    return told or bool(said or tells_release(later.folded))


def ground_of(bench: Bench, claim: Claim, memory: Memory, older: bool) -> Ground:
    """What the texts give ground for. `older`: the claim was said before what is known."""
    texts = (claim.text, memory.text) if older else (memory.text, claim.text)
    if apart(claim, memory):
        return _between_people(bench, claim, memory, texts)
    earlier, later = read(texts[0]), read(texts[1])
    weight = bench.weight(claim.subject)
    rules = {claim.kind, memory.kind} <= {"rule", "preference"}
    plainly = _plainly(earlier, later, older)
    if plainly:
        return plainly
    end, turn = "", ""
    planned = (claim if older else memory).kind == "plan"
    if "once" not in later.marks:
        first = claim if older else memory
        held = first.standing == "temporary" or first.kind == "rule"
        turn = turned(
            earlier, later, planned=planned, held=held, apart=not one_holder(earlier, later)
        )
    value = revalued(earlier, later, planned=planned)
    turn = turn or (value if value == TIGHT else handed_on(earlier, later))
    end = turn or ending(earlier, later, weight, rules=rules)
    if not end and not older:
        end = _part_ended(memory.text, later, weight, rules)
    if value == LOOSE and not turn and end in ("", TIGHT):
        end = LOOSE
    if end == OVER and off_for_now(earlier, later):
        end = ""
    if turn and (not older or claim.kind != "plan"):
        return Ground(merge=False, end=end, beside=False, turn=True)
    if (memory.kind == "plan") != (claim.kind == "plan"):
        if memory.kind == "plan" and not older and _tells_turn(later):
            return Ground(merge=False, end=end, beside=False, turn=bool(end))
        soon = not older and (not far(claim, bench) or for_good(claim))
        return Ground(merge=False, end=end if soon else "", beside=False)
    return Ground(
        mergeable(earlier, later, weight),
        end,
        beside(earlier, later, weight, rules=rules),
        all(len(one.words) <= (PLAIN_ZH if one.han > 0.5 else PLAIN) for one in (earlier, later)),
    )


def _plainly(earlier: Reading, later: Reading, older: bool) -> Ground | None:
    """The ground where nothing has to be weighed: said once more, or a duty on another day."""
    if not older and restated(earlier, later) == "again":
        return Ground(merge=True, end="", beside=False, again=True)
    duty = other_day(earlier, later)
    return Ground(merge=False, end=duty, beside=False, turn=duty == NEW_DAY) if duty else None


def _part_ended(text: str, later: Reading, weight: Weight, rules: bool) -> str:
    """Why one clause of several has ended, where the others are statements of their own."""
    reasons = []

    def ends(clause: str) -> bool:
        reasons.append(ending(read(clause), later, weight, rules=rules))
        return bool(reasons[-1])

    return next(filter(None, reasons), "") if parted(text, ends) else ""


def _between_people(bench: Bench, claim: Claim, memory: Memory, texts: tuple[str, str]) -> Ground:
    """The ground between statements filed under two people: a role they hold one after the other,
    or a plan of which the other one tells that it has turned."""
    earlier, later = read(texts[0]), read(texts[1])
    if called_alike(earlier, later):
        return Ground(merge=True, end="", beside=False)
    value = revalued(earlier, later, planned=memory.kind == "plan")
    passed = TIGHT if value == TIGHT else handed_on(earlier, later)
    if passed:
        return Ground(merge=False, end=passed, beside=False, turn=True)
    if not one_holder(earlier, later) or "once" in later.marks:
        return Ground(merge=False, end="", beside=False)
    planned = memory.kind == "plan"
    end = turned(earlier, later, planned=planned, apart=True)
    if not end and refilled(earlier, later):
        end = "the same place is filled anew"
    if not end and claim.text == texts[1] and _tells_turn(later):
        end = ending(earlier, later, bench.weight(memory.subject))
        end = end if end == TIGHT else ""
    return Ground(merge=False, end=end, beside=False, turn=bool(end))


def undecided(claim: Claim, memory: Memory, said: datetime, ground: Ground) -> bool:
    """Whether two statements clash and nothing tells which of them holds.

    They were said at one moment, in two messages; or the owner pinned the older one.
    """
    if not ground.end or claim.standing in ("one_off", "temporary"):
        return False
    if memory.standing in ("one_off", "temporary"):
        return False
    if {span.event_id for span in memory.evidence} & {span.event_id for span in claim.evidence}:
        return False
    unclear = ground.end == TWO_DAYS or (said == memory.last_seen and not ground.turn)
    return memory.pinned or unclear


def for_good(claim: Claim) -> bool:
    """A change that is told as a plan or a hold, and yet lasts from its day on."""
    passing = claim.kind == "plan" or claim.standing == "temporary"
    return passing and announces(read(claim.text))


def far(claim: Claim, bench: Bench) -> bool:
    """Whether a plan begins later than on the day after it was told, or nobody knows when."""
    begins = day_in(claim.valid_from)
    return begins is None or begins > bench.day(said_at(claim, bench.now)) + timedelta(days=1)


def begins_later(claim: Claim, bench: Bench, reason: str) -> bool:
    """Whether what a claim tells begins on a later day, so that the older holds until then.

    A day that is itself the new value ("the deadline is now the 26th") is no such beginning.
    """
    if claim.valid_from is None or not far(claim, bench):
        return False
    return TIGHT not in reason or announces(read(claim.text))


def weighed(found: Comparison, ground: Ground) -> Comparison:
    """What the ground makes of a relation: evidence of an end counts where words alone are unsure.

    It overrules no repetition, and an exception only between plain statements: "never do this",
    "you may do this". That two people are meant is what the ground has looked at itself.
    """
    if ground.turn:
        return Comparison("contradicts", "b", f"both cannot hold: {ground.end}", GROUNDED)
    unsure = found.relation in REPLACES | {
        "related_but_different",
        "unrelated",
        "different_subject",
    }
    refused = found.relation in MERGES and not ground.merge
    plain = found.relation == "exception" and ground.plain
    if not ground.end or not (unsure or refused or plain):
        return found
    sure = max(found.confidence, GROUNDED) if found.relation in REPLACES else GROUNDED
    return Comparison("contradicts", "b", f"both cannot hold: {ground.end}", sure)


def allowed(found: Comparison, ground: Ground) -> bool:
    """Whether a relation rests on the ground that it needs."""
    if found.relation in MERGES:
        return ground.merge
    return bool(ground.end) if found.relation in REPLACES else ground.beside


def verdict_of(
    claim: Claim, memory: Memory, found: Comparison, older: bool, ground: Ground
) -> Verdict | None:
    """What is done about the memory, by relation, kind and standing; None: nothing."""
    if ground.turn:
        passing = claim.standing == "one_off" and memory.standing == "standing"
        return None if memory.pinned or passing else "past" if older else "replace"
    if found.relation in MERGES:
        once_more = None if _other_occasion(claim, memory) else _merged(claim, memory, found)
        return "confirm" if ground.again else once_more
    if found.confidence < REPLACE_AT or found.relation not in REPLACES | {"exception"}:
        return None
    # N11: a rule outlives what is meant for this time or for now.
    passing = claim.standing in ("one_off", "temporary") and not for_good(claim)
    beside = passing and memory.standing in ("standing", "dated")
    if found.relation == "exception" or beside:
        return "exception"
    if _both_stand(claim, memory):
        return None
    return "past" if older else "replace"


def lifts(claim: Claim, memory: Memory) -> bool:
    """A hold ends when it is said that it may go on; saying the rule again does not end it."""
    if memory.standing != "temporary":
        return False
    hold, word = read(memory.text), read(claim.text)
    held = bool(hold.negators or _PAUSE.search(hold.folded))
    freed = bool(word.marks & {"permit", "done"} or _RESUME.search(word.folded))
    return held and freed and not word.negators and "once" not in word.marks


def _both_stand(claim: Claim, memory: Memory) -> bool:
    """Where neither ends the other, although their words clash."""
    events = {span.event_id for span in memory.evidence}
    changed = read(claim.text).marks & {"change", "no_longer", "now"}
    if not changed and any(span.event_id in events for span in claim.evidence):
        return True  # nobody contradicts themselves in one breath without saying so
    rule = memory.standing == "one_off" or memory.negated or bool(read(memory.text).negators)
    if memory.standing in ("one_off", "temporary") and rule and claim.standing == "standing":
        return True  # an exception ends by its own date, not by the rule's being said again
    if claim.standing == "dated" == memory.standing and claim.kind != "plan":
        return True  # two things that happened are both true
    return memory.pinned  # only the owner takes down what the owner pinned


def _merged(claim: Claim, memory: Memory, found: Comparison) -> Verdict | None:
    if claim.standing != memory.standing and "one_off" in (claim.standing, memory.standing):
        return None
    if claim.negated != memory.negated:
        return None
    return "confirm" if found.relation == "same" else "update"


def _other_occasion(claim: Claim, memory: Memory) -> bool:
    """The same words about two different days are two events."""
    mine, theirs = (claim.valid_from or "")[:10], (memory.valid_from or "")[:10]
    dated = claim.standing == "dated" or memory.standing == "dated" or claim.kind == "plan"
    dated = dated or "event" in read(claim.text).marks | read(memory.text).marks
    return dated and bool(mine and theirs) and mine != theirs


def expiry(claim: Claim, said: date, standing: Standing | None = None) -> When | None:
    """The day after which a claim leaves recall, or None for what lasts (O11, case 78).

    A plan goes some days after its end, a hold the day after its own (14 days without one), an
    exception 7 days after it was made or is meant for. What happened does not expire.
    """
    standing = standing or claim.standing
    end = day_in(claim.valid_to) or day_in(claim.valid_from)
    if standing == "one_off":
        last = max(end or said, said)
        return (last + timedelta(days=ONCE_DAYS)).isoformat()
    if standing == "temporary":
        until = day_in(claim.valid_to)
        last = until + timedelta(days=1) if until else said + timedelta(days=HOLD_DAYS)
        return last.isoformat()
    if claim.kind == "plan" and end:
        return (end + timedelta(days=PLAN_DAYS)).isoformat()
    return None
