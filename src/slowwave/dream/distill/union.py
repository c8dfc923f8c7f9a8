"""What rules found and what a model proposed, as one list: a model never costs what rules find.

Where both read the same words, there is one claim. It has the model's text when that lost nothing
(it was verified before it comes here), and everything that the rules reckoned: dates, standing,
whom it is about. What only one of them found goes on as it is; whether it says anything new is
`reconcile`'s to decide.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from slowwave.dream.distill.clauses.people import is_pronoun
from slowwave.model import USER, Claim, Event, Evidence, Rejected

__all__ = ["Left", "left_out", "union"]

STAGE = "distill"

NEARLY_ALL = 0.8
"""Share of the words from which on one reading has seen all that the other one has."""

AT_LEAST = 0.5
"""Share of the shorter words from which on two readings are of the same statement."""

_CLIPPED = 300
"""Characters of a rejected text that are kept; one of that length goes on."""

_DAY = re.compile(r"[（(]\s*\d{4}-\d{2}")
"""A day written beside a relative word: the rules reckon these."""

_NOBODY_ELSE = {USER, "world"}
"""Where both are no third person, it is only a matter of view: the rules' one is kept."""

_NOBODY_THERE = {*_NOBODY_ELSE, "agent"}
"""Subjects that are no third person."""

_FOR_THE_DIARY = ("emotion", "quote")


class _Shared(NamedTuple):
    """Two readings of the same words: shares of what the rules and the model quoted."""

    place: int
    of_rules: float
    of_model: float


VETO = frozenset({
    "private", "injection", "material", "passed on", "quote", "fiction", "hypothetical", "question",
    "sarcasm", "instruction of another speaker",
})  # fmt: skip
"""What the rules read in words from which nothing may be learned, whoever reads them."""


VETO_SOMETIMES: Mapping[str, Callable[[Claim], bool]] = MappingProxyType({
    "third_person": lambda claim: claim.subject == USER,
    "venting": lambda claim: claim.kind != "emotion",
    "request": lambda claim: claim.kind in ("rule", "preference"),
})  # fmt: skip
"""What the rules read in words from which some things may not be learned."""


class Left(NamedTuple):
    """Words that the rules left out, and as what."""

    event_id: str
    start: int
    end: int
    reason: str


def left_out(rejected: Sequence[Rejected], events: Mapping[str, Event]) -> list[Left]:
    """Where the words stand that the rules left out. A rejection holds their beginning only."""
    found = []
    for item in rejected:
        text = events[item.event_id].text if item.event_id in events else ""
        start = text.find(item.text) if item.text.strip() else -1
        if start >= 0:
            end = start + len(item.text) if len(item.text) < _CLIPPED else len(text)
            found.append(Left(item.event_id, start, end, item.reason))
    return found


def union(
    found: Sequence[Claim],
    proposed: Sequence[Claim],
    refused: Sequence[Left] = (),
    holds: Callable[[Claim], bool] = lambda _claim: True,
) -> tuple[tuple[Claim, ...], tuple[Rejected, ...]]:
    """The claims of both, and the proposals that say nothing beside them, or may not.

    `refused` is what the rules left out: they have a veto where somebody asked, supposed, played,
    passed on, or forbade to keep it. `holds` tells whether a claim verifies.
    """
    claims = list(found)
    taken: set[int] = set()
    rejected: list[Rejected] = []
    for claim in proposed:
        readings = list(_shared(found, claim))
        shared = max(readings, key=lambda one: (one.of_rules, one.of_model), default=None)
        ours = found[shared.place] if shared else None
        reason = _needless(ours, claim) if ours else _veto(claim, refused)
        if reason:
            rejected.append(Rejected(STAGE, reason, claim.text[:300], claim.evidence[0].event_id))
        elif ours is None or shared is None or not _only(readings):
            claims.append(claim)
        elif shared.of_rules < NEARLY_ALL and _knows_whom(ours, claim):
            claims.append(claim)  # of somebody in it, and the whole is of whom the rules say
        elif shared.place not in taken:
            taken.add(shared.place)
            claims[shared.place] = _one(found[shared.place], claim, shared, holds)
        elif shared.of_rules < NEARLY_ALL:
            reason = "part of a statement that is kept whole"
            rejected.append(Rejected(STAGE, reason, claim.text[:300], claim.evidence[0].event_id))
        else:
            claims.append(claim)
    return tuple(claims), tuple(rejected)


def _only(readings: Sequence[_Shared]) -> bool:
    """Whether a proposal is about the words of one statement: not of several, nor half of one."""
    whole = [one for one in readings if max(one.of_rules, one.of_model) >= NEARLY_ALL]
    return len(whole) == 1


