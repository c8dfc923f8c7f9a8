"""By night: dreams are planned, read, decided on and taken back."""

from collections.abc import Sequence
from typing import Literal

from slowwave.library.opened import Opened
from slowwave.model import Dream
from slowwave.ports import Progress, no_progress

__all__ = ["Distiller", "Sleeping"]

Distiller = Literal["rules", "llm"]


class Sleeping(Opened):
    """dream → ledger."""

    def dream(  # noqa: PLR0913 - options by keyword, spelled out for readers and editors
        self,
        date: str = "yesterday",
        *,
        apply: bool = False,
        dry_run: bool = False,
        preset: str | None = None,
        distiller: Distiller | None = None,
        again: bool = False,
        progress: Progress = no_progress,
    ) -> Dream:
        """Plans a dream over a day's events; with `apply` the plan is applied when all gates pass.

        `date`: "yesterday", "today", "all", or a day as 2026-11-30, in the user's zone. `dry_run`:
        stores nothing, not even the plan. `preset`, `distiller`: None is as the settings say.
        `again`: what a person rejected before is proposed anew. `progress(stage, done, of)` hears
        how far it is; `of` is 0 where that is not known.

        Returns the dream: `status` (planned, applied, refused, nothing_to_do), `changes`, `gates`,
        `rejected` and how long each stage took, in seconds. Raises UsageError for what is no day,
        StoreError, ModelError (a model was to do it, and did nothing of it).

            plan = memory.dream("today")
            for change in plan.changes:
                print(change.op, change.after.text, change.reason)
            memory.apply(plan.dream_id)
        """
        return self.front.dream(
            date, apply=apply, dry_run=dry_run, progress=progress,
            preset=preset, distiller=distiller, again=again,
        )  # fmt: skip

    def dream_due(self, *, apply: bool = False, progress: Progress = no_progress) -> list[Dream]:
        """Dreams every finished day that no night has read yet, oldest first; for a scheduler.

        Plans are applied in mode `auto` or with `apply`; in mode `review` the first one waits.
        Returns the dreams made; raises as `dream`.
        """
        return self.front.dream_due(progress, apply=apply)

    def refine(
        self,
        date: str,
        *,
        apply: bool = False,
        dry_run: bool = False,
        distiller: Distiller | None = None,
    ) -> Dream:
        """Reads a day again that was dreamed, by the language model, and plans the difference.

        Raises NotFound where no dream has read that day, ModelError when the model did nothing.
        """
        return self.front.refine(date, apply=apply, dry_run=dry_run, distiller=distiller)

    def dreams(self) -> list[Dream]:
        """All dreams, newest first, without their changes (see `show_dream`)."""
        return self.front.dreams()

    def show_dream(self, id: str = "last") -> Dream:
        """One dream with its plan, by its id or the beginning of it; `last` is the newest.

        Raises NotFound.
        """
        return self.front.dream_by_id(id)

    def apply(self, id: str, *, only: Sequence[str] = ()) -> Dream:
        """Applies a plan, whole or only these changes (by id), all or nothing.

        Raises NotFound, AlreadyDecided, StalePlan (memories changed since: dream again),
        StoreError.
        """
        return self.front.apply(self.front.dream_by_id(id).dream_id, only)

    def approve(self, id: str, *, only: Sequence[str] = ()) -> Dream:
        """Approves a plan or some of its changes; nothing is applied yet.

        Raises NotFound, AlreadyDecided.
        """
        return self.front.approve(id, only)

    def reject(self, id: str, *, only: Sequence[str] = ()) -> Dream:
        """Rejects a plan or some of its changes; nights do not propose them again.

        Raises NotFound, AlreadyDecided.
        """
        return self.front.reject(id, only)

    def rollback(self, id: str) -> Dream:
        """Takes an applied dream back, also weeks later, and keeps what came after.

        Returns the dream that did it, which can be rolled back as well. Raises NotFound,
        AlreadyDecided, DreamError.
        """
        return self.front.rollback(id)
