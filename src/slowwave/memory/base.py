"""What every part of the front door stands on: the parts of one space of one home."""

from datetime import datetime
from threading import Lock

from slowwave.capture.envelope import Intake
from slowwave.model import Injection
from slowwave.parts import Parts
from slowwave.recall.recorder import Recorder
from slowwave.text.counting import plural

INDEX_WAIT = 0.5
LEDGER_WAIT = 1.0
CLOSE_WAIT = 1.0
"""Seconds that an answer waits at most for other processes that write: to index what came in last,
to write down what a prompt is given, and to finish writing when the memory is closed. Where one of
the last two was in vain the other does not wait again."""


class Base:
    """One space of one home: its store, its settings and its clock."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.space = parts.settings.space
        self._store = parts.store
        # Of those who ask at once one indexes what is new, and the others wait for it.
        self._indexing = Lock()
        self._behind = ""
        self._recorder = Recorder(parts.store, self.space)

    def close(self) -> None:
        """Waits for writes under way, writes what waits, and closes the store if it is its own.

        What another process does not let it write within `CLOSE_WAIT` is lost; `remarks` tells.
        """
        self._recorder.close(CLOSE_WAIT)
        if self.parts.owns_store:
            self._store.close()

    def flush(self) -> None:
        """Waits until every recall so far is counted; nobody needs to, it only takes a moment."""
        self._recorder.flush()

    def _written_down(self, entry: Injection, days: int = 0) -> str:
        """The id of an entry of the injection ledger once it is durable; else empty.

        An answer does not fail, nor wait for long, because it cannot be written down. Where that is
        because another process writes, the entry is written later on, as long as this one lives.
        """
        return self._recorder.keep(entry, days, LEDGER_WAIT)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stood in the way of answers, and what was not written for it; one line each."""
        told = [self._store.trouble and f"{self._store.trouble}; reading what is there"]
        if self._behind:
            told.append(f"what came in last is not indexed yet: {self._behind}")
        lost, unkept = self._recorder.lost, self._recorder.unkept
        left = [f"{plural(lost, 'recall')} could not be counted"] if lost else []
        if unkept:
            left.append(f"{plural(unkept, 'ledger entry')} could not be written")
        if left:
            told.append(f"{', '.join(left)}: {self._recorder.trouble}")
        return tuple(filter(None, told))

    @property
    def uncounted(self) -> tuple[int, str]:
        """How many recalls could not be counted since the memory was opened, and why."""
        return self._recorder.lost, self._recorder.trouble

    def now(self) -> datetime:
        """The clock, in the user's zone."""
        return self.parts.clock()

    def _intake(self) -> Intake:
        return Intake(space=self.space, owner=self.parts.settings.owner, now=self.now())
