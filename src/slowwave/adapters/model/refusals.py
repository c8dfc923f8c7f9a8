"""What goes wrong between us and a server, as errors of ours that say what to do.

What a server writes into an error may repeat the question, or the key: neither gets into ours.
"""

import time
from collections.abc import Collection, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Literal, NamedTuple

from slowwave.adapters.model.plain import plain
from slowwave.errors import (
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)

Objection = Literal["", "limit", "temperature", "thinking", "format"]
"""What of a request a server objects to: "" for nothing that could be asked in another way."""

_ABOUT_US = (400, 404, 415, 422, 500, 501)
_PARAMETERS: tuple[tuple[Objection, str], ...] = (
    ("limit", "max_completion_tokens"),
    ("temperature", "temperature"),
    ("thinking", "enable_thinking"),
)
_TOO_LONG = ("context_length", "context length", "context size", "context window", "too long",
             "maximum context", "too many tokens", "token limit", "prompt is longer")  # fmt: skip
_CONTENT = ("content_filter", "content filter", "content management", "data_inspection",
            "safety", "moderation", "inappropriate")  # fmt: skip
_NO_MODEL = ("model_not_found", "model not found", "no such model", "does not exist",
             "unknown model", "try pulling")  # fmt: skip
_NO_MONEY = ("insufficient_quota", "billing", "arrearage", "exceeded your current quota")
_SHOWN = 160
_REPEATED = 24
"""Characters of a question that an error repeats: then none of its words are shown."""


class Where(NamedTuple):
    """Whom we asked, on this machine or not, and what must not be shown: key and question."""

    address: str
    name: str
    key: str
    timeout: float
    prompt: str
    local: bool = False


def objection(error: Any, given_up: Collection[str]) -> Objection:
    """What to leave out or to name otherwise, so that the server may take the question."""
    words = _words(error)
    if error.status_code not in _ABOUT_US or _any(words, _TOO_LONG) or _any(words, _CONTENT):
        return ""
    for name, sign in _PARAMETERS:
        if sign in words and name not in given_up:
            return name
    about_form = _any(words, ("format", "schema", "grammar"))
    if error.status_code in (404, 500) and not about_form:
        return ""
    return "" if _any(words, _NO_MODEL) else "format"


def translated(error: Exception, sdk: Any, where: Where) -> ModelError:
    """An error of the SDK as one of ours."""
    if isinstance(error, sdk.APITimeoutError):
        return ModelTimeout(
            f"{where.name} did not answer within {where.timeout:g} s",
            "raise model.timeout, or use a smaller model",
        )
    if isinstance(error, sdk.APIStatusError):
        return _status(error, where)
    if isinstance(error, sdk.APIConnectionError):
        cause = f": {error.__cause__}" if error.__cause__ is not None else ""
        nobody = where.local and _nobody_listens(error)
        why = "nothing listens there: " if nobody else ""
        return ModelUnreachable(
            f"no model answers at {where.address}{_clean(cause, where)}",
            f"{why}start the model's server, or correct model.base_url; `slowwave model check` "
            "tells whether it answers",
            nobody=nobody,
        )
    return ModelBusy(
        f"the server at {where.address} answered something that is no JSON",
        "check that model.base_url ends where its API begins, often in /v1",
    )


def _nobody_listens(error: BaseException | None) -> bool:
    """Whether the system itself said so: the port is closed, or the socket's file is not there."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if isinstance(error, ConnectionRefusedError | FileNotFoundError):
            return True
        seen.append(error)
        error = error.__cause__ or error.__context__
    return False


def _status(error: Any, where: Where) -> ModelError:
    status, words = error.status_code, _words(error)
    said = _clean(_message(error), where)
    said = f": {said}" if said else ""
    if status == 413 or _any(words, _TOO_LONG):
        return ModelRefused(
            f"the question is too long for {where.name}{said}",
            "lower dream.segment_chars or model.max_answer_tokens, or give the model more context",
            "too_long",
        )
    if status in (408, 504):
        return ModelTimeout(f"{where.name} took too long ({status})", "raise the server's time-out")
    if status in (401, 402, 403, 404) or 300 <= status < 400 or _any(words, _NO_MONEY):
        return _no_access(status, where, said)
    if status in (409, 425, 429) or status >= 500:
        return ModelBusy(
            f"the server of {where.name} cannot answer now ({status}){said}",
            "it is asked again later",
            retry_after(error.response.headers),
        )
    if _any(words, _CONTENT):
        hint = "another model may; the rules still can"
        return ModelRefused(f"{where.name} will not answer this", hint, "content")
    return ModelRefused(
        f"the server of {where.name} refuses the question ({status}){said}",
        "`slowwave model check` shows what it can do",
    )


def _no_access(status: int, where: Where, said: str) -> ModelRefused:
    if 300 <= status < 400:
        message = f"{where.address} sends us elsewhere ({status}), and no redirect is followed"
        return ModelRefused(message, "set model.base_url to where the server is", "access")
    if status == 404:
        message = f"there is no model {where.name} at {where.address}{said}"
        hint = "`slowwave model check` lists the models; set model.name, and check model.base_url"
        return ModelRefused(message, hint, "access")
    message = f"{where.address} does not let us use {where.name} ({status}){said}"
    return ModelRefused(message, "check model.api_key and the account behind it", "access")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `Retry-After` in seconds or as a date; None without a sensible one.

    A date is taken against the server's own clock where it tells that.
    """
    milliseconds = _seconds(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1_000
    given = headers.get("retry-after")
    seconds = _seconds(given)
    if seconds is not None or given is None:
        return seconds
    until = _moment(given)
    if until is None:
        return None
    now = _moment(headers.get("date"))
    return max(0.0, until - (time.time() if now is None else now))


def _seconds(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _moment(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text or "").timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _message(error: Any) -> str:
    body = error.body
    inner = body.get("message", body.get("error")) if isinstance(body, dict) else body
    return inner if isinstance(inner, str) and "<html" not in inner.lower() else ""


def _words(error: Any) -> str:
    return f"{error.code or ''} {error.param or ''} {error.body} {error.message}".lower()


def _any(words: str, known: tuple[str, ...]) -> bool:
    return any(one in words for one in known)


def _clean(said: str, where: Where) -> str:
    """A server's words on one line, without the key, and without any that are ours."""
    said = " ".join(plain(said).split())
    if where.key:
        said = said.replace(where.key, "***")
    starts = range(max(0, len(said) - _REPEATED + 1))
    if any(said[at : at + _REPEATED] in where.prompt for at in starts):
        return ""
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"
