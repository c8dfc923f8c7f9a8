"""The short-term log of N1: `short_term/YYYY-MM-DD-events.yaml`, read and written.

A day is a list of events with `ts, topic, actor, action, detail`. Values are taken as they are
written (`no`, `12:30` and `0777` stay text), nothing is constructed from tags, and one damaged
event costs itself alone.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec

from slowwave.adapters.importers.claw_items import FIELDS, Item, items
from slowwave.adapters.importers.keys import content_key
from slowwave.adapters.importers.lines import decode, plain_head, read_bytes
from slowwave.adapters.importers.roles import folded, role_of
from slowwave.adapters.importers.stamps import find_day, parse_stamp
from slowwave.model import Event, EventKind, Origin, Record, Role, Skipped
from slowwave.ports import Format

__all__ = ["FORMAT", "dump_day"]

_FIELD = re.compile(
    r"(?m)^[ \t]*(?:-[ \t]+)?[{,]?[ \t]*[\"']?(ts|topic|actor|action|detail)[\"']?[ \t]*:"
)
_INLINE = re.compile(r"(?m)^[ \t]*(?:-[ \t]+)?\{[^\n]*\bts[\"']?[ \t]*:")
_KINDS: Mapping[str, EventKind] = {
    "更正": "correction", "纠正": "correction", "订正": "correction", "修正": "correction",
    "correction": "correction", "corrected": "correction", "correct": "correction",
    "今日重点": "seed", "seed": "seed", "note": "note", "笔记": "note", "备注": "note",
    "tool_call": "tool_call", "tool_result": "tool_result", "message": "message",
}  # fmt: skip
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]"
)


def _recognise(path: Path, head: bytes) -> bool:
    if path.suffix.lower() not in (".yaml", ".yml"):
        return False
    text = decode(plain_head(path, head))[0]
    fields = {match[1] for match in _FIELD.finditer(text)}
    return len(fields) >= 3 or bool(_INLINE.search(text))


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    text, encoding = decode(read_bytes(path))
    day = find_day(path.name)
    seen: Counter[str] = Counter()
    ts: datetime | None = None
    for item in items(text):
        if isinstance(item, Skipped):
            yield item
            continue
        day = (find_day(item.day) if item.day else None) or day
        stamp = parse_stamp(item.fields.get("ts", ""), zone, day)
        # An event whose time cannot be read stands after the one before it.
        ts = stamp.ts if stamp else ts or (_start_of(day, zone) if day else None)
        record = _record(item, path.name, day, ts, seen)
        extra = {} if encoding.startswith("utf-8") else {"encoding": encoding}
        if stamp is None and item.fields.get("ts"):
            extra["ts"] = item.fields["ts"]
        if stamp is not None and not stamp.sure:
            extra["time_unsure"] = item.fields["ts"]
        yield msgspec.structs.replace(record, meta={**record.meta, **extra})


def _record(
    item: Item, name: str, day: date | None, ts: datetime | None, seen: Counter[str]
) -> Record:
    fields = {key: value.strip() for key, value in item.fields.items()}
    topic, action = fields.get("topic", ""), fields.get("action", "")
    actor = fields.get("actor", "")
    who = _who(actor)
    text = joined(topic, action, fields.get("detail", ""))
    meta = {key: value for key, value in fields.items() if value and key not in ("ts", "detail")}
    moment = ts.isoformat() if ts else ""
    return Record(
        text=text,
        source=f"claw-yaml:{day}" if day else "claw-yaml",
        key=content_key(seen, moment, actor, text),
        ref=f"{name}#L{item.line}",
        ts=ts,
        role=who.role,
        kind=_kind(topic, action),
        origin=who.origin,
        session=str(day) if day else "",
        speaker=who.speaker,
        meta=meta,
        line=item.line,
    )


class _Who(NamedTuple):
    role: Role
    origin: Origin | None = None
    speaker: str | None = None


def _who(actor: str) -> _Who:
    """A role by its name, an origin by its name (as `dump_day` writes it), else a person."""
    plain = folded(actor)
    if plain in _ORIGINS:
        return _ORIGINS[plain]
    role = role_of(actor)
    if role is not None or not actor:
        return _Who(role or "user")
    return _Who("user", speaker=actor)


_ORIGINS: Mapping[str, _Who] = {
    "owner": _Who("user"),
    "other": _Who("user", "other"),
    "external": _Who("tool", "external"),
    "recalled": _Who("system", "recalled"),
}


def _kind(topic: str, action: str) -> EventKind:
    for label in (action, topic):
        kind = _KINDS.get(folded(label))
        if kind is not None:
            return kind
    return "message"


def joined(topic: str, action: str, detail: str) -> str:
    """One readable line: `部署 决定：凌晨两点发布`. A label the detail repeats is left out."""
    lead = _lead(topic, action, detail)
    return f"{lead}{detail}" if detail else lead.rstrip(":： ")


def _lead(topic: str, action: str, detail: str) -> str:
    labels = [label for label in (topic, action) if label and label not in detail]
    # The name of a kind is not a word anybody said.
    lead = " ".join(label for label in labels if label not in _SILENT)
    if not lead:
        return ""
    return f"{lead}：" if any(char >= "\u2e80" for char in lead + detail) else f"{lead}: "


_SILENT = frozenset(get_args(EventKind))


def _start_of(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone)


# --- written ------------------------------------------------------------------------------------


def dump_day(events: Sequence[Event]) -> str:
    """A day's events in this format, in their order; reading it gives the same words back.

    Quoted throughout, so that a reader of YAML 1.1 sees the same strings as one of 1.2.
    """
    return "".join(_dump(event) for event in events)


def _dump(event: Event) -> str:
    topic, action = event.meta.get("topic", ""), event.meta.get("action", event.kind)
    detail = event.text
    lead = _lead(topic, action, "")
    for start in (lead, lead.replace("：", ": "), lead.replace(": ", "：")):
        rest = detail.removeprefix(start)
        if start and rest != detail and joined(topic, action, rest) == event.text:
            detail = rest
            break
    else:
        topic, action = _unsaid(topic, action, detail)
    values = (event.ts.isoformat(), topic, _actor(event), action, detail)
    lines = [f"{name}: {_quoted(value)}" for name, value in zip(FIELDS, values, strict=True)]
    return "- " + "\n  ".join(lines) + "\n"


def _unsaid(topic: str, action: str, detail: str) -> tuple[str, str]:
    """Labels that do not change the text when it is read again."""
    kept = action in detail or action in _SILENT
    return (topic if topic in detail else "", action if kept else "")


def _actor(event: Event) -> str:
    """Who it was, so that nobody else's words come back as the owner's."""
    if event.origin == "other":
        return event.speaker or "other"
    if event.origin in ("external", "recalled", "tool", "system"):
        return event.origin
    return event.meta.get("actor") or event.speaker or event.role


def _quoted(text: str) -> str:
    plain = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", plain)


FORMAT = Format("claw-yaml", _recognise, _read)
