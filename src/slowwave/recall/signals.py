"""Recall signals: that a memory was found is evidence that it matters (O9).

Counting never makes an answer wait: the `Recorder` writes behind its back. What counts is what a
person or an agent asked for; of what one agent asks in one session, a memory is found once a day,
however many turns the talk has. Otherwise a loop that asks the same thing each turn, in the same
words or in others, would look like many questions (O8, query diversity).
"""

import atexit
import os
import threading
from collections import deque
from collections.abc import Sequence
from datetime import UTC, date, datetime

import msgspec

from slowwave.errors import SlowwaveError
from slowwave.model import Caller, Hit, Signal, day_of, text_hash
from slowwave.ports import Store
from slowwave.text.noise import noise_reason
from slowwave.text.segment import fold

__all__ = ["Recalled", "Recorder", "asks", "counts", "recalled", "record"]

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

MOST_WAITING = 10_000
"""Recalls that wait to be counted; beyond them a recall is counted as lost. The store takes some
thousand a second, so it must have stood still for a while."""


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
    where it names none, once a day by each question. Raises StoreError.
    """
    new = [signal for one in recalls if counts(one.caller) for signal in _signals(one)]
    agents = sorted({signal.memory_id for signal in new if signal.caller == "agent"})
    # A stored moment has lost its zone; the days are those of the one who asks.
    zone = (recalls[-1].ts.tzinfo or UTC) if recalls else UTC
    known = store.signals(space, agents) if agents else []
    seen = {_once(signal, day_of(signal.ts, zone)) for signal in known if signal.caller == "agent"}
    kept: list[Signal] = []
    for signal in new:
        key = _once(signal, day_of(signal.ts, zone))
        if signal.caller == "agent" and key in seen:
            continue
        seen.add(key)
        kept.append(signal)
    if kept:
        store.record_signals(space, kept)
    return len(kept)


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


class Recorder:
    """Counts the recalls of a space behind the answers' back, in the order they came.

    Safe from several threads. Its thread starts with the first recall that waits and ends with the
    last: where nothing is counted there is none. What cannot be written is passed over and added
    to `lost`, with the reason in `trouble`. After a fork the child starts with nothing: what
    waited is its parent's to write.
    """

    def __init__(self, store: Store, space: str) -> None:
        self._store = store
        self._space = space
        self._renew()

    def _renew(self) -> None:
        self._pid = os.getpid()
        self._changed = threading.Condition()
        self._waiting: deque[Recalled] = deque()
        self._at_work = False
        self._begun = False
        self.lost = 0
        self.trouble = ""

    def note(self, one: Recalled) -> None:
        """Takes a recall to be counted; returns at once."""
        if self._pid != os.getpid():
            self._renew()
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                self._lose(1, "too many recalls wait to be counted")
                return
            self._waiting.append(one)
            if not self._begun:
                # For whoever forgets to close: a daemon's work would end with the process.
                atexit.register(self.flush)
                self._begun = True
            if not self._at_work:
                self._start()

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name="signals", daemon=True)
        self._at_work = True
        try:
            thread.start()
        except RuntimeError:  # no more threads: `flush` will do it
            self._at_work = False

    def flush(self) -> None:
        """Waits until all that was noted is written, or lost."""
        if self._pid != os.getpid():
            self._renew()
        with self._changed:
            while self._at_work:
                self._changed.wait()
            if not self._waiting:
                return
            self._at_work = True
        self._work()

    def close(self) -> None:
        """As `flush`, for the last time."""
        self.flush()
        if self._begun:
            atexit.unregister(self.flush)
            self._begun = False

    def _work(self) -> None:
        try:
            while batch := self._next():
                try:
                    record(self._store, self._space, batch)
                except SlowwaveError as error:
                    with self._changed:
                        self._lose(len(batch), error.message)
        except BaseException:
            with self._changed:
                self._at_work = False
                self._changed.notify_all()
            raise

    def _next(self) -> list[Recalled]:
        """All that wait; where there are none, the work is done."""
        with self._changed:
            batch = list(self._waiting)
            self._waiting.clear()
            if not batch:
                self._at_work = False
                self._changed.notify_all()
            return batch

    def _lose(self, recalls: int, why: str) -> None:
        self.lost += recalls
        self.trouble = why
