"""Clauses that tell the assistant, or everybody, what to do: rules, holds, exceptions, requests.

A rule says that it lasts ("from now on", "一律"), or is generic ("write dates in …", "…的时候"), or
rests on a lasting fact told beside it. What points at something at hand ("this paragraph", "一下")
is a job for now and teaches nothing. A hold is bound to a time or a condition and never becomes a
rule (N11).
"""

import re
from collections.abc import Sequence

from slowwave.dream.distill.clauses.reading import Act, Reading, Scene, same_sentence, sentence_of

__all__ = ["carves_out", "order_of"]

_ENDS = re.compile(r"等|直到|之前|以前|再|期间|[天周月号日]")
"""What a hold waits for."""

_GOES_OUT = re.compile(
    r"给(?![我咱自你]|大家看)\S{1,6}|跟(?![我咱自你])\S{1,4}[说讲提]|告诉(?![我咱])|对外|"
    r"发[布出给送]|上线|上架|发货|付[款钱]|[打汇转退]款|转账|签[约字合]|公[开布示]|宣布|通知|提交|部署|下单|"
    r"报价|续[约费]|联系|邀请|合并"
)
"""What reaches others or cannot be taken back: to wait with it is no mere order of steps."""
_TONIGHT = re.compile(r"今晚|\btonight\b")


_ARRANGED = re.compile(
    r"(?:call|visit|review|check-?up|plan|report|interview|update|sync|chat|talk|drive|ride|walk|run|"
    r"swim|show|study|work|drinks?|coffee|test|demo) (?:with|by|from) "
)


def carves_out(clauses: Sequence[Reading], index: int) -> bool:
    """Whether a clause is an exception to what its sentence, or the speaker's habit, lays down."""
    reading = clauses[index]
    if reading.has("carve"):
        return not reading.has("task")
    if not reading.has("contrast"):
        return False
    sentence = sentence_of(clauses, index)
    earlier = [r for r in sentence if r.clause.start < reading.clause.start]
    later = [r for r in sentence if r.clause.start >= reading.clause.start]
    ruled = any(r.any("habit", "rule", "ban") for r in earlier)
    return ruled and any(r.any("except", "grant") for r in later)


def order_of(clauses: Sequence[Reading], index: int, scene: Scene) -> Act | None:
    """What kind of order a clause is; None for a statement."""
    reading = clauses[index]
    if not (_is_order(reading) or reading.has("choice")):
        return None
    if same_sentence(clauses, index) and clauses[index - 1].act == "exception":
        return "exception"
    if index + 1 < len(clauses) and clauses[index + 1].clause.start == scene.material_from:
        return "request"
    if _goes_on(clauses, index):
        return "attach"
    about_other = any(r.act == "fact" for r in clauses[max(0, index - 3) : index])
    told = reading.any("strong", "teach") or (reading.has("bid") and not reading.has("ban"))
    if reading.has("he") and about_other and not told:
        return "attach"
    return _kind(clauses, index)


def _goes_on(clauses: Sequence[Reading], index: int) -> bool:
    """The next step of what is being taught ("…, then send it to me")."""
    if not same_sentence(clauses, index):
        return False
    before = clauses[index - 1]
    return before.has("teach") and before.act == "fact" and clauses[index].has("next_step")


def _kind(clauses: Sequence[Reading], index: int) -> Act:
    reading = clauses[index]
    if _part_of_job(clauses, index) or (reading.has("soon") and not reading.has("strong")):
        return "request"
    if reading.any("once", "choice"):
        sentence = sentence_of(clauses, index)
        carved = any(r.any("carve", "usual") for r in sentence) or reading.has("except")
        # "Blue cover this time" is a job; with its reason it is an exception to remember.
        bare = len(sentence) == 1 and reading.folded.endswith(("吧", "嘛", "呗"))
        reasoned = reading.has("choice") and not bare
        return "exception" if carved or reasoned else "request"
    if reading.has("except"):
        return "exception"
    if _is_hold(clauses, index):
        return "request" if _is_for_now(clauses, index) else "hold"
    return "rule" if _is_standing(clauses, index) else "request"


