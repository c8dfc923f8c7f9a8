"""What is believed: claims, and the memories they become.

None of these can be part of a cycle (frozen, of plain values), so the collector need not walk
them: thousands are there at once (`gc=False`).
"""

from datetime import datetime

import msgspec

from slowwave.model.basics import Kind, Standing, Status, When
from slowwave.model.event import Evidence


class Claim(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One atomic statement distilled from events. Only a proposal.

    `importance` is 0–100 in the bands of N9, `confidence` 0–1. `rule` names what produced it.
    """

    kind: Kind
    subject: str
    text: str
    evidence: tuple[Evidence, ...]
    entities: tuple[str, ...] = ()
    importance: int = 50
    confidence: float = 0.5
    standing: Standing = "standing"
    negated: bool = False
    valid_from: When | None = None
    valid_to: When | None = None
    rule: str = ""
    seed: bool = False


class Rejected(msgspec.Struct, frozen=True):
    """A text that did not become a claim or a change, with the stage that refused it and why."""

    stage: str
    reason: str
    text: str
    event_id: str = ""


class Memory(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A claim that was accepted, with its history counters. The contract's memory object.

    `conflicts_with` names memories that cannot hold together with this one and of which nobody
    could tell which holds. `undone`: the dream that added it was rolled back, so it is only kept
    for the record; it is `retired`, never listed and never recalled.
    """

    id: str
    kind: Kind
    subject: str
    title: str
    text: str
    entities: tuple[str, ...]
    importance: int
    confidence: float
    status: Status
    standing: Standing
    negated: bool
    evidence: tuple[Evidence, ...]
    dream_id: str
    first_seen: datetime
    last_seen: datetime
    pinned: bool = False
    valid_from: When | None = None
    valid_to: When | None = None
    mention_count: int = 1
    last_access: datetime | None = None
    access_count: int = 0
    expires_at: When | None = None
    version: int = 1
    superseded_by: str | None = None
    conflicts_with: tuple[str, ...] = ()
    undone: bool = False
