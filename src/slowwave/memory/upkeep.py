"""Forgetting for good, numbers, checks and repairs."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

from slowwave import health, ledger, vault
from slowwave.memory.base import CLOSE_WAIT
from slowwave.memory.surveying import Surveying
from slowwave.model import Erased, ModelCall, RawAnswer
from slowwave.parts import Parts, StatusReport, status_of
from slowwave.ports import Progress, no_progress
from slowwave.recall import index
from slowwave.text.counting import plural

if TYPE_CHECKING:
    from slowwave import erasure


class Upkeep(Surveying):
    """What keeps a home sound."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._taking = Lock()
        self._taken: Erased | None = None
        """What `take_out` took and did not finish: what it takes next goes on with that."""

    def forget_plan(self, prefix: str = "", text: str = "") -> "erasure.Plan":
        """What forgetting a memory or event, or all that holds a text, takes. Changes nothing."""
        found = self._named(prefix, ("memory", "event")) if prefix or not text else None
        memory = found.id if found and found.kind == "memory" else ""
        event = found.id if found and found.kind == "event" else ""
        return self._forgetting().plan(self.now(), memory=memory, event=event, text=text)

    def forget(self, plan: "erasure.Plan", *, by_hand: bool = False) -> "erasure.Finished":
        """Forgets for good what a plan tells; `by_hand`: also in what people wrote into files."""
        return self._forgetting().carry_out(plan, self.now(), by_hand=by_hand)

    def verify_receipt(self, named: str) -> "erasure.Proof":
        """Checks that what a receipt (id or file) tells is gone still is. Raises NotFound."""
        return self._forgetting().check(named)

    def take_out(self, ids: Sequence[str], *, finish: bool = True) -> "Erased | None":
        """Takes these very events out for good, and what rests on them alone.

        Unlike `forget` it looks for no other words that say the same. None when there are none of
        these. Without `finish`, copies and bytes that are not in use any more stay until the next
        forgetting, `finish_forgetting`, `close`, or until it is opened again.
        """
        from slowwave.erasure.exact import take_out  # noqa: PLC0415 - as in `_forgetting`

        with self._taking:
            erased = take_out(self._store, self.space, ids, self.now(), self._taken)
            self._taken = erased or self._taken
        if finish:
            self.finish_forgetting()
        return erased

    def close(self) -> None:
        """As always; before that finishes what `take_out` left."""
        if self._taken is not None:
            self.finish_forgetting()
        super().close()

    def finish_forgetting(self) -> None:
        """Finishes a forgetting that was interrupted, where that can be done now."""
        with self._taking:
            self._taken = None
        if any(not one.finished for one in self._store.erasures(self.space)):
            with self._store.within(CLOSE_WAIT), suppress(OSError):
                self._forgetting().resume()

    def _forgetting(self) -> "erasure.Forgetting":
        from slowwave import erasure  # noqa: PLC0415 - it reads language, and few calls need it

        parts = self.parts
        pages = partial(vault.erase, self._vault())
        return erasure.Forgetting(self._store, self.space, parts.files(), parts.dream_log, pages)

    def status(self) -> StatusReport:
        """Numbers about this space."""
        return status_of(self.parts, self.dreams(), self.waiting())

    def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
        """What was asked of a language model at or after a moment (None = ever), oldest first."""
        return self._store.model_calls(self.space, since)

    def raw_answers(self, since: datetime | None = None) -> list[RawAnswer]:
        """Answers of a model that could not be used, oldest first."""
        return self._store.raw_answers(self.space, since)

    def diagnose(self) -> tuple[health.Problem, ...]:
        """What `doctor` found; empty when sound."""
        found = health.diagnose(self._store, self.space) + vault.problems(self._vault())
        lost, why = self.uncounted
        if not lost:
            return found
        detail = f"{plural(lost, 'recall')} could not be counted: {why}"
        return (*found, health.Problem("signals", detail, "nothing else was lost; free some disk"))

    def mend(self, progress: Progress = no_progress) -> tuple[str, ...]:
        """Makes anew all that is derived: words, vectors. Tells what it did; loses nothing."""
        rows = [ledger.index_row(memory) for memory in self._store.memories(self.space)]
        return index.renew(self._store, self.space, rows, self.parts.embedder(), progress)
