"""Where the record of each call goes, and the answers in quarantine."""

from typing import Protocol

from slowwave.model import ModelCall, RawAnswer, Space
from slowwave.ports import Store

__all__ = ["Audit", "Collected", "StoreAudit"]


class Audit(Protocol):
    """Told of every call, when it is over, and of every answer that could not be used."""

    def call(self, call: ModelCall) -> None:
        """Keeps what was asked, without the words."""

    def unusable(self, answer: RawAnswer) -> None:
        """Keeps an answer as it came."""


class Collected:
    """Keeps the record in this process: for a dry run, which stores nothing, and for tests."""

    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self.answers: list[RawAnswer] = []

    def call(self, call: ModelCall) -> None:
        """Keeps what was asked."""
        self.calls.append(call)

    def unusable(self, answer: RawAnswer) -> None:
        """Keeps an answer as it came."""
        self.answers.append(answer)


class StoreAudit:
    """Writes the record to the store, call by call: a dream that is killed has told all it spent.

    Answers are kept for `days` (0: for ever). Raises StoreError.
    """

    def __init__(self, store: Store, space: Space, days: int = 0) -> None:
        self._store = store
        self._space = space
        self._days = days

    def call(self, call: ModelCall) -> None:
        """Keeps what was asked."""
        self._store.record_calls(self._space, [call])

    def unusable(self, answer: RawAnswer) -> None:
        """Keeps an answer as it came."""
        self._store.record_calls(self._space, [], [answer], self._days)
