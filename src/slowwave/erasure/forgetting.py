"""Forgetting as the front door offers it: look, do, finish what was interrupted, check."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from slowwave.erasure.carry_out import Finished, Tools, erase, finish
from slowwave.erasure.files import HomeFiles
from slowwave.erasure.proof import Proof, verify
from slowwave.erasure.search import Plan, Target, find_all
from slowwave.errors import StoreError
from slowwave.model import Space
from slowwave.ports import DreamLog, Store

__all__ = ["Forgetting"]


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Real deletion in one space. `pages` takes memories out of the vault; how many files went."""

    store: Store
    space: Space
    files: HomeFiles
    log: DreamLog
    pages: Callable[[Sequence[str]], int]

    def plan(self, now: datetime, *, memory: str = "", event: str = "", text: str = "") -> Plan:
        """What forgetting a memory, an event (by id), or all that holds a text takes.

        Changes nothing.
        """
        target = Target(
            memory_ids=frozenset([memory] if memory else ()),
            event_ids=frozenset([event] if event else ()),
            literal=text,
        )
        return find_all(self.store, self.space, target, now)

    def carry_out(self, plan: Plan, now: datetime, *, by_hand: bool) -> Finished:
        """Forgets for good; `by_hand`: also in what people wrote into files."""
        erased = erase(self.store, self.space, plan, now)
        return finish(self._tools(), erased, plan, by_hand=by_hand)

    def resume(self) -> None:
        """Finishes what a kill or a full disk interrupted, where that can be done now."""
        with suppress(StoreError):
            for erased in self.store.erasures(self.space):
                if not erased.finished:
                    finish(self._tools(), erased)

    def check(self, named: str) -> Proof:
        """Checks a receipt, given by id or file. Raises NotFound, InputError."""
        return verify(self.store, self.files, self.files.receipt(named))

    def _tools(self) -> Tools:
        return Tools(self.store, self.files, self.log, self.pages)
