"""Upkeep: what must be remembered to go on working, and what was forgotten for good."""

from datetime import datetime
from typing import Literal

import msgspec

from slowwave.model.basics import Space
from slowwave.model.event import Event

WorkState = Literal["open", "done", "stalled"]

Span = tuple[int, int]
"""Code points from the first to behind the last."""


class WorkItem(msgspec.Struct, frozen=True, kw_only=True):
    """An open project, to-do, half-read article or pending decision (N2).

    `touched` is when it was last spoken of; `event_id` the event that opened it; `due` the day it
    was to be done by, where one was named.
    """

    id: str
    text: str
    state: WorkState
    opened: datetime
    touched: datetime
    event_id: str = ""
    closed_by: str = ""
    due: str = ""


class Tombstone(msgspec.Struct, frozen=True, kw_only=True):
    """The signature of something forgotten: it cannot be read back, but its return is known.

    `whole` holds a salted hash of each forgotten statement, `terms` a bag of salted hashes of its
    terms (`text.signature`; left out of receipts); `salt` is hexadecimal. Evidence said up to
    `before` may not bring it back, a later statement may (N20).
    """

    id: str
    space: Space
    forgotten_at: datetime
    before: datetime
    salt: str
    whole: tuple[str, ...]
    terms: tuple[str, ...]


class Removed(msgspec.Struct, frozen=True, kw_only=True):
    """How much a forgetting removed, place by place."""

    events: int = 0
    memories: int = 0
    versions: int = 0
    vectors: int = 0
    files: int = 0


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """The proof of a forgetting. It holds ids and salted hashes, never the words."""

    id: str
    space: Space
    forgotten_at: datetime
    removed: Removed
    event_ids: tuple[str, ...]
    memory_ids: tuple[str, ...]
    tombstone: Tombstone


class Redaction(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to one event: spans are cut from it, or all of it is taken out.

    `text` is what it said; `remains` the event that takes its place in the journal, None when
    nothing does.
    """

    event_id: str
    text: str
    cuts: tuple[Span, ...] = ()
    remains: Event | None = None


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """A forgetting as the store keeps it, without the words.

    `identities` are salted hashes of what decided duplicates of the events that were taken out:
    the same log read again brings none of them back. Until it is `finished`, old bytes may stand
    in free pages, copies and files.
    """

    receipt: Receipt
    identities: tuple[str, ...] = ()
    finished: bool = False


class Purge(msgspec.Struct, frozen=True, kw_only=True):
    """What a store is to forget in one transaction. It holds the words: it is never stored.

    Whatever holds one of `needles` (normal forms of letters and digits) or `literals` (normal
    forms with punctuation) goes as well. `erased` is kept; the store fills in the ids and counts.
    """

    space: Space
    redactions: tuple[Redaction, ...]
    memory_ids: frozenset[str]
    needles: tuple[str, ...]
    literals: tuple[str, ...] = ()
    erased: Erased


class StoredText(msgspec.Struct, frozen=True):
    """A text that a store holds: where, of which event or memory, and when it was last said."""

    where: str
    id: str
    text: str
    said: datetime | None = None


class Left(msgspec.Struct, frozen=True):
    """Words that were found in a file and left there; line 0 is its name."""

    path: str
    line: int
