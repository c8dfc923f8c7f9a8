"""What a scripted model can do in a turn: say something, plainly or as models do, or fail."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Say:
    """An answer. Tokens None are counted roughly; `shape` makes of it and the question the text.

    `calls` are tools it calls, each with a name and its arguments. Of a stream, `pause` seconds
    pass before each event, and after `breaks` of them the connection breaks off. `packed`: sent
    with gzip where the client takes that.
    """

    text: str
    finish: str = "stop"
    tokens_in: int | None = None
    tokens_out: int | None = None
    shape: Callable[[str, str], str] | None = None
    calls: tuple[tuple[str, str], ...] = ()
    pause: float = 0.0
    breaks: int | None = None
    packed: bool = False

    def said(self, prompt: str) -> str:
        """The text as it is sent to someone who asked this."""
        return self.shape(self.text, prompt) if self.shape else self.text


@dataclass(frozen=True, slots=True)
class Fault:
    """Anything that is no answer: a status with a message, silence, a connection that breaks."""

    kind: Literal["status", "hold", "dribble", "reset", "cut", "page"]
    status: int = 500
    message: str = "scripted failure"
    code: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0


Turn = Say | Fault


def as_turn(value: Any) -> Turn:
    """A turn from a text or from anything that JSON can hold."""
    if isinstance(value, Say | Fault):
        return value
    if isinstance(value, str):
        return Say(value)
    return Say(json.dumps(value, ensure_ascii=False))


def _say(value: Any) -> Say:
    turn = as_turn(value)
    assert isinstance(turn, Say), "a fault has no text"
    return turn


def _with_text(value: Any, change: Callable[[str], str]) -> Say:
    turn = _say(value)
    return replace(turn, text=change(turn.text))


# ── right answers, as models write them ─────────────────────────────────────────────────────────


def fenced(value: Any, language: str = "json") -> Say:
    """The answer in a code fence."""
    return _with_text(value, lambda text: f"```{language}\n{text}\n```")


def chatty(value: Any, before: str = "Sure! Here is what I found:", after: str = "") -> Say:
    """The answer with friendly words around it."""
    after = after or "Let me know if you need anything else."
    return _with_text(value, lambda text: f"{before}\n\n{text}\n\n{after}")


def thinking(value: Any, thought: str = "The user wants [a list] of {things}. First …") -> Say:
    """The answer after thinking aloud."""
    return _with_text(value, lambda text: f"<think>\n{thought}\n</think>\n\n{text}")


def truncated(value: Any, share: float = 0.6) -> Say:
    """The first part of the answer, as a server cuts it at the limit of tokens."""
    turn = _with_text(value, lambda text: text[: int(len(text) * share)])
    return replace(turn, finish="length")


def calling(*calls: tuple[str, Any], text: str = "") -> Say:
    """Tools that are called, each by name with its arguments, with some words or none."""
    written = tuple(
        (name, told if isinstance(told, str) else json.dumps(told, ensure_ascii=False))
        for name, told in calls
    )
    return Say(text, finish="tool_calls", calls=written)


def slowly(value: Any, pause: float = 0.05) -> Say:
    """The answer with a pause before each event of its stream."""
    return replace(_say(value), pause=pause)


def breaking(value: Any, after: int = 2) -> Say:
    """The answer's stream breaks off after so many events."""
    return replace(_say(value), breaks=after)


def packed(value: Any) -> Say:
    """The answer with gzip, where the client takes that."""
    return replace(_say(value), packed=True)


# ── wrong answers ───────────────────────────────────────────────────────────────────────────────


def wrong_ids(value: Any) -> Say:
    """The answer with every id of an event or memory replaced by one that does not exist."""

    def other(match: re.Match[str]) -> str:
        return match[1] + match[2][::-1].translate(_TURNED)

    return _with_text(value, lambda text: _ID.sub(other, text))


def echo(value: Any = "") -> Say:
    """The question itself, with the answer (if any) after it."""
    return replace(_say(value), shape=lambda text, prompt: f"{prompt}\n{text}")


def invented(value: Any, *claims: Any) -> Say:
    """The answer, a JSON list or `{"items": [...]}`, with made-up items at its end."""

    def more(text: str) -> str:
        whole = json.loads(text)
        if isinstance(whole, dict):
            whole = {**whole, "items": [*whole.get("items", []), *claims]}
        else:
            whole = [*whole, *claims]
        return json.dumps(whole, ensure_ascii=False)

    return _with_text(value, more)


_ID = re.compile(r"\b([a-z]{1,2}-?)([a-z2-7]{12})\b")
_TURNED = str.maketrans("abcdefghijklmnopqrstuvwxyz234567", "bcdefghijklmnopqrstuvwxyz234567a")


# ── no answers ──────────────────────────────────────────────────────────────────────────────────


def busy(retry_after: float | str | None = None, *, date: float | None = None) -> Fault:
    """429. `retry_after` is the header as it is sent; `date` the same as an HTTP date (seconds)."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after}"}
    if date is not None:
        headers = {"Retry-After": formatdate(date, usegmt=True)}
    return Fault("status", 429, "too many requests", "rate_limit_exceeded", headers)


def failing(status: int = 500, message: str = "scripted failure", code: str = "") -> Fault:
    """A status of failure with a message, as the protocol writes it."""
    return Fault("status", status, message, code)


def refusing(message: str = "response_format is not supported", code: str = "") -> Fault:
    """400: what was asked, or how, is not taken."""
    return Fault("status", 400, message, code)


def too_long() -> Fault:
    """400: the question does not fit the model."""
    text = "This model's maximum context length is 2048 tokens. Please reduce the length."
    return Fault("status", 400, text, "context_length_exceeded")


def holding(seconds: float = 60.0) -> Fault:
    """Nothing for so long, or until the server is stopped; then the connection is closed."""
    return Fault("hold", seconds=seconds)


def dribbling(seconds: float = 60.0) -> Fault:
    """One blank after the other for so long, or until the server is stopped; never an answer."""
    return Fault("dribble", seconds=seconds)


def reset() -> Fault:
    """The connection is broken off instead of an answer."""
    return Fault("reset")


def cut_off() -> Fault:
    """The connection is closed in the middle of the answer's bytes."""
    return Fault("cut")


def page(status: int = 200) -> Fault:
    """A web page, as from a proxy in between."""
    return Fault("page", status, "<html><body>Welcome to the portal</body></html>")


def redirected(to: str, status: int = 307) -> Fault:
    """A redirect to another address."""
    return Fault("status", status, "moved", "", {"Location": to})
