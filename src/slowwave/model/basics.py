"""The words that all nouns share: names of roles, kinds and statuses, ids, and the user's day."""

import hashlib
from base64 import b32encode
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal

from slowwave.errors import UsageError

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
DreamStatus = Literal[
    "planned", "approved", "applied", "rejected", "rolled_back", "refused", "nothing_to_do"
]
DreamMode = Literal["dry_run", "plan", "apply"]
DreamBy = Literal["night", "person", "rollback", "turn", "refinement"]
"""Who made a change set: the night, a person (a command, an edit in the vault), an undoing, one
turn of a conversation as soon as it was over, or a day that was read again."""
READERS: frozenset[DreamBy] = frozenset({"night", "turn"})
"""Those that learn from events: what these open and close follows from what was said."""
Phase = Literal["light", "rem"]
When = str
"""ISO 8601: a day, or an instant with offset."""
Space = str
"""The name of one user's separate memory. Nothing ever crosses spaces."""
Vector = bytes
"""One signed byte per dimension, scaled so that the largest component is ±127.

A text of several parts may have one direction per part, one after the other: then a stored vector
is a whole multiple of the embedder's dimensions long. A question has one direction, and a unit is
as near to it as the nearest of its own.
"""
EMBEDDED_ORIGINS: tuple[Origin, ...] = ("owner", "agent", "other")
EMBEDDED_KINDS: tuple[EventKind, ...] = ("message", "note", "correction", "seed")
"""Events that get a vector: what people and the agent said. Tool traffic is found by words."""

USER = "user"
"""The subject of a memory about the space's owner."""


def subject_of(given: str) -> str:
    """A subject as it is kept: people say `you` where a memory says `user`."""
    return USER if given.casefold() == "you" else given


def short_id(prefix: str, *parts: str) -> str:
    """`prefix` and 12 base32 characters (60 bits) of the SHA-256 of `parts`: short and stable."""
    digest = hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).digest()
    return prefix + b32encode(digest).decode("ascii")[:12].lower()


def text_hash(text: str) -> str:
    """16 hex digits of the SHA-256 of a text: the key of duplicates (L5) and of cached vectors."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def clock_zone(now: datetime) -> tzinfo:
    """The user's zone, which every clock reading carries. Raises UsageError for one without."""
    if now.tzinfo is None:
        raise UsageError("the clock has no time zone", "give --now with an offset")
    return now.tzinfo


def day_of(ts: datetime, zone: tzinfo) -> date:
    """The user's day an instant falls on. The only place where instants become days (case 31)."""
    return ts.astimezone(zone).date()


def day_bounds(day: date, zone: tzinfo) -> tuple[datetime, datetime]:
    """First instant of a user's day and of the next one, safe over clock changes."""
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    after = day + timedelta(days=1)
    return start, datetime(after.year, after.month, after.day, tzinfo=zone)
