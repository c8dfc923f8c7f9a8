"""Looking up all that states a fact: memories, the words they rest on, copies of these, rewordings.

Nothing is changed here. What is found can be read before it goes; it is also what the tombstone is
signed from.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from slowwave import journal
from slowwave.erasure.widening import widened
from slowwave.errors import UsageError
from slowwave.model import (
    Erased,
    Event,
    Memory,
    Purge,
    Receipt,
    Redaction,
    Removed,
    Space,
    Span,
    StoredText,
    Tombstone,
    short_id,
)
from slowwave.ports import Store
from slowwave.text.redaction import (
    find,
    holds,
    is_hollow,
    merged,
    normal,
    remaining,
    without,
    words_of,
)
from slowwave.text.segment import sentences
from slowwave.text.signature import (
    LEAST_CONTENT,
    Hints,
    Seal,
    Statement,
    identity_hash,
    sign,
    weight_outside,
)

__all__ = ["ROUNDS", "Plan", "Target", "Touched", "find_all"]

ROUNDS = 4
"""How often copies of copies are looked for; each round reads the journal once."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be forgotten: memories or events by id, every text that holds `literal`, or
    everything that says one of the statements."""

    memory_ids: frozenset[str] = frozenset()
    event_ids: frozenset[str] = frozenset()
    literal: str = ""
    statements: tuple[Statement, ...] = ()


class Touched(msgspec.Struct, frozen=True):
    """An event that loses words: what it says now, and what it will say ("" = it goes whole)."""

    id: str
    ts: datetime
    text: str
    remains: str


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """All that a forgetting will take, to be read before it happens.

    `memories` are what was asked for; `also` are all others that go: they say the same, or lose
    their last quote. `others` is what else holds the words: questions, plans, what dreams left out.
    `names` counts events that hold them in the name of a session, a speaker or a source: these
    stay.
    """

    events: tuple[Touched, ...]
    memories: tuple[Memory, ...]
    also: tuple[Memory, ...]
    others: tuple[StoredText, ...]
    names: int
    statements: tuple[Statement, ...]
    purge: Purge

    @property
    def empty(self) -> bool:
        """Whether there is nothing to forget."""
        return not (self.events or self.memories or self.also or self.others)


# ── looking up ──────────────────────────────────────────────────────────────────────────────────


def find_all(
    store: Store, space: Space, target: Target, now: datetime, onto: Erased | None = None
) -> Plan:
    """What a target stands for. Changes nothing; UsageError for a text that is too short.

    `onto` is a forgetting that the plan is to go on with: one tombstone, one receipt.
    """
    literal = normal(target.literal)
    if target.literal and len(literal) < 2:
        raise UsageError(
            f"{target.literal!r} is too short to look for", "give two characters or more"
        )
    search = _Search(store, space, target, literal, onto)
    search.run()
    return search.plan(now)


class _Search:
    """One search: grows the memories that go until no other holds the same words."""

    def __init__(
        self, store: Store, space: Space, target: Target, literal: str, onto: Erased | None
    ) -> None:
        self.store, self.space, self.target, self.onto = store, space, target, onto
        self.salt = onto.receipt.tombstone.salt if onto else secrets.token_hex(16)
        self.literals = (literal,) if literal else ()
        self.known = {memory.id: memory for memory in store.memories(space)}
        self.named: set[str] = {one for one in target.memory_ids if one in self.known}
        self.events: dict[str, Event] = {}
        self.cuts: dict[str, list[Span]] = {}
        self.statements: dict[Statement, None] = dict.fromkeys(target.statements)
        self.names = 0

    def run(self) -> None:
        """Rounds until nothing new is found."""
        self._of_events()
        self.asked = set(self.named)
        for number in range(ROUNDS):
            self._state()
            self._scan()
            copies = {memory.id for memory in self.known.values() if self._says(memory)}
            if self.literals and not number:
                self.asked |= copies
            if copies <= self.named:
                break
            self.named |= copies

    def _of_events(self) -> None:
        """Memories that an event alone bears, or that say what it says, are the event's facts."""
        events = self.store.events_by_id(self.space, sorted(self.target.event_ids))
        for event in events.values():
            whole = normal(event.text, words_only=True)
            self.statements[Statement(event.text, exact=True)] = None
            for memory in self.known.values():
                here = [span.event_id == event.id for span in memory.evidence]
                said = normal(memory.text, words_only=True)
                if any(here) and (all(here) or (said and said in whole)):
                    self.named.add(memory.id)
            if not any(self._quotes(event.id)):
                for start, end in sentences(event.text):
                    self.statements[Statement(event.text[start:end])] = None

    def _quotes(self, event_id: str) -> Iterator[str]:
        for memory in self.known.values():
            yield from (span.quote for span in memory.evidence if span.event_id == event_id)

    def _state(self) -> None:
        """What the named memories say in all their versions, and their quotes.

        Of copies the same words are looked for and no more: what is like something that is like
        the fact need not be the fact.
        """
        self.spans: dict[str, set[Span]] = {}
        for memory_id in sorted(self.named):
            versions = [one.memory for one in self.store.versions(self.space, memory_id)]
            copied = memory_id not in self.asked
            for memory in (*versions, self.known[memory_id]):
                self.statements[Statement(memory.text, memory.subject, exact=copied)] = None
                for span in memory.evidence:
                    self.statements[Statement(span.quote, exact=copied)] = None
                    self.spans.setdefault(span.event_id, set()).add((span.start, span.end))
        self.needles = needles_of(self.statements)
        self.hints = Hints(self.statements)
        self.seal = Seal(_signed(self.space, self.salt, self.statements, _EVER, _EVER))

    def _says(self, memory: Memory) -> bool:
        """Whether a memory says what is to be forgotten."""
        if holds(words_of(memory), self._probe()):
            return True
        return not self.literals and self.seal.means(memory.text, memory.subject)

    def _probe(self) -> Purge:
        """The words alone."""
        return self._purge((), frozenset(), _NOTHING)

    def _purge(
        self, redactions: tuple[Redaction, ...], memory_ids: frozenset[str], erased: Erased
    ) -> Purge:
        return Purge(
            space=self.space,
            redactions=redactions,
            memory_ids=memory_ids,
            needles=self.needles,
            literals=self.literals,
            erased=erased,
        )

    def _scan(self) -> None:
        """Every event of the space that holds the words, or says the same."""
        self.cuts, self.events, self.names = {}, {}, 0
        for event in journal.since(self.store, self.space):
            spans = self._spans(event)
            if spans:
                self.events[event.id], self.cuts[event.id] = event, spans
            if self.literals and self._named_so(event):
                self.names += 1

    def _spans(self, event: Event) -> list[Span]:
        if event.id in self.target.event_ids:
            return [(0, len(event.text))]
        size = len(event.text)
        spans = [(start, min(end, size)) for start, end in self.spans.get(event.id, ())]
        spans += find(event.text, self.needles, words_only=True)
        spans += find(event.text, self.literals)
        if not self.literals and self.hints.may_say(event.text):
            spans += self.seal.places(event.text)
        return merged(event.text, spans)

    def _named_so(self, event: Event) -> bool:
        fields = (event.session, event.speaker, event.channel, event.ref, event.source)
        names = (*fields, *event.meta.values())
        return any(literal in normal(name) for name in names if name for literal in self.literals)

    # what comes of it

    def plan(self, now: datetime) -> Plan:
        """The plan; `now` is the moment of the forgetting."""
        rests = self._rests()
        redactions = []
        told = dict(self.statements)
        for event_id, event in self.events.items():
            cuts = widened(event.text, self.cuts[event_id], rests.get(event_id, ()))
            redactions.append(self._redaction(event, cuts))
            if event_id not in self.target.event_ids:
                told.update((Statement(event.text[a:b], exact=True), None) for a, b in cuts)
        erased = self._erased(told, now)
        purge = self._purge(tuple(redactions), frozenset(self.named), erased)
        return Plan(
            events=tuple(_touched(item, self.events[item.event_id]) for item in redactions),
            memories=tuple(self.known[one] for one in sorted(self.asked)),
            also=tuple(self._also(purge)),
            others=tuple(self._others()),
            names=self.names,
            statements=tuple(self.statements),
            purge=purge,
        )

    def _erased(self, told: Iterable[Statement], now: datetime) -> Erased:
        """What is to be kept of the forgetting, on top of what is kept of it already."""
        identities = {identity_hash(self.salt, one.identity) for one in self.events.values()}
        before = max((now, *(event.ts for event in self.events.values())))
        tombstone = _signed(self.space, self.salt, told, now, before)
        if self.onto is None:
            return Erased(receipt=_receipt(tombstone), identities=tuple(sorted(identities)))
        first = self.onto.receipt
        joint = msgspec.structs.replace(
            first.tombstone,
            before=max(before, first.tombstone.before),
            whole=tuple(sorted({*tombstone.whole, *first.tombstone.whole})),
            terms=tuple(sorted({*tombstone.terms, *first.tombstone.terms})),
        )
        return Erased(
            receipt=msgspec.structs.replace(first, tombstone=joint),
            identities=tuple(sorted({*identities, *self.onto.identities})),
        )

    def _rests(self) -> dict[str, list[Span]]:
        """Where memories that stay quote the events."""
        found: dict[str, list[Span]] = {}
        for memory in self.known.values():
            if memory.id not in self.named:
                for span in memory.evidence:
                    found.setdefault(span.event_id, []).append((span.start, span.end))
        return found

    def _redaction(self, event: Event, cuts: Sequence[Span]) -> Redaction:
        whole = event.id in self.target.event_ids or is_hollow(event.text, cuts)
        return Redaction(
            event_id=event.id,
            text=event.text,
            cuts=tuple(cuts),
            remains=None if whole else self._cleaned(remaining(event, cuts, self.salt)),
        )

    def _cleaned(self, event: Event) -> Event:
        """An event whose metadata does not hold the words either."""
        probe = self._probe()
        meta = {key: text for key, text in event.meta.items() if not holds([text], probe)}
        return event if meta == event.meta else msgspec.structs.replace(event, meta=meta)

    def _others(self) -> Iterator[StoredText]:
        """What other texts hold the words."""
        probe = self._probe()
        for stored in self.store.texts(self.space):
            if stored.where not in ("events", "memories") and holds([stored.text], probe):
                yield stored

    def _also(self, purge: Purge) -> Iterator[Memory]:
        """Copies first, then what loses its last quote."""
        redactions = {item.event_id: item for item in purge.redactions}
        yield from (self.known[one] for one in sorted(self.named - self.asked))
        for memory in self.known.values():
            if memory.id not in self.named and without(memory, purge, redactions) is None:
                yield memory


