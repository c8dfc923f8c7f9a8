"""The workbench of one plan: what is known, found by words, and what the plan makes of it.

Each memory the plan touches has one entry; however often it is changed in one night, it leaves
the bench as one change from how it stood before to how it will stand (folding).
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Literal

import msgspec

from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.reading.turn import turns
from slowwave.dream.reconcile.keys import (
    SLOT_KEYS,
    exact_key,
    keys_of,
    normal,
    sphere_of,
    title_of,
    worlds_of,
)
from slowwave.dream.reconcile.parts import Parted, narrowed
from slowwave.model import (
    Add,
    Change,
    Claim,
    Confirm,
    Evidence,
    Memory,
    Merge,
    Standing,
    Supersede,
    Update,
    When,
    day_of,
    short_id,
)

__all__ = ["Bench", "Entry", "title_of"]

Op = Literal["add", "confirm", "update", "merge", "supersede"]
_RANK: Mapping[str, int] = {"confirm": 0, "update": 1, "merge": 2, "supersede": 3, "add": 4}
_KINDS: Mapping[str, type[Confirm | Update | Merge | Supersede]] = {
    "confirm": Confirm,
    "update": Update,
    "merge": Merge,
    "supersede": Supersede,
}

LIVE = ("candidate", "active", "cold")
COMMON = 400
"""Units that more memories share than this are too common to find a memory by."""


class Entry:
    """One memory on the bench: how it stood (None: new), how it stands, and what was done."""

    __slots__ = ("before", "evidence", "keys", "memory", "number", "op", "reasons", "scores")

    def __init__(self, memory: Memory, before: Memory | None, number: int) -> None:
        self.memory = memory
        self.before = before
        self.number = number
        self.keys: frozenset[str] = frozenset()
        self.op: Op | None = None
        self.reasons: list[str] = []
        self.scores: dict[str, float] = {}
        self.evidence: list[Evidence] = []

    def note(self, op: Op, reason: str, scores: Mapping[str, float]) -> None:
        """Records one more thing done; the weightiest operation names the change."""
        if self.op is None or _RANK[op] > _RANK[self.op]:
            self.op = op
        if reason not in self.reasons:
            self.reasons.append(reason)
        self.scores.update(scores)


class Bench:
    """All memories of a space while a plan is being made."""

    def __init__(self, known: Sequence[Memory], dream_id: str, space: str, now: datetime) -> None:
        self.dream_id, self.space, self.now = dream_id, space, now
        self._entries: list[Entry] = []
        self._touched: dict[str, Entry] = {}
        self._postings: dict[str, defaultdict[str, list[int]]] = {}
        self._exact: dict[tuple[str, str, str], list[Entry]] = {}
        self._spans: dict[tuple[str, int, int], list[tuple[str, str, str]]] = {}
        self._ids = {memory.id for memory in known}
        self._known: dict[str, Entry] = {}
        for memory in known:
            if memory.undone:
                continue  # its dream was rolled back: as if it had never been said
            entry = Entry(memory, memory, len(self._entries))
            self._known[memory.id] = entry
            self._place(entry)

    def day(self, moment: datetime) -> date:
        """The user's day of an instant."""
        return day_of(moment, self.now.tzinfo or UTC)

    def near(self, claim: Claim, limit: int) -> list[tuple[Entry, float]]:
        """Live memories of the claim's world that share words or a slot with it, best first.

        With each comes the share of the claim's word weight that it covers, 0–1: rare words weigh
        more (inverse document frequency).
        """
        worlds: list[Mapping[str, list[int]]] = [
            self._postings.get(world, {}) for world in worlds_of(claim.subject, claim.text)
        ]
        points: dict[int, float] = {}
        total = 0.0
        gone = (turn.old for turn in turns(read(claim.text).folded))
        for key in sorted(keys_of(claim.text).union(*map(keys_of, gone))):
            held = [postings.get(key, []) for postings in worlds]
            weight = self._weight(max(map(len, held)))
            total += weight
            for posting in held:
                # Of a slot that many statements fill, the last ones said may be what it holds.
                common = len(posting) > COMMON
                few = posting if not common else posting[-COMMON:] if key in SLOT_KEYS else []
                for number in few:
                    points[number] = points.get(number, 0.0) + weight
        live = (
            (-score, self._entries[number].memory.id, number)
            for number, score in points.items()
            if self._entries[number].memory.status in LIVE
        )
        return [
            (self._entries[number], min(1.0, -score / total) if total else 0.0)
            for score, _id, number in heapq.nsmallest(limit, live)
        ]

    def entry(self, memory_id: str) -> Entry | None:
        """The entry of a memory that was there before, if it is current now."""
        found = self._known.get(memory_id)
        return found if found is not None and found.memory.status in LIVE else None

    def weight(self, subject: str) -> Callable[[str], float]:
        """How telling a unit is among what is known of a subject: the rarer the more."""
        postings: Mapping[str, list[int]] = self._postings.get(sphere_of(subject), {})
        return lambda key: self._weight(len(postings.get(key, ())))

    def _weight(self, posting: int) -> float:
        return math.log(1 + len(self._entries) / (1 + posting)) or 1.0

    def exact(self, claim: Claim) -> Entry | None:
        """A memory with the same words about the same subject, held in the same way: a live one,
        or one that has ended since the claim was said."""
        for entry in self._exact.get(exact_key(claim), []):
            if normal(entry.memory.text) != normal(claim.text):
                continue  # it has another wording by now
            days = [(when or "")[:10] for when in (claim.valid_from, entry.memory.valid_from)]
            dated = claim.standing != "standing" or claim.kind == "plan"
            if dated and all(days) and days[0] != days[1]:
                continue  # the same words about another day are another event
            if entry.memory.status in LIVE or self._ended_after(entry.memory, claim):
                return entry
        return None

    def holds_evidence(self, claim: Claim) -> bool:
        """Whether a memory, live or not, already rests on these very words of these events."""
        subject, text = sphere_of(claim.subject), normal(claim.text)
        return all(
            any(
                sphere == subject and text in (normal(worded), normal(quote))
                for sphere, worded, quote in self._spans.get(_place_of(span), ())
            )
            for span in claim.evidence
        )

    def add(
        self,
        claim: Claim,
        *,
        standing: Standing,
        said: datetime,
        reason: str,
        scores: Mapping[str, float],
        expires_at: When | None,
    ) -> Entry:
        """A new memory of a claim, as a candidate."""
        times = [span.ts for span in claim.evidence if span.ts] or [said]
        first = claim.evidence[0]
        own = (self.space, claim.subject, normal(claim.text), first.event_id, str(first.start))
        memory_id = short_id("m", *own)
        while memory_id in self._ids:
            memory_id = short_id("m", *own, memory_id)
        self._ids.add(memory_id)
        memory = Memory(
            id=memory_id,
            kind=claim.kind,
            subject=claim.subject,
            title=title_of(claim.text),
            text=claim.text,
            entities=claim.entities,
            importance=claim.importance,
            confidence=claim.confidence,
            status="candidate",
            standing=standing,
            negated=claim.negated,
            evidence=claim.evidence,
            dream_id=self.dream_id,
            first_seen=min(times),
            last_seen=max(times),
            valid_from=claim.valid_from,
            valid_to=claim.valid_to,
            expires_at=expires_at,
        )
        entry = Entry(memory, None, len(self._entries))
        entry.evidence.extend(claim.evidence)
        self._touch(entry, "add", reason, scores)
        if claim.seed:
            entry.scores["seed"] = 1.0
        self._place(entry)
        return entry

    def take_in(
        self,
        entry: Entry,
        claim: Claim,
        *,
        op: Op,
        text: str | None,
        reason: str,
        scores: Mapping[str, float],
    ) -> None:
        """Adds a claim's evidence to a memory; with `text`, its wording too (L5)."""
        memory = entry.memory
        fresh = tuple(span for span in claim.evidence if span not in memory.evidence)
        times = [span.ts for span in fresh if span.ts]
        # A second span of a message that is counted already is no second mention.
        counted = {span.event_id for span in memory.evidence}
        said_again = any(span.event_id not in counted for span in fresh)
        changed = msgspec.structs.replace(
            memory,
            evidence=memory.evidence + fresh,
            entities=tuple(dict.fromkeys((*memory.entities, *claim.entities))),
            importance=max(memory.importance, claim.importance),
            confidence=max(memory.confidence, claim.confidence),
            mention_count=memory.mention_count + (1 if said_again else 0),
            first_seen=min((memory.first_seen, *times)),
            last_seen=max((memory.last_seen, *times)),
            valid_from=memory.valid_from or claim.valid_from,
            valid_to=memory.valid_to or claim.valid_to,
        )
        if text is not None:
            changed = msgspec.structs.replace(changed, text=text, title=title_of(text))
        entry.evidence.extend(fresh)
        if claim.seed:
            entry.scores["seed"] = 1.0
        self._touch(entry, op, reason, scores)
        self.put(entry, changed)

    def close(self, entry: Entry, ended: When, successor: str, reason: str) -> None:
        """Retires a memory that another one took the place of; both stay, dated (N12)."""
        closed = msgspec.structs.replace(
            entry.memory, status="retired", valid_to=ended, superseded_by=successor,
            conflicts_with=(),
        )  # fmt: skip
        self._touch(entry, "supersede", reason, {})
        self._unlink(entry)
        self.put(entry, closed)

    def limit(self, entry: Entry, until: When, reason: str) -> None:
        """Dates the end of a memory that is still current: it leaves when that day has come."""
        self._touch(entry, "update", reason, {})
        ends = msgspec.structs.replace(entry.memory, valid_to=until, expires_at=until)
        self.put(entry, ends)

    def part(self, entry: Entry, parts: Parted, ended: When, successor: str, reason: str) -> None:
        """Retires a memory of which a part has ended; the rest goes on as an entry of its own."""
        memory = entry.memory
        self.close(entry, ended, successor, reason)
        evidence = narrowed(memory.evidence, parts.rest)
        own = (self.space, memory.subject, normal(parts.rest), memory.id, str(memory.version))
        rest = msgspec.structs.replace(
            memory,
            id=short_id("m", *own), text=parts.rest, title=title_of(parts.rest),
            entities=tuple(name for name in memory.entities if name in parts.rest),
            evidence=evidence, dream_id=self.dream_id, version=1, conflicts_with=(),
            negated=bool(read(parts.rest).negators),
        )  # fmt: skip
        held = Entry(rest, None, len(self._entries))
        held.evidence.extend(evidence)
        self._ids.add(rest.id)
        self._touch(held, "add", f"still holds of “{memory.title}”, whose other part has ended", {})
        self._place(held)

    def link(self, one: Entry, other: Entry, reason: str) -> None:
        """Notes on both sides that they cannot hold together, and that neither is known to."""
        for entry, against in ((one, other), (other, one)):
            if against.memory.id in entry.memory.conflicts_with:
                continue
            ids = (*entry.memory.conflicts_with, against.memory.id)
            self._touch(entry, "update", f"conflicts with “{against.memory.title}”: {reason}", {})
            self.put(entry, msgspec.structs.replace(entry.memory, conflicts_with=ids))

    def against(self, entry: Entry) -> list[Entry]:
        """What a memory cannot hold together with."""
        ids = entry.memory.conflicts_with
        return [other for other in self._entries if other.memory.id in ids] if ids else []

    def _unlink(self, entry: Entry) -> None:
        """One side of a conflict is over: the other sides stand alone again."""
        for other in self.against(entry):
            ids = tuple(i for i in other.memory.conflicts_with if i != entry.memory.id)
            self._touch(other, "update", f"“{entry.memory.title}”, its opposite, has ended", {})
            self.put(other, msgspec.structs.replace(other.memory, conflicts_with=ids))

    def begin(self, entry: Entry, day: When) -> None:
        """Dates the beginning of a memory that replaced another one, if it has no date yet."""
        if entry.memory.valid_from is None:
            self.put(entry, msgspec.structs.replace(entry.memory, valid_from=day))

    def memories(self) -> list[Memory]:
        """All of them as they stand."""
        return [entry.memory for entry in self._entries]

    def refile(self, named: Callable[[str], str]) -> None:
        """Files what is known of somebody by a role under the name he has been given since."""
        for entry in self._entries:
            name = named(entry.memory.subject)
            if name != entry.memory.subject and entry.memory.status in LIVE:
                self._touch(entry, "update", f"“{entry.memory.subject}” is {name}", {})
                self.put(entry, msgspec.structs.replace(entry.memory, subject=name))

    def put(self, entry: Entry, memory: Memory) -> None:
        """Sets how a memory stands, and keeps it findable by its new words."""
        entry.memory = memory
        self._place(entry)

    def changes(self) -> Iterator[Change]:
        """One change per touched memory, in the order they were first touched."""
        for entry in self._touched.values():
            yield self._change(entry)

    def _change(self, entry: Entry) -> Change:
        memory = entry.memory
        op = "add" if entry.before is None else entry.op or "update"
        change_id = short_id("c", self.dream_id, memory.id, op)
        scores = {**entry.scores, "importance": float(memory.importance)}
        scores.setdefault("confidence", memory.confidence)
        reason = "; ".join(entry.reasons)
        evidence = tuple(dict.fromkeys(entry.evidence)) or memory.evidence
        if entry.before is None:
            return Add(
                id=change_id, memory_id=memory.id, after=memory, reason=reason,
                scores=scores, evidence=evidence,
            )  # fmt: skip
        after = msgspec.structs.replace(
            memory, version=entry.before.version + 1, dream_id=self.dream_id
        )
        return _KINDS[op](
            id=change_id, memory_id=memory.id, before=entry.before, after=after, reason=reason,
            scores=scores, evidence=evidence,
        )  # fmt: skip

    def _touch(self, entry: Entry, op: Op, reason: str, scores: Mapping[str, float]) -> None:
        entry.note(op, reason, scores)
        self._touched.setdefault(entry.memory.id, entry)

    def _ended_after(self, memory: Memory, claim: Claim) -> bool:
        said = min((span.ts for span in claim.evidence if span.ts), default=None)
        ended = (memory.valid_to or "")[:10]
        return (
            memory.status == "retired" and said is not None and self.day(said).isoformat() < ended
        )

    def _place(self, entry: Entry) -> None:
        memory = entry.memory
        if entry.number == len(self._entries):
            self._entries.append(entry)
        sphere = sphere_of(memory.subject)
        if memory.status in LIVE:
            keys = keys_of(memory.text)
            for world in worlds_of(memory.subject, memory.text):
                postings = self._postings.setdefault(world, defaultdict(list))
                for key in keys - entry.keys:
                    postings[key].append(entry.number)
            entry.keys |= keys
        exact = self._exact.setdefault(exact_key(memory), [])
        if entry not in exact:
            exact.append(entry)
        for span in memory.evidence:
            # A memory with a fuller text holds the words that it took in as well.
            held = self._spans.setdefault(_place_of(span), [])
            if (sphere, memory.text, span.quote) not in held:
                held.append((sphere, memory.text, span.quote))


def _place_of(span: Evidence) -> tuple[str, int, int]:
    return span.event_id, span.start, span.end
