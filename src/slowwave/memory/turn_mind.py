"""The model that reads turns beside the rules: asked once, behind the answer, never in its way.

Whoever closes the memory does not wait for it, and a model that failed is left alone for a while:
the rules read meanwhile, or the turns wait, as `[model] fallback` says.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from threading import Lock
from typing import TYPE_CHECKING

import msgspec

from slowwave.errors import ModelBusy, ModelError, ModelTimeout, ModelUnreachable, SlowwaveError
from slowwave.memory.thinking import mind_of
from slowwave.model import Ask, Event, ModelCall, Reply
from slowwave.parts import Parts
from slowwave.ports import LanguageModel, Wrapped

if TYPE_CHECKING:
    from slowwave.dream.cycle.desk import Mind
    from slowwave.modelling import Asker

__all__ = ["Reader", "TurnMind"]

FIRST_REST, LONGEST_REST = 60.0, 900.0
"""Seconds that a model is left alone after it failed: doubled each time, up to the longest."""

Away = Callable[[], AbstractContextManager[None]]


class Reader(msgspec.Struct, frozen=True):
    """Who reads turns now. Without `mind` the rules; `waits`: nobody may, for this reason.

    `note` tells why the rules read alone though a model should.
    """

    mind: "Mind | None" = None
    note: str = ""
    waits: str = ""


class TurnMind:
    """Picks who reads the next turns, and remembers how the model fared. Safe between threads.

    `away` is entered while the model is asked: who closes does not wait for that. `now` counts
    seconds.
    """

    def __init__(self, parts: Parts, away: Away, now: Callable[[], float] = time.monotonic) -> None:
        self._parts = parts
        self._away = away
        self._now = now
        self._lock = Lock()
        self._until = 0.0
        self._pause = FIRST_REST
        self._trouble = ""

    def reader(self) -> Reader:
        """Who reads now."""
        settings = self._parts.settings.model
        trouble = self.resting
        try:
            mind = mind_of(self._parts, None, dry=False)
        except SlowwaveError as error:  # not set, or not to be asked
            mind, trouble = None, error.message
        if not trouble:
            return Reader(mind and self._for_turns(mind))
        if settings.distiller == "rules":
            return Reader()
        if settings.fallback == "rules":
            return Reader(note=f"read by the rules alone: {trouble}")
        return Reader(waits=trouble)

    @property
    def resting(self) -> str:
        """Why the model is not asked just now; "" when it may be."""
        with self._lock:
            return self._trouble if self._now() < self._until else ""

    def fared(self, error: ModelError | None) -> None:
        """Notes how a question went."""
        with self._lock:
            if not isinstance(error, ModelUnreachable | ModelBusy | ModelTimeout):
                self._until, self._pause, self._trouble = 0.0, FIRST_REST, ""
                return
            asked = error.retry_after if isinstance(error, ModelBusy) else None
            pause = min(max(self._pause, asked or 0.0), LONGEST_REST)
            self._until = self._now() + pause
            self._pause = min(2 * self._pause, LONGEST_REST)
            self._trouble = error.message

    def _for_turns(self, mind: "Mind") -> "Mind":
        begin = mind.asker
        assert begin is not None

        def asker(dream_id: str, before: Sequence[ModelCall], events: Sequence[Event]) -> "Asker":
            found = begin(dream_id, before, events)
            found.once = True
            found.model = _Watched(found.model, self)
            return found

        return replace(mind, asker=asker, at_once=True, tells=False)

    def away(self) -> AbstractContextManager[None]:
        """Around a question."""
        return self._away()


class _Watched(Wrapped):
    """A model of which it is noted how each question went."""

    def __init__(self, model: LanguageModel, mind: TurnMind) -> None:
        super().__init__(model)
        self._mind = mind

    def complete(self, ask: Ask) -> Reply:
        """As `LanguageModel.complete`, with nothing of ours held meanwhile."""
        with self._mind.away():
            try:
                reply = self._model.complete(ask)
            except ModelError as error:
                self._mind.fared(error)
                raise
        self._mind.fared(None)
        return reply
