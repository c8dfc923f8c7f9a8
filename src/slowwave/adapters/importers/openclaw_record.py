"""One OpenClaw transcript entry → records. The same for a JSONL line and an SQLite row.

Who may teach: in the owner's own conversations (`agent:<a>:main`, direct chats) a user message is
the owner's unless it is marked otherwise; in groups only what is marked as the owner's; in cron,
hook, heartbeat and sub-agent sessions nobody is a person. Compaction summaries, model changes and
other bookkeeping hold nothing that was said and yield nothing.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from slowwave.adapters.importers.blocks import (
    blocks,
    call_text,
    cut,
    said,
    split_recalled,
    string,
)
from slowwave.adapters.importers.lines import local_time
from slowwave.model import EventKind, Origin, Record, Role
from slowwave.text.noise import is_control, unwrap
from slowwave.text.tool_names import tool_origin

SessionClass = Literal["direct", "group", "system"]

_MACHINES = {"cron", "hook", "subagent", "heartbeat", "dreaming"}
_PERSONAL = {"direct", "dm"}
_SHARED = {"group", "channel", "room", "guild", "topic"}
_MACHINE_PART = re.compile(r"dreaming-narrative-|model-run-|heartbeat")
_MACHINE_SENDERS = ("inter_session", "internal_system")


@dataclass(frozen=True)
class Conversation:
    """Where entries belong: agent and session id, and what the session key says about it."""

    agent: str
    session: str
    kind: SessionClass
    channel: str | None
    zone: tzinfo


def session_class(keys: list[str]) -> SessionClass:
    """What the session keys of one session say; the least trusted wins, none = direct."""
    kinds = {_class_of(key) for key in keys}
    for kind in ("system", "group"):
        if kind in kinds:
            return kind
    return "direct"


def _class_of(key: str) -> SessionClass:
    parts = key.lower().split(":")
    if _MACHINES & set(parts) or any(_MACHINE_PART.match(part) for part in parts):
        return "system"
    if _SHARED & set(parts):
        return "group"
    # agent:<a>:<name>: the main session, whatever the user calls it.
    if _PERSONAL & set(parts) or (parts[0] == "agent" and parts[2:3] and len(parts) <= 3):
        return "direct"
    return "direct" if parts[2:3] == ["main"] or parts == ["main"] else "group"


def channel_of(keys: list[str]) -> str | None:
    """The messenger a session key names (`agent:main:telegram:direct:7` → telegram)."""
    for key in keys:
        parts = key.split(":")
        if len(parts) >= 5 and parts[0] == "agent" and parts[3].lower() in _PERSONAL | _SHARED:
            return parts[2] or None
    return None


def entry_records(entry: dict[str, object], where: Conversation, line: int) -> list[Record]:
    """The records of one transcript entry, in order; empty for bookkeeping and empty messages."""
    kind = entry.get("type")
    maker = _Maker(entry, where, line)
    if kind == "custom_message":
        return maker.custom(entry)
    message = entry.get("message")
    if kind != "message" or not isinstance(message, dict):
        return []
    maker.stamp(message.get("timestamp"))
    readers: dict[object, Callable[[dict[str, object]], list[Record]]] = {
        "user": maker.user,
        "assistant": maker.assistant,
        "toolResult": maker.tool_result,
        "bashExecution": maker.shell,
        "custom": maker.custom,
        "hookMessage": maker.custom,
    }
    role = message.get("role")
    reader = readers.get(role) if isinstance(role, str) else None
    return reader(message) if reader else []


class _Maker:
    """Makes the records of one entry; numbers them when there is more than one."""

    def __init__(self, entry: dict[str, object], where: Conversation, line: int) -> None:
        self._id = string(entry.get("id")) or None
        self._where = where
        self._line = line
        self._ts: datetime | None = local_time(entry.get("timestamp"), where.zone)

    def stamp(self, value: object) -> None:
        """Takes the message's own time where the entry has none (for replies it is too early)."""
        self._ts = self._ts or local_time(value, self._where.zone)

    def _record(
        self, text: str, role: Role, origin: Origin, *, kind: EventKind = "message", part: str = ""
    ) -> Record:
        where = self._where
        suffix = f":{part}" if part else ""
        return Record(
            text=text,
            source=f"openclaw:{where.agent}/{where.session}",
            key=f"{self._id}{suffix}" if self._id else None,
            ref=f"{where.session}#{self._id or f'L{self._line}'}",
            ts=self._ts,
            role=role,
            kind=kind,
            origin=origin,
            session=where.session,
            channel=where.channel,
            line=self._line,
        )

    def user(self, message: dict[str, object]) -> list[Record]:
        own, recalled = split_recalled(said(message.get("content")))
        made = [
            self._record(text, "system", "recalled", part=f"recalled{number}")
            for number, text in enumerate(recalled)
        ]
        if own.strip():
            origin = self._speaker(own, message)
            made.append(self._record(own, "system" if origin == "system" else "user", origin))
        return made

    def _speaker(self, text: str, message: dict[str, object]) -> Origin:
        sent_by = message.get("provenance")
        machine = isinstance(sent_by, dict) and sent_by.get("kind") in _MACHINE_SENDERS
        message_text = unwrap(text)
        if machine or self._where.kind == "system" or is_control(message_text.text):
            return "system"
        marks = message.get("__openclaw")
        owner = marks.get("senderIsOwner") if isinstance(marks, dict) else None
        if isinstance(owner, bool):
            return "owner" if owner else "other"
        shared = self._where.kind == "group" or message_text.group
        return "other" if shared else "owner"

    def assistant(self, message: dict[str, object]) -> list[Record]:
        content = message.get("content")
        made = []
        text = said(content)
        if text:
            machine = self._where.kind == "system" or is_control(unwrap(text).text)
            made.append(self._record(text, "assistant", "system" if machine else "agent"))
        for number, call in enumerate(blocks(content, "toolCall", "tool_use", "tool_call")):
            made.append(
                self._record(
                    call_text(call.get("name"), call.get("arguments", call.get("input", {}))),
                    "assistant",
                    "tool",
                    kind="tool_call",
                    part=f"call{number}",
                )
            )
        return made

    def tool_result(self, message: dict[str, object]) -> list[Record]:
        text = cut(said(message.get("content")))
        origin = tool_origin(string(message.get("toolName")))
        return [self._record(text, "tool", origin, kind="tool_result")] if text else []

    def shell(self, message: dict[str, object]) -> list[Record]:
        command, output = string(message.get("command")), string(message.get("output"))
        text = cut(f"$ {command}\n{output}".strip()) if command else ""
        return [self._record(text, "tool", "tool", kind="tool_result")] if text else []

    def custom(self, message: dict[str, object]) -> list[Record]:
        """Text an extension put into the conversation: memory if it says so, else the machine's."""
        text = said(message.get("content"))
        kind = string(message.get("customType"))
        memory = "runtime-context" in kind or tool_origin(kind) == "recalled"
        memory = memory or bool(split_recalled(text)[1])
        origin: Origin = "recalled" if memory else "system"
        return [self._record(text, "system", origin)] if text else []
