"""A memory for tests: nothing on disk, a clock that stands still, vectors without a model."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from slowwave.library import Memory, Moment
from slowwave.library.ephemeral import open_ephemeral
from slowwave.library.given import moment
from slowwave.ports import Embedder, LanguageModel
from slowwave.settings import zone_of
from slowwave.testing.embedder import HashingEmbedder

__all__ = ["FrozenMemory"]

MONDAY = "2026-03-02T09:00:00"


class FrozenMemory(Memory):
    """`Memory.ephemeral` whose clock stands at `now` until `advance` moves it.

    `now`: without an offset it is in the zone `tz`. `settings` is a table as in `slowwave.toml`;
    neither files nor the environment are read. `embedder` is by default one that needs no model:
    texts are near each other that share letters (`HashingEmbedder`). The same calls give the same
    answers, but for the ids of events that were logged without a `ts`. Raises SettingsError.

        with FrozenMemory("2026-03-02T09:00", tz="Europe/Brussels") as memory:
            memory.log("I moved to Ghent")
            memory.advance(days=1)
            memory.dream(apply=True)  # of yesterday
    """

    def __init__(
        self,
        now: Moment = MONDAY,
        *,
        tz: str = "UTC",
        settings: Mapping[str, Any] | None = None,
        embedder: Embedder | None = None,
        model: LanguageModel | None = None,
    ) -> None:
        self._at = moment(now, zone_of(tz))
        table = {"tz": tz, **(settings or {})}
        front = open_ephemeral(
            table, clock=lambda: self._at, embedder=embedder or HashingEmbedder(), model=model
        )
        self._hold(front)

    def advance(self, by: timedelta | None = None, *, days: float = 0, hours: float = 0,
                minutes: float = 0) -> datetime:  # fmt: skip
        """Moves the clock on; returns what it shows now, in the user's zone."""
        step = timedelta(days=days, hours=hours, minutes=minutes)
        return self.stand_at(self.now() + step + (by or timedelta()))

    def stand_at(self, now: Moment) -> datetime:
        """Sets the clock, also back; returns what it shows now, in the user's zone."""
        self._at = moment(now, self.now().tzinfo)
        return self.now()
