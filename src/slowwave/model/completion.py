"""What a language model is asked, what it answers, and what is kept of that for audit.

A model only proposes: nothing in an answer is believed before it was checked against the journal.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

Purpose = Literal["distill", "judge", "diary", "themes", "lessons"]
"""What a model is asked for."""

Outcome = Literal["ok", "unusable", "unreachable", "busy", "timeout", "refused"]
"""What became of one call. `unusable`: it was answered, and the answer could not be read."""

Privacy = Literal["local-only", "masked", "open"]
"""What may leave this machine: nothing, text with placeholders for private data, or all of it."""


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a model.

    `schema` is the JSON schema of the answer, with an object at its root (servers take no other);
    None asks for plain text. `max_tokens` bounds the answer; temperature 0.2 is N10's.
    """

    purpose: Purpose
    system: str
    user: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 4_096
    temperature: float = 0.2


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answered, without its reasoning.

    `finish` is `stop`, `length` (cut at `max_tokens`) or what else the server says. Tokens are 0
    where the server does not count them. `ms` is the time the call took.
    """

    text: str
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    model: str = ""


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call as the audit keeps it: never the words that were sent or received.

    `prompt` is a hash of them, the same for every try of one question; `attempt` counts these from
    1. Tokens are estimated where the server does not count. `cost` is in the unit of the prices.
    """

    ts: datetime
    purpose: Purpose
    prompt: str
    model: str
    outcome: Outcome
    attempt: int = 1
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    cost: float = 0.0
    dream_id: str = ""


class RawAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer in quarantine: it could not be used, and is kept as it came, with the reason.

    `prompt` names the calls it belongs to.
    """

    id: str
    ts: datetime
    purpose: Purpose
    prompt: str
    model: str
    text: str
    reason: str
    dream_id: str = ""
