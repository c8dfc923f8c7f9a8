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
from datetime import date, datetime, time
from functools import partial
from itertools import takewhile
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

import msgspec

from slowwave import health, inject, journal, ledger, review, scheduler, vault, working
from slowwave.capture import foreign, intake
from slowwave.capture.envelope import Intake, clean
from slowwave.dream import waiting
from slowwave.errors import DiskFull, NotFound
from slowwave.model import (
    Dream,
    Event,
    Evidence,
    Hit,
    Memory,
    Record,
    Skipped,
    Status,
    WorkItem,
    WorkState,
    day_of,
    short_id,
)
from slowwave.parts import Injected, Parts, StatusReport, status_of
from slowwave.ports import Progress, no_progress
from slowwave.recall import index, retrieve, signals
from slowwave.recall.retrieve import Query
from slowwave.review import ByHand
from slowwave.settings import zone_of
from slowwave.stats import Stats, reckon

if TYPE_CHECKING:
    from slowwave import erasure
    from slowwave.dream import cycle
    from slowwave.dream.likeness import Likeness


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
        again: bool = False,
        progress: Progress = no_progress,
    ) -> Dream:
        """Plans a dream (`again`: with what was rejected before); a dry run stores nothing."""
        # The stages load grammars and tables: `log` and `recall` must not wait for them.
        from slowwave.dream import cycle, failure  # noqa: PLC0415

        told = () if dry_run else vault.before_night(self._vault(), edits=apply)
        before = self.waiting()
        plain = self._night(date, preset, progress, dry=dry_run)
        night = msgspec.structs.replace(plain, again=again)
        with failure.recorded(self.parts.dream_log, date, night.now, dry=dry_run):
            planned = cycle.plan(self._store, night)
            told += waiting.held(self._store, before, planned)
            if apply and not dry_run and planned.status in ("planned", "approved"):
                planned = self.apply(planned.dream_id, progress=progress)
        return vault.warned(planned, told)

    def _night(
        self, date: str, preset: str | None, progress: Progress, *, dry: bool
    ) -> "cycle.Night":
        from slowwave.dream import cycle  # noqa: PLC0415 - as in `dream`

        settings = self.parts.under(preset) if preset else self.parts.settings
        alike = self.likeness()
        return cycle.Night(
            space=self.space, date=date, now=self.now(), settings=settings.dream,
            preset=settings.preset, cosine=alike, embedder=alike.name, progress=progress,
            mode="dry_run" if dry else "plan",
        )  # fmt: skip

    def due(self, at: time = scheduler.AT) -> tuple[date, ...]:
        """The nights that are due: finished days with events that no night has read yet (N6).

        `at` is the time of the user's day from which last night is due.
        """
        now = self.now()
        zone = zone_of(self.parts.settings.tz)
        days = {day_of(ts, zone) for ts in self._store.undreamed_times(self.space)}
        return scheduler.due(self.dreams(), sorted(days), now, at)

    def dream_due(
        self,
        progress: Progress = no_progress,
        at: time = scheduler.AT,
        told: Callable[[Dream], None] = lambda _dream: None,
        *,
        apply: bool = False,
    ) -> list[Dream]:
        """Dreams every night that is due, each once, oldest first; `told` hears of each.

        In mode `auto` (or with `apply`) a plan is applied when all gates pass; in mode `review` it
        waits, and so do the nights after it, which build on what becomes of it. Retries, and
        nights that fail, are as `scheduler.catch_up` says (N16).
        """
        auto = apply or self.parts.settings.dream.mode == "auto"
        vault.before_night(self._vault(), edits=auto)  # new notes make their night due
        dream = partial(self.dream, apply=auto, progress=progress)
        nights = takewhile(lambda _: auto or not waiting.blocks(self.dreams()), self.due(at))
        return scheduler.catch_up(nights, lambda day: dream(day.isoformat()), sleep, told)

    def apply(
        self, dream_id: str, only: Sequence[str] = (), progress: Progress = no_progress
    ) -> Dream:
        """Applies a plan, whole or the listed changes, and brings the indexes up to date."""
        from slowwave.dream import cycle, outdated  # noqa: PLC0415 - as in `dream`
        from slowwave.dream.write import write  # noqa: PLC0415 - as in `dream`

        planned = self.dream_by_id(dream_id)
        night = self._night(planned.date, planned.preset, no_progress, dry=True)
        again = partial(cycle.plan, self._store, night)
        outdated.refuse_outdated(self._store, planned, only, again)
        applied = write(self._store, self.parts.dream_log, planned, night.now, night.settings, only)
        waiting.settle(self._store, applied)
        working.follow(self._store, applied, self.now())
        index.follow(self._store, self.space, self.parts.embedder(), progress)
        return self._in_step(applied)

    def apply_all(
        self,
        progress: Progress = no_progress,
        told: Callable[[Dream], None] = lambda _dream: None,
    ) -> list[Dream]:
        """Applies all plans that wait, oldest night first, each planned anew on what stands then.

        Errors are as `outdated.apply_each` says.
        """
        from slowwave.dream import outdated  # noqa: PLC0415 - as in `dream`

        def work(plan: Dream) -> Dream | None:
            again = partial(self.dream, plan.date, preset=plan.preset, progress=progress)
            fresh = outdated.renewed(self._store, plan, again)
            return fresh and self.apply(fresh.dream_id, progress=progress)

        return outdated.apply_each(self._store, self.waiting(), work, told)

    def waiting(self) -> list[Dream]:
        """The plans that wait for a person, oldest night first, without their changes."""
        return waiting.plans(self.dreams())

    def approve(self, prefix: str, only: Sequence[str] = ()) -> Dream:
        """Approves a plan, or the listed changes of it. Applies nothing yet."""
        return review.approve(self._store, self.dream_by_id(prefix), only)

    def reject(self, prefix: str, only: Sequence[str] = ()) -> Dream:
        """Rejects a plan, or the listed changes of it."""
        return review.reject(self._store, self.dream_by_id(prefix), only)

    def rollback(self, prefix: str) -> Dream:
        """Takes an applied dream back, keeping what came after. Returns the dream that did it."""
        undone = ledger.rollback(self._store, self.dream_by_id(prefix), self.now())
        return self._in_step(self._settled(undone))

    def _settled(self, applied: Dream) -> Dream:
        """After any change set but a night's: its log, and the indexes."""
        self.parts.dream_log.write(applied)
        index.catch_up(self._store, self.space, no_progress)
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
        hits = self.recall(self.query(text, min_score=settings.min_score, for_prompt=True))
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
        known = self._store.memories(self.space, statuses)
        return [memory for memory in known if not memory.undone]

    def by_hand(self, what: ByHand, prefix: str, **options: object) -> Dream:
        """A change by a person's own hand: one of `review.BY_HAND`. Errors as there."""
        memory_id = self._store.resolve(self.space, "memory", prefix)
        by = review.By(self.space, self.parts.settings.owner, self.now())
        done = review.BY_HAND[what](self._store, by, memory_id, **options)
        return self._in_step(self._settled(done))

    def conflicts(self) -> list[tuple[Memory, ...]]:
        """Groups of memories that cannot hold together."""
        return review.conflicts(self._store, self.space)

    def resolve(self, prefix: str, keep: str) -> Dream:
        """Settles a conflict: `keep` stays, the others give way to it."""
        kept = self._store.resolve(self.space, "memory", keep)
        return self.by_hand("resolve", prefix, keep=kept)

    def why(self, prefix: str) -> ledger.Provenance:
        """From a memory to its dreams and its exact words. Raises NotFound."""
        memory_id = self._store.resolve(self.space, "memory", prefix)
        return ledger.why(self._store, self.space, memory_id)

    def words_of(self, hit: Hit) -> tuple[Evidence, ...]:
        """The exact words a hit rests on; an event rests on itself."""
        if hit.type == "memory":
            return self.why(hit.id).evidence
        return (ledger.whole(self.events([hit.id])[hit.id]),)

    def events_since(self, seq: int) -> Iterator[Event]:
        """The journal after a place, in its order, a batch at a time."""
        return journal.since(self._store, self.space, seq)

    def events(self, ids: Sequence[str]) -> dict[str, Event]:
        """Raw events by id."""
        return self._store.events_by_id(self.space, ids)

    # working memory

    def working(self) -> list[WorkItem]:
        """Open, done and stalled items, oldest first (N2)."""
        return self._store.working(self.space)

    def working_add(self, text: str) -> WorkItem:
        """A new open item."""
        return working.add(self._store, self.space, clean(text), self.now())

    def working_mark(self, prefix: str, state: WorkState) -> WorkItem:
        """Sets an item's state by hand."""
        return working.mark(self._store, self.space, prefix, state, self.now())

    # forgetting for good

    def forget_plan(self, prefix: str = "", text: str = "") -> "erasure.Plan":
        """What forgetting a memory or event, or all that holds a text, takes. Changes nothing."""
        return self._forgetting().plan(self.now(), prefix, text)

    def forget(self, plan: "erasure.Plan", *, by_hand: bool = False) -> "erasure.Finished":
        """Forgets for good what a plan tells; `by_hand`: also in what people wrote into files."""
        return self._forgetting().carry_out(plan, self.now(), by_hand=by_hand)

    def verify_receipt(self, named: str) -> "erasure.Proof":
        """Checks that what a receipt (id or file) tells is gone still is. Raises NotFound."""
        return self._forgetting().check(named)

    def finish_forgetting(self) -> None:
        """Finishes a forgetting that was interrupted, where that can be done now."""
        if any(not one.finished for one in self._store.erasures(self.space)):
            self._forgetting().resume()

    def _forgetting(self) -> "erasure.Forgetting":
        from slowwave import erasure  # noqa: PLC0415 - it reads language, and few calls need it

        parts = self.parts
        pages = partial(vault.erase, self._vault())
        return erasure.Forgetting(self._store, self.space, parts.files(), parts.dream_log, pages)

    # the vault

    def vault_sync(self, *, dry: bool = False) -> vault.Synced:
        """Takes in what people wrote in the files and brings them in step; `dry` only tells."""
        return vault.sync(self._vault(), dry=dry)

    def vault_check(self) -> vault.Synced:
        """What `vault_sync` would do. Changes nothing."""
        return self.vault_sync(dry=True)

    def _in_step(self, applied: Dream) -> Dream:
        return vault.after(self._vault(), applied)

    def _vault(self) -> vault.Tools:
        by = review.By(self.space, self.parts.settings.owner, self.now())
        return vault.Tools(self.parts, by, self._settled, self.import_paths)

    # upkeep

    def likeness(self) -> "Likeness":
        """Cosine of two texts by this home's embedder."""
        from slowwave.dream.likeness import Likeness  # noqa: PLC0415 - as in `dream`

        return Likeness(self._store, self.parts.embedder())

    def status(self) -> StatusReport:
        """Numbers about this space."""
        return status_of(self.parts, self.dreams(), self.waiting())

    def stats(self) -> Stats:
        """What the memory is made of, and how that changed over time (L11)."""
        events = self._store.counts(self.space).events
        return reckon(self.memories(), self.dreams(), events, zone_of(self.parts.settings.tz))

    def diagnose(self) -> tuple[health.Problem, ...]:
        """What `doctor` found; empty when sound."""
        return health.diagnose(self._store, self.space) + vault.problems(self._vault())

    def mend(self, progress: Progress = no_progress) -> tuple[str, ...]:
        """Makes anew all that is derived: words, vectors. Tells what it did; loses nothing."""
        rows = [ledger.index_row(memory) for memory in self._store.memories(self.space)]
        return index.renew(self._store, self.space, rows, self.parts.embedder(), progress)

    def _intake(self) -> Intake:
        return Intake(space=self.space, owner=self.parts.settings.owner, now=self.now())
