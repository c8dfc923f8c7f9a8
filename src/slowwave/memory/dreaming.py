"""By night: dreams are planned, reviewed, applied and taken back."""

from collections.abc import Callable, Sequence
from datetime import date, time
from functools import partial
from itertools import takewhile
from time import sleep
from typing import TYPE_CHECKING

import msgspec

from slowwave import ledger, review, scheduler, vault, working
from slowwave.dream import waiting
from slowwave.errors import NotFound
from slowwave.ledger import WAITING
from slowwave.memory.writing import Writing
from slowwave.model import Dream, day_of
from slowwave.ports import Progress, no_progress
from slowwave.recall import index
from slowwave.settings import zone_of

if TYPE_CHECKING:
    from slowwave.dream import cycle
    from slowwave.dream.likeness import Likeness


class Dreaming(Writing):
    """dream → ledger."""

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

        self.flush()  # what was asked a moment ago is evidence too
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

    def likeness(self) -> "Likeness":
        """Cosine of two texts by this home's embedder."""
        from slowwave.dream.likeness import Likeness  # noqa: PLC0415 - as in `dream`

        return Likeness(self._store, self.parts.embedder())

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
        from slowwave.dream import outdated  # noqa: PLC0415 - as in `dream`

        def work(plan: Dream) -> Dream | None:
            again = partial(self.dream, plan.date, preset=plan.preset, progress=progress)
            fresh = outdated.renewed(self._store, plan, again)
            return fresh and self.apply(fresh.dream_id, progress=progress)

        return outdated.apply_each(self._store, self.waiting(), work, told)

    def waiting(self) -> list[Dream]:
        """The plans that wait for a person, oldest night first, without their changes."""
        return waiting.plans(self.dreams())

    def undecided(self) -> list[Dream]:
        """All plans that wait: those of nights, oldest night first, and changes by hand."""
        by_hand = [one for one in self.dreams() if one.by == "person" and one.status in WAITING]
        return [*self.waiting(), *by_hand]

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
