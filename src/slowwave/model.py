"""The nouns: everything that is handed from one room to the next. All of them are frozen.

Text offsets count Unicode code points of `Event.text`. Instants are aware datetimes; the offset
they carry is the speaker's own. JSON field names are those of the command-line contract.
"""

import hashlib
from base64 import b32encode
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

import msgspec

Role = Literal["user", "assistant", "tool", "system"]
EventKind = Literal["message", "tool_call", "tool_result", "note", "correction", "seed"]
Origin = Literal["owner", "agent", "other", "tool", "external", "system", "recalled"]
Kind = Literal[
    "profile", "preference", "project", "environment", "fact", "rule", "plan",
    "relationship", "quote", "emotion", "digest", "skill", "lesson",
]  # fmt: skip
Standing = Literal["standing", "dated", "temporary", "one_off"]
Status = Literal["candidate", "active", "cold", "retired", "quarantined"]
Unit = Literal["event", "memory"]
Relation = Literal[
    "same", "richer", "contradicts", "number_changed",
    "exception", "related_but_different", "unrelated", "different_subject",
]  # fmt: skip
DreamStatus = Literal["planned", "applied", "rejected", "rolled_back", "refused", "nothing_to_do"]
DreamMode = Literal["dry_run", "plan", "apply"]
When = str
"""ISO 8601: a day, or an instant with offset."""
Space = str
"""The name of one user's separate memory. Nothing ever crosses spaces."""
Vector = bytes
"""One signed byte per dimension, scaled so that the largest component is ±127."""
EMBEDDED_ORIGINS: tuple[Origin, ...] = ("owner", "agent", "other")
EMBEDDED_KINDS: tuple[EventKind, ...] = ("message", "note", "correction", "seed")
"""Events that get a vector: what people and the agent said. Tool traffic is found by words."""

USER = "user"
"""The subject of a memory about the space's owner."""


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


class Skipped(msgspec.Struct, frozen=True):
    """A damaged record that was left out: where it stood (1-based; 0 = whole file) and why."""

    line: int
    reason: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
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


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """An exact span of an event: `event.text[start:end] == quote`."""

    event_id: str
    quote: str
    start: int
    end: int
    ref: str | None = None
    ts: datetime | None = None
    speaker: str | None = None


class Claim(msgspec.Struct, frozen=True, kw_only=True):
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


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """A claim that was accepted, with its history counters. The contract's memory object."""

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


class _Change(msgspec.Struct, frozen=True, kw_only=True, tag_field="op"):
    """What all changes share. `after` is the memory as it will stand; `before` as it stood."""

    id: str
    memory_id: str
    after: Memory
    reason: str
    route: str = ""
    scores: dict[str, float] = {}
    evidence: tuple[Evidence, ...] = ()
    approved: bool | None = None

    @property
    def op(self) -> str:
        """The contract's name of the operation."""
        return str(self.__struct_config__.tag)


class Add(_Change, frozen=True, kw_only=True, tag="add"):
    """A memory that was not there."""

    before: None = None


class Update(_Change, frozen=True, kw_only=True, tag="update"):
    """A richer wording or changed metadata of a memory."""

    before: Memory


class Merge(_Change, frozen=True, kw_only=True, tag="merge"):
    """Another memory or claim that says the same was taken in."""

    before: Memory


class Confirm(_Change, frozen=True, kw_only=True, tag="confirm"):
    """The same was said again: one more piece of evidence, the text stays."""

    before: Memory


class Supersede(_Change, frozen=True, kw_only=True, tag="supersede"):
    """A newer memory took its place: dated, kept, no longer current (N12)."""

    before: Memory


class Demote(_Change, frozen=True, kw_only=True, tag="demote"):
    """To cold storage: out of ordinary recall, can be restored (N8)."""

    before: Memory


class Restore(_Change, frozen=True, kw_only=True, tag="restore"):
    """Back from cold or retired."""

    before: Memory


class Retire(_Change, frozen=True, kw_only=True, tag="retire"):
    """Its time is over: expired, or taken back."""

    before: Memory


class Collapse(_Change, frozen=True, kw_only=True, tag="collapse"):
    """Many versions of an unchanged core became one (N8)."""

    before: Memory


Change = Add | Update | Merge | Confirm | Supersede | Demote | Restore | Retire | Collapse


class Stage(msgspec.Struct, frozen=True, kw_only=True, rename={"came_in": "in", "went_out": "out"}):
    """One finished stage of a dream: how much came in, how much went out, seconds it took."""

    name: str
    came_in: int
    went_out: int
    duration_sec: float


class Gate(msgspec.Struct, frozen=True):
    """One gate's verdict on a plan."""

    name: str
    ok: bool
    detail: str


class ReasonCount(msgspec.Struct, frozen=True):
    """How many texts were refused for one reason."""

    reason: str
    count: int


class Dream(msgspec.Struct, frozen=True, kw_only=True):
    """One run that turned events into a plan of changes (N13's fields, and the plan itself)."""

    dream_id: str
    space: Space
    mode: DreamMode
    date: str
    run_at: datetime
    status: DreamStatus
    input_events: int = 0
    extracted_items: int = 0
    new_entries: int = 0
    updated_entries: int = 0
    merged_entries: int = 0
    archived_entries: int = 0
    confirmed_entries: int = 0
    rejected: tuple[ReasonCount, ...] = ()
    rejections: tuple[Rejected, ...] = ()
    duration_sec: float = 0.0
    model_used: str = "rules"
    preset: str = "balanced"
    stages: tuple[Stage, ...] = ()
    changes: tuple[Change, ...] = ()
    gates: tuple[Gate, ...] = ()
    event_ids: tuple[str, ...] = ()


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a memory and the change that made it."""

    memory: Memory
    change_id: str
    op: str
    dream_id: str
    recorded_at: datetime
    reason: str


class IndexRow(msgspec.Struct, frozen=True):
    """The words of one unit as the full-text index takes them (space-separated terms).

    `own` are the unit's own terms, `around` those with its neighbours (events only).
    """

    id: str
    own: str
    around: str = ""


class Scored(msgspec.Struct, frozen=True):
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


class Signal(msgspec.Struct, frozen=True, kw_only=True):
    """One recall that returned a memory: evidence that it matters (O9)."""

    memory_id: str
    ts: datetime
    query_hash: str
    score: float


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


def short_id(prefix: str, *parts: str) -> str:
    """`prefix` and 12 base32 characters (60 bits) of the SHA-256 of `parts`: short and stable."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return prefix + b32encode(digest).decode("ascii")[:12].lower()


def text_hash(text: str) -> str:
    """16 hex digits of the SHA-256 of a text: the key of duplicates (L5) and of cached vectors."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def day_of(ts: datetime, zone: tzinfo) -> date:
    """The user's day an instant falls on. The only place where instants become days (case 31)."""
    return ts.astimezone(zone).date()


def day_bounds(day: date, zone: tzinfo) -> tuple[datetime, datetime]:
    """First instant of a user's day and of the next one, safe over clock changes."""
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    after = day + timedelta(days=1)
    return start, datetime(after.year, after.month, after.day, tzinfo=zone)
