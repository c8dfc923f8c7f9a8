"""Work that goes on behind an answer's back: one thread, one bounded queue.

What waits here is only a hint of what to do: the journal holds it. So a full queue, a crash or a
fork loses nothing: whatever was not done is found again.
"""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from slowwave.errors import SlowwaveError
from slowwave.worker import Worker

__all__ = ["MOST_WAITING", "Behind"]

MOST_WAITING = 256
"""Pieces of work that wait by name; beyond them all that waits is looked for again."""


class Closed(SlowwaveError):
    """It was closed while the work waited for somebody else; what it was about is found again."""


Work = Callable[[Sequence[str] | None], None]
"""Does what these ids name; None: all that is found waiting."""


class Behind(Worker[Sequence[str]]):
    """Hands pieces of work to a thread of its own, in the order they came."""

    name = "turns"

    def __init__(self, work: Work) -> None:
        self._work = work
        super().__init__()

    def _renew(self) -> None:
        super()._renew()
        self._waiting: deque[Sequence[str]] = deque()
        self._all = True  # what an earlier process left
        self._away = False
        self.closing = False
        self.failed = 0
        self.trouble = ""

    def note(self, ids: Sequence[str]) -> None:
        """Takes a piece of work; returns at once."""
        self._here()
        with self._changed:
            if self.closing:
                return
            if len(self._waiting) >= MOST_WAITING:
                self._all = True
                self._waiting.clear()
            self._waiting.append(ids)
            self._set_to_work()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Around what only waits for somebody else: nothing is open, and closing goes on without.

        Raises Closed where that happened meanwhile. Of other threads than the worker it says
        nothing.
        """
        if threading.current_thread() is not self._thread:
            yield
            return
        with self._changed:
            if self.closing:
                raise Closed("the memory was closed", "the turn is found again when it is opened")
            self._away = True
            self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._away = False
                closed = self.closing
            if closed:  # also where it failed: nobody may write that down any more
                raise Closed("the memory was closed", "the turn is found again when it is opened")

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until nothing is left to do; whether that came within so many seconds."""
        self._here()
        with self._changed:
            return self._changed.wait_for(lambda: not self._at_work, seconds)

    def close(self) -> None:
        """Waits for the piece under way, unless that only waits itself; what else waits is left."""
        self._here()
        with self._changed:
            self.closing = True
            self._changed.wait_for(lambda: not self._at_work or self._away)
        self._unhook()

    def _next(self) -> Sequence[str] | None:
        """The next piece; an empty one stands for all."""
        if self.closing:
            return None
        if self._all:
            self._all = False
            self._waiting.clear()  # those are among all
            return ()
        return self._waiting.popleft() if self._waiting else None

    def _do(self, piece: Sequence[str], deadline: float | None) -> bool:
        del deadline  # nobody does it for it
        try:
            self._work(piece or None)
        except SlowwaveError as error:
            with self._changed:
                self.failed += 1
                self.trouble = error.message
        return True
