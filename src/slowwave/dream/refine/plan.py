"""The changes of a refinement: what a new reading does to what an older one left (N21).

Helps `refine`. A memory gets one change; what it says otherwise is another memory in its place, as
everywhere. What was refused of the same words before stays refused.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC

import msgspec

from slowwave.dream.cycle.desk import Desk, Night
from slowwave.dream.plans.decided import refusing
from slowwave.dream.promote.stage import promote
from slowwave.dream.reconcile.bench import Bench, title_of
from slowwave.dream.reconcile.keys import sphere_of
from slowwave.dream.reconcile.verdict import expiry, said_at
from slowwave.dream.refine.pairs import Compared, overlap
from slowwave.dream.weigh.revise import Verdict, revise
from slowwave.model import (
    Change,
    Claim,
    Demote,
    Dream,
    Event,
    Evidence,
    Memory,
    Rejected,
    Restore,
    Update,
    day_of,
)

__all__ = ["Making", "marked"]

ROUTE = "refinement"
SAME_WORDS = 0.5


class Making:
    """Makes the changes of one plan; `reader` is who has read the day this time."""

    def __init__(
        self, desk: Desk, known: Sequence[Memory], reader: str, events: Sequence[Event]
    ) -> None:
        self._desk = desk
        self._known = known
        self._zone = desk.night.now.tzinfo or UTC
        self._day = day_of(events[0].ts, self._zone).isoformat()
        self._by = f"{self._day} read again by {reader}"

    def changes(
        self,
        compared: Compared,
        reconciled: Sequence[Change],
        live: Sequence[Memory],
        ended: Mapping[str, Memory],
    ) -> tuple[tuple[Change, ...], tuple[Rejected, ...]]:
        """All changes, one for each memory, and what is not worth an entry.

        `reconciled` are those that the fresh claims make: where one touches a memory, it stands.
        `ended` are memories that an earlier reading ended, as they stood before.
        """
        night = self._desk.night
        made = [_reasoned(change, self._by) for change in reconciled]
        taken = {change.memory_id for change in made}
        made += (one for one in self._replaced(compared, taken) if one.memory_id not in taken)
        taken.update(change.memory_id for change in made)
        made += (self._revised(*pair, words=True) for pair in compared.of("reworded")
                 if pair[1].id not in taken)  # fmt: skip
        made += (self._revised(*pair, words=False) for pair in compared.of("revalued")
                 if pair[1].id not in taken)  # fmt: skip
        promoted = promote(made, live, night.settings, night.now, dream_id=self._desk.dream_id)
        ids = {change.memory_id for change in made}
        changes = [change for change in promoted.changes if change.memory_id in ids]
        changes += (self._back(memory, ended[memory.id]) for _, memory in compared.of("back")
                    if memory.id not in taken)  # fmt: skip
        changes += (self._ended(memory) for memory in compared.ended if memory.id not in ids)
        return tuple(changes), promoted.rejected

    def _replaced(self, compared: Compared, taken: set[str]) -> Iterator[Change]:
        """A memory in the place of each that the same words say otherwise."""
        pairs = [pair for pair in compared.of("replaced") if pair[1].id not in taken]
        if not pairs:
            return
        night = self._desk.night
        bench = Bench(self._known, self._desk.dream_id, night.space, night.now)
        for claim, memory in pairs:
            old = bench.entry(memory.id)
            if old is None:
                continue
            said = said_at(claim, night.now)
            reason = f"{self._by}: the same words say otherwise than “{memory.title}”"
            entry = bench.add(
                claim, standing=claim.standing, said=said, reason=reason, scores={},
                expires_at=expiry(claim, bench.day(said)),
            )  # fmt: skip
            why = f"{self._by}: the words say “{entry.memory.title}”"
            bench.close(old, self._day, entry.memory.id, why)
        yield from bench.changes()

    def _revised(self, claim: Claim, memory: Memory, *, words: bool) -> Change:
        """A memory in better words, or held otherwise; with the words that bear it, old and new."""
        after = msgspec.structs.replace(
            memory,
            kind=memory.kind if claim.kind == "fact" else claim.kind,
            standing=claim.standing,
            importance=max(memory.importance, claim.importance),
            confidence=max(memory.confidence, claim.confidence),
            valid_from=claim.valid_from or memory.valid_from,
            valid_to=claim.valid_to or memory.valid_to,
            evidence=_both(memory.evidence, claim.evidence),
            entities=tuple(dict.fromkeys((*memory.entities, *claim.entities))),
        )
        if (after.standing, after.valid_to) != (memory.standing, memory.valid_to):
            said = day_of(said_at(claim, self._desk.night.now), self._zone)
            after = msgspec.structs.replace(after, expires_at=expiry(claim, said))
        if words:
            named = tuple(name for name in after.entities if name in claim.text)
            after = msgspec.structs.replace(
                after, text=claim.text, title=title_of(claim.text), entities=named
            )
        told = ["said more exactly"] if words else []
        told += (f"{name} {old} → {new}" for name, old, new in _differences(memory, after))
        verdict = Verdict(ROUTE, f"{self._by}: {', '.join(told)}")
        change = revise(Update, memory, after, self._desk.dream_id, verdict)
        return msgspec.structs.replace(change, evidence=claim.evidence)

    def _back(self, memory: Memory, stood: Memory) -> Change:
        """A memory that an earlier reading ended, and that this one finds again."""
        after = msgspec.structs.replace(memory, status=stood.status, valid_to=stood.valid_to)
        verdict = Verdict(ROUTE, f"{self._by}: it says this after all")
        revised = revise(Demote, memory, after, self._desk.dream_id, verdict)
        return Restore(**{name: getattr(revised, name) for name in revised.__struct_fields__})

    def _ended(self, memory: Memory) -> Change:
        """Out of ordinary recall. It may be true all the same: the words are there, and nothing
        says that it ended."""
        ended = msgspec.structs.replace(memory, status="cold")
        verdict = Verdict(ROUTE, f"{self._by}: that reading does not find this")
        return revise(Demote, memory, ended, self._desk.dream_id, verdict)


def marked(dream: Dream, plans: Iterable[Dream], night: Night) -> Dream:
    """The plan with what brings in words that somebody refused before; with `again`, all anew."""
    refused_ids = set() if night.again else set(_refused(dream, list(plans)))
    return refusing(dream, refused_ids)


def _refused(dream: Dream, plans: Sequence[Dream]) -> Iterator[str]:
    said = [change for plan in plans for change in plan.changes]
    for change in dream.changes:
        had = change.before.evidence if change.before else ()
        fresh = [span for span in change.after.evidence if span not in had]
        decisions = (
            one.approved is False
            for one in said
            if _alike(one, change) and (not fresh or _on(fresh, one.after.evidence))
        )
        if next(decisions, False):
            yield change.id


def _alike(one: Change, other: Change) -> bool:
    """Whether two changes bring in something of the same one, or do the same to one memory."""
    brings = one.before is None and other.before is None
    if brings:
        return sphere_of(one.after.subject) == sphere_of(other.after.subject)
    return one.memory_id == other.memory_id and one.op == other.op and (
        one.after.text == other.after.text
    )  # fmt: skip


def _on(mine: Sequence[Evidence], theirs: Sequence[Evidence]) -> bool:
    return any(overlap(a, b) >= SAME_WORDS for a in mine for b in theirs)


def _both(mine: Sequence[Evidence], theirs: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys((*mine, *theirs)))


def _reasoned(change: Change, by: str) -> Change:
    return msgspec.structs.replace(change, reason=f"{by}: {change.reason}")


def _differences(before: Memory, after: Memory) -> Iterator[tuple[str, object, object]]:
    for name in ("kind", "standing", "importance", "valid_from", "valid_to"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield name.replace("valid_", "holds "), old or "open", new or "open"
