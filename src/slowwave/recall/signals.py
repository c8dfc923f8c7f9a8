"""Recall signals: that a memory was found is evidence that it matters (O9).

Counting never makes an answer wait: the `recorder` writes behind its back. What counts is what a
person or an agent asked for; of what one agent asks in one session, a memory is found once a day,
however many turns the talk has. Otherwise a loop that asks the same thing each turn, in the same
words or in others, would look like many questions (O8, query diversity).
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, tzinfo

import msgspec

from slowwave.model import Caller, Hit, Signal, day_of, text_hash
from slowwave.ports import Store
from slowwave.text.noise import noise_reason
from slowwave.text.segment import fold

__all__ = ["Recalled", "asks", "counts", "recalled", "record"]

NOT_ASKED = frozenset(
    {"blank", "no words", "recalled", "control word", "heartbeat", "greeting", "acknowledgement"}
)
"""Texts that ask for nothing: what they happen to find is no evidence. A timer that looks in every
hour would otherwise outvote whatever people ask for."""

BESIDE_THE_BEST = 0.6
"""Share of the best hit's score from which a hit was found, and not only listed below it. In a
small home every question lists everything."""

COUNTED: frozenset[Caller] = frozenset({"person", "agent"})
"""Who uses what he finds. A scheduled job and a measurement ask without needing the answer."""


class Recalled(msgspec.Struct, frozen=True, kw_only=True):
    """One recall that is to be counted: the memories it found, by id with their scores."""

    text: str
    ts: datetime
    found: tuple[tuple[str, float], ...]
    session: str = ""
    caller: Caller = "person"


def asks(text: str) -> bool:
    """Whether a text asks for anything."""
    return noise_reason(text) not in NOT_ASKED


def counts(caller: Caller) -> bool:
    """Whether what this one finds is evidence."""
    return caller in COUNTED


def recalled(
    text: str, hits: Sequence[Hit], ts: datetime, *, session: str = "", caller: Caller = "person"
) -> Recalled:
    """What of `hits` was found: the memories that come near the best hit (`BESIDE_THE_BEST`)."""
    least = BESIDE_THE_BEST * max((hit.score for hit in hits), default=0.0)
    found = tuple(
        (hit.id, hit.score) for hit in hits if hit.type == "memory" and hit.score >= least
    )
    return Recalled(text=text, ts=ts, found=found, session=session, caller=caller)


def record(store: Store, space: str, recalls: Sequence[Recalled]) -> int:
    """Records one signal for each memory that each recall found; returns how many.

    Only what asks for something counts, by one who `counts`. Questions that differ only in case,
    width or spacing are one question. An agent finds a memory once a day in each of its sessions;
    where it names none, once a day by each question; however many processes it asks through.
    Raises StoreError.
    """
    new = [signal for one in recalls if counts(one.caller) for signal in _signals(one)]
    if not new:
        return 0
    if all(signal.caller != "agent" for signal in new):
        return store.record_signals(space, new)
    # A stored moment has lost its zone; the days are those of the one who asks.
    zone = recalls[-1].ts.tzinfo or UTC
    return store.record_signals(space, new, lambda known, new: _not_said_yet(known, new, zone))


def _not_said_yet(known: Sequence[Signal], new: Sequence[Signal], zone: tzinfo) -> list[Signal]:
    seen = {_once(signal, day_of(signal.ts, zone)) for signal in known if signal.caller == "agent"}
    kept: list[Signal] = []
    for signal in new:
        key = _once(signal, day_of(signal.ts, zone))
        if signal.caller == "agent":
            if key in seen:
                continue
            seen.add(key)
        kept.append(signal)
    return kept


def _signals(one: Recalled) -> list[Signal]:
    if not one.found or not asks(one.text):
        return []
    query_hash = text_hash(" ".join(fold(one.text).split()))
    return [
        Signal(
            memory_id=memory_id, ts=one.ts, query_hash=query_hash, score=score,
            session=one.session, caller=one.caller,
        )
        for memory_id, score in one.found
    ]  # fmt: skip


def _once(signal: Signal, day: date) -> tuple[str, str, str, date]:
    """What an agent's signal stands for; a second one of the same adds nothing."""
    question = "" if signal.session else signal.query_hash
    return signal.memory_id, signal.session, question, day
