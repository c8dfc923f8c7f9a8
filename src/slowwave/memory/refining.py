"""A day that was dreamed is read again, by a better reader (N21)."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import msgspec

from slowwave import vault
from slowwave.errors import NotFound, SlowwaveError
from slowwave.memory.dreaming import Dreaming, How
from slowwave.memory.thinking import mind_of
from slowwave.model import Dream
from slowwave.ports import Progress, no_progress

if TYPE_CHECKING:
    from slowwave.dream.cycle import night as cycle

WEEK = "week"


class Refining(Dreaming):
    """dream, once more."""

    def refine(
        self,
        date: str,
        *,
        apply: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
        **how: Unpack[How],
    ) -> Dream:
        """Reads a day again that was dreamed, and plans the difference (`Dream.refined`).

        By the language model unless `how` names the rules. A part that the model cannot do waits:
        nothing is decided of it. Raises NotFound where no dream has read the day, ModelError when
        the model did nothing of it.
        """
        from slowwave.dream.cycle import failure  # noqa: PLC0415 - as in `dream`
        from slowwave.dream.refine import day as refine  # noqa: PLC0415 - as in `dream`

        night = self._again(date, progress, how, dry=dry_run)
        if not dry_run:
            vault.before_night(self._vault(), edits=apply)
        with failure.recorded(self.parts.dream_log, date, night.now, dry=dry_run):
            planned = refine.plan(self._store, night)
            if apply and not dry_run and planned.status in ("planned", "approved"):
                return self.apply(planned.dream_id, progress=progress)
        return planned

    def refine_week(
        self,
        told: Callable[[Dream], None] = lambda _dream: None,
        *,
        apply: bool = False,
        dry_run: bool = False,
        progress: Progress = no_progress,
        **how: Unpack[How],
    ) -> list[Dream]:
        """The weekly full pass: each finished day of the last week is read again, oldest first.

        A day that was not dreamed is left out; one that fails does not stop the others, and its
        error is raised at the end. `told` hears of each.
        """
        from slowwave.dream.refine import day as refine  # noqa: PLC0415 - as in `dream`

        made: list[Dream] = []
        failed: SlowwaveError | None = None
        for day in refine.days_of_week(self.now()):
            try:
                done = self.refine(day, apply=apply, dry_run=dry_run, progress=progress, **how)
            except NotFound:
                continue
            except SlowwaveError as error:
                failed = failed or error
                continue
            made.append(done)
            told(done)
        if failed is not None:
            raise failed
        return made

    def read_otherwise(self, date: str, **how: Unpack[How]) -> bool:
        """Whether a day was dreamed, and by others than the model that would read it now."""
        from slowwave.dream.refine import day as refine  # noqa: PLC0415 - as in `dream`

        if date in ("all", WEEK):
            return False
        night = self._again(date, no_progress, how, dry=True)
        readers = refine.read_by(self._store, night)
        return bool(readers) and night.mind is not None and night.mind.name not in readers

    def _again(self, date: str, progress: Progress, how: How, *, dry: bool) -> "cycle.Night":
        mind = mind_of(self.parts, how.get("distiller") or "llm", dry=dry)
        if mind is not None:
            # The rules have read the day: what the model cannot do they need not do again.
            mind = replace(mind, fallback="fail")
        self.flush()
        plain = self._night(date, how.get("preset"), progress, dry=dry)
        return msgspec.structs.replace(plain, again=how.get("again", False), mind=mind)
