"""The file of one memory (N3): front matter, a title, its text, and the words it rests on.

    ---
    id: m3k2…
    importance: 80
    sources:
    - "2025-06-17-events.yaml#L31"
    ---

    <!-- slowwave:begin 0123456789ab -->

    # title

    - text

    **Evidence**

    - 2025-06-17, 林: “the exact words”

    <!-- slowwave:end -->

A person may change importance, pinned and status above, and the text below; write further bullets
beside the text; and write whatever he likes behind the end marker. Everything else is told apart
and reported. The stamp covers the front matter as well.
"""

import json
import re
from collections.abc import Sequence
from datetime import date, tzinfo
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from slowwave.adapters.files import digest
from slowwave.adapters.vault.regions import decoded
from slowwave.model import Edit, EditKind, Evidence, Kind, Memory, day_of
from slowwave.text.markdown import (
    REGION_CLOSE,
    REGION_OPEN,
    REGION_OPENS,
    is_chinese,
    line_of,
    shown,
    slug,
    text_of,
    unshown,
)

if TYPE_CHECKING:
    from ruamel.yaml import YAML

__all__ = [
    "FOLDERS",
    "Parsed",
    "Unreadable",
    "edits_of",
    "name_of",
    "parse",
    "render",
    "typed",
    "untouched",
]

FOLDERS = MappingProxyType[Kind, str](
    {
        "profile": "profiles", "preference": "preferences", "project": "projects",
        "environment": "environment", "fact": "facts", "rule": "rules", "plan": "plans",
        "relationship": "relationships", "quote": "quotes", "emotion": "emotions",
        "digest": "digests", "skill": "skills", "lesson": "lessons",
    }
)  # fmt: skip
"""Each kind's folder below `long_term` and `cold`."""

SHOWN_QUOTES = 20
QUOTE_CHARS = 280
TYPED_CHARS = 60
_EVIDENCE = ("**Evidence**", "**依据**")
_BARE = re.compile(r"[A-Za-z_][\w-]*\Z")
_YAML_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\n(.*?\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_DATED = re.compile(r"\d{4}-\d\d-\d\d")
_STATUSES = ("active", "cold", "retired")


class Unreadable(ValueError):
    """A file of ours that cannot be taken apart any more."""


class Parsed(NamedTuple):
    """What stands in a file of ours: its fields and its managed lines."""

    fields: dict[str, Any]
    lines: tuple[str, ...]


def name_of(memory: Memory) -> str:
    """A file name from the first version of a memory: readable, and the same for ever."""
    kept = slug(memory.title or memory.text)
    return f"{kept}-{memory.id}.md" if kept else f"{memory.id}.md"


def render(memory: Memory, updated: date, zone: tzinfo, tail: bytes = b"") -> bytes:
    """The file of one version; `tail` is what a person wrote behind the managed part."""
    front = "".join(f"{name}:{_yaml(value)}\n" for name, value in _fields(memory, updated, zone))
    body = "\n".join(_lines(memory, zone))
    stamp = digest((front + body).encode("utf-8", "surrogatepass"))
    text = f"---\n{front}---\n\n{REGION_OPEN} {stamp} -->\n\n{body}\n\n{REGION_CLOSE}\n"
    return text.encode("utf-8", "replace") + tail


def _fields(memory: Memory, updated: date, zone: tzinfo) -> list[tuple[str, object]]:
    fields: list[tuple[str, object]] = [
        ("id", memory.id),
        ("type", memory.kind),
        ("subject", memory.subject),
        ("importance", memory.importance),
        ("status", memory.status),
        ("pinned", memory.pinned),
        ("updated", updated.isoformat()),
        ("version", memory.version),
    ]
    optional = (
        ("standing", memory.standing if memory.standing != "standing" else None),
        ("valid_from", memory.valid_from),
        ("valid_to", memory.valid_to),
        ("superseded_by", memory.superseded_by),
        ("conflicts", list(memory.conflicts_with) or None),
        ("sources", [_source(span, zone) for span in memory.evidence] or None),
    )
    return fields + [(name, value) for name, value in optional if value is not None]


def _source(span: Evidence, zone: tzinfo) -> str:
    """Where evidence stands, with its day."""
    place = " ".join((span.ref or span.event_id).split())
    if span.ts is None or _DATED.search(place):
        return place
    return f"{place} ({day_of(span.ts, zone).isoformat()})"


def _yaml(value: object) -> str:
    """A value as YAML 1.2 and 1.1 read it alike."""
    if isinstance(value, list):
        return "".join(f"\n-{_yaml(item)}" for item in value)
    return f" {_scalar(value)}"


def _scalar(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    if _DATED.fullmatch(value) or (_BARE.match(value) and value.lower() not in _YAML_WORDS):
        return value
    quoted = json.dumps(value, ensure_ascii=False)
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]",
        lambda match: f"\\u{ord(match[0]):04x}",
        quoted,
    )


def _lines(memory: Memory, zone: tzinfo) -> list[str]:
    lines = [f"# {line_of(memory.title or memory.text)}", "", f"- {shown(memory)}"]
    if memory.evidence:
        lines += ["", _EVIDENCE[is_chinese(memory.text)], ""]
        newest = sorted(memory.evidence, key=lambda span: (span.ts is not None, span.ts or 0))
        lines += [f"- {_quoted(span, zone)}" for span in newest[-SHOWN_QUOTES:]]
    return lines


