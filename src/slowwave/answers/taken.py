"""Answers of what takes things in: log, turn."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from msgspec import UNSET, UnsetType

from slowwave.capture.foreign import Imported
from slowwave.capture.intake import TakenIn
from slowwave.memory.turning import CaughtUp, TurnDream, TurnLeft
from slowwave.model import Skipped

__all__ = ["CaughtUp", "Imported", "Logged", "LoggedEvent", "Turned", "logged", "turned"]


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event that is new in the journal, and durable."""

    id: str
    ts: datetime


class Logged(msgspec.Struct, frozen=True, kw_only=True):
    """What was logged, how many events were known before, and what was left out and why."""

    events: tuple[LoggedEvent, ...]
    duplicates: int
    skipped: Sequence[Skipped]


class Turned(msgspec.Struct, frozen=True, kw_only=True):
    """As `Logged`; and what was learned of it, where that was waited for."""

    events: tuple[LoggedEvent, ...]
    duplicates: int
    skipped: Sequence[Skipped]
    dreams: Sequence[TurnDream] | UnsetType = UNSET
    left: Sequence[TurnLeft] | UnsetType = UNSET


def logged(taken: TakenIn) -> Logged:
    """The answer of `log`."""
    return Logged(events=_ids(taken), duplicates=taken.duplicates, skipped=taken.skipped)


def turned(
    taken: Iterable[TakenIn], skipped: Sequence[Skipped], learned: CaughtUp | None = None
) -> Turned:
    """The answer of `turn`; `skipped` are those that could not be read, and those left out."""
    known = list(taken)
    return Turned(
        events=tuple(one for some in known for one in _ids(some)),
        duplicates=sum(some.duplicates for some in known),
        skipped=skipped,
        dreams=UNSET if learned is None else learned.dreams,
        left=UNSET if learned is None else learned.left,
    )


def _ids(taken: TakenIn) -> tuple[LoggedEvent, ...]:
    return tuple(LoggedEvent(known, ts) for known, ts in taken.ids)
