"""The contract's own event lines: one JSON object a line, only `text` required.

Strict where a wrong value would change the meaning (role, kind, origin, time), and every refusal
names the field. Fields that are not known are kept as metadata.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, timezone, tzinfo
from pathlib import Path
from typing import Any, get_args

import msgspec

from slowwave.adapters.importers.keys import content_key
from slowwave.adapters.importers.lines import (
    HEAD_BYTES,
    decode_json,
    parse_time,
    plain_head,
    read_lines,
)
from slowwave.errors import InputError
from slowwave.model import EventKind, Origin, Record, Role, Skipped, text_hash
from slowwave.ports import Format

__all__ = ["FORMAT", "record"]

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "role": get_args(Role),
    "kind": get_args(EventKind),
    "origin": get_args(Origin),
}
_LABELS = ("ref", "session", "speaker", "channel")
_KNOWN = frozenset({"text", "ts", *_CHOICES, *_LABELS})
_FOREIGN = frozenset({"message", "parentUuid", "sessionId", "uuid", "mapping", "chat_messages"})
"""Fields of other programs' transcripts; none of them is an event line."""
_NO_OFFSET = timezone(timedelta(0), "no offset")
_LONG = re.compile(rb'\s*\{[^\n]*?"text"\s*:\s*"')


def record(raw: bytes, line: int, zone: tzinfo | None = None) -> Record | Skipped:
    """The record of one line, or why it is none, naming the field.

    `zone` is for a `ts` without an offset; without a zone such a time is refused. The caller's
    `ref` and what it stands for make the key, so that a line sent twice is one event while a
    `ref` used for two different things is two.
    """
    try:
        value = decode_json(raw)
    except ValueError as error:
        return Skipped(line, str(error))
    if not isinstance(value, dict):
        return Skipped(line, "not a JSON object")
    try:
        return _record(value, line, zone)
    except _Refused as refusal:
        return Skipped(line, str(refusal))


class _Refused(ValueError):
    """A field is not what it must be; the message names it."""


def _record(value: Mapping[str, Any], line: int, zone: tzinfo | None) -> Record:
    text = value.get("text")
    if not isinstance(text, str):
        raise _Refused("text: missing" if text is None else "text: must be a string")
    if not text.strip():
        raise _Refused("text: empty")
    given: dict[str, Any] = {name: _choice(name, value.get(name)) for name in _CHOICES}
    given |= {name: _label(name, value.get(name)) for name in _LABELS}
    given["ts"] = _time(value.get("ts"), zone)
    given = {name: found for name, found in given.items() if found is not None}
    ref = given.get("ref")
    if ref is not None:
        moment = given["ts"].timestamp() if "ts" in given else ""
        content = f"{moment}\x1f{given.get('role', 'user')}\x1f{text}"
        given["key"] = f"{ref}:{text_hash(content)}"
    meta = {key: _meta(found) for key, found in value.items() if key not in _KNOWN}
    return Record(text=text, source="jsonl", line=line, meta=meta, **given)


def _choice(name: str, value: object) -> str | None:
    if value is None:
        return None
    if value not in _CHOICES[name]:
        shown = repr(value)[:40]
        raise _Refused(f"{name}: {shown} is none of {', '.join(_CHOICES[name])}")
    return str(value)


def _label(name: str, value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise _Refused(f"{name}: must be a string")
    return str(value)


def _time(value: object, zone: tzinfo | None) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise _Refused("ts: must be an ISO 8601 string such as 2026-03-03T09:12:00+08:00")
    found = parse_time(value, zone or _NO_OFFSET)
    if found is None:
        raise _Refused(f"ts: {value[:40]!r} is not an ISO 8601 time")
    if found.tzinfo is _NO_OFFSET:
        raise _Refused(f"ts: {value[:40]!r} has no offset")
    return found


def _meta(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _recognise(path: Path, head: bytes) -> bool:
    """True when the first lines that are whole JSON are event lines."""
    head = plain_head(path, head)
    lines = [line for line in head.split(b"\n") if line.strip()]
    if len(head) >= HEAD_BYTES and len(lines) > 1:
        lines.pop()  # cut off where the head ends
    for line in lines:
        try:
            value = decode_json(line)
        except ValueError:
            continue
        if not isinstance(value, dict):
            return False
        if "text" in value or "role" in value:
            return isinstance(value.get("text"), str) and _FOREIGN.isdisjoint(value)
        return False
    long = len(head) >= HEAD_BYTES and bool(_LONG.match(head))
    return long and not any(f'"{name}"'.encode() in head for name in _FOREIGN)


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    number = 0
    opening = ""
    seen: Counter[str] = Counter()
    try:
        for number, raw in read_lines(path):
            if not raw or raw.isspace():
                continue
            found = record(raw, number, zone)
            opening = opening or text_hash(raw.decode("utf-8", "replace"))
            if isinstance(found, Record) and found.ts is None and found.key is None:
                # Reading the file again must not double a line that has neither id nor time.
                said = (opening, found.session, found.role, found.speaker or "", found.text)
                found = msgspec.structs.replace(found, key=content_key(seen, *said))
            yield found
    except InputError as error:
        if number == 0:
            raise
        yield Skipped(number + 1, error.message)


FORMAT = Format("jsonl", _recognise, _read)
