"""ChatGPT's data export: a ZIP, its `conversations*.json`, one conversation, or a flat list.

A conversation is a tree; only the path the user saw last is read. What no person wrote keeps an
origin that says so: hidden profile text is `system`, the memory ChatGPT wrote is `recalled`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, tzinfo
from pathlib import Path

import msgspec

from slowwave.adapters.importers.blocks import string
from slowwave.adapters.importers.branches import active_path
from slowwave.adapters.importers.chatgpt_message import Message, as_record, message_of
from slowwave.adapters.importers.json_stream import Value, head_of, json_values
from slowwave.adapters.importers.keys import content_key
from slowwave.adapters.importers.lines import local_time
from slowwave.model import Record, Skipped
from slowwave.ports import Format

__all__ = ["FORMAT"]

_MEMBERS = re.compile(r"conversations(?:[-_]?\d+)?\.json", re.IGNORECASE)
_TREE = re.compile(rb'"mapping"\s*:\s*\{')
_AUTHOR = re.compile(rb'"author"\s*:\s*\{\s*"(?:role|name)"')
_FLAT = re.compile(
    rb'(?:\[|\{[^\[\]]*?"messages"\s*:\s*\[)\s*\{[^{}\[\]]*?'
    rb'"role"\s*:\s*"(?:user|assistant|system)"[^{}]*?"content"\s*:'
)


def _recognise(path: Path, head: bytes) -> bool:
    start = head_of(path, head, _MEMBERS).lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] not in (b"[", b"{"):
        return False
    flat = path.suffix.lower() == ".json" and _FLAT.match(start)
    return bool(flat or _TREE.search(start) or _AUTHOR.search(start))


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    seen: Counter[str] = Counter()
    for found in json_values(path, _MEMBERS):
        for record in (found,) if isinstance(found, Skipped) else _conversation(found, zone):
            if isinstance(record, Record) and record.key is None and record.ts is None:
                # A flat list may tell neither; reading it again must not double it.
                key = content_key(seen, record.session, record.role, record.text)
                yield msgspec.structs.replace(record, key=key)
            else:
                yield record


def _conversation(found: Value, zone: tzinfo) -> Iterator[Record | Skipped]:
    """The records of one conversation, or of one message of a flat list."""
    value, line = found.value, found.line
    if not isinstance(value, dict):
        yield Skipped(line, f"value {found.number}: not a conversation")
        return
    name = string(value.get("conversation_id")) or string(value.get("id"))
    if value.get("is_do_not_remember") is True:
        yield Skipped(line, f"conversation {name or found.number}: marked as not to be remembered")
        return
    messages: list[Message | Skipped]
    if isinstance(value.get("mapping"), dict):
        messages = list(_tree(value, line))
    elif isinstance(value.get("messages"), list):
        messages = [message_of(item, "", line) for item in value["messages"]]
    elif "author" in value or "role" in value:
        messages = [message_of(value, "", line)]
        name = string(value.get("conversation_id"))
    else:
        yield Skipped(line, f"value {found.number}: neither a conversation nor a message")
        return
    yield from _records(value, name, messages, zone)


def _records(
    conversation: Mapping[str, object], name: str, messages: list[Message | Skipped], zone: tzinfo
) -> Iterator[Record | Skipped]:
    """Messages without a time take the one before, else the conversation's."""
    # The id marks the copies of one conversation; without one the content does.
    source = f"chatgpt:{name}" if name else "chatgpt"
    meta = {"title": string(conversation.get("title"))}
    meta = {key: text for key, text in meta.items() if text.strip()}
    ts: datetime | None = local_time(conversation.get("create_time"), zone)
    for message in messages:
        if isinstance(message, Skipped):
            yield message
            continue
        ts = local_time(message.time, zone) or ts
        record = as_record(message, source=source, session=name, ts=ts, meta=meta)
        if record is not None:
            yield record


def _tree(conversation: Mapping[str, object], line: int) -> Iterator[Message | Skipped]:
    """The messages on the active path, in its order (times jump backwards)."""
    mapping = conversation["mapping"]
    assert isinstance(mapping, dict)
    nodes: dict[str, Mapping[str, object]] = {}
    for node_id, node in mapping.items():
        if isinstance(node, dict):
            nodes[node_id] = node
        else:
            yield Skipped(line, f"node {node_id} is not an object")
    ages = {}
    for node_id, node in nodes.items():
        message = node.get("message")
        when = message.get("create_time") if isinstance(message, dict) else None
        if isinstance(when, int | float):
            ages[node_id] = when
    current = conversation.get("current_node")
    leaf = current if isinstance(current, str) else None
    for node_id in active_path(_parents(nodes), leaf, ages):
        message = nodes[node_id].get("message")
        if message is not None:
            yield message_of(message, node_id, line)


def _parents(nodes: Mapping[str, Mapping[str, object]]) -> dict[str, str | None]:
    """Each node's parent; where it is not told, the node that lists it as a child."""
    listed: dict[str, str] = {}
    for node_id, node in nodes.items():
        children = node.get("children")
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str):
                listed.setdefault(child, node_id)
    return {
        node_id: string(node.get("parent")) or listed.get(node_id)
        for node_id, node in nodes.items()
    }


FORMAT = Format("chatgpt", _recognise, _read)
