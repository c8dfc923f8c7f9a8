"""Taking out events by themselves: what a program deletes that knows them by their ids.

Forgetting a fact looks for everything that states it. A key that is deleted is no fact: the same
words under another key, or said by a person, stay. So there is no signature to search by, and
nothing but these very events is kept from coming back.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime

import msgspec

from slowwave.model import (
    Erased,
    Event,
    Purge,
    Receipt,
    Redaction,
    Removed,
    Space,
    Tombstone,
    short_id,
)
from slowwave.ports import Store
from slowwave.text.signature import identity_hash

__all__ = ["take_out"]


def take_out(
    store: Store, space: Space, ids: Sequence[str], now: datetime, onto: Erased | None = None
) -> Erased | None:
    """Takes these events out, and what rests on them alone; None when none of them is there.

    One transaction. `onto` is an earlier one that this goes on with: one tombstone, one receipt.
    """
    events = list(store.events_by_id(space, ids).values())
    if not events:
        return None
    erased = _joined(onto, events) if onto else _first(space, events, now)
    redactions = tuple(
        Redaction(event_id=one.id, text=one.text, cuts=((0, len(one.text)),)) for one in events
    )
    purge = Purge(
        space=space, redactions=redactions, memory_ids=frozenset(), needles=(), erased=erased
    )
    return store.erase(purge)


def _first(space: Space, events: Sequence[Event], now: datetime) -> Erased:
    salt = secrets.token_hex(16)
    tombstone = Tombstone(
        id=short_id("r", space, salt), space=space, forgotten_at=now, before=now, salt=salt,
        whole=(), terms=(),
    )  # fmt: skip
    receipt = Receipt(
        id=tombstone.id, space=space, forgotten_at=now, removed=Removed(), event_ids=(),
        memory_ids=(), tombstone=tombstone,
    )  # fmt: skip
    return Erased(receipt=receipt, identities=_identities(salt, events))


def _joined(onto: Erased, events: Sequence[Event]) -> Erased:
    more = _identities(onto.receipt.tombstone.salt, events)
    return msgspec.structs.replace(onto, identities=tuple(sorted({*onto.identities, *more})))


def _identities(salt: str, events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(sorted(identity_hash(salt, event.identity) for event in events))
