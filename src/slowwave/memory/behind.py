"""Work that goes on behind an answer's back: one thread, one bounded queue.

What waits here is only a hint of what to do: the journal holds it. So a full queue, a crash or a
fork loses nothing: whatever was not done is found again.
"""

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence

from slowwave.errors import SlowwaveError

__all__ = ["MOST_WAITING", "Behind"]

MOST_WAITING = 256
"""Pieces of work that wait by name; beyond them all that waits is looked for again."""

Work = Callable[[Sequence[str] | None], None]
"""Does what these ids name; None: all that is found waiting."""


class Behind:
    """Hands pieces of work to a thread of its own, in the order they came.

    Safe from several threads. The thread starts with the first piece and ends with the last. After
    a fork the child starts with nothing: what waited is its parent's to do.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._renew()

    def _renew(self) -> None:
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._waiting: deque[Sequence[str]] = deque()
        self._all = True  # what an earlier process left
        self._at_work = False
        self._begun = False
        self.closing = False
        self.failed = 0
        self.trouble = ""

    def note(self, ids: Sequence[str]) -> None:
        """Takes a piece of work; returns at once."""
        if self._pid != os.getpid():
            self._renew()
        with self._changed:
            if self.closing:
                return
            if len(self._waiting) >= MOST_WAITING:
                self._all = True
                self._waiting.clear()
            self._waiting.append(ids)
            if not self._begun:
                # A daemon is stopped anywhere when its process ends: not inside a transaction.
                atexit.register(self.close)
                self._begun = True
            if not self._at_work:
                self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._run, name="turns", daemon=True)
        self._at_work = True
        try:
            thread.start()
        except RuntimeError:  # no more threads: it is found again later
            self._at_work = False

    def wait(self, seconds: float | None = None) -> bool:
        """Waits until nothing is left to do; whether that came within so many seconds."""
        if self._pid != os.getpid():
            self._renew()
        with self._changed:
            return self._changed.wait_for(lambda: not self._at_work, seconds)

    def close(self) -> None:
        """Waits for the piece under way; what else waits is left."""
        if self._pid != os.getpid():
            self._renew()
        with self._changed:
            self.closing = True
            self._changed.wait_for(lambda: not self._at_work)
        if self._begun:
            atexit.unregister(self.close)
            self._begun = False

    def _run(self) -> None:
        try:
            while (piece := self._next()) is not None:
                try:
                    self._work(piece or None)
                except SlowwaveError as error:
                    with self._changed:
                        self.failed += 1
                        self.trouble = error.message
        except BaseException:
            with self._changed:
                self._at_work = False
                self._changed.notify_all()
            raise

    def _next(self) -> Sequence[str] | None:
        """The next piece; an empty one stands for all; None when the work is done."""
        with self._changed:
            if not self.closing and self._all:
                self._all = False
                self._waiting.clear()  # those are among all
                return ()
            if not self.closing and self._waiting:
                return self._waiting.popleft()
            self._at_work = False
            self._changed.notify_all()
            return None
