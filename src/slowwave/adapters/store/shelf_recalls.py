"""The store in memory: what was asked, and what prompts were given."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from threading import RLock

import msgspec

from slowwave.adapters.store.rules import free_id
from slowwave.adapters.store.shelf import Shelf
from slowwave.model import Injection, Signal
from slowwave.ports import Admit, Amend


class Recalls:
    """The part of the store in memory that keeps recall signals and the injection ledger."""

    _lock: RLock
    trouble = ""

    def _at(self, space: str) -> Shelf:
        raise NotImplementedError

    def within(self, _seconds: float) -> AbstractContextManager[None]:
        """Nobody else writes here."""
        return nullcontext()

    def signals(self, space: str, memory_ids: Sequence[str] | None = None) -> list[Signal]:
        """Recall signals (of these memories; None = all), oldest first."""
        with self._lock:
            found = [one for one in self._at(space).signals
                     if memory_ids is None or one.memory_id in memory_ids]  # fmt: skip
        return sorted(found, key=lambda signal: signal.ts)

    def record_signals(
        self, space: str, signals: Sequence[Signal], admit: Admit | None = None
    ) -> int:
        """Adds recall signals, and raises the memories' access counters; returns how many."""
        with self._lock:
            here = self._at(space)
            if admit is not None:
                signals = admit(self.signals(space, [one.memory_id for one in signals]), signals)
            known = [one for one in signals if one.memory_id in here.memories]
            for signal in known:
                memory = here.memories[signal.memory_id]
                here.signals.append(signal)
                here.memories[memory.id] = msgspec.structs.replace(
                    memory,
                    access_count=memory.access_count + 1,
                    last_access=max(memory.last_access or signal.ts, signal.ts),
                )
            return len(known)

    def record_injection(self, space: str, injection: Injection, days: int = 0) -> None:
        """Keeps what `context` handed to a prompt (promise 9), and the ledger short."""
        with self._lock:
            self._at(space).record_injection(injection, days)

    def add_injection(self, space: str, injection: Injection, days: int = 0) -> str:
        """As `record_injection`, under an id of its own, which is returned."""
        with self._lock:
            kept = self._at(space).injections
            own = msgspec.structs.replace(injection, id=free_id(injection.id, kept.__contains__))
            self.record_injection(space, own, days)
            return own.id

    def amend_injections(self, space: str, ids: Sequence[str], amend: Amend) -> None:
        """Puts what `amend` makes of each of these entries in its place."""
        with self._lock:
            kept = self._at(space).injections
            amended = {one: amend(kept[one]) for one in ids if one in kept}
            kept.update(amended)

    def injections(
        self, space: str, since: datetime | None = None, *, as_recorded: bool = False
    ) -> list[Injection]:
        """What was handed to prompts at or after a moment (None = ever), newest first."""
        with self._lock:
            kept = list(self._at(space).injections.values())
        # What came last first; a stable sort leaves that so for those of one moment.
        kept = [one for one in reversed(kept) if since is None or one.ts >= since]
        return kept if as_recorded else sorted(kept, key=lambda one: one.ts, reverse=True)
