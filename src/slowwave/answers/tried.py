"""Answers of the trial (X8)."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from slowwave.memory import SlowMemory
from slowwave.model import Injection, Verdict
from slowwave.parts import Judged
from slowwave.trial import Report, Trial, decided

__all__ = [
    "Begun", "Ended", "Item", "Judgement", "Replayed", "Report", "Standing", "Waiting",
    "begun", "ended", "replayed", "standing", "waiting",
]  # fmt: skip


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a trial runs, from when until when, and how many questions it has seen."""

    running: bool
    started: datetime | None
    until: datetime | None
    questions: int


class Begun(Standing, frozen=True, kw_only=True):
    """A trial that was started; `was_running`: it ran before, and has a new end."""

    was_running: bool


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """A trial that was stopped; not `stopped`: none ran."""

    stopped: bool
    running: bool
    started: datetime | None
    until: datetime | None
    questions: int


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """How many questions were replayed, how many would have got something, how many items."""

    questions: int
    answered: int
    items: int


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """What was found for a question: its words, what they are, and where they come from."""

    id: str
    type: str
    what: str
    text: str
    ts: datetime
    refs: tuple[str, ...]


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """An item that a person may judge; `injected`: it would have gone into the prompt."""

    id: str
    query: str
    asked: datetime
    session: str
    injected: bool
    score: float
    item: Item


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """What a person said of an item."""

    id: str
    verdict: Verdict


def standing(memory: SlowMemory, found: Trial | None) -> Standing:
    """How a trial stands, in the user's zone."""
    now = memory.now()
    return Standing(
        running=found is not None and found.runs(now),
        started=found.started.astimezone(now.tzinfo) if found else None,
        until=found.until.astimezone(now.tzinfo) if found else None,
        questions=len(memory.trial_entries()),
    )


def begun(memory: SlowMemory, days: float) -> Begun:
    """Starts a trial, or lets the one that runs go on until another day."""
    before = memory.trial_standing()
    goes_on = before is not None and before.runs(memory.now())
    stands = standing(memory, memory.trial_start(days))
    return Begun(
        running=stands.running, started=stands.started, until=stands.until,
        questions=stands.questions, was_running=goes_on,
    )  # fmt: skip


def ended(memory: SlowMemory) -> Ended:
    """Stops the trial that runs."""
    found = memory.trial_stop()
    stands = standing(memory, found)
    return Ended(
        stopped=found is not None, running=stands.running, started=stands.started,
        until=stands.until, questions=stands.questions,
    )  # fmt: skip


def replayed(done: Sequence[Injection]) -> Replayed:
    """A replay in numbers."""
    would = [len(decided(entry)) for entry in done]
    return Replayed(
        questions=len(done), answered=sum(number > 0 for number in would), items=sum(would)
    )


def waiting(one: Judged) -> Waiting:
    """An item as it is put before a person."""
    sample = one.sample
    item = Item(
        id=sample.item.id, type=sample.item.type, what=one.what, text=one.text, ts=one.ts,
        refs=one.refs,
    )  # fmt: skip
    return Waiting(
        id=sample.id, query=sample.query, asked=sample.ts, session=sample.session,
        injected=sample.injected, score=sample.item.score, item=item,
    )  # fmt: skip
