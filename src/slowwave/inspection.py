"""A look inside single steps, for people and tests: distill, compare, when. Stores nothing.

Each takes one JSON object of the contract's shape and returns one. A field that is missing or of
the wrong type raises UsageError naming it.
"""

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Any, TypeVar

import msgspec

from slowwave.dream.compare.relation import Statement, compare
from slowwave.dream.distill.rules import distill
from slowwave.dream.verify.stage import verify
from slowwave.errors import UsageError
from slowwave.model import USER, Event, EventKind, Role, clock_zone, short_id
from slowwave.settings import zone_of
from slowwave.text.dates import find_times

T = TypeVar("T")
Cosine = Callable[[str, str], float | None]

NOON = time(12, 0)
"""The hour a message without one was said at: far from both midnights."""


class Turn(msgspec.Struct, frozen=True):
    """One earlier turn."""

    text: str
    role: Role = "user"


class DistillRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`{id, date, tz, context, text}`; `speaker` other than "owner" is somebody else."""

    text: str
    id: str = ""
    date: str = ""
    tz: str = ""
    context: list[Turn] = []
    speaker: str = "owner"
    kind: EventKind = "message"


class DatedText(msgspec.Struct, frozen=True):
    """A statement and the day it was made."""

    text: str
    date: str = ""


class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`{id, a: {text, date}, b: {text, date}}`."""

    a: DatedText
    b: DatedText
    id: str = ""


class WhenRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`{id, text, now, tz}`."""

    text: str
    id: str = ""
    now: str = ""
    tz: str = ""


def inspect_distill(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """`{id, claims: [claim], rejected: [{text, reason}]}` for one message."""
    request = _read(given, DistillRequest)
    zone = zone_of(request.tz) if request.tz else clock_zone(now)
    said = _noon(request.date, zone) if request.date else now.astimezone(zone)
    turns = [
        _event(turn.text, turn.role, said - timedelta(minutes=len(request.context) - place), place)
        for place, turn in enumerate(request.context)
    ]
    asked = _event(request.text, "user", said, len(turns), request.speaker, request.kind)
    found = distill([asked], zone, before=turns)
    events = {event.id: event for event in (*turns, asked)}
    checked = verify(found.claims, events)
    return {
        "id": request.id,
        "claims": msgspec.to_builtins(checked.claims),
        "rejected": [
            {"text": item.text, "reason": item.reason}
            for item in (*found.rejected, *checked.rejected)
        ],
    }


def inspect_compare(given: Mapping[str, Any], now: datetime, cosine: Cosine) -> dict[str, Any]:
    """`{id, relation, current, reason}` of two statements, the second one later."""
    request = _read(given, CompareRequest)
    day = now.date().isoformat()
    one, other = (
        Statement(text=side.text, date=side.date or day) for side in (request.a, request.b)
    )
    result = compare(one, other, cosine(one.text, other.text))
    return {
        "id": request.id,
        "relation": result.relation,
        "current": result.current,
        "reason": result.reason,
    }


def inspect_when(given: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """`{id, times: [{expr, kind, value}]}` of one sentence said at a moment in a zone."""
    request = _read(given, WhenRequest)
    zone = zone_of(request.tz) if request.tz else clock_zone(now)
    said = _instant(request.now, zone) if request.now else now.astimezone(zone)
    return {
        "id": request.id,
        "times": [
            {"expr": found.expr, "kind": found.kind, "value": found.value}
            for found in find_times(request.text, said)
        ],
    }


def _event(
    text: str, role: Role, said: datetime, place: int, speaker: str = "owner", kind: str = "message"
) -> Event:
    own = speaker in ("owner", USER, "")
    origin = "agent" if role == "assistant" else "tool" if role == "tool" else "owner"
    return msgspec.convert(
        {
            "id": short_id("e", "inspect", str(place), text),
            "space": "inspect",
            "identity": str(place),
            "ts": said,
            "role": role,
            "kind": kind,
            "origin": origin if own or role != "user" else "other",
            "text": text,
            "source": "inspect",
            "session": "inspect",
            "speaker": None if own else speaker,
            "seq": place + 1,
        },
        Event,
    )


def _read(given: Mapping[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"not a request: {error}", "`slowwave inspect --help` shows the fields"
        ) from error


def _noon(day: str, zone: tzinfo) -> datetime:
    try:
        parsed = datetime.fromisoformat(day)
    except ValueError as error:
        raise UsageError(f"{day!r} is no day", "write days as 2026-11-30") from error
    if len(day) > len("2026-11-30"):
        return parsed if parsed.tzinfo else parsed.replace(tzinfo=zone)
    return datetime.combine(date.fromisoformat(day), NOON, zone)


def _instant(moment: str, zone: tzinfo) -> datetime:
    try:
        parsed = datetime.fromisoformat(moment)
    except ValueError as error:
        raise UsageError(
            f"{moment!r} is no moment", "write it as 2026-11-30T09:00:00+08:00"
        ) from error
    return parsed.astimezone(zone) if parsed.tzinfo else parsed.replace(tzinfo=zone)
