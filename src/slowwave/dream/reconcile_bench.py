"""The workbench of one plan: what is known, found by words, and what the plan makes of it.

Each memory the plan touches has one entry; however often it is changed in one night, it leaves
the bench as one change from how it stood before to how it will stand (folding).
"""

import heapq
import math
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Literal

import msgspec

from slowwave.dream.compare_reading import Reading, read, units_of
from slowwave.dream.compare_slots import slots_of
from slowwave.model import (
    USER,
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

__all__ = ["Bench", "Entry", "normal", "title_of"]

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
TITLE_CHARS, TITLE_WORDS = 40, 8
_OWN = (USER, "world", "agent")
_SLOT_KEYS = ("home", "work", "love", "age", "name", "diet", "allergy")
"""Slots that statements about one thing share even where they share no word."""


class Entry:
    """One memory on the bench: how it stood (None: new), how it stands, and what was done."""

    __slots__ = ("before", "evidence", "memory", "op", "reasons", "scores")

    def __init__(self, memory: Memory, before: Memory | None) -> None:
        self.memory = memory
        self.before = before
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
        self._entries: dict[str, Entry] = {}
        self._touched: dict[str, Entry] = {}
        self._postings: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        self._exact: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
        self._spans: set[tuple[str, int, int, str, str]] = set()
        for memory in known:
            self._place(Entry(memory, memory))

    def day(self, moment: datetime) -> date:
        """The user's day of an instant."""
        return day_of(moment, self.now.tzinfo or UTC)

    def near(self, claim: Claim, limit: int) -> list[tuple[Entry, float]]:
        """Live memories of the claim's subject that share words or a slot with it, best first.

        With each comes the share of the claim's word weight that it covers, 0–1: rare words weigh
        more (inverse document frequency).
        """
        mine = keys_of(claim.text)
        subject = _sphere(claim.subject)
        points: dict[str, float] = {}
        total = 0.0
        for key in sorted(mine):
            posting = self._postings.get((subject, key), {})
            weight = self._weight(len(posting))
            total += weight
            if len(posting) <= COMMON:
                for memory_id in posting:
                    points[memory_id] = points.get(memory_id, 0.0) + weight
        live = (
            (-score, memory_id)
            for memory_id, score in points.items()
            if self._entries[memory_id].memory.status in LIVE
        )
        return [
            (self._entries[memory_id], min(1.0, -score / total) if total else 0.0)
            for score, memory_id in heapq.nsmallest(limit, live)
        ]

    def weight(self, subject: str) -> Callable[[str], float]:
        """How telling a unit is among what is known of a subject: the rarer the more."""
        sphere = _sphere(subject)
        return lambda key: self._weight(len(self._postings.get((sphere, key), ())))

    def _weight(self, posting: int) -> float:
        return math.log(1 + len(self._entries) / (1 + posting)) or 1.0

    def exact(self, claim: Claim) -> Entry | None:
        """A memory with the same words about the same subject, held in the same way: a live one,
        or one that has ended since the claim was said."""
        for memory_id in self._exact.get(_exact_key(claim), []):
            entry = self._entries[memory_id]
            days = [(when or "")[:10] for when in (claim.valid_from, entry.memory.valid_from)]
            dated = claim.standing != "standing" or claim.kind == "plan"
            if dated and all(days) and days[0] != days[1]:
                continue  # the same words about another day are another event
            if entry.memory.status in LIVE or self._ended_after(entry.memory, claim):
                return entry
        return None

    def holds_evidence(self, claim: Claim) -> bool:
        """Whether a memory, live or not, already rests on these very words of these events."""
        subject = _sphere(claim.subject)
        return all(
            (span.event_id, span.start, span.end, subject, normal(claim.text)) in self._spans
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
        memory = Memory(
            id=short_id("m", *own),
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
        entry = Entry(memory, None)
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
            entry.memory, status="retired", valid_to=ended, superseded_by=successor
        )
        self._touch(entry, "supersede", reason, {})
        self.put(entry, closed)

    def begin(self, entry: Entry, day: When) -> None:
        """Dates the beginning of a memory that replaced another one, if it has no date yet."""
        if entry.memory.valid_from is None:
            self.put(entry, msgspec.structs.replace(entry.memory, valid_from=day))

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
        self._entries[memory.id] = entry
        subject = _sphere(memory.subject)
        for key in sorted(keys_of(memory.text)):
            self._postings[subject, key][memory.id] = None
        exact = self._exact[_exact_key(memory)]
        if memory.id not in exact:
            exact.append(memory.id)
        for span in memory.evidence:
            # A memory with a fuller text holds the words that it took in as well.
            for text in {memory.text, span.quote}:
                self._spans.add((span.event_id, span.start, span.end, subject, normal(text)))


@lru_cache(maxsize=16_384)
def keys_of(text: str) -> frozenset[str]:
    """What a statement is found by: its units of words, its names, and the slots it fills."""
    reading: Reading = read(text)
    slots = {f"slot:{slot}" for slot in reading.slots if slot in _SLOT_KEYS}
    slots |= {f"slot:{slot}" for slot in slots_of(reading)}
    return reading.grams | reading.names | slots | units_of(reading.folded)


def normal(text: str) -> str:
    """A text as it counts for being the same: NFKC, lower case, letters and digits only."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(c for c in folded if unicodedata.category(c)[0] in "LNS")


def title_of(text: str) -> str:
    """A short title: the first clause, at most 40 characters and 8 words."""
    line = " ".join(text.split())
    words = line.split(" ")
    short = " ".join(words[:TITLE_WORDS])
    if len(short) > TITLE_CHARS:
        short = short[: TITLE_CHARS - 1].rstrip()
    return short if short == line else short.rstrip(" ,，;；。.:：") + "…"


def _sphere(subject: str) -> str:
    """Whose memories may touch each other: the owner's own world is one, every other person one.

    "Our rehearsal is at eight" may be filed under the user, the agent or the world.
    """
    return USER if subject in _OWN else normal(subject) or subject


def _exact_key(said: Claim | Memory) -> tuple[str, str, str]:
    return _sphere(said.subject), normal(said.text), said.standing
