"""One noun, one line of JSON.

An event is a line of the contract's own event format, so that anything that reads those reads the
journal of an export; what that format has no field for stands in `slowwave`. Every other noun is
`{"slowwave": {"what": …, "is": …}}`.
"""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from slowwave.model import (
    Dream,
    Erased,
    Event,
    Injection,
    Memory,
    ModelCall,
    RawAnswer,
    Signal,
    Version,
    WorkItem,
)
from slowwave.transfer.check import is_id, misshapen

__all__ = ["FIELD", "NOUNS", "VERSION", "Bad", "End", "Header", "Noun", "State", "line_of", "read"]

FIELD = "slowwave"
VERSION = 1
"""Of the format. A reader refuses one that is newer than its own."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: what the file holds, of which space, and when it was made."""

    version: int = VERSION
    space: str
    exported_at: datetime
    events: int
    memories: int
    dreams: int


class State(msgspec.Struct, frozen=True):
    """Something that the space is in the middle of."""

    name: str
    value: str


class End(msgspec.Struct, frozen=True):
    """The last line: how many stand before it. Without it the file is cut off."""

    lines: int


NOUNS: Mapping[str, type[msgspec.Struct]] = MappingProxyType(
    {
        "header": Header,
        "dream": Dream,
        "memory": Memory,
        "version": Version,
        "signal": Signal,
        "working": WorkItem,
        "injection": Injection,
        "forgotten": Erased,
        "call": ModelCall,
        "answer": RawAnswer,
        "state": State,
        "end": End,
    }
)
"""What a line may be, by its name in the file; an event is a line of its own kind."""

_NAMES = {kind: name for name, kind in NOUNS.items()}

_PLAIN = ("role", "kind", "origin", "text")
_OPTIONAL = ("ref", "session", "speaker", "channel")


class Noun(NamedTuple):
    """A line that was read: an event, or one of `NOUNS`."""

    what: str
    noun: Any


class Bad(ValueError):
    """A line that cannot be read; the message says why."""


def line_of(noun: msgspec.Struct) -> bytes:
    """The line of a noun, without its end."""
    if isinstance(noun, Event):
        return msgspec.json.encode(_of_event(noun))
    return msgspec.json.encode({FIELD: {"what": _NAMES[type(noun)], "is": noun}})


def _of_event(event: Event) -> dict[str, Any]:
    told: dict[str, Any] = {"ts": event.ts.isoformat()}
    told |= {name: getattr(event, name) for name in _OPTIONAL if getattr(event, name)}
    told |= {name: getattr(event, name) for name in _PLAIN}
    own: dict[str, Any] = {"what": "event", "id": event.id, "source": event.source,
                           "identity": event.identity}  # fmt: skip
    if event.meta:
        own["meta"] = event.meta
    return {**told, FIELD: own}


def read(raw: bytes, space: str) -> Noun:
    """The noun of a line, an event as one of `space`. Raises Bad."""
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Bad(f"not JSON: {error}") from error
    told = value.get(FIELD) if isinstance(value, dict) else None
    what = told.get("what") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(what, str):
        raise Bad("not a line of an export")
    try:
        if what == "event":
            return Noun(what, _event(value, told, space))
        if what not in NOUNS:
            raise Bad(f"unknown kind {what[:40]!r}")
        noun = msgspec.convert(told.get("is"), NOUNS[what])
    except msgspec.ValidationError as error:
        raise Bad(f"{what}: {error}") from error
    except RecursionError as error:
        raise Bad(f"{what}: nested too deeply") from error
    wrong = misshapen(noun)
    if wrong:
        raise Bad(f"{what}: {wrong}")
    return Noun(what, noun)


def _event(value: dict[str, Any], told: dict[str, Any], space: str) -> Event:
    fields: dict[str, Any] = {
        name: value[name] for name in (*_PLAIN, *_OPTIONAL, "ts") if name in value
    }
    own: dict[str, Any] = {
        name: told[name] for name in ("id", "identity", "source", "meta") if name in told
    }
    given: dict[str, Any] = {**fields, **own, "space": space}
    event = msgspec.convert(given, Event)
    wrong = misshapen(event) or ("" if is_id(event.id) else "no id of an event")
    if wrong:
        raise Bad(f"event: {wrong}")
    return event
