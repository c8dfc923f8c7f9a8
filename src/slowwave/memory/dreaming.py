"""By night: dreams are planned, reviewed, applied and taken back."""

from collections.abc import Callable, Collection, Sequence
from datetime import date, time
from functools import partial
from itertools import takewhile
from time import sleep
from typing import TYPE_CHECKING, TypedDict, Unpack

import msgspec

from slowwave import ledger, review, scheduler, vault, working
from slowwave.dream.plans import idle_nights, waiting
from slowwave.errors import NotFound, StalePlan
from slowwave.ledger import WAITING
from slowwave.memory.thinking import mind_of, same_mind
from slowwave.memory.writing import Writing
from slowwave.model import Dream, Event, day_bounds, day_of
from slowwave.ports import Progress, no_progress
from slowwave.recall import index
from slowwave.scheduler import cut_off
from slowwave.settings import zone_of

if TYPE_CHECKING:
    from slowwave.dream.cycle import night as cycle
    from slowwave.dream.cycle.desk import Distiller
    from slowwave.dream.likeness import Likeness

RENEWED = 3
"""How often a night is planned anew at once when turns overtake it."""

_ASIDE = frozenset({"person", "refinement"})
"""Who makes plans that no night waits for."""


class How(TypedDict, total=False):
    """How a night is dreamed: None or left out is as the settings say.

    `distiller`: by the rules alone, or by the language model with the rules beside it. `again`:
    what a person rejected before is proposed anew. `sessions`: only these are read.
    """

    preset: str | None
    distiller: "Distiller | None"
    again: bool
    sessions: frozenset[str] | None


