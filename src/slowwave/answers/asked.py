"""Answers of those who ask: recall, context."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from slowwave.inject import Item
from slowwave.model import Hit, InjectedItem, Injection
from slowwave.parts import Injected

__all__ = ["Context", "Found", "Scored", "Withheld", "context_of", "withheld"]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What was found for a question, best first, and how long that took."""

    query: str
    results: Sequence[Hit]
    took_ms: float


class Scored(msgspec.Struct, frozen=True, kw_only=True):
    """Something by its id, and the score it was found with."""

    id: str
    score: float


class Withheld(msgspec.Struct, frozen=True, kw_only=True):
    """What a prompt would have got, were there no trial; `passed` fell just below the threshold."""

    would: tuple[Scored, ...]
    passed: tuple[Scored, ...]
    tokens: int
    threshold: float


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The block for a system prompt, and its entry in the injection ledger ("": none yet)."""

    text: str
    tokens: int
    items: tuple[Item, ...]
    ledger_id: str
    trial: Withheld | UnsetType = UNSET


def context_of(made: Injected) -> Context:
    """The answer of `context`."""
    would = made.would
    return Context(
        text=made.text, tokens=made.tokens, items=made.items, ledger_id=made.ledger_id,
        trial=UNSET if would is None else withheld(would),
    )  # fmt: skip


def withheld(would: Injection) -> Withheld:
    """What a prompt would have got."""
    return Withheld(
        would=_scored(would.items), passed=_scored(would.passed),
        tokens=would.tokens, threshold=would.threshold,
    )  # fmt: skip


def _scored(items: Sequence[InjectedItem]) -> tuple[Scored, ...]:
    return tuple(Scored(id=item.id, score=item.score) for item in items)
