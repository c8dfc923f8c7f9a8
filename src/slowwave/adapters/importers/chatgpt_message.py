"""One message of a ChatGPT export: who wrote it, in what words, and whether a person saw it."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from slowwave.adapters.importers.blocks import cut, string
from slowwave.model import EventKind, Origin, Record, Role, Skipped

__all__ = ["Content", "Message", "as_record", "content_of", "message_of"]


class Content(NamedTuple):
    """The words of a message's content; `by` is their kind where the content type tells."""

    text: str
    by: str = ""


class Message(NamedTuple):
    """A message as far as it matters. `hidden`: the chat window never showed it."""

    key: str
    role: str
    recipient: str
    time: object
    hidden: bool
    content: Content
    model: str


class _By(NamedTuple):
    """What a kind of content means for the record; None leaves the author's own."""

    role: Role | None = None
    kind: EventKind = "message"
    origin: Origin | None = None


_BY = {
    "": _By(),
    "code": _By(kind="tool_call"),
    "tool": _By(role="tool", kind="tool_result"),
    "external": _By(role="tool", kind="tool_result", origin="external"),
    "system": _By(role="system", origin="system"),
    "recalled": _By(role="system", origin="recalled"),
}
_TYPES = {
    "": "",
    "text": "",
    "multimodal_text": "",
    "code": "code",
    "execution_output": "tool",
    "computer_output": "tool",
    "system_error": "tool",
    "tether_browsing_display": "external",
    "tether_quote": "external",
    "user_editable_context": "system",
    "model_editable_context": "recalled",
}
_UNSAID = frozenset({"thoughts", "reasoning_recap"})
_FIELDS = (
    "text", "result", "summary", "content", "user_profile", "user_instructions",
    "model_set_context", "transcript",
)  # fmt: skip
_ROLES: Mapping[str, Role] = {
    "user": "user", "human": "user", "assistant": "assistant", "chatgpt": "assistant",
    "model": "assistant", "tool": "tool", "function": "tool", "system": "system",
    "developer": "system",
}  # fmt: skip

_SOURCE_MARK = re.compile(r"[ \t]*【\d+(?::\d+)?†[^】\n]*】")
_WIDGET = re.compile("[ \t]?\ue200(\\w*)((?:\ue202[^\ue200\ue201]*)*)\ue201")
_PRIVATE = re.compile("[\ue200-\ue2ff]")


def message_of(value: object, node: str, line: int) -> Message | Skipped:
    """A message from a tree's node or a flat list; Skipped when it is none."""
    if not isinstance(value, dict):
        return Skipped(line, f"message {node or '?'} is not an object")
    author = value.get("author")
    role = author.get("role") if isinstance(author, dict) else author or value.get("role")
    if string(role).casefold() not in _ROLES:
        return Skipped(line, f"message {string(value.get('id')) or node or '?'}: unknown author")
    meta = value.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    marks = ("is_visually_hidden_from_conversation", "is_user_system_message")
    weight = value.get("weight")
    times = (value.get(name) for name in ("create_time", "timestamp", "created_at"))
    return Message(
        key=string(value.get("id")) or node,
        role=string(role).casefold(),
        recipient=string(value.get("recipient")),
        time=next((when for when in times if when), None),
        hidden=any(meta.get(mark) is True for mark in marks) or _is_zero(weight),
        content=content_of(value.get("content", value.get("text"))),
        model=string(meta.get("model_slug")),
    )


def content_of(content: object) -> Content:
    """The words of a content object, a list of parts or a plain string; "" for unsaid thoughts."""
    if not isinstance(content, dict):
        return Content(_parts(content))
    kind = string(content.get("content_type"))
    if kind in _UNSAID:
        return Content("")
    text = _parts(content["parts"]) if "parts" in content else _fields(content)
    # What is not known may be anything; it must not pass for a person's words.
    return Content(text, _TYPES.get(kind, "system"))


def as_record(
    message: Message, *, source: str, session: str, ts: datetime | None, meta: dict[str, str]
) -> Record | None:
    """The record of a message; None when it has no words."""
    text = without_marks(message.content.text, own=message.role in ("user", "human")).strip()
    if not text:
        return None
    by = _BY[message.content.by]
    role = by.role or _ROLES[message.role]
    if role == "assistant" and message.recipient not in ("", "all"):
        by = _BY["code"]
    elif role == "tool" and by is _BY[""]:
        by = _BY["tool"]
    elif message.hidden and by is _BY[""]:
        by = _BY["system"]
    details = {**meta, **({"model": message.model} if message.model else {})}
    return Record(
        text=text if by.kind == "message" else cut(text),
        source=source,
        key=message.key or None,
        ref=message.key or None,
        ts=ts,
        role=by.role or role,
        kind=by.kind,
        origin=by.origin,
        session=session,
        meta=details,
    )


def without_marks(text: str, *, own: bool) -> str:
    """Text without citation marks and widgets; a named thing keeps its name.

    A person's `own` text keeps what they may have typed themselves.
    """
    if "\ue200" in text or _PRIVATE.search(text):
        text = _PRIVATE.sub("", _WIDGET.sub(_widget, text))
    return text if own else _SOURCE_MARK.sub("", text)


def _widget(match: re.Match[str]) -> str:
    """`entity` and `url` widgets stand where their words should; all others are only marks."""
    name, inner = match[1], match[2].lstrip("\ue202")
    lead = " " if match[0].startswith((" ", "\t")) else ""
    if name == "url":
        return lead + inner.split("\ue202")[0]
    if name != "entity":
        return ""
    try:
        fields = json.loads(inner)
    except (ValueError, RecursionError):
        return ""
    if isinstance(fields, list) and len(fields) > 1 and isinstance(fields[1], str):
        return lead + fields[1]
    return ""


def _parts(parts: object) -> str:
    """Strings and the texts of transcribed speech; a picture alone is said to be one."""
    if isinstance(parts, str):
        return parts
    if not isinstance(parts, list):
        return ""
    texts = [part if isinstance(part, str) else _part_text(part) for part in parts]
    said = "\n".join(text for text in texts if text.strip())
    return said if said or not any(isinstance(part, dict) for part in parts) else "[image]"


def _part_text(part: object) -> str:
    return string(part.get("text")) if isinstance(part, dict) else ""


def _fields(content: Mapping[str, object]) -> str:
    texts = [string(content.get(name)) for name in _FIELDS]
    return "\n".join(dict.fromkeys(text for text in texts if text.strip()))


def _is_zero(weight: object) -> bool:
    return isinstance(weight, int | float) and not isinstance(weight, bool) and weight == 0
