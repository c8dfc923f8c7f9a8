"""Answers of a look inside single steps: distill, compare, when."""

from typing import Literal

import msgspec

from slowwave.model import Claim, Relation

__all__ = ["Compared", "Distilled", "Refusal", "Time", "Times"]


class Refusal(msgspec.Struct, frozen=True):
    """A text that is no claim, and why."""

    text: str
    reason: str


class Distilled(msgspec.Struct, frozen=True):
    """The claims of one message, and what was left out."""

    id: str
    claims: tuple[Claim, ...]
    rejected: tuple[Refusal, ...]


class Compared(msgspec.Struct, frozen=True):
    """How two statements relate, and which of them holds now."""

    id: str
    relation: Relation
    current: str
    reason: str


class Time(msgspec.Struct, frozen=True):
    """A time expression, and what it means (ISO 8601)."""

    expr: str
    kind: Literal["date", "datetime", "range", "recurring"]
    value: str


class Times(msgspec.Struct, frozen=True):
    """The time expressions of a sentence."""

    id: str
    times: tuple[Time, ...]
