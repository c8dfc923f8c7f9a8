"""A store in plain dictionaries: a double for tests, and the readable statement of the contract.

Nothing is durable. The searches are plain loops (`scoring`).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from threading import RLock

import msgspec

from slowwave.adapters.store import shelf_purge
from slowwave.adapters.store.lineage import ids_in
from slowwave.adapters.store.rules import (
    UNDECIDED,
    phrase_tokens,
    pick,
    refuse_decided,
    shown_as,
    storable,
    storable_event,
    tokens,
)
from slowwave.adapters.store.scoring import bm25, nearness
from slowwave.adapters.store.shelf import Shelf
from slowwave.adapters.store.shelf_calls import Calls
from slowwave.adapters.store.shelf_purge import Forgets
from slowwave.adapters.store.shelf_recalls import Recalls
from slowwave.model import (
    Appended,
    Counts,
    Dream,
    DreamStatus,
    Embeddable,
    Event,
    IndexRow,
    Memory,
    PhaseHit,
    Scored,
    Snapshot,
    Status,
    Unit,
    Vector,
    Version,
    WorkItem,
    text_hash,
)
from slowwave.ports import MOST_NAMED, Field, Match, Named, Phrase
from slowwave.text.redaction import admitted


class InMemoryStore(Forgets, Calls, Recalls):
    """`ports.Store` in plain dictionaries. Safe to share between threads."""

    def __init__(self) -> None:
        self._spaces: dict[str, Shelf] = {}
        self._seq = 0
        self._lock = RLock()

    def _at(self, space: str) -> Shelf:
        with self._lock:
            return self._spaces.setdefault(space, Shelf())

    # journal

    def append(self, events: Sequence[Event]) -> Appended:
        """Adds events that are not there yet (by space and identity)."""
        stored = []
        with self._lock:
            for raw in events:
                whole = storable_event(raw)
                here = self._at(whole.space)
                event = admitted(whole, list(here.erased.values()))
                if event is None or event.identity in here.identities:
                    continue
                self._seq += 1
                event = msgspec.structs.replace(event, seq=self._seq)
                here.identities.add(event.identity)
                here.events[event.id] = event
                stored.append(event)
        return Appended(tuple(stored), len(events) - len(stored))

    def events_after(self, space: str, seq: int, limit: int) -> list[Event]:
        """Up to `limit` events with a larger `seq`, in journal order."""
        return self._journal(space, lambda event: event.seq > seq)[: max(0, limit)]

    def events_between(self, space: str, start: datetime, end: datetime) -> list[Event]:
        """Events with start <= ts < end, ordered by (ts, seq)."""
        found = self._journal(space, lambda event: start <= event.ts < end)
        return sorted(found, key=lambda event: (event.ts, event.seq))

    def undreamed(self, space: str, start: datetime | None, end: datetime | None) -> list[Event]:
        """As `events_between` (None = open), without those an applied dream has read."""
        read = self._at(space).read_by_dreams()
        found = self._journal(
            space,
            lambda event: (
                event.id not in read
                and (start is None or start <= event.ts)
                and (end is None or event.ts < end)
            ),
        )
        return sorted(found, key=lambda event: (event.ts, event.seq))

    def events_by_id(self, space: str, ids: Sequence[str]) -> dict[str, Event]:
        """The events among `ids` that exist."""
        known = self._at(space).events
        return {event_id: known[event_id] for event_id in ids if event_id in known}

    def events_by_ref(self, space: str, ref: str) -> list[Event]:
        """The events with this source reference, also where it is shown short."""
        known = self._journal(space, lambda event: event.ref is not None)
        known.sort(key=lambda event: (event.ts, event.seq))
        found = [event for event in known if event.ref == storable(ref)]
        found = found or [event for event in known if shown_as(event.ref or "", ref)]
        return found[:MOST_NAMED]

    def session_before(self, space: str, session: str, seq: int, limit: int) -> list[Event]:
        """The last `limit` events of a session with a smaller `seq`, in journal order."""
        found = self._journal(space, lambda event: event.session == session and event.seq < seq)
        return found[-limit:] if limit > 0 else []

    def _journal(self, space: str, wanted: Callable[[Event], bool]) -> list[Event]:
        with self._lock:
            return [event for event in self._at(space).events.values() if wanted(event)]

    # index

    def unindexed(self, space: str, limit: int) -> list[Event]:
        """Events whose words are not indexed yet, in journal order."""
        indexed = self._at(space).words.get(("event", "own"), {})
        return self._journal(space, lambda event: event.id not in indexed)[: max(0, limit)]

    def index_events(self, space: str, rows: Sequence[IndexRow]) -> None:
        """Sets the indexed words of events (replacing earlier ones)."""
        with self._lock:
            here = self._at(space)
            for row in rows:
                if row.id in here.events:
                    here.words.setdefault(("event", "own"), {})[row.id] = tokens(row.own)
                    here.words.setdefault(("event", "around"), {})[row.id] = tokens(row.around)

    def reindex(self, space: str, memory_rows: Sequence[IndexRow]) -> None:
        """Empties the space's index of words; sets those of its memories."""
        with self._lock:
            here = self._at(space)
            known = {row.id: tokens(row.own) for row in memory_rows if row.id in here.memories}
            here.words = {("memory", "own"): known}

    def unembedded(self, space: str, unit: Unit, embedder: str, limit: int) -> list[Embeddable]:
        """Embeddable units without a vector of this embedder (newest first)."""
        with self._lock:
            texts = self._at(space).embeddable(unit)
            known = self._at(space).vectors.get((unit, embedder), {})
            missing = [Embeddable(id, text) for id, text in texts.items() if id not in known]
        return missing[::-1][: max(0, limit)]

    def put_vectors(
        self, space: str, unit: Unit, embedder: str, vectors: Sequence[tuple[str, Vector]]
    ) -> None:
        """Stores vectors by unit id. A vector for an unknown id is ignored."""
        with self._lock:
            texts = self._at(space).embeddable(unit)
            kept = self._at(space).vectors.setdefault((unit, embedder), {})
            for unit_id, vector in vectors:
                if unit_id in texts:
                    kept[unit_id] = (text_hash(texts[unit_id]), vector)

    def cached_vectors(self, embedder: str, hashes: Sequence[str]) -> dict[str, Vector]:
        """Vectors already computed for texts with these `model.text_hash` values."""
        wanted = set(hashes)
        with self._lock:
            return {
                hashed: vector
                for here in self._spaces.values()
                for (_, name), kept in here.vectors.items()
                if name == embedder
                for hashed, vector in kept.values()
                if hashed in wanted
            }

    def match(
        self,
        space: str,
        unit: Unit,
        field: Field,
        phrases: Sequence[Phrase],
        *,
        mode: Match,
        limit: int,
    ) -> list[Scored]:
        """BM25 over indexed terms, best first, score > 0 and higher is better."""
        wanted = phrase_tokens(phrases)
        with self._lock:
            words = self._at(space).words.get((unit, field), {})
            scores = bm25(words, wanted, mode)
            order = {unit_id: place for place, unit_id in enumerate(self._order(space, unit))}
        best = sorted(scores.items(), key=lambda item: (-item[1], order[item[0]]))
        return [Scored(unit_id, score) for unit_id, score in best[: max(0, limit)]]

    def _order(self, space: str, unit: Unit) -> Iterable[str]:
        return self._at(space).events if unit == "event" else self._at(space).memories

    def nearest(
        self, space: str, unit: Unit, embedder: str, vector: Vector, limit: int
    ) -> list[Scored]:
        """Exact cosine search, best first."""
        with self._lock:
            kept = self._at(space).vectors.get((unit, embedder), {})
            scored = [
                Scored(unit_id, score)
                for unit_id, (_, other) in kept.items()
                if (score := nearness(vector, other)) is not None
            ]
            order = {unit_id: place for place, unit_id in enumerate(self._order(space, unit))}
        scored.sort(key=lambda hit: (-hit.score, order[hit.id]))
        return scored[: max(0, limit)]

    # ledger

    def memories(self, space: str, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), ordered by (first_seen, id)."""
        with self._lock:
            found = [
                memory
                for memory in self._at(space).memories.values()
                if not statuses or memory.status in statuses
            ]
        return sorted(found, key=lambda memory: (memory.first_seen, memory.id))

    def memories_by_id(self, space: str, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories among `ids` that exist."""
        known = self._at(space).memories
        return {memory_id: known[memory_id] for memory_id in ids if memory_id in known}

    def retired(self, space: str, since: str, event_ids: Sequence[str]) -> list[Memory]:
        """Retired memories that ended after a day, or that dreams of these events changed."""
        with self._lock:
            found = self._at(space).retired(since, event_ids)
        return sorted(found, key=lambda memory: (memory.first_seen, memory.id))

    def changed_since(self, space: str, mark: str) -> tuple[str, list[str] | None]:
        """The mark of now, and the memories with a version since another one (None = any)."""
        with self._lock:
            return self._at(space).changed_since(mark)

    def versions(self, space: str, memory_id: str, latest: int | None = None) -> list[Version]:
        """The versions of one memory (None: all, else so many of the latest), oldest first."""
        found = self._at(space).versions.get(memory_id, ())
        return list(found if latest is None else found[max(0, len(found) - latest) :])

    def save_dream(self, dream: Dream, was: Dream | None = None) -> None:
        """Inserts or replaces a dream and its plan. Raises AlreadyDecided, StalePlan."""
        with self._lock:
            here = self._at(dream.space)
            refuse_decided(dream.dream_id, here.stands(dream.dream_id), dream.status)
            here.refuse_overtaken(was)
            if dream.status in UNDECIDED:
                shelf_purge.refuse(here, dream)
            here.dreams[dream.dream_id] = dream

    def dream(self, space: str, dream_id: str) -> Dream | None:
        """One dream, or None."""
        return self._at(space).dreams.get(dream_id)

    def dreams(
        self, space: str, statuses: Sequence[DreamStatus] = (), latest: int | None = None
    ) -> list[Dream]:
        """Dreams of these statuses, newest first, without changes, rejections and event ids."""
        with self._lock:
            found = list(self._at(space).dreams.values())[::-1]
        found = [one for one in found if not statuses or one.status in statuses]
        found.sort(key=lambda dream: dream.run_at, reverse=True)
        return [
            msgspec.structs.replace(dream, changes=(), rejections=(), event_ids=())
            for dream in found[:latest]
        ]

    def commit(
        self,
        dream: Dream,
        rows: Sequence[IndexRow],
        recorded_at: datetime,
        was: Dream | None = None,
    ) -> None:
        """Applies the approved changes of a plan, all or none. AlreadyDecided, StalePlan."""
        with self._lock:
            shelf_purge.refuse(self._at(dream.space), dream)
            self._at(dream.space).commit(dream, rows, recorded_at, was)

    def put_stage(self, space: str, dream_id: str, stage: str, payload: bytes) -> None:
        """Checkpoints one finished stage of a dream."""
        with self._lock:
            here = self._at(space)
            if not ids_in(payload) & shelf_purge.forgotten_ids(here):
                here.stages.setdefault(dream_id, {})[stage] = payload

    def stages(self, space: str, dream_id: str) -> dict[str, bytes]:
        """Checkpointed stages of a dream, by name."""
        return dict(self._at(space).stages.get(dream_id, {}))

    def drop_stages(self, space: str, dream_id: str) -> None:
        """Forgets the checkpoints of a finished dream."""
        with self._lock:
            self._at(space).stages.pop(dream_id, None)

    def undreamed_times(self, space: str) -> list[datetime]:
        """When each event that no applied dream has read was said, oldest first."""
        return [event.ts for event in self.undreamed(space, None, None)]

    # signals

    def phase_hits(self, space: str, memory_ids: Sequence[str] | None = None) -> list[PhaseHit]:
        """What light and REM sleep considered in applied dreams, oldest first."""
        with self._lock:
            applied = [dream for dream in self._at(space).dreams.values()
                       if dream.status == "applied"]  # fmt: skip
        found = {
            (dream.dream_id, hit.memory_id, hit.phase): hit for dream in applied
            for hit in dream.phases if memory_ids is None or hit.memory_id in memory_ids
        }  # fmt: skip
        return sorted(found.values(), key=lambda hit: (hit.ts, hit.memory_id, hit.phase))

    # working memory

    def working(self, space: str) -> list[WorkItem]:
        """Open, done and stalled items, by (opened, id)."""
        with self._lock:
            return sorted(self._at(space).working.values(), key=lambda item: (item.opened, item.id))

    def put_working(self, space: str, items: Sequence[WorkItem]) -> None:
        """Inserts or replaces items by id."""
        with self._lock:
            self._at(space).working.update({item.id: item for item in items})

    # upkeep

    def resolve(self, space: str, what: Named, prefix: str) -> str:
        """The one id that starts with `prefix`; NotFound if there is none or more than one."""
        return pick(what, prefix, self.ids_from(space, what, prefix))

    def ids_from(self, space: str, what: Named, prefix: str) -> list[str]:
        """The ids that start with `prefix`, in order."""
        here = self._at(space)
        ids: dict[str, Iterable[str]] = {
            "event": here.events,
            "memory": here.memories,
            "dream": here.dreams,
            "injection": here.injections,
        }
        with self._lock:
            return sorted(id for id in ids[what] if id.startswith(prefix))[:MOST_NAMED]

    def restore(self, space: str, kept: Snapshot, rows: Sequence[IndexRow]) -> None:
        """Puts back what another store held. InputError where there is a ledger already."""
        with self._lock:
            self._at(space).restore(space, kept, rows)

    def spaces(self) -> list[str]:
        """The spaces that have events, in order."""
        with self._lock:
            return sorted(space for space, here in self._spaces.items() if here.events)

    def counts(self, space: str) -> Counts:
        """How much the space holds."""
        with self._lock:
            here = self._at(space)
            times = [event.ts for event in here.events.values()]
            sessions = {event.session for event in here.events.values()} - {""}
            return Counts(
                events=len(times),
                sessions=len(sessions),
                memories=dict(Counter(memory.status for memory in here.memories.values())),
                dreams=len(here.dreams),
                undreamed_events=len(self.undreamed(space, None, None)),
                unindexed_events=len(self.unindexed(space, len(times))),
                vectors=sum(len(kept) for kept in here.vectors.values()),
                first_event=min(times, default=None),
                last_event=max(times, default=None),
            )

    def check(self) -> list[str]:
        """Problems found by an integrity check: quotes that are not in the journal."""
        return [problem for here in self._spaces.values() for problem in here.amiss()]

    def close(self) -> None:
        """Nothing to let go of."""