def _is_for_now(clauses: Sequence[Reading], index: int) -> bool:
    """ "No page numbers in this draft yet": about the thing at hand, with no end to wait for."""
    reading = clauses[index]
    if reading.en and reading.has("task") and not reading.has("ban"):
        return reading.folded.endswith("for now")
    if not reading.zh or not reading.folded.startswith(("这", "那")):
        return False
    return not any(_ENDS.search(r.folded) for r in sentence_of(clauses, index))


def _is_order(reading: Reading) -> bool:
    if _ARRANGED.match(reading.folded) and reading.has("day"):
        return False  # "call with Petra on Friday": a noun, and no order
    together = reading.folded.startswith(("let's ", "lets ")) and reading.any("day", "decide")
    if together or reading.any("blame", "wants"):
        return False
    if reading.any("ban", "bid", "task"):
        own = reading.any("is", "does", "kin") and not reading.any("ban", "you", "task")
        return not own or reading.has("bid")
    if reading.any("i", "kin", "he", "said", "stranger") and not reading.has("except"):
        return False
    if reading.has("halt") or (reading.has("hold") and reading.has("scoped")):
        return True
    planned = reading.has("day") and reading.has("event")
    return _is_norm(reading) and (not planned or reading.any("you", "strong"))


def _is_norm(reading: Reading) -> bool:
    """A rule without an imperative ("… 一律用英文", "no calls after eight")."""
    if reading.has("except") and reading.has("grant"):
        return True
    if reading.any("rule", "except") and reading.any("norm", "strong"):
        return reading.has("strong") or not reading.has("change")
    return reading.has("hold") and reading.folded.startswith(("暂", "先", "no "))


def _part_of_job(clauses: Sequence[Reading], index: int) -> bool:
    """Conditions of a job just asked for belong to the job ("three titles, but no puns")."""
    if clauses[index].has("strong") or not same_sentence(clauses, index):
        return False
    return clauses[index - 1].act == "request"


def _is_hold(clauses: Sequence[Reading], index: int) -> bool:
    reading = clauses[index]
    if reading.has("timed_stop"):
        return True
    sentence = sentence_of(clauses, index)
    if reading.has("task") and _TONIGHT.search(reading.folded) and not reading.has("ban"):
        return False  # "book two seats for tonight" is a job
    timed = any(r.has("hold") and _lasts(r) for r in sentence)
    return timed and not reading.has("forever")


def _lasts(reading: Reading) -> bool:
    """Whether a hold goes beyond the work at hand: "先别写代码" orders the next steps, "先别给客户
    报价" keeps something from going out until somebody says otherwise."""
    return not reading.folded.startswith("先") or bool(_GOES_OUT.search(reading.folded))


def _is_standing(clauses: Sequence[Reading], index: int) -> bool:
    """Standing: it says so, it is generic, or it rests on a lasting fact; "this one" is not."""
    reading = clauses[index]
    if reading.has("strong"):
        return True
    sentence = sentence_of(clauses, index)
    bare = len(reading.folded) < 5 and reading.folded.startswith(("别", "不", "勿", "no", "don"))
    lasting = reading.has("ban") and any(r.has("strong") for r in sentence if r is not reading)
    if bare and lasting and not reading.folded.startswith("先"):
        return True
    if reading.folded.startswith(("先别", "先不")) or (reading.has("ban") and bare):
        # "Don't" alone is about what is at hand, unless it goes with how a thing is done.
        return any(r.has("directs") and r.act == "depend" for r in sentence[:-1])
    if reading.any("bid", "ban") and any(r.has("strong") for r in sentence):
        return True
    return _is_generic(reading) or _rests_on_fact(reading, sentence)


def _is_generic(reading: Reading) -> bool:
    pointed = reading.has("deixis")
    if reading.has("teach") and reading.any("bid", "when"):
        return True
    if reading.any("naming", "generic") and not (reading.zh and reading.has("task")):
        return True
    if reading.any("rule", "when", "teach") and not (pointed and reading.has("task")):
        return True
    return reading.has("ban") and not pointed


def _rests_on_fact(reading: Reading, sentence: Sequence[Reading]) -> bool:
    grounded = any(r.act in ("fact", "rule") for r in sentence)
    return grounded and reading.any("bid", "ban") and not reading.has("deixis")
