"""What is written behind the answers' back: recall signals, and entries of the injection ledger.

An answer never waits for long because another process keeps the store. What it leaves behind waits
here, in memory, and is written as soon as the store is free.
"""

import time
from collections import deque
from collections.abc import Sequence

import msgspec

from slowwave.errors import SlowwaveError, StoreBusy
from slowwave.model import Injection
from slowwave.ports import Store
from slowwave.recall.signals import Recalled, record
from slowwave.worker import Worker

__all__ = ["Entry", "Recorder"]

MOST_WAITING = 10_000
"""Recalls and entries that wait; beyond them what comes is lost. The store takes some thousand a
second, so it must have stood still for a while."""

TRY = 0.25
"""Seconds that one attempt waits for other writers, before it looks whether it should end."""

NAP = 0.02
"""Seconds between two attempts."""

PATIENCE = 60.0
"""Seconds that somebody waits who wants to know that all is written."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the injection ledger, and how many days of it are kept (0: all)."""

    injection: Injection
    days: int = 0


class _Noted:
    """One thing that waits, and whether it was written in the end (None: it waits still).

    `id` is what an entry of the ledger is called there.
    """

    __slots__ = ("id", "what", "written")

    def __init__(self, what: Recalled | Entry) -> None:
        self.what = what
        self.written: bool | None = None
        self.id = ""


class Recorder(Worker[list[_Noted]]):
    """Writes the recalls and entries of a space behind the answers' back, in the order they came.

    While another process keeps the store, all waits; what cannot be written otherwise is passed
    over, and added to `lost` (recalls) or `unkept` (entries), with the reason in `trouble`.
    """

    name = "signals"

    def __init__(self, store: Store, space: str) -> None:
        self._store = store
        self._space = space
        super().__init__()

    def _renew(self) -> None:
        super()._renew()
        self._waiting: deque[_Noted] = deque()
        self._ending = False
        self._in_vain = False
        self.lost = 0
        self.unkept = 0
        self.trouble = ""

    def note(self, one: Recalled) -> None:
        """Takes a recall to be counted; returns at once."""
        self._accept(_Noted(one))

    def keep(self, injection: Injection, days: int, wait: float) -> str:
        """Takes an entry of the ledger; returns its id if it was written within `wait` seconds.

        If not ("") it is written later, when the store is free. While somebody waited in vain and
        nothing was written since, nobody waits again.
        """
        noted = _Noted(Entry(injection=injection, days=days))
        if self._accept(noted):
            self._until_written(0.0 if self._in_vain else wait, noted)
        return noted.id

    def _accept(self, noted: _Noted) -> bool:
        self._here()
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self._lose([noted], "too much waits to be written")
                return False
            self._waiting.append(noted)
            self._set_to_work()
            return True

    def flush(self, wait: float = PATIENCE) -> bool:
        """Waits until all that was noted is written or lost, but no longer; whether it is."""
        self._here()
        return self._until_written(wait, None)

    def _until_written(self, wait: float, noted: _Noted | None) -> bool:
        """Waits for one thing, or for all."""
        deadline = time.monotonic() + wait
        with self._changed:
            while self._at_work and (noted is None or noted.written is None):
                left = deadline - time.monotonic()
                if left <= 0:
                    self._in_vain = True
                    return False
                self._changed.wait(left)
            if not self._waiting or (noted is not None and noted.written is not None):
                return True
            self._at_work = True  # there was no thread to be had: it is done here
        self._run(deadline)
        return not self._waiting

    def close(self, wait: float = TRY) -> None:
        """As `flush`, for the last time: what is not written after one more attempt is lost.

        Does not wait where somebody waited in vain and nothing was written since.
        """
        self.flush(0.0 if self._in_vain else wait)
        with self._changed:
            self._ending = True
            self._changed.notify_all()
            while self._at_work:
                self._changed.wait()
            self._ending = False
            self._lose(self._waiting, "another process kept the store too long")
            self._waiting.clear()
        self._unhook()

    def _next(self) -> list[_Noted] | None:
        """All that wait."""
        batch = list(self._waiting)
        self._waiting.clear()
        return batch or None

    def _do(self, piece: list[_Noted], deadline: float | None) -> bool:
        """Writes a batch; where the store has no time, a pause until the next attempt, if any."""
        if not self._write(piece):
            return True
        with self._changed:
            if self._ending or (deadline is not None and time.monotonic() > deadline):
                return False
            self._changed.wait(NAP)
            return True

    def _write(self, batch: Sequence[_Noted]) -> bool:
        """Writes what the store has time for; the rest waits on. Returns whether there is a rest.

        Entries come first: somebody may wait for them.
        """
        recalls = [noted for noted in batch if isinstance(noted.what, Recalled)]
        groups = [[noted] for noted in batch if isinstance(noted.what, Entry)]
        groups += [recalls] if recalls else []
        for at, group in enumerate(groups):
            try:
                with self._store.within(TRY):
                    self._put(group)
            except StoreBusy:
                with self._changed:
                    rest = [noted for each in groups[at:] for noted in each]
                    self._waiting.extendleft(reversed(rest))
                return True
            except SlowwaveError as error:
                with self._changed:
                    self._lose(group, error.message)
            else:
                self._tell(group)
        return False

    def _put(self, group: Sequence[_Noted]) -> None:
        recalls = [noted.what for noted in group if isinstance(noted.what, Recalled)]
        for noted in group:
            if isinstance(noted.what, Entry):
                entry = noted.what
                noted.id = self._store.add_injection(self._space, entry.injection, entry.days)
        if recalls:
            record(self._store, self._space, recalls)

    def _tell(self, group: Sequence[_Noted]) -> None:
        with self._changed:
            self._in_vain = False
            for noted in group:
                noted.written = True
            self._changed.notify_all()

    def _lose(self, some: Sequence[_Noted] | deque[_Noted], why: str) -> None:
        for noted in some:
            noted.written = False
            if isinstance(noted.what, Recalled):
                self.lost += 1
            else:
                self.unkept += 1
            self.trouble = why
        self._changed.notify_all()
