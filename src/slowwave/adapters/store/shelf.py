"""What the store in dictionaries keeps of one space."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import msgspec

from slowwave.adapters.store.rules import (
    COMMITTED,
    after_undoing,
    in_space,
    marks_of,
    refuse_lived_in,
    refuse_overtaken,
    refuse_recommit,
    refuse_reread,
    refuse_retaken,
    refuse_stale,
    refuse_undone,
    tokens,
    with_verdicts,
)
from slowwave.adapters.store.scoring import Words
from slowwave.model import (
    EMBEDDED_KINDS,
    EMBEDDED_ORIGINS,
    Change,
    Dream,
    DreamStatus,
    Erased,
    Event,
    IndexRow,
    Injection,
    Memory,
    ModelCall,
    RawAnswer,
    Signal,
    Snapshot,
    Unit,
    Vector,
    Version,
    WorkItem,
    text_hash,
)
from slowwave.ports import Field


@dataclass(slots=True)
class Shelf:
    """Everything one space holds."""

    events: dict[str, Event] = field(default_factory=dict)
    identities: set[str] = field(default_factory=set)
    words: dict[tuple[Unit, Field], Words] = field(default_factory=dict)
    vectors: dict[tuple[Unit, str], dict[str, tuple[str, Vector]]] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    versions: dict[str, list[Version]] = field(default_factory=dict)
    dreams: dict[str, Dream] = field(default_factory=dict)
    dreamed: dict[str, set[str]] = field(default_factory=dict)
    stages: dict[str, dict[str, bytes]] = field(default_factory=dict)
    signals: list[Signal] = field(default_factory=list)
    injections: dict[str, Injection] = field(default_factory=dict)
    working: dict[str, WorkItem] = field(default_factory=dict)
    erased: dict[str, Erased] = field(default_factory=dict)
    calls: list[ModelCall] = field(default_factory=list)
    answers: dict[str, RawAnswer] = field(default_factory=dict)
    moved: list[str] = field(default_factory=list)
    """The memory of each version, in the order in which they were written."""

    def record_injection(self, injection: Injection, days: int) -> None:
        """Keeps what went into a prompt; drops what is `days` older (0: nothing)."""
        known = self.injections.pop(injection.id, None)
        self.injections[injection.id] = with_verdicts(injection, known) if known else injection
        if days:
            oldest = injection.ts - timedelta(days=days)
            kept = {key: one for key, one in self.injections.items() if one.ts >= oldest}
            self.injections = kept

    def restore(self, space: str, kept: Snapshot, rows: Sequence[IndexRow]) -> None:
        """As `ports.Store.restore`."""
        refuse_lived_in(space, lived_in=bool(self.memories or self.dreams or self.erased))
        kept = in_space(kept, space)
        self.dreams.update({dream.dream_id: dream for dream in kept.dreams})
        self.memories.update({memory.id: memory for memory in kept.memories})
        for version in kept.versions:
            self.moved.append(version.memory.id)
            self.versions.setdefault(version.memory.id, []).append(version)
        for dream in kept.dreams:
            if dream.status in COMMITTED:
                read = {event_id for event_id in dream.event_ids if event_id in self.events}
                self.dreamed[dream.dream_id] = read
        for row in rows:
            self.words.setdefault(("memory", "own"), {})[row.id] = tokens(row.own)
        self.signals.extend(kept.signals)
        self.injections.update({one.id: one for one in kept.injections})
        self.working.update({item.id: item for item in kept.working})
        self.erased.update({one.receipt.id: one for one in kept.erased})
        self.calls.extend(kept.calls)
        self.answers.update({answer.id: answer for answer in kept.answers})
        for name, payload in kept.state.items():
            self.stages.setdefault("", {})[name] = payload.encode()

    def read_by_dreams(self) -> set[str]:
        """Ids of the events that applied dreams have read."""
        applied = (id for id in self.dreamed if self.dreams[id].status == "applied")
        return {event_id for id in applied for event_id in self.dreamed[id]}

    def embeddable(self, unit: Unit) -> dict[str, str]:
        """Ids and texts of what is to be found by meaning."""
        if unit == "memory":
            return {memory.id: memory.text for memory in self.memories.values()}
        return {
            event.id: event.text
            for event in self.events.values()
            if event.origin in EMBEDDED_ORIGINS and event.kind in EMBEDDED_KINDS
        }

    def amiss(self) -> list[str]:
        """Memories whose quotes are not the words of the journal."""
        return [
            f"memory {memory.id} quotes words that event {span.event_id} does not hold"
            for memory in self.memories.values()
            for span in memory.evidence
            if span.event_id not in self.events
            or self.events[span.event_id].text[span.start : span.end] != span.quote
        ]

    def retired(self, since: str, event_ids: Sequence[str]) -> list[Memory]:
        """Retired memories that ended after a day, or that dreams of these events changed."""
        wanted = set(event_ids)
        near = {
            change.memory_id
            for dream_id, ids in self.dreamed.items()
            if ids & wanted
            for change in self.dreams[dream_id].changes
        }
        return [
            memory
            for memory in self.memories.values()
            if memory.status == "retired"
            and ((memory.valid_to or "")[:10] > since or memory.id in near)
        ]

    def changed_since(self, mark: str) -> tuple[str, list[str] | None]:
        """As `ports.Store.changed_since`: a mark counts versions and forgettings."""
        now = f"{len(self.moved)} {len(self.erased)}"
        count, _, forgotten = mark.partition(" ")
        if not count.isdecimal() or forgotten != str(len(self.erased)):
            return now, None
        return now, sorted(set(self.moved[int(count) :]))

    def stands(self, dream_id: str) -> DreamStatus | None:
        """The status of a stored dream."""
        known = self.dreams.get(dream_id)
        return known.status if known else None

    def reader_of(self, event_ids: Sequence[str]) -> str | None:
        """An applied dream that has read one of these events."""
        wanted = set(event_ids)
        read = (id for id, ids in self.dreamed.items() if ids & wanted)
        return next((id for id in read if self.dreams[id].status == "applied"), None)

    def commit(
        self, dream: Dream, rows: Sequence[IndexRow], recorded_at: datetime, was: Dream | None
    ) -> None:
        """As `ports.Store.commit`: checks all of it, then changes anything."""
        refuse_recommit(dream.dream_id, self.stands(dream.dream_id))
        self.refuse_overtaken(was)
        refuse_reread(dream.dream_id, self.reader_of(dream.event_ids))
        undone = self._undone(dream)
        standing = dict(self.memories)
        approved = [change for change in dream.changes if change.approved is not False]
        for change in approved:
            before = standing.get(change.memory_id)
            refuse_stale(change, before.version if before else None)
            standing[change.memory_id] = _counted(change.after, before)
        self._keep_versions(dream, approved, recorded_at)
        self.memories = standing
        for row in rows:
            if row.id in self.memories:
                self.words.setdefault(("memory", "own"), {})[row.id] = tokens(row.own)
        known = {event_id for event_id in dream.event_ids if event_id in self.events}
        self.dreams.update(undone)
        self.dreams[dream.dream_id] = dream
        self.dreamed.setdefault(dream.dream_id, set()).update(known)
        self.stages.pop(dream.dream_id, None)

    def refuse_overtaken(self, was: Dream | None) -> None:
        """StalePlan when the stored plan is not as it was read."""
        if was is not None:
            known = self.dreams.get(was.dream_id)
            refuse_overtaken(was, marks_of(known) if known else [], known.status if known else "")

    def _undone(self, dream: Dream) -> dict[str, Dream]:
        """The dreams that stand differently when this one undoes another. AlreadyDecided."""
        if not dream.undoes:
            return {}
        refuse_undone(dream.undoes, self.stands(dream.undoes))
        chain = [dream.undoes]
        while (under := self.dreams[chain[-1]].undoes) in self.dreams:
            chain.append(under)
        changed = {}
        for dream_id, status in after_undoing(chain):
            if status == "applied":
                refuse_retaken(dream_id, self.reader_of(list(self.dreamed.get(dream_id, ()))))
            changed[dream_id] = msgspec.structs.replace(self.dreams[dream_id], status=status)
        return changed

    def _keep_versions(
        self, dream: Dream, approved: Sequence[Change], recorded_at: datetime
    ) -> None:
        for change in approved:
            self.moved.append(change.memory_id)
            self.versions.setdefault(change.memory_id, []).append(
                Version(
                    memory=change.after,
                    change_id=change.id,
                    op=change.op,
                    dream_id=dream.dream_id,
                    recorded_at=recorded_at,
                    reason=change.reason,
                )
            )
            for (unit, _), kept in self.vectors.items():
                stale = unit == "memory" and change.memory_id in kept
                if stale and kept[change.memory_id][0] != text_hash(change.after.text):
                    del kept[change.memory_id]


def _counted(after: Memory, standing: Memory | None) -> Memory:
    """`after` with access counters not lower than those that stand."""
    if standing is None:
        return after
    accesses = [ts for ts in (after.last_access, standing.last_access) if ts]
    return msgspec.structs.replace(
        after,
        access_count=max(after.access_count, standing.access_count),
        last_access=max(accesses, default=None),
    )
