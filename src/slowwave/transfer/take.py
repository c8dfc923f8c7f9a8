"""Lines → a space: the journal is taken in as it was, then the ledger is put back in one go.

A damaged line costs itself alone. The ledger is all or nothing: it is put back where the space has
none, the file is whole, and every quote is there.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from slowwave import journal, ledger
from slowwave.errors import InputError
from slowwave.model import Event, Skipped, Snapshot
from slowwave.ports import Progress, Store
from slowwave.text.counting import plural
from slowwave.transfer.check import cited, fault_of, unquoted
from slowwave.transfer.lines import VERSION, Bad, Noun, read

__all__ = ["Taken", "take"]

LISTS = {
    "dream": "dreams", "memory": "memories", "version": "versions", "signal": "signals",
    "working": "working", "injection": "injections", "forgotten": "erased", "call": "calls",
    "answer": "answers",
}  # fmt: skip
MOST_LISTED = 1_000
AT_ONCE = 2_000


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What reading an export did; `unlisted` lines were skipped as well."""

    events: int
    duplicates: int
    memories: int = 0
    skipped: tuple[Skipped, ...] = ()
    unlisted: int = 0


class _Line(NamedTuple):
    number: int
    noun: Noun


def take(store: Store, space: str, lines: Iterable[tuple[int, bytes]], progress: Progress) -> Taken:
    """Takes an export into a space; safe to repeat."""
    taking = _Taking(store, space, progress)
    taking.run(lines)
    return taking.taken()


class _Taking:
    """One file: what came of it so far."""

    def __init__(self, store: Store, space: str, progress: Progress) -> None:
        self.store, self.space, self.progress = store, space, progress
        self.events = self.duplicates = self.memories = self.unlisted = 0
        self.expected = self.last = self.count = self.told = 0
        self.skipped: list[Skipped] = []
        self.nouns: dict[str, list[Any]] = {}
        self.whole = False
        self.damaged = False
        """Whether a line of the ledger, or one that nobody knows, was skipped."""

    def run(self, lines: Iterable[tuple[int, bytes]]) -> None:
        waiting: list[tuple[int, Event]] = []
        for line in self._read(lines):
            if line.noun.what == "event":
                waiting.append((line.number, line.noun.noun))
                if len(waiting) >= AT_ONCE:
                    self._append(waiting)
                    waiting = []
            else:
                self._keep(line)
        self._append(waiting)
        self._settle()

    def taken(self) -> Taken:
        return Taken(
            events=self.events, duplicates=self.duplicates, memories=self.memories,
            skipped=tuple(self.skipped), unlisted=self.unlisted,
        )  # fmt: skip

    def _skip(self, number: int, reason: str) -> None:
        if len(self.skipped) < MOST_LISTED:
            self.skipped.append(Skipped(number, reason))
        else:
            self.unlisted += 1

    def _read(self, lines: Iterable[tuple[int, bytes]]) -> Iterator[_Line]:
        try:
            for number, raw in lines:
                self.last = number
                self.count += not self.whole
                try:
                    yield _Line(number, read(raw, self.space))
                except Bad as error:
                    self.damaged = True
                    self._skip(number, str(error))
        except InputError as error:
            # A packed file may turn out to be damaged; what came before stays.
            if not self.last:
                raise
            self._skip(self.last + 1, error.message)

    def _keep(self, line: _Line) -> None:
        what, noun = line.noun
        if what == "header":
            self.expected = noun.events
            if noun.version > VERSION:
                self.damaged = True
                self._skip(line.number, "made by a newer Slowwave: only the events are taken")
        elif what == "end":
            self.whole = True
            self.told = noun.lines + 1  # this one is counted too
        else:
            self.nouns.setdefault(what, []).append(noun)

    # --- the journal ----------------------------------------------------------------------------

    def _append(self, waiting: Sequence[tuple[int, Event]]) -> None:
        """Stores events that are not there; one whose id means something else here is skipped."""
        known = self.store.events_by_id(self.space, [event.id for _, event in waiting])
        identities = {event_id: event.identity for event_id, event in known.items()}
        fitting: list[Event] = []
        for number, event in waiting:
            if identities.setdefault(event.id, event.identity) == event.identity:
                fitting.append(event)
            else:
                self._skip(number, f"event {event.id} is another one here")
        done = journal.append_all(self.store, fitting)
        self.events += done.events
        self.duplicates += done.duplicates
        self.progress("events", self.events + self.duplicates, self.expected)

    # --- the ledger -----------------------------------------------------------------------------

    def _settle(self) -> None:
        """Puts the ledger back, or says why not."""
        lists = {name: tuple(self.nouns.get(what, ())) for what, name in LISTS.items()}
        state = {one.name: one.value for one in self.nouns.get("state", ())}
        kept = Snapshot(**lists, state=state)
        if kept == Snapshot() or self._known(kept):
            return
        reason = self._obstacle(kept)
        if reason:
            what = plural(len(kept.memories), "memory")
            self._skip(0, f"{what} and what led to them were not taken: {reason}")
            return
        rows = [ledger.index_row(memory) for memory in kept.memories]
        self.store.restore(self.space, kept, rows)
        self.memories = len(kept.memories)

    def _known(self, kept: Snapshot) -> bool:
        """Whether this ledger is here already, or what became of it."""
        here = {head.dream_id for head in self.store.dreams(self.space)}
        items = {item.id for item in self.store.working(self.space)}
        told = [dream.dream_id in here for dream in kept.dreams]
        told += [item.id in items for item in kept.working]
        return bool(told) and all(told)

    def _obstacle(self, kept: Snapshot) -> str:
        if not self.whole:
            return "the file is cut off"
        if self.damaged:
            return "the file is damaged"
        store, space = self.store, self.space
        if store.memories(space) or store.dreams(space) or store.erasures(space):
            return ("this space has its own; import into an empty home (--home) or another "
                    "--space")  # fmt: skip
        fault = fault_of(kept)
        if fault:
            return fault
        known: dict[str, Event] = {}
        for batch in _batches(sorted(cited(kept))):
            known |= store.events_by_id(space, batch)
        missing = unquoted(kept, known)
        if missing:
            return f"words that memory {missing} quotes are not here"
        return "" if self.count == self.told else "lines of the file are missing"


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + AT_ONCE] for start in range(0, len(ids), AT_ONCE))
