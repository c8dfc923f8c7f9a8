"""Which parts of nights a model was asked about, how often in vain, and which it gave up (N16).

A mark is made before a question is asked, so a run that is killed in the middle of it counts too
(case 60). The marks hold no words; the answers are kept beside them until their events were read.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from slowwave.ports import Store

__all__ = ["Attempt", "answers", "drop", "keep_answer", "mark", "marks", "stuck"]

LIST = "chunks"
"""The id under which the marks are kept, beside those of dreams."""

State = Literal["open", "done", "given_up"]


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one part so far: `attempts` failed with this `model`, the last for `reason`.

    `done`: it was answered. `given_up`: it is not asked about any more.
    """

    key: str
    events: tuple[str, ...]
    model: str
    attempts: int = 0
    reason: str = ""
    state: State = "open"


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
    """The parts that wait for a model, or were given up, in a fixed order."""
    return [one for one in marks(store, space).values() if one.state != "done"]


def _kept(key: str) -> str:
    return f"chunk-{key}"
