"""The injection ledger: which memory entered which prompt (promise 9)."""

from datetime import datetime
from typing import Literal

import msgspec

from slowwave.model.basics import Unit
from slowwave.model.search import Caller

Layer = Literal["profile", "recalled", "working"]
"""The part of the block an item stands in: who the user is, what was found, what is open."""

Verdict = Literal["", "right", "wrong"]
"""What a person said of it, if anything."""


class InjectedItem(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a block: the memory, event or open item, and the score it was found with."""

    id: str
    score: float
    type: Unit | Literal["work"] = "memory"
    layer: Layer = "recalled"
    verdict: Verdict = ""


class Injection(msgspec.Struct, frozen=True, kw_only=True):
    """One block that was handed out, or (`trial`) would have been.

    `passed` are those that were found but fell below the threshold, best first: what another
    threshold would have let in.
    """

    id: str = ""
    ts: datetime
    query: str
    session: str = ""
    caller: Caller = "agent"
    items: tuple[InjectedItem, ...] = ()
    passed: tuple[InjectedItem, ...] = ()
    tokens: int = 0
    threshold: float = 0.0
    took_ms: float = 0.0
    trial: bool = False
