"""What comes in: raw records, the events of the journal, and exact spans of them."""

from datetime import datetime

import msgspec

from slowwave.model.basics import EventKind, Origin, Role, Space


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One raw record as an importer or a caller hands it in. Nothing is checked yet.

    `source` names where it comes from so that copies of one source agree (`openclaw:main/<id>`,
    never a path). `key` is the foreign id, unique within the source: the same source and key is
    the same event, the first one wins. Without a key the content decides.
    """

    text: str
    source: str
    key: str | None = None
    ref: str | None = None
    ts: datetime | None = None
    role: Role = "user"
    kind: EventKind = "message"
    origin: Origin | None = None
    session: str = ""
    speaker: str | None = None
    channel: str | None = None
    meta: dict[str, str] = {}
    line: int = 0


SAID_BY_HAND = "by-hand"
"""The source of what a person says for a change of the memory by hand: that change decides what
becomes of it, no night does."""


SAID_IN_TURN = "turn"
"""The source of the messages of a finished turn. Those that no dream has read are the queue of what
is still to be learned in real time; the messages of one turn have the same `TURN_ID` in `meta`."""
TURN_ID = "turn"


class Skipped(msgspec.Struct, frozen=True):
    """A damaged record that was left out: where it stood (1-based; 0 = whole file) and why."""

    line: int
    reason: str


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One raw record of what happened, as the journal keeps it. Never changed.

    `seq` is the place in the journal (0 until stored). `identity` decides duplicates.
    """

    id: str
    space: Space
    identity: str
    ts: datetime
    role: Role
    kind: EventKind
    origin: Origin
    text: str
    source: str
    session: str = ""
    speaker: str | None = None
    channel: str | None = None
    ref: str | None = None
    meta: dict[str, str] = {}
    seq: int = 0


class Appended(msgspec.Struct, frozen=True):
    """What an append did: the events that are new and durable now, and how many were known."""

    stored: tuple[Event, ...]
    duplicates: int


class Evidence(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """An exact span of an event: `event.text[start:end] == quote`."""

    event_id: str
    quote: str
    start: int
    end: int
    ref: str | None = None
    ts: datetime | None = None
    speaker: str | None = None
