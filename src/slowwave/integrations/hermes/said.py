"""What Hermes hands over, as records of the journal: each message once, however often it comes.

Hermes gives the two texts of a turn when it ends, and all messages again before it compresses them
and when the session ends. A message is known by its session, its words, and how many times they
were said before.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from slowwave.model import SAID_IN_TURN, TURN_ID, EventKind, Origin, Record, Role

__all__ = ["OWN_TOOLS", "Talk", "records", "text_of"]

OWN_TOOLS = ("memory_search", "memory_get", "memory_remember")
"""Our tools: what they answer came out of the memory, and what they keep is kept."""

LONGEST_TOOL_TEXT = 4_000
"""Characters of a tool call or result that are kept; the rest seldom matters."""

_MEMORY_BLOCK = re.compile(r"<memory-context\b[^<>]*>.*?(?:</memory-context>|\Z)", re.DOTALL)
"""What Hermes puts into a message out of a memory, for the model alone."""

_OUT_OF_MEMORY = re.compile(r"memor|recall|session_search", re.IGNORECASE)
_NETWORK = re.compile(r"web|fetch|brows|http|crawl|scrape|url", re.IGNORECASE)
_NO_WORDS = ("_compressed_summary", "_synthetic", "_hidden")
"""Marks of messages that nobody said."""


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation: its session, where it is held, who speaks (None: the owner).

    `learn`: its turns are learned from when they end.
    """

    session: str
    channel: str | None = None
    speaker: str | None = None
    learn: bool = False


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    role: Role
    text: str
    kind: EventKind = "message"
    origin: Origin | None = None


def records(messages: Sequence[Mapping[str, Any]], talk: Talk, said: Counter[str]) -> list[Record]:
    """The records of messages. `said` counts equal words of this session, and is added to."""
    found: list[Record] = []
    turn = ""
    for message in _messages(messages):
        name = _digest(talk.session, message.role, message.kind, message.text)
        said[name] += 1
        key = f"{name}-{said[name]}"
        if message.role == "user":
            turn = key
        in_turn = talk.learn and message.kind == "message"
        found.append(
            Record(
                text=message.text, key=key, ref=f"hermes:{talk.session}#{name[:10]}-{said[name]}",
                source=SAID_IN_TURN if in_turn else "hermes",
                role=message.role, kind=message.kind, origin=message.origin,
                session=talk.session, channel=talk.channel,
                speaker=talk.speaker if message.role == "user" else None,
                meta={TURN_ID: _digest(turn or key)[:12]} if in_turn else {},
            )
        )  # fmt: skip
    return found


def _messages(messages: Iterable[Mapping[str, Any]]) -> Iterator[_Message]:
    tools: dict[str, str] = {}
    for message in messages:
        if not isinstance(message, Mapping) or any(message.get(mark) for mark in _NO_WORDS):
            continue
        role = message.get("role")
        text = text_of(message.get("content"))
        if role in ("user", "assistant"):
            if text:
                yield _Message(role="user" if role == "user" else "assistant", text=text)
            yield from _calls(message.get("tool_calls"), tools)
        elif role == "tool" and text:
            name = tools.get(str(message.get("tool_call_id")), str(message.get("name") or ""))
            if name not in OWN_TOOLS:
                yield _Message(role="tool", text=text[:LONGEST_TOOL_TEXT], kind="tool_result",
                               origin=_origin(name))  # fmt: skip


def _calls(calls: object, tools: dict[str, str]) -> Iterator[_Message]:
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict):
            continue
        name, given = str(function.get("name") or "tool"), function.get("arguments") or ""
        tools[str(call.get("id"))] = name
        if name in OWN_TOOLS:
            continue
        if not isinstance(given, str):
            given = json.dumps(given, ensure_ascii=False, default=str)
        text = f"{name} {given}".strip()[:LONGEST_TOOL_TEXT]
        yield _Message(role="assistant", text=text, kind="tool_call")


def _origin(tool: str) -> Origin:
    if _OUT_OF_MEMORY.search(tool):
        return "recalled"
    return "external" if _NETWORK.search(tool) else "tool"


def text_of(content: object) -> str:
    """The words of a message's content, without what was put into it out of a memory."""
    if isinstance(content, list):
        parts = (one.get("text") if isinstance(one, dict) else one for one in content)
        content = "\n\n".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        return ""
    return (
        _MEMORY_BLOCK.sub("", content).strip() if "<memory-context" in content else content.strip()
    )


def _digest(*parts: str) -> str:
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