def _quoted(span: Evidence, zone: tzinfo) -> str:
    words = span.quote if len(span.quote) <= QUOTE_CHARS else span.quote[: QUOTE_CHARS - 1] + "…"
    when = day_of(span.ts, zone).isoformat() if span.ts else ""
    lead = ", ".join(part for part in (when, span.speaker) if part)
    return line_of(f"{lead}: “{words}”" if lead else f"“{words}”")


# --- back again -----------------------------------------------------------------------------------


def untouched(data: bytes) -> bool:
    """Whether the managed part of a file is as it was written: its stamp says so."""
    try:
        front, stamp, body = _cut(data)
    except Unreadable:
        return False
    return stamp == digest((front + body).encode("utf-8", "surrogatepass"))


def parse(data: bytes) -> Parsed:
    """A file of ours after a person had it. Raises Unreadable with the reason."""
    front, _stamp, body = _cut(data)
    # Only a file that was edited is parsed, so start-up need not pay for the parser.
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        fields = _reader().load(front)
    except (YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = front.split("\n")[mark.line : mark.line + 1] if mark else []
        where = f", at {typed(place[0])}" if place and place[0].strip() else ""
        reason = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
        raise Unreadable(f"its front matter is not valid YAML ({reason}{where})") from error
    if not isinstance(fields, dict):
        raise Unreadable("its front matter is no list of fields")
    lines = tuple(line.rstrip() for line in body.split("\n") if line.strip())
    return Parsed(fields, lines)


@cache
def _reader() -> "YAML":
    from ruamel.yaml import YAML  # noqa: PLC0415 - as above

    return YAML(typ="safe", pure=True)


def _cut(data: bytes) -> tuple[str, str, str]:
    """Front matter, stamp and managed body of a file."""
    text = decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT.match(text)
    if not front:
        raise Unreadable("its front matter is gone")
    rest = text[front.end() :]
    opened = REGION_OPENS.search(rest)
    closed = rest.find(f"\n{REGION_CLOSE}", opened.end()) if opened else -1
    if not opened or closed < 0:
        raise Unreadable("its slowwave markers are gone")
    return front[1], opened["stamp"] or "", rest[opened.end() : closed].strip("\n")


def tail_of(data: bytes) -> bytes:
    """What a person wrote behind the managed part, byte for byte."""
    _, mark, rest = data.partition(b"\n" + REGION_CLOSE.encode())
    return re.sub(rb"\A[ \t]*(?:\r\n|\n|\r)", b"", rest) if mark else b""


def edits_of(file: str, parsed: Parsed, base: Memory, zone: tzinfo) -> list[Edit]:
    """What a person changed in the file of `base`. Raises Unreadable for what cannot be changed."""
    edits = [*_field_edits(file, parsed.fields, base)]
    expected = [line for line in _lines(base, zone) if line]
    title, text, rest = expected[0], expected[1], expected[2:]
    lines = list(parsed.lines)
    own = lines[1 : len(lines) - len(rest)]
    if lines[:1] != [title] or lines[len(lines) - len(rest) :] != rest:
        raise Unreadable("its title or evidence was edited; only the text and the fields can be")
    bullets = [line[2:].strip() for line in own if line.startswith(("- ", "* ", "+ "))]
    if len(bullets) != len(own):
        raise Unreadable("there is text beside the bullets; put it behind the end marker")
    if text[2:] in bullets:
        bullets.remove(text[2:])
    elif not bullets:
        edits.append(Edit(file=file, what="delete", memory_id=base.id, before=base.text))
    else:
        words = unshown(base, bullets.pop(0))
        edits.append(Edit(file=file, what="text", memory_id=base.id, before=base.text, after=words))
    edits += [Edit(file=file, what="add", after=text_of(line), kind=base.kind) for line in bullets]
    return edits


def _field_edits(file: str, fields: dict[str, Any], base: Memory) -> list[Edit]:
    importance, pinned = fields.get("importance"), fields.get("pinned")
    status = fields.get("status")
    if isinstance(importance, bool) or not isinstance(importance, int):
        raise Unreadable(f"`importance` is {typed(importance)}, no whole number from 0 to 100")
    if not isinstance(pinned, bool):
        raise Unreadable(f"`pinned` is {typed(pinned)}, neither true nor false")
    if status not in (*_STATUSES, base.status):
        raise Unreadable(f"`status` is {typed(status)}, none of {', '.join(_STATUSES)}")
    told: tuple[tuple[EditKind, object, object], ...] = (
        ("importance", base.importance, importance),
        ("pinned", base.pinned, pinned),
        ("status", base.status, status),
    )
    return [
        Edit(file=file, what=what, memory_id=base.id, before=_told(was), after=_told(now))
        for what, was, now in told
        if was != now
    ]


def typed(value: object) -> str:
    """What a person wrote, as a message repeats it."""
    text = "empty" if value in (None, "") else f"“{' '.join(str(value).split())}”"
    return text if len(text) <= TYPED_CHARS else f"{text[: TYPED_CHARS - 2]}…”"


def _told(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def older(memories: Sequence[Memory], keep: int) -> list[Memory]:
    """The versions of a history to keep a file of: the last `keep` before the one that stands."""
    if not memories:
        return []
    past = list(memories[:-1])
    if memories[-1].status not in ("active", "cold"):
        # Its entry is gone from the archive: the last words it had are history now.
        return list(memories)[-max(keep, 1) :]
    return past[-keep:] if keep else []
