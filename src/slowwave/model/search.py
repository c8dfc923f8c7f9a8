"""What recall hands around: index rows, scores, hits, signals, and the size of a space."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

import msgspec

from slowwave.model.basics import Unit, When


class IndexRow(msgspec.Struct, frozen=True):
    """The words of one unit as the full-text index takes them (space-separated terms).

    `own` are the unit's own terms, `around` those with its neighbours (events only).
    """

    id: str
    own: str
    around: str = ""


class Scored(msgspec.Struct, frozen=True, gc=False):
    """A unit found by one index, with that index's raw score (higher is better)."""

    id: str
    score: float


class Embeddable(msgspec.Struct, frozen=True):
    """A unit that still needs a vector."""

    id: str
    text: str


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One search result: the contract's hit. `refs` are source references, best first."""

    id: str
    type: Unit
    kind: str
    text: str
    score: float
    ts: datetime
    valid_from: When | None = None
    valid_to: When | None = None
    status: str = ""
    subject: str = ""
    speaker: str | None = None
    session: str = ""
    refs: tuple[str, ...] = ()
    scores: dict[str, float] = {}


FLOOR = 0.25
"""Score below which a hit is not sure to answer the question."""
BESIDE_THE_BEST = 0.5
"""Share of the best score below which a hit is not sure to, either."""


def sure_and_weak(hits: Sequence[Hit]) -> tuple[list[Hit], list[Hit]]:
    """The hits that are sure enough to be shown as answers, and the others; best first."""
    least = max(FLOOR, BESIDE_THE_BEST * hits[0].score) if hits else FLOOR
    sure = [hit for hit in hits if hit.score >= least]
    return sure, list(hits[len(sure) :])


Caller = Literal["person", "agent", "job", "evaluation"]
"""Who asks: somebody at a keyboard, an agent for its prompt, something scheduled, a measurement."""


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """One recall that returned a memory: evidence that it matters (O9).

    `session` is the conversation in which it was asked, where that is known.
    """

    memory_id: str
    ts: datetime
    query_hash: str
    score: float
    session: str = ""
    caller: Caller = "person"


class Counts(msgspec.Struct, frozen=True, kw_only=True):
    """How much a space holds."""

    events: int
    sessions: int
    memories: dict[str, int]
    dreams: int
    undreamed_events: int
    unindexed_events: int
    vectors: int
    first_event: datetime | None
    last_event: datetime | None
