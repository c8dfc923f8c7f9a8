"""Which parts of nights a model was asked about, how often in vain, and which it gave up (N16).

A mark is made before a question is asked, so a run that is killed in the middle of it counts too
(case 60). The marks hold no words; the answers are kept beside them until their events were read.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from slowwave.ports import Store

__all__ = [
    "Attempt",
    "answers",
    "close_account",
    "closed_account",
    "drop",
    "drop_account",
    "keep_answer",
    "mark",
    "marks",
    "stuck",
]

LIST = "chunks"
"""The id under which the marks are kept, beside those of dreams."""

CLOSED = "closed"

State = Literal["open", "done", "given_up"]


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one part so far: `attempts` failed with this `model`, the last for `reason`.

    `done`: it was answered. `given_up`: it is not asked about any more. `again`: of a day that is
    read again, the day; its events were read before.
    """

    key: str
    events: tuple[str, ...]
    model: str
    attempts: int = 0
    reason: str = ""
    state: State = "open"
    again: str = ""


def marks(store: Store, space: str) -> dict[str, Attempt]:
    """All marks of a space by the keys of their parts; what another version wrote is left out."""
    found: dict[str, Attempt] = {}
    for key, payload in sorted(store.stages(space, LIST).items()):
        try:
            found[key] = msgspec.json.decode(payload, type=Attempt)
        except msgspec.MsgspecError:
            continue
    return found


def mark(store: Store, space: str, attempt: Attempt) -> None:
    """Keeps a mark, in the place of an earlier one of the same part."""
    store.put_stage(space, LIST, attempt.key, msgspec.json.encode(attempt))


def answers(store: Store, space: str, key: str) -> dict[str, bytes]:
    """What is kept of a part, by what was asked and whom."""
    return store.stages(space, _kept(key))


def keep_answer(store: Store, space: str, key: str, asked: str, payload: bytes) -> None:
    """Keeps what came of an answer: it is paid for, and not asked for again."""
    store.put_stage(space, _kept(key), asked, payload)


def drop(store: Store, space: str, keys: Iterable[str]) -> None:
    """Forgets parts whose events were read, with all that was kept of them."""
    gone = frozenset(keys)
    if not gone:
        return
    kept = [one for key, one in marks(store, space).items() if key not in gone]
    for key in sorted(gone):
        store.drop_stages(space, _kept(key))
    store.drop_stages(space, LIST)
    for one in kept:
        mark(store, space, one)


def stuck(store: Store, space: str) -> Sequence[Attempt]:
    """The parts that wait to be read, or were given up, in a fixed order.

    A part that another reader, such as the rules, has read meanwhile is none.
    """
    left = [one for one in marks(store, space).values() if one.state != "done" and not one.again]
    if not left:
        return []
    unread = {event.id for event in store.undreamed(space, None, None)}
    return [one for one in left if not unread.isdisjoint(one.events)]


def close_account(store: Store, space: str, dream_id: str, now: datetime) -> None:
    """Notes that a run of a dream came to its end: what it spent is not on the next one's account.

    A run that has read no event to its end leaves no plan, and the next one has the same id.
    """
    store.put_stage(space, _account(dream_id), CLOSED, msgspec.json.encode(now))


def closed_account(store: Store, space: str, dream_id: str) -> datetime | None:
    """When the last run of a dream came to its end; None where none did, or it was killed."""
    payload = store.stages(space, _account(dream_id)).get(CLOSED)
    try:
        return None if payload is None else msgspec.json.decode(payload, type=datetime)
    except msgspec.MsgspecError:
        return None


def drop_account(store: Store, space: str, dream_id: str) -> None:
    """Forgets the account of a dream in which nothing waits any more."""
    store.drop_stages(space, _account(dream_id))


def _account(dream_id: str) -> str:
    return f"account-{dream_id}"


def _kept(key: str) -> str:
    return f"chunk-{key}"