def needles_of(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Normal forms of the statements that say enough to be looked for, the longest first."""
    found = {
        normal(statement.text, words_only=True)
        for statement in statements
        if weight_outside(statement.text) >= LEAST_CONTENT
    }
    return tuple(sorted(found, key=lambda needle: (-len(needle), needle)))


def _touched(item: Redaction, event: Event) -> Touched:
    return Touched(event.id, event.ts, event.text, item.remains.text if item.remains else "")


# ── the nouns ───────────────────────────────────────────────────────────────────────────────────


def _signed(
    space: Space, salt: str, statements: Iterable[Statement], now: datetime, before: datetime
) -> Tombstone:
    whole, terms = sign(salt, tuple(statements))
    tombstone_id = short_id("r", space, salt)
    return Tombstone(
        id=tombstone_id,
        space=space,
        forgotten_at=now,
        before=before,
        salt=salt,
        whole=whole,
        terms=terms,
    )


def _receipt(tombstone: Tombstone) -> Receipt:
    return Receipt(
        id=tombstone.id,
        space=tombstone.space,
        forgotten_at=tombstone.forgotten_at,
        removed=Removed(),
        event_ids=(),
        memory_ids=(),
        tombstone=tombstone,
    )


_EVER = datetime.max.replace(tzinfo=UTC)
_NOTHING = Erased(receipt=_receipt(_signed("", "", (), _EVER, _EVER)))
