"""What every part of the front door stands on: the parts of one space of one home."""

from datetime import datetime

from slowwave.capture.envelope import Intake
from slowwave.parts import Parts


class Base:
    """One space of one home: its store, its settings and its clock."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.space = parts.settings.space
        self._store = parts.store

    def close(self) -> None:
        """Waits for writes under way and closes the store."""
        self._store.close()

    def now(self) -> datetime:
        """The clock, in the user's zone."""
        return self.parts.clock()

    def _intake(self) -> Intake:
        return Intake(space=self.space, owner=self.parts.settings.owner, now=self.now())
