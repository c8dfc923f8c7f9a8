"""What every part of the front door stands on: the parts of one space of one home."""

from datetime import datetime
from threading import Lock

from slowwave.capture.envelope import Intake
from slowwave.parts import Parts
from slowwave.recall.signals import Recorder


class Base:
    """One space of one home: its store, its settings and its clock."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.space = parts.settings.space
        self._store = parts.store
        # Of those who ask at once one indexes what is new, and the others wait for it.
        self._indexing = Lock()
        self._recorder = Recorder(parts.store, self.space)

    def close(self) -> None:
        """Waits for writes under way, counts the recalls that wait, and closes the store."""
        self._recorder.close()
        self._store.close()

    def flush(self) -> None:
        """Waits until every recall so far is counted; nobody needs to, it only takes a moment."""
        self._recorder.flush()

    @property
    def uncounted(self) -> tuple[int, str]:
        """How many recalls could not be counted since the memory was opened, and why."""
        return self._recorder.lost, self._recorder.trouble

    def now(self) -> datetime:
        """The clock, in the user's zone."""
        return self.parts.clock()

    def _intake(self) -> Intake:
        return Intake(space=self.space, owner=self.parts.settings.owner, now=self.now())
