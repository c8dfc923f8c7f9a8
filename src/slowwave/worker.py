"""One thread for work that nobody waits for: the frame of all that goes on behind an answer's back.

It starts with the first piece of work and ends with the last: where nothing is to be done there is
none. After a fork the child starts with nothing, for what waited is its parent's to do. Whoever
forgets to close it is waited for at the exit: a daemon's work would end with the process, also in
the middle of a transaction.
"""

import atexit
import os
import threading
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

__all__ = ["Worker"]

Piece = TypeVar("Piece")


class Worker(ABC, Generic[Piece]):
    """Does pieces of work on a thread of its own. Safe from several threads.

    A subclass keeps what waits, and says what comes next (`_next`) and how it is done (`_do`). All
    that is its own is set in `_renew`, which a forked child does again; what several threads see of
    it is changed inside `_changed`, which `_set_to_work` and `_next` are called in.
    """

    name = "worker"
    """Of the thread."""

    def __init__(self) -> None:
        self._renew()

    def _renew(self) -> None:
        """Starts with nothing: when it is made, and in the child of a fork."""
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._at_work = False
        self._thread: threading.Thread | None = None
        self._hooked = False

    @abstractmethod
    def _next(self) -> Piece | None:
        """The next piece; None where there is none: then the work is done."""

    @abstractmethod
    def _do(self, piece: Piece, deadline: float | None) -> bool:
        """Does a piece; returns whether to go on (what waits still is left otherwise).

        `deadline` (of `time.monotonic`) bounds it where somebody does the work himself.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends the work; also called at the exit of the process."""

    def _here(self) -> None:
        """To be called before anything else by whatever is called from outside."""
        if self._pid != os.getpid():
            self._renew()

    def _set_to_work(self) -> None:
        """Makes sure that somebody is at work, if a thread is to be had. Inside `_changed`."""
        if not self._hooked:
            atexit.register(self.close)
            self._hooked = True
        if self._at_work:
            return
        self._at_work = True
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        try:
            self._thread.start()
        except RuntimeError:  # no more threads: it is done when somebody waits for it, or later
            self._at_work = False

    def _unhook(self) -> None:
        """Nobody needs to be waited for at the exit any more."""
        if self._hooked:
            atexit.unregister(self.close)
            self._hooked = False

    def _run(self, deadline: float | None = None) -> None:
        """Works until nothing waits, or it should not go on; whoever calls it is at work."""
        try:
            while (piece := self._take()) is not None:
                if not self._do(piece, deadline):
                    self._rest()
                    return
        except BaseException:
            self._rest()
            raise

    def _take(self) -> Piece | None:
        # Looking and leaving are one: what comes in between would wait for nobody.
        with self._changed:
            piece = self._next()
            if piece is None:
                self._leave()
            return piece

    def _rest(self) -> None:
        with self._changed:
            self._leave()

    def _leave(self) -> None:
        self._at_work = False
        self._changed.notify_all()
