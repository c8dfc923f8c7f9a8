"""A day read again, claim by claim beside what was made of it the first time (N21). Pure.

A claim and a memory belong together when they rest on the same words, whatever either makes of
them. The better reading may word a memory anew, or take its place where it says another thing; it
never touches what a person left as it is, what later dreams made of it, or what other words bear.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from slowwave.dream.compare.grounds.merge import fuller
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.relation import Statement, compare
from slowwave.dream.reconcile.keys import normal, sphere_of
from slowwave.model import Claim, Evidence, Memory
from slowwave.text.entities import find_entities

__all__ = ["Compared", "Past", "Reading", "Verdict", "beside", "overlap"]

AT_LEAST = 0.5
"""Share of the shorter words from which on two readings are of the same words."""
BANDS = (40, 60, 90)
"""Importance is compared by its bands (N9): a few points are the reader's mood."""
LEARNED_OTHERWISE = frozenset({"lesson", "digest", "skill"})
"""Kinds that no reading of a day yields."""
LIVE = ("candidate", "active", "cold")

Verdict = Literal["same", "reworded", "revalued", "replaced", "kept", "back"]


@dataclass(frozen=True, slots=True)
class Past:
    """What the dreams of the day left: each memory as they made it, and those that they began.

    `guarded` are memories that a person changed, `heirs` those that others gave way for; `ended`
    are those that an earlier reading ended, as they stood before.
    """

    left: Mapping[str, Memory]
    begun: frozenset[str]
    guarded: frozenset[str] = frozenset()
    heirs: frozenset[str] = frozenset()
    ended: Mapping[str, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """The new reading: its claims, the events that were read, and those that wait.

    `seeds` are events that a person marked (N18). Only a claim that `speaks` may say otherwise what
    is known: the rules were asked the first time.
    """

    claims: Sequence[Claim]
    events: frozenset[str]
    waiting: frozenset[str] = frozenset()
    seeds: frozenset[str] = frozenset()
    speaks: Callable[[Claim], bool] = bool


@dataclass(frozen=True, slots=True)
class Compared:
    """What the new reading is beside the old one.

    `fresh` are claims of words that nothing rests on yet. `met` are the others, each with its
    memory and what it is to that: the same, worded or held otherwise, in the place of it, kept as
    it is all the same, or back. `ended` are memories that the reading does not find, `kept` those
    of them that stay.
    """

    fresh: tuple[Claim, ...]
    met: tuple[tuple[Verdict, Claim, Memory], ...]
    ended: tuple[Memory, ...]
    kept: tuple[Memory, ...]

    def of(self, *verdicts: Verdict) -> list[tuple[Claim, Memory]]:
        """The claims of these verdicts, each with its memory."""
        return [(claim, memory) for verdict, claim, memory in self.met if verdict in verdicts]


def beside(reading: Reading, known: Sequence[Memory], past: Past) -> Compared:
    """The new reading laid beside `known`: the live memories and the retired ones of its events."""
    met: dict[str, list[Claim]] = {}
    fresh: list[Claim] = []
    by_event = _by_event(known)
    for claim in reading.claims:
        memory = _met(claim, by_event)
        if memory is None:
            fresh.append(claim)
        else:
            met.setdefault(memory.id, []).append(claim)
    found: list[tuple[Verdict, Claim, Memory]] = []
    for memory in known:
        claims = met.get(memory.id, ())
        if claims and memory.status in LIVE:
            found.append((_verdict(claims, memory, reading, past), claims[0], memory))
    unmet = [memory for memory in known if memory.id not in met and _is_of(memory, reading, past)]
    ended = [memory for memory in unmet if _ends(memory, reading, past)]
    kept = [memory for memory in unmet if memory not in ended]
    found += (("replaced", claim, memory) for claim, memory in _about_others(fresh, ended))
    replaced = [memory for verdict, _, memory in found if verdict == "replaced"]
    taken = [claim for verdict, claim, _ in found if verdict == "replaced"]
    return Compared(
        tuple(claim for claim in fresh if claim not in taken),
        tuple(found),
        tuple(memory for memory in ended if memory not in replaced),
        tuple(kept),
    )


def _bands(importance: int) -> int:
    """The band of N9 that an importance is in, 0 the lowest."""
    return sum(importance >= least for least in BANDS)


# ── which belong together ───────────────────────────────────────────────────────────────────────


def _by_event(known: Sequence[Memory]) -> dict[str, list[Memory]]:
    found: dict[str, list[Memory]] = {}
    for memory in known:
        for event_id in dict.fromkeys(span.event_id for span in memory.evidence):
            found.setdefault(event_id, []).append(memory)
    return found


def _met(claim: Claim, by_event: Mapping[str, Sequence[Memory]]) -> Memory | None:
    """The memory that rests on the words of a claim: one in its words, then a live one."""
    near = {
        memory.id: (memory, share)
        for span in claim.evidence
        for memory in by_event.get(span.event_id, ())
        if sphere_of(memory.subject) == sphere_of(claim.subject)
        and (share := _share(claim.evidence, memory.evidence)) >= AT_LEAST
    }
    if not near:
        return None
    words = normal(claim.text)
    best, _ = max(
        near.values(),
        key=lambda pair: (
            normal(pair[0].text) == words, pair[0].status in LIVE, pair[1], pair[0].id,
        ),
    )  # fmt: skip
    return best


def _about_others(
    fresh: Sequence[Claim], ended: Sequence[Memory]
) -> Iterator[tuple[Claim, Memory]]:
    """Claims that file words under another subject than a memory did which nothing else finds."""
    left = list(ended)
    for claim in fresh:
        memory = next(
            (one for one in left if _share(claim.evidence, one.evidence) >= AT_LEAST), None
        )
        if memory is not None:
            left.remove(memory)
            yield claim, memory


def _share(mine: Sequence[Evidence], theirs: Sequence[Evidence]) -> float:
    return max((overlap(a, b) for a in mine for b in theirs), default=0.0)


def overlap(one: Evidence, other: Evidence) -> float:
    """The share of the shorter span that lies in both."""
    if one.event_id != other.event_id:
        return 0.0
    both = min(one.end, other.end) - max(one.start, other.start)
    return max(0, both) / max(1, min(one.end - one.start, other.end - other.start))


# ── what becomes of them ────────────────────────────────────────────────────────────────────────


def _verdict(claims: Sequence[Claim], memory: Memory, reading: Reading, past: Past) -> Verdict:
    claim = claims[0]
    if memory.id in past.ended:
        return "back"
    alone = len(claims) == 1 and _bears(claim, memory) and reading.speaks(claim)
    otherwise = _otherwise(claim, memory) if alone else None
    if otherwise is None:
        return "same"
    return otherwise if _free(memory, past) else "kept"


def _bears(claim: Claim, memory: Memory) -> bool:
    """Whether a claim rests on all the words that a memory rests on: it may speak for it alone."""
    return all(
        any(overlap(mine, span) >= AT_LEAST for mine in claim.evidence) for span in memory.evidence
    )


def _otherwise(claim: Claim, memory: Memory) -> Verdict | None:
    """How a claim says what a memory says; None where that is the same."""
    if claim.negated != memory.negated or _contradicts(claim, memory):
        return "replaced"
    mine, theirs = normal(claim.text), normal(memory.text)
    if mine != theirs and mine not in theirs:
        if _lost(memory.text, claim.text):
            return None if _has_all_of(memory, claim) else "replaced"
        found = compare(_said(memory), _said(claim))
        same = found.relation == "same" or (found.relation == "richer" and found.current == "a")
        if not same or fuller(read(memory.text), read(claim.text)):
            return "reworded"
    return "revalued" if _held_otherwise(claim, memory) else None


def _has_all_of(memory: Memory, claim: Claim) -> bool:
    """Whether a memory already has every detail that a claim has: the poorer wording changes
    nothing."""
    return not _lost(claim.text, memory.text)


def _contradicts(claim: Claim, memory: Memory) -> bool:
    return compare(_said(memory), _said(claim)).relation in ("contradicts", "number_changed")


def _said(what: Claim | Memory) -> Statement:
    return Statement(what.text, "", what.subject)


def _held_otherwise(claim: Claim, memory: Memory) -> bool:
    """Whether a claim is of another kind, of more weight, or of another time; what it leaves open
    changes nothing."""
    return (
        claim.kind not in (memory.kind, "fact")
        or claim.standing != memory.standing
        or _bands(claim.importance) > _bands(memory.importance)
        or (claim.valid_from or memory.valid_from) != memory.valid_from
        or (claim.valid_to or memory.valid_to) != memory.valid_to
    )


def _lost(text: str, by: str) -> bool:
    """Whether a wording has lost a number or a name of another one."""
    kept = normal(by)
    return any(normal(entity.text) not in kept for entity in find_entities(text))


def _free(memory: Memory, past: Past) -> bool:
    """Whether a memory is as the dreams of the day left it, and nobody's but theirs."""
    left = past.left.get(memory.id)
    if left is None or memory.pinned or memory.id in past.guarded or memory.conflicts_with:
        return False
    return _content(memory) == _content(left)


def _content(memory: Memory) -> tuple[object, ...]:
    return (
        memory.text, memory.kind, memory.subject, memory.standing, memory.negated,
        memory.valid_from, memory.valid_to, memory.importance,
    )  # fmt: skip


def _is_of(memory: Memory, reading: Reading, past: Past) -> bool:
    """Whether the dreams of the day began a live memory, and all of its words were read now."""
    if memory.id not in past.begun or memory.status not in ("candidate", "active"):
        return False
    if memory.kind in LEARNED_OTHERWISE:
        return False
    events = {span.event_id for span in memory.evidence}
    return events.isdisjoint(reading.waiting) and not events.isdisjoint(reading.events)


def _ends(memory: Memory, reading: Reading, past: Past) -> bool:
    """Whether a memory that no claim meets rests on nothing else, and is free to go."""
    events = {span.event_id for span in memory.evidence}
    others = not events <= reading.events or not events.isdisjoint(reading.seeds)
    return not others and memory.id not in past.heirs and _free(memory, past)
