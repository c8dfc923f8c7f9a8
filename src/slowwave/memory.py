"""The front door: one object that does everything a door may ask of a memory.

    memory = slowwave.open("~/.slowwave")
    memory.log([Record(text="我对花生过敏", source="me")])
    memory.dream("today", apply=True)
    memory.recall(memory.query("晚饭吃什么好"))

`wiring` builds it. Calls are synchronous and safe from several threads; servers call them through
a thread pool.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from slowwave import health, inject, journal, ledger
from slowwave.capture import foreign, intake
from slowwave.capture.envelope import Intake, clean
from slowwave.errors import DiskFull, NotFound
from slowwave.model import (
    Counts,
    Dream,
    Event,
    Evidence,
    Hit,
    Memory,
    Record,
    Skipped,
    Status,
    short_id,
)
from slowwave.ports import Clock, DreamLog, Embedder, Importers, Progress, Store, no_progress
from slowwave.recall import index, retrieve, signals
from slowwave.recall.retrieve import Query
from slowwave.settings import Settings, zone_of

if TYPE_CHECKING:
    from slowwave.dream.likeness import Likeness

ALL = 1_000_000_000
"""A limit that limits nothing."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What `wiring` hands over: adapters, settings and the clock of one home and space."""

    home: Path
    store: Store
    embedder: Callable[[], Embedder | None]
    importers: Importers
    dream_log: DreamLog
    settings: Settings
    clock: Clock


class Injected(msgspec.Struct, frozen=True):
    """The block for a system prompt, what is in it, and its entry in the injection ledger."""

    text: str
    tokens: int
    items: tuple[inject.Item, ...]
    ledger_id: str


class StatusReport(msgspec.Struct, frozen=True):
    """What `status` tells."""

    home: str
    space: str
    preset: str
    tz: str
    embedder: str
    counts: Counts
    unembedded: int
    last_dream: Dream | None


