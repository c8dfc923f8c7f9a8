"""Claude Code sessions: `~/.claude/projects/<folder>/<session>.jsonl` and its sub-agents.

Rows are known by their uuid, which resumed and forked sessions repeat, so a row counts once
however many files hold it. Several rows with one message id are one answer. What stands under
`user` is the person only when it is neither a tool's result nor put there by the program; rows of
sub-agents (side chains) were never typed by anybody.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from msgspec.structs import replace

from slowwave.adapters.importers.blocks import (
    blocks,
    call_text,
    cut,
    said,
    split_recalled,
    split_tagged,
    string,
)
from slowwave.adapters.importers.lines import decode_json, json_lines, local_time, plain_head
from slowwave.model import EventKind, Origin, Record, Role, Skipped
from slowwave.ports import Format
from slowwave.text.tool_names import tool_origin

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_LONG_ROW = re.compile(
    rb'\{"(?:parentUuid":|logicalParentUuid":|type":"(?:file-history-snapshot|queue-operation)",)'
)
_PROGRAM_TAG = re.compile(
    r"<(command-[\w-]+|local-command-[\w-]+|bash-[\w-]+|ide_\w+|[\w-]*-hook|[\w-]*-notification"
    r"|system-[\w-]+)\b[^<>]*>"
)
_PROGRAM_TEXT = re.compile(
    r"\s*(?:\[Request interrupted by user|Caveat: The messages below"
    r"|This session is being continued from a previous conversation)"
)
_TYPED_NOTE = re.compile(r"<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
_IMAGE = re.compile(r"\[Image(?: #\d+|: [^\]\n]*)\]")
_TELLTALE = {
    "user": ("message",),
    "assistant": ("message",),
    "summary": ("leafUuid",),
    "file-history-snapshot": ("messageId",),
    "queue-operation": ("operation",),
}
_PEOPLE = ("human", "user", "external")


def _recognise(path: Path, head: bytes) -> bool:
    lines = plain_head(path, head).split(b"\n")[:40]
    return any(_is_row(raw) for raw in lines) or bool(_LONG_ROW.match(lines[0]))


def _is_row(raw: bytes) -> bool:
    try:
        row = decode_json(raw) if raw.lstrip()[:1] == b"{" else None
    except ValueError:
        return False
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        return False
    wanted = _TELLTALE.get(row["type"], ("sessionId",))
    named = "message" not in wanted or "uuid" in row or "sessionId" in row
    return named and all(name in row for name in wanted)


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    reader = _Reader(path, zone)
    for item in json_lines(path):
        if isinstance(item, Skipped):
            yield item
            continue
        number, row = item
        reason = _damage(row)
        if reason:
            yield Skipped(number, reason)
        elif isinstance(row, dict):
            yield from reader.row(row, number)
    yield from reader.finished()


def _damage(row: object) -> str:
    if not isinstance(row, dict):
        return f"not a transcript row but {type(row).__name__}"
    if not isinstance(row.get("type"), str):
        return "a row without a type"
    if row["type"] in ("user", "assistant") and not isinstance(row.get("message"), dict | str):
        return f"a row of type {row['type']} without a message"
    return ""


class _Reader:
    """Goes through the rows of one file; holds back an answer until it is whole."""

    def __init__(self, path: Path, zone: tzinfo) -> None:
        self._stem = path.name.split(".", 1)[0]
        self._zone = zone
        self._seen: set[str] = set()
        self._tools: dict[str, str] = {}
        self._queued: dict[str, list[str]] = {}
        self._answers: dict[str, _Answer] = {}

    def row(self, row: dict[str, object], line: int) -> Iterator[Record]:
        """The records that are complete with this row."""
        uuid = string(row.get("uuid"))
        if uuid:
            if uuid in self._seen:
                return
            self._seen.add(uuid)
        match row["type"]:
            case "user":
                yield from self._flush(self._session(row))
                yield from self._user(row, line)
            case "assistant":
                yield from self._assistant(row, line)
            case "queue-operation" if row.get("operation") == "enqueue":
                yield from self._typed_ahead(row, row.get("content"), line)
            case "attachment":
                added = row.get("attachment")
                if isinstance(added, dict) and added.get("type") == "queued_command":
                    yield from self._typed_ahead(row, added.get("prompt"), line)

    def finished(self) -> Iterator[Record]:
        """Answers that were still open when the file ended."""
        for session in list(self._answers):
            yield from self._flush(session)

    def _session(self, row: dict[str, object]) -> str:
        return string(row.get("sessionId")) or self._stem

    def _flush(self, session: str) -> Iterator[Record]:
        held = self._answers.pop(session, None)
        if held:
            yield from held.records()

    def _record(
        self, row: dict[str, object], line: int, text: str, role: Role, origin: Origin
    ) -> Record:
        uuid, session = string(row.get("uuid")), self._session(row)
        # A true uuid is unique everywhere; forks of a session repeat it under their own name.
        everywhere = bool(_UUID.fullmatch(uuid))
        folder = string(row.get("cwd"))
        return Record(
            text=text,
            source="claude-code" if everywhere else f"claude-code:{session}",
            key=uuid or None,
            ref=f"{session}#{uuid or f'L{line}'}",
            ts=local_time(row.get("timestamp"), self._zone),
            role=role,
            origin=origin,
            session=session,
            meta={"cwd": folder} if folder else {},
            line=line,
        )

    # ── the person ──────────────────────────────────────────────────────────────────────────────

    def _user(self, row: dict[str, object], line: int) -> Iterator[Record]:
        content = _content(row)
        results = blocks(content, "tool_result")
        for number, result in enumerate(results):
            text = cut(said(result.get("content")))
            if text:
                name = self._tools.pop(string(result.get("tool_use_id")), "")
                record = self._record(row, line, text, "tool", tool_origin(name))
                yield _part(record, f"result{number}", "tool_result")
        if row.get("isCompactSummary"):
            return  # a summary of rows that are all here
        text = said(content)
        if text and not self._was_queued(self._session(row), text):
            yield from self._spoken(row, text, line)

    def _spoken(self, row: dict[str, object], text: str, line: int) -> Iterator[Record]:
        own, recalled = split_recalled(_TYPED_NOTE.sub(r"\1", text))
        for number, block in enumerate(recalled):
            record = self._record(row, line, block, "system", "recalled")
            yield _part(record, f"recalled{number}", "message")
        typed = _IMAGE.sub("", split_tagged(own, _PROGRAM_TAG)[0]).strip()
        if not _by_program(row) and typed and not _PROGRAM_TEXT.match(typed):
            yield self._record(row, line, typed, "user", "owner")
        elif own.strip() and _IMAGE.sub("", own).strip():
            yield self._record(row, line, cut(own.strip()), "system", "system")

    def _typed_ahead(self, row: dict[str, object], content: object, line: int) -> Iterator[Record]:
        """A prompt typed while the agent was busy: often the only trace of it."""
        text, session = said(content), self._session(row)
        waiting = self._queued.setdefault(session, [])
        if not text or (row["type"] == "attachment" and text in waiting):
            return
        waiting.append(text)
        yield from self._spoken(row, text, line)

    def _was_queued(self, session: str, text: str) -> bool:
        """True when the row repeats what was typed ahead: one prompt, or all that waited."""
        waiting = self._queued.get(session, [])
        if text in waiting:
            waiting.remove(text)
            return True
        if waiting and text == "\n".join(waiting):
            waiting.clear()
            return True
        return False

    # ── the agent ───────────────────────────────────────────────────────────────────────────────

    def _assistant(self, row: dict[str, object], line: int) -> Iterator[Record]:
        message = row["message"]
        made_up = isinstance(message, dict) and message.get("model") == "<synthetic>"
        if made_up or row.get("isApiErrorMessage"):
            return  # the client's own error text
        session, content = self._session(row), _content(row)
        name = string(message.get("id")) if isinstance(message, dict) else ""
        held = self._answers.get(session)
        if held is None or held.name != name or not name:
            yield from self._flush(session)
            held = self._answers[session] = _Answer(name)
        text = said(content)
        if text:
            held.texts.append(self._record(row, line, text, "assistant", "agent"))
        for number, call in enumerate(blocks(content, "tool_use", "server_tool_use")):
            tool = string(call.get("name"))
            self._tools[string(call.get("id"))] = tool
            called = call_text(tool, call.get("input", {}))
            record = self._record(row, line, called, "assistant", "tool")
            held.calls.append(_part(record, f"call{number}", "tool_call"))


@dataclass
class _Answer:
    """One message of the model: its texts become one record, its tool calls follow."""

    name: str
    texts: list[Record] = field(default_factory=list)
    calls: list[Record] = field(default_factory=list)

    def records(self) -> Iterator[Record]:
        """The records, in the order in which they were said."""
        if self.texts:
            first, more = self.texts[0], len(self.texts) - 1
            # The number of parts is in the key: an answer read half-written comes again whole.
            key = f"{first.key}+{more}" if first.key and more else first.key
            yield replace(first, text="\n\n".join(part.text for part in self.texts), key=key)
        yield from self.calls


def _content(row: dict[str, object]) -> object:
    message = row.get("message")
    return message.get("content") if isinstance(message, dict) else message


def _by_program(row: dict[str, object]) -> bool:
    """True for rows nobody typed: hidden context, side chains, and other declared origins."""
    if any(row.get(flag) for flag in ("isMeta", "isSidechain", "isVisibleInTranscriptOnly")):
        return True
    origin = row.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return bool(row.get("agentId")) or (isinstance(kind, str) and kind not in _PEOPLE)


def _part(record: Record, part: str, kind: EventKind) -> Record:
    """A record of one block of a row, with a key of its own."""
    return replace(record, key=record.key and f"{record.key}:{part}", kind=kind)


FORMAT = Format(name="claude-code", recognise=_recognise, read=_read)