class Dreaming(Writing):
    """dream → ledger."""

    def dream(
        self,
        date: str = "yesterday",
        *,
        apply: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
        **how: Unpack[How],
    ) -> Dream:
        """Plans a dream, of a preset, with a distiller (see `How`); a dry run stores nothing.

        Raises ModelError when a model was to do it, and did nothing of it.
        """
        # The stages load grammars and tables: `log` and `recall` must not wait for them.
        from slowwave.dream.cycle import failure  # noqa: PLC0415
        from slowwave.dream.cycle import night as cycle  # noqa: PLC0415

        mind = mind_of(self.parts, how.get("distiller"), dry=dry_run)
        self.flush()  # what was asked a moment ago is evidence too
        told = () if dry_run else vault.before_night(self._vault(), edits=apply)
        before = self.waiting()
        plain = self._night(date, how.get("preset"), progress, dry=dry_run)
        night = msgspec.structs.replace(
            plain, again=how.get("again", False), mind=mind, sessions=how.get("sessions")
        )
        if apply and not dry_run:
            night = msgspec.structs.replace(night, mode="apply")  # cut off here, it is due again
        with failure.recorded(self.parts.dream_log, date, night.now, dry=dry_run):
            planned = cycle.plan(self._store, night)
            told += waiting.held(self._store, before, planned)
            if apply and not dry_run and planned.status in ("planned", "approved"):
                planned = self._applied(planned, partial(cycle.plan, self._store, night), progress)
        if not dry_run and planned.status == "nothing_to_do" and night.sessions is None:
            self._note_quiet(planned, how.get("distiller"))
        return vault.warned(planned, told)

    def _note_quiet(self, night: Dream, distiller: "Distiller | None") -> None:
        """Remembers a night that had nothing to do, unless a part of it is asked about again."""
        if night.date == "all" or not all(part.given_up for part in night.pending):
            return
        day = date.fromisoformat(night.date)
        idle_nights.note(self._store, self.space, day, self._made_of(day, self.dreams(), distiller))

    def _made_of(self, day: date, heads: Sequence[Dream], distiller: "Distiller | None") -> str:
        settings = self.parts.settings
        model = settings.model
        reader = model.name if (distiller or model.distiller) == "llm" else "rules"
        terms = f"{reader}\x1f{settings.preset}\x1f{msgspec.json.encode(settings.dream).decode()}"
        zone = zone_of(settings.tz)
        return idle_nights.mark_of(self._store, self.space, day, zone, heads, terms)

    def _applied(self, planned: Dream, again: Callable[[], Dream], progress: Progress) -> Dream:
        """Applies a plan just made; where a turn was learned from meanwhile, made anew before.

        Turns leave alone what a plan that waits has read, so the next one mostly holds. Raises as
        `apply`.
        """
        for _ in range(RENEWED):
            try:
                return self.apply(planned.dream_id, progress=progress)
            except StalePlan:
                fresh = again()
            if fresh.status == "nothing_to_do":
                stored = self._store.dream(self.space, planned.dream_id)
                if stored is not None:
                    waiting.drop(self._store, stored, "its events were read by other dreams", "")
            if fresh.status not in ("planned", "approved"):
                return fresh
            planned = fresh
        return self.apply(planned.dream_id, progress=progress)

    def _night(
        self, date: str, preset: str | None, progress: Progress, *, dry: bool
    ) -> "cycle.Night":
        from slowwave.dream.cycle import night as cycle  # noqa: PLC0415 - as in `dream`

        settings = self.parts.under(preset) if preset else self.parts.settings
        alike = self.likeness()
        return cycle.Night(
            space=self.space, date=date, now=self.now(), settings=settings.dream,
            preset=settings.preset, cosine=alike, embedder=alike.name, progress=progress,
            mode="dry_run" if dry else "plan",
        )  # fmt: skip

    def likeness(self) -> "Likeness":
        """Cosine of two texts by this home's embedder."""
        from slowwave.dream.likeness import Likeness  # noqa: PLC0415 - as in `dream`

        return Likeness(self._store, self.parts.embedder())

    def due(
        self, at: time = scheduler.AT, distiller: "Distiller | None" = None
    ) -> tuple[date, ...]:
        """The nights that are due: finished days with events that no night has read yet (N6).

        `at` is the time of the user's day from which last night is due. A night that had nothing
        to do is due again when that may have changed.
        """
        now = self.now()
        zone = zone_of(self.parts.settings.tz)
        heads = self.dreams()
        days = {day_of(ts, zone) for ts in self._store.undreamed_times(self.space)}
        days -= self._taken_back(days, heads)
        latest = scheduler.learned_by_day(heads, zone)
        if latest is not None:
            days.add(latest)  # all was learned turn by turn, but nothing was let go yet
        marks = idle_nights.marks(self._store, self.space)
        days -= {
            day
            for day in days
            if (mark := marks.get(day.isoformat())) and mark == self._made_of(day, heads, distiller)
        }
        return scheduler.due(heads, sorted(days), now, at)

    def _taken_back(self, days: Collection[date], heads: Sequence[Dream]) -> set[date]:
        """Those of these days whose unread events are all of turns that were undone."""
        zone = zone_of(self.parts.settings.tz)
        undone = {head.date for head in heads if head.by == "turn" and head.status == "rolled_back"}
        found = set()
        for day in days:
            if day.isoformat() in undone:
                events = self._store.undreamed(self.space, *day_bounds(day, zone))
                if not waiting.unclaimed(self._store, events, heads):
                    found.add(day)
        return found

    def dream_due(
        self,
        progress: Progress = no_progress,
        at: time = scheduler.AT,
        told: Callable[[Dream], None] = lambda _dream: None,
        *,
        apply: bool = False,
        distiller: "Distiller | None" = None,
    ) -> list[Dream]:
        """Dreams every night that is due, each once, oldest first; `told` hears of each.

        In mode `auto` (or with `apply`) a plan is applied when all gates pass; in mode `review` it
        waits, and so do the nights after it, which build on what becomes of it. Retries, and
        nights that fail, are as `scheduler.catch_up` says (N16).
        """
        auto = apply or self.parts.settings.dream.mode == "auto"
        vault.before_night(self._vault(), edits=auto)  # new notes make their night due
        dream = partial(self.dream, apply=auto, distiller=distiller, progress=progress)
        nights = takewhile(
            lambda _: auto or not waiting.blocks(self.dreams()), self.due(at, distiller)
        )
        return scheduler.catch_up(nights, lambda day: dream(day.isoformat()), sleep, told)

    def held(self) -> bool:
        """Whether nights wait for a person to decide on a plan (mode `review`)."""
        return self.parts.settings.dream.mode == "review" and waiting.blocks(self.dreams())

    def unread_today(self) -> list[Event]:
        """What a dream of the running day would read, without what plans that wait have read."""
        zone = zone_of(self.parts.settings.tz)
        events = self._store.undreamed(self.space, *day_bounds(day_of(self.now(), zone), zone))
        if not events:
            return []
        heads = self._store.dreams(self.space, waiting.UNSETTLED)
        taken = waiting.planned(self._store, [head for head in heads if not cut_off(head)])
        free = waiting.unclaimed(self._store, events, heads)
        return [event for event in free if event.id not in taken]

    def apply(
        self, dream_id: str, only: Sequence[str] = (), progress: Progress = no_progress
    ) -> Dream:
        """Applies a plan, whole or the listed changes, and brings the indexes up to date."""
        from slowwave.dream.cycle import night as cycle  # noqa: PLC0415 - as in `dream`
        from slowwave.dream.cycle import outdated  # noqa: PLC0415 - as in `dream`
        from slowwave.dream.refine import day as refine  # noqa: PLC0415 - as in `dream`
        from slowwave.dream.write import write  # noqa: PLC0415 - as in `dream`

        planned = self.dream_by_id(dream_id)
        plain = self._night(planned.date, planned.preset, no_progress, dry=True)
        night = msgspec.structs.replace(plain, mind=same_mind(self.parts, planned))
        plan = refine.plan if planned.by == "refinement" else cycle.plan
        again = partial(plan, self._store, night)
        outdated.refuse_outdated(self._store, planned, only, again)
        applied = write(self._store, self.parts.dream_log, planned, night.now, night.settings, only)
        if applied.by != "refinement":  # which has read nothing that another plan reads
            waiting.settle(self._store, applied)
        if applied.by == "night":
            working.follow(self._store, applied, self.now())
        else:
            working.heed(self._store, applied, self.now())
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
        from slowwave.dream.cycle import outdated  # noqa: PLC0415 - as in `dream`

        def work(plan: Dream) -> Dream | None:
            distiller: Distiller = "llm" if same_mind(self.parts, plan) else "rules"
            again = partial(
                self.dream, plan.date, preset=plan.preset, distiller=distiller, progress=progress
            )
            fresh = outdated.renewed(self._store, plan, again)
            return fresh and self.apply(fresh.dream_id, progress=progress)

        return outdated.apply_each(self._store, self.waiting(), work, told)

    def waiting(self) -> list[Dream]:
        """The plans that wait for a person, oldest night first, without their changes."""
        return waiting.plans(self.dreams())

    def undecided(self) -> list[Dream]:
        """All plans that wait: those of nights, oldest night first, and those that no night waits
        for: changes by hand, and days that were read again."""
        others = [one for one in self.dreams() if one.by in _ASIDE and one.status in WAITING]
        return [*self.waiting(), *others]

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
