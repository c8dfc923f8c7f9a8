"""The audit of a model in the store of dictionaries."""

from collections.abc import Sequence
from datetime import datetime
from threading import RLock

from slowwave.adapters.store import quarantine
from slowwave.adapters.store.shelf import Shelf
from slowwave.model import ModelCall, RawAnswer


class Calls:
    """The part of the store that keeps what was asked of a model."""

    _lock: RLock

    def _at(self, space: str) -> Shelf:
        raise NotImplementedError

    def record_calls(
        self,
        space: str,
        calls: Sequence[ModelCall],
        answers: Sequence[RawAnswer] = (),
        days: int = 0,
    ) -> None:
        """Keeps what was asked of a model, and answers that could not be used."""
        with self._lock:
            here = self._at(space)
            here.calls.extend(calls)
            kept = quarantine.admitted(answers, list(here.erased.values()))
            here.answers.update({one.id: one for one in kept})
            oldest = quarantine.oldest_kept(answers, days)
            if oldest is not None:
                here.answers = {key: one for key, one in here.answers.items() if one.ts >= oldest}

    def model_calls(self, space: str, since: datetime | None = None) -> list[ModelCall]:
        """What was asked of models at or after a moment (None = ever), oldest first."""
        with self._lock:
            kept = [one for one in self._at(space).calls if since is None or one.ts >= since]
        return sorted(kept, key=lambda one: one.ts)

    def raw_answers(self, space: str, since: datetime | None = None) -> list[RawAnswer]:
        """The answers in quarantine from a moment on (None = all), oldest first."""
        with self._lock:
            kept = [one for one in self._at(space).answers.values()
                    if since is None or one.ts >= since]  # fmt: skip
        return sorted(kept, key=lambda one: (one.ts, one.id))
