"""Whether a statement denies or forbids: its main predicate decides (N11, cases 7 and 8).

A rule is what it tells to do; a "don't" beside it only underlines. So the first clause that orders
counts, and a prohibition gives way to the order that follows it ("not like this, like that").
When, where and why a thing is done is passed over: "until Friday", "because nobody is in".
"""

import re
from typing import Final

from slowwave.dream.distill.clauses.reading import Reading
from slowwave.dream.distill.statements.groups import Group
from slowwave.text.polarity import is_negated

__all__ = ["is_denial"]

_HALTED: Final = re.compile(
    r"暂停|全停|先停|冻结|hold off|\bpark (?:it|that|this|the)\b|\bfreeze\b|alone until|\bpause"
)
_SETTING: Final = re.compile(
    r"^(?:在|到|等|从|自|过了?)?[^，]{0,16}(?:之?前|以前|的?时候?|期间|之?后|以后|以内|的话"
    r"|[起里中上])$"
    r"|^(?:until|till|while|when(?:ever)?|before|after|during|once|if|as of|from|starting"
    r"|for the next"
    r"|in|on|at|as|since)\b"
)
"""A clause that only sets the scene for the one after it."""

_INSTEAD: Final = re.compile(
    r"^(?:就|直接|只|还是|一律|统一|尽量)?(?:用|列|写|改|换|打|发|给|按|走|放|讲|说|叫|念|分|留"
    r"|标|排"
    r"|找|问|做|选|开|加|寄|存|读|报|回|画|拿|先|要)"
)


def is_denial(group: Group, span: str) -> bool:
    """Whether the statement `group`, whose text is `span`, is a denial or a prohibition."""
    if group.act == "exception" or group.any("carve", "carve_opens"):
        return False
    if group.act in ("rule", "hold"):
        return _forbids(group, span)
    return _denies(group, span)


def _forbids(group: Group, span: str) -> bool:
    acts = ("rule", "hold")
    first = next((r for r in group.clauses if r.act in acts and not _sets(r)), None)
    first = first or next((r for r in group.clauses if r.act in acts), group.clauses[0])
    if group.act == "hold" and any(_HALTED.search(r.folded) for r in group.clauses):
        return True
    if _turns_to(group, first):
        return False
    lead = group.clauses[0]
    if (lead.any("when", "teach") and lead.has("bid")) or _directs(lead):
        first = lead  # what is to be done comes first, what is not only after it
    if first.has("ban") and not first.has("teach"):
        return _negative(group, first, span)
    if group.act == "hold" and any(r.has("ban") for r in group.clauses) and not first.has("bid"):
        return True
    return _negative(group, first, span)


def _denies(group: Group, span: str) -> bool:
    acts = ("fact", "rule", "hold")
    first = next((r for r in group.clauses if r.act in acts), group.clauses[0])
    lead = group.clauses[0]
    if lead is not first and lead.any("change", "altered") and not lead.any("past", "depend"):
        first = lead
    return _negative(group, first, span)


def _negative(group: Group, first: Reading, span: str) -> bool:
    if group.since >= 0:
        return is_negated(first.clause.text)
    return is_negated(span[max(0, first.clause.start - group.start) :])


def _sets(reading: Reading) -> bool:
    return _SETTING.search(reading.folded) is not None and not reading.any("ban", "bid")


def _directs(reading: Reading) -> bool:
    """ "Salt first, …": how it is done, said without an imperative."""
    scoped = ", " in reading.folded and reading.folded.startswith(("for ", "in ", "on "))
    return (reading.has("directs") or scoped) and not reading.any("ban", "i", "mine", "reason")


def _turns_to(group: Group, first: Reading) -> bool:
    """ "Not like this, like that": what is to be done counts, not what is not."""
    if not first.has("ban"):
        return False
    place = group.clauses.index(first)
    after = group.clauses[place + 1 : place + 2]
    instead = after and after[0].zh and not after[0].any("ban", "i", "reason")
    return bool(instead and _INSTEAD.search(after[0].folded))