def _veto(claim: Claim, refused: Sequence[Left]) -> str:
    """Why nothing may be learned from the words of a claim; "" where something may."""
    for item in refused:
        sometimes = VETO_SOMETIMES.get(item.reason)
        if item.reason not in VETO and not (sometimes and sometimes(claim)):
            continue
        for span in claim.evidence:
            both = min(item.end, span.end) - max(item.start, span.start)
            least = AT_LEAST * min(item.end - item.start, span.end - span.start)
            if item.event_id == span.event_id and both > 0 and both >= least:
                return f"the rules read it as {item.reason.replace('_', ' ')}"
    return ""


def _needless(ours: Claim, claim: Claim) -> str:
    """Why a proposal is left out beside what the rules read in the same words; "" if it is not."""
    same = ours.subject == claim.subject or {ours.subject, claim.subject} == _NOBODY_ELSE
    if not (same or _is_named_in(claim.subject, ours.subject) or _knows_whom(ours, claim)):
        return "the rules read another subject in these words"
    return "the rules read the contrary in these words" if ours.negated != claim.negated else ""


def _knows_whom(ours: Claim, claim: Claim) -> bool:
    """Whether the model names somebody in these words whom the rules took for another or for none.

    They read a part of his name, a pronoun, nobody but the speaker, or one who is not named there.
    """
    if ours.subject in (claim.subject, "agent"):
        return False  # an order to the agent names people as well
    if claim.subject in _NOBODY_THERE or is_pronoun(claim.subject):
        return False
    if not any(_is_named_in(claim.subject, span.quote) for span in claim.evidence):
        return False
    if ours.subject in _NOBODY_ELSE or is_pronoun(ours.subject):
        return True
    absent = not any(_is_named_in(ours.subject, span.quote) for span in ours.evidence)
    return absent or _is_named_in(ours.subject, claim.subject)


def _is_named_in(name: str, text: str) -> bool:
    """Whether a name stands in a text; in letters that have words, as words of their own."""
    if name in _NOBODY_THERE or not name:
        return False
    whole = r"(?<![^\W_])" if name[:1].isascii() else ""
    end = r"(?![^\W_])" if name[-1:].isascii() else ""
    return re.search(f"{whole}{re.escape(name)}{end}", text, re.IGNORECASE) is not None


def _shared(found: Sequence[Claim], claim: Claim) -> Iterator[_Shared]:
    for place, ours in enumerate(found):
        pairs = [_overlap(a, b) for a in ours.evidence for b in claim.evidence]
        of_rules, of_model = max(pairs, default=(0.0, 0.0))
        if max(of_rules, of_model) >= AT_LEAST:
            yield _Shared(place, of_rules, of_model)


def _overlap(ours: Evidence, theirs: Evidence) -> tuple[float, float]:
    if ours.event_id != theirs.event_id:
        return 0.0, 0.0
    both = min(ours.end, theirs.end) - max(ours.start, theirs.start)
    if both <= 0:
        return 0.0, 0.0
    return both / (ours.end - ours.start), both / (theirs.end - theirs.start)


def _one(ours: Claim, claim: Claim, shared: _Shared, holds: Callable[[Claim], bool]) -> Claim:
    """Both readings as one claim; the text of the model only where it has seen all the words."""
    kind, renamed = ours.kind, _knows_whom(ours, claim)
    if (kind == "fact" or renamed) and claim.kind not in _FOR_THE_DIARY:
        kind = claim.kind
    both = msgspec.structs.replace(
        ours,
        kind=kind,
        subject=claim.subject if renamed else ours.subject,
        importance=max(ours.importance, claim.importance),
        confidence=max(ours.confidence, claim.confidence),
        valid_from=ours.valid_from or claim.valid_from,
        valid_to=ours.valid_to or claim.valid_to,
        rule=f"{ours.rule} + {claim.rule}",
    )
    both = both if holds(both) else ours
    if shared.of_rules < NEARLY_ALL or not _keeps_all(ours, claim):
        return both
    told = msgspec.structs.replace(
        both,
        text=claim.text,
        evidence=tuple(dict.fromkeys((*claim.evidence, *ours.evidence))),
        entities=tuple(dict.fromkeys((*ours.entities, *claim.entities))),
    )
    return told if holds(told) else both


def _keeps_all(ours: Claim, claim: Claim) -> bool:
    """Whether the model's text has every detail of the rules' text, and the day beside a word."""
    text = _fold(claim.text)
    dated = len(_DAY.findall(ours.text)) > len(_DAY.findall(claim.text))
    return not dated and all(_fold(entity) in text for entity in ours.entities)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())