class SlowMemory:
    """One space of one home."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.space = parts.settings.space
        self._store = parts.store

    def close(self) -> None:
        """Waits for writes under way and closes the store."""
        self._store.close()

    def now(self) -> datetime:
        """The clock, in the user's zone."""
        return self.parts.clock()

    # capture

    def log(self, items: Iterable[Record | Skipped]) -> intake.TakenIn:
        """Appends events; all of those reported are durable. Bad ones are skipped and counted."""
        return intake.take_in(self._store, items, self._intake(), want_ids=True)

    def event_line(self, raw: bytes, line: int) -> Record | Skipped:
        """One JSON line of the contract's event format."""
        return self.parts.importers.event_line(raw, line, zone_of(self.parts.settings.tz))

    def import_paths(
        self, paths: Sequence[Path], format_name: str = "auto", progress: Progress = no_progress
    ) -> foreign.Imported:
        """Reads foreign logs; safe to repeat. Raises InputError when no file could be read."""
        tools = foreign.Tools(self._store, self.parts.importers, self._intake())
        done = foreign.read_all(tools, paths, format_name, progress)
        index.catch_up(self._store, self.space, progress)
        return done

    # dream

    def dream(
        self,
        date: str = "yesterday",
        *,
        apply: bool = False,
        dry_run: bool = False,
        preset: str | None = None,
        progress: Progress = no_progress,
    ) -> Dream:
        """Plans a dream; applies it when asked. A dry run stores nothing at all."""
        # The stages load grammars and tables: `log` and `recall` must not wait for them.
        from slowwave.dream import cycle  # noqa: PLC0415

        night = cycle.Night(
            space=self.space,
            date=date,
            now=self.now(),
            settings=self.parts.settings.dream,
            preset=preset or self.parts.settings.preset,
            cosine=self.likeness(),
            progress=progress,
            mode="dry_run" if dry_run else "plan",
        )
        planned = cycle.plan(self._store, night)
        if apply and not dry_run and planned.status == "planned":
            return self.apply(planned.dream_id, progress=progress)
        return planned

    def apply(
        self, dream_id: str, only: Sequence[str] = (), progress: Progress = no_progress
    ) -> Dream:
        """Applies a plan, whole or the listed changes, and brings the indexes up to date."""
        from slowwave.dream.write import write  # noqa: PLC0415 - as in `dream`

        planned = self.dream_by_id(dream_id)
        applied = write(self._store, self.parts.dream_log, planned, self.now(), only)
        index.catch_up(self._store, self.space, progress)
        embedder = self.parts.embedder()
        if embedder is not None:
            index.embed_pending(self._store, embedder, self.space, ALL, progress)
        return applied

    def dreams(self) -> list[Dream]:
        """All dreams, newest first, without their changes."""
        return self._store.dreams(self.space)

    def dream_by_id(self, prefix: str) -> Dream:
        """One dream with its plan; `last` is the newest one. Raises NotFound."""
        if prefix == "last":
            newest = self.dreams()[:1]
            if not newest:
                raise NotFound("no dream yet", "run `slowwave dream`")
            prefix = newest[0].dream_id
        dream_id = self._store.resolve(self.space, "dream", prefix)
        found = self._store.dream(self.space, dream_id)
        if found is None:
            raise NotFound(f"no dream {prefix}", "run `slowwave dreams`")
        return found

    # recall

    def query(self, text: str, **options: object) -> Query:
        """A question with the settings' defaults; `options` are fields of `Query`."""
        given = {"space": self.space, "k": self.parts.settings.recall.k, "now": self.now()}
        return msgspec.convert({"text": text, **given, **options}, Query)

    def recall(self, query: Query, *, signal: bool = True) -> list[Hit]:
        """The hits, best first. Counts as a recall signal of the memories found, unless told."""
        # A full disk stops writing, not reading: what is indexed can still be found.
        with suppress(DiskFull):
            index.catch_up(self._store, self.space, no_progress)
        hits = retrieve.recall(
            self._store, self.parts.embedder(), query, self.parts.settings.recall
        )
        if signal:
            with suppress(DiskFull):
                signals.record(self._store, self.space, query.text, hits, self.now())
        return hits

    def context(self, text: str, budget: int, session: str = "") -> Injected:
        """The block to put into a system prompt: what is relevant enough, within the budget."""
        settings = self.parts.settings.recall
        hits = self.recall(self.query(text, min_score=settings.min_score))
        now = self.now()
        block = inject.fit(hits, budget, now)
        ledger_id = short_id("i", self.space, session, text, now.isoformat())
        entry = {
            "ts": now,
            "query": clean(text),
            "session": clean(session),
            "items": [{"id": item.id, "score": item.score} for item in block.items],
        }
        self._store.record_injection(self.space, ledger_id, msgspec.json.encode(entry))
        return Injected(block.text, block.tokens, tuple(block.items), ledger_id)

    # the archive

    def memories(self, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), oldest first."""
        return self._store.memories(self.space, statuses)

    def why(self, prefix: str) -> ledger.Provenance:
        """From a memory to its dreams and its exact words. Raises NotFound."""
        memory_id = self._store.resolve(self.space, "memory", prefix)
        return ledger.why(self._store, self.space, memory_id)

    def words_of(self, hit: Hit) -> tuple[Evidence, ...]:
        """The exact words a hit rests on; an event rests on itself."""
        if hit.type == "memory":
            return self.why(hit.id).evidence
        event = self.events([hit.id])[hit.id]
        whole = Evidence(
            event_id=event.id,
            quote=event.text,
            start=0,
            end=len(event.text),
            ref=event.ref,
            ts=event.ts,
            speaker=event.speaker,
        )
        return (whole,)

    def events_since(self, seq: int) -> Iterator[Event]:
        """The journal after a place, in its order, a batch at a time."""
        return journal.since(self._store, self.space, seq)

    def events(self, ids: Sequence[str]) -> dict[str, Event]:
        """Raw events by id."""
        return self._store.events_by_id(self.space, ids)

    # upkeep

    def likeness(self) -> "Likeness":
        """Cosine of two texts by this home's embedder."""
        from slowwave.dream.likeness import Likeness  # noqa: PLC0415 - as in `dream`

        return Likeness(self._store, self.parts.embedder())

    def status(self) -> StatusReport:
        """Numbers about this space."""
        settings = self.parts.settings
        embedder = self.parts.embedder()
        unembedded = 0
        if embedder is not None:
            unembedded = sum(
                len(self._store.unembedded(self.space, unit, embedder.name, ALL))
                for unit in ("memory", "event")
            )
        dreams = self.dreams()
        return StatusReport(
            home=str(self.parts.home),
            space=self.space,
            preset=settings.preset,
            tz=settings.tz,
            embedder=embedder.name if embedder else "none (words only)",
            counts=self._store.counts(self.space),
            unembedded=unembedded,
            last_dream=dreams[0] if dreams else None,
        )

    def diagnose(self) -> tuple[health.Problem, ...]:
        """What `doctor` found; empty when sound."""
        return health.diagnose(self._store, self.space)

    def _intake(self) -> Intake:
        return Intake(space=self.space, owner=self.parts.settings.owner, now=self.now())
