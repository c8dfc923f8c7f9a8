"""Claude.ai's data export: a ZIP or its `conversations.json`.

Retries share a parent, so only the path the user saw last is read. The text extracted from an
attached file is a file's text and not the user's words: it comes as a record of its own, external.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.adapters.importers.blocks import blocks, call_text, cut, said, string
from slowwave.adapters.importers.branches import active_path
from slowwave.adapters.importers.json_stream import Value, head_of, json_values
from slowwave.adapters.importers.keys import content_key
from slowwave.adapters.importers.lines import local_time
from slowwave.model import EventKind, Origin, Record, Role, Skipped
from slowwave.ports import Format

__all__ = ["FORMAT"]

ATTACHMENT_LIMIT = 20_000
"""Longest text of an attached file that is kept (code points)."""

_MEMBERS = re.compile(r"conversations(?:[-_]?\d+)?\.json", re.IGNORECASE)
_MESSAGES = re.compile(rb'"chat_messages"\s*:\s*\[')
_PLACEHOLDER = re.compile(
    r"(?:```\s*)?This block is not supported on your current device(?: yet)?\.?\s*(?:```)?"
)
_ROLES: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant"}


class _Part(NamedTuple):
    """One record to be made of a message; `suffix` tells its key from the message's own."""

    suffix: str
    text: str
    role: Role
    kind: EventKind = "message"
    origin: Origin | None = None
    meta: Mapping[str, str] = {}


def _recognise(path: Path, head: bytes) -> bool:
    return bool(_MESSAGES.search(head_of(path, head, _MEMBERS)))


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    for found in json_values(path, _MEMBERS):
        if isinstance(found, Skipped):
            yield found
        else:
            yield from _conversation(found, zone)


def _conversation(found: Value, zone: tzinfo) -> Iterator[Record | Skipped]:
    value, line = found.value, found.line
    messages = value.get("chat_messages") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(messages, list):
        yield Skipped(line, f"value {found.number}: not a conversation")
        return
    name = string(value.get("uuid"))
    title = string(value.get("name")) or string(value.get("title"))
    ts = local_time(value.get("created_at"), zone)
    sound = []
    for place, message in enumerate(messages, 1):
        if isinstance(message, dict) and string(message.get("sender")) in _ROLES:
            sound.append(message)
        else:
            yield Skipped(line, f"conversation {name or found.number}, message {place}: no sender")
    seen: Counter[str] = Counter()
    for message in _active(sound, value.get("current_leaf_message_uuid"), zone):
        ts = local_time(message.get("created_at"), zone) or ts
        base = Record(
            text="",
            source=f"claude-ai:{name}" if name else "claude-ai",
            ts=ts,
            session=name,
            meta={"title": title} if title.strip() else {},
        )
        yield from _records(message, base, seen)


def _active(
    messages: Sequence[Mapping[str, object]], leaf: object, zone: tzinfo
) -> list[Mapping[str, object]]:
    """The messages of the path seen last. One that names no parent follows the one before it."""
    parents: dict[str, str | None] = {}
    by_id: dict[str, Mapping[str, object]] = {}
    ages: dict[str, float] = {}
    before: str | None = None
    for place, message in enumerate(messages):
        name = string(message.get("uuid")) or f"#{place}"
        if name in by_id:
            continue  # the first of two with one id counts, as everywhere
        by_id[name] = message
        parents[name] = string(message.get("parent_message_uuid")) or before
        when = local_time(message.get("created_at"), zone)
        if when is not None:
            ages[name] = when.timestamp()
        before = name
    path = active_path(parents, leaf if isinstance(leaf, str) else None, ages)
    return [by_id[name] for name in path]


def _records(message: Mapping[str, object], base: Record, seen: Counter[str]) -> Iterator[Record]:
    """What was said first, then what was attached to it or done for it."""
    ref = string(message.get("uuid"))
    key = ref or content_key(seen, string(message.get("sender")), _words(message))
    said_part = _Part("", _words(message), _ROLES[string(message.get("sender"))])
    for part in (said_part, *_attached(message), *_tools(message)):
        if part.text.strip():
            yield msgspec.structs.replace(
                base,
                text=part.text.strip(),
                key=f"{key}{part.suffix}",
                ref=ref or None,
                role=part.role,
                kind=part.kind,
                origin=part.origin,
                meta={**base.meta, **part.meta},
            )


def _words(message: Mapping[str, object]) -> str:
    """What was said: the content blocks, or `text` where they hold nothing."""
    content = message.get("content")
    notes = [string(block.get("text")) for block in blocks(content, "voice_note")]
    texts = (said(content), *notes)
    words = "\n\n".join(text for text in texts if text.strip())
    for candidate in (words, string(message.get("text"))):
        text = _PLACEHOLDER.sub("", candidate).strip()
        if text:
            return text
    return ""


def _attached(message: Mapping[str, object]) -> Iterator[_Part]:
    attachments = message.get("attachments")
    for place, attachment in enumerate(attachments if isinstance(attachments, list) else (), 1):
        if isinstance(attachment, dict):
            text = cut(string(attachment.get("extracted_content")), ATTACHMENT_LIMIT)
            name = string(attachment.get("file_name"))
            meta = {"file": name} if name else {}
            yield _Part(f"#file{place}", text, "user", "note", "external", meta)


def _tools(message: Mapping[str, object]) -> Iterator[_Part]:
    for place, block in enumerate(blocks(message.get("content"), "tool_use", "tool_result"), 1):
        suffix = f"#tool{place}"
        if block.get("type") == "tool_use":
            text = call_text(block.get("name"), block.get("input"))
            yield _Part(suffix, text, "assistant", "tool_call")
        else:
            yield _Part(suffix, cut(said(block.get("content"))), "tool", "tool_result")


FORMAT = Format("claude-ai", _recognise, _read)
