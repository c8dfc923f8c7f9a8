"""OpenClaw sessions of both eras: JSONL files with their archives, and the agent's SQLite file.

A live file, its `.reset`, `.deleted` and `.bak` copies (also packed) and the database rows tell
the same story: a record's source is agent and session id, its key the entry's id, so each entry
counts once wherever it is read. Entries of the first version have no ids; their time and text
decide. Checkpoints, trajectories and the session index are known and yield nothing.
"""

import re
from collections.abc import Iterator
from datetime import tzinfo
from functools import partial
from pathlib import Path

from slowwave.adapters.importers import openclaw_sqlite
from slowwave.adapters.importers.blocks import string
from slowwave.adapters.importers.lines import (
    decode_json,
    plain_head,
    read_bytes,
    read_lines,
)
from slowwave.adapters.importers.openclaw_record import Conversation, channel_of, session_class
from slowwave.adapters.importers.openclaw_tree import session_id_of, transcript
from slowwave.errors import InputError
from slowwave.model import Record, Skipped
from slowwave.ports import Format

_ENTRY_TYPES = frozenset({
    "session", "message", "model_change", "thinking_level_change", "compaction", "reset",
    "branch_summary", "custom", "custom_message", "label", "session_info", "leaf", "session-meta",
})  # fmt: skip
_NOT_TRANSCRIPT = re.compile(r"\.checkpoint\.[^/]*\.jsonl|\.trajectory\.jsonl|\A[^.]*-trajectory\.")
_ARCHIVE = re.compile(r"\.jsonl\.(?:reset|deleted|bak)\..*\.zst\Z")
_LONG_ENTRY = re.compile(rb'\{"type":"(?:message|custom_message|compaction)","id":"[0-9a-f]{8}",')
_INDEX = re.compile(rb'"sessionId"\s*:\s*"')
_INDEX_KEY = re.compile(rb'\A\s*\{\s*"[\w-]+(?::[^"]*)?"\s*:\s*\{')


def agent_of(path: Path) -> str:
    """The agent a file belongs to, from `agents/<agent>/…` in its path; else `main`."""
    parts = path.parts
    for place in range(len(parts) - 2, -1, -1):
        if parts[place] == "agents":
            return parts[place + 1]
    return "main"


def _recognise(path: Path, head: bytes) -> bool:
    if openclaw_sqlite.is_agent_database(path, head):
        return True
    if path.name == "sessions.json":
        return bool(_INDEX.search(head) and _INDEX_KEY.match(head)) or head.strip() == b"{}"
    if ".trajectory.jsonl" in path.name and b'"traceSchema"' in head:
        return True
    head = plain_head(path, head)
    if not head and _ARCHIVE.search(path.name):
        return True  # packed, and the unpacker is missing: reading says so
    lines = head.split(b"\n")[:40]
    return any(_is_entry(raw) for raw in lines) or bool(_LONG_ENTRY.match(lines[-1]))


def _is_entry(raw: bytes) -> bool:
    try:
        entry = decode_json(raw) if raw.lstrip()[:1] == b"{" else None
    except ValueError:
        return False
    if not isinstance(entry, dict) or string(entry.get("type")) not in _ENTRY_TYPES:
        return False
    if entry["type"] == "session":
        return isinstance(entry.get("id"), str) and "timestamp" in entry
    if entry["type"] == "message":
        return isinstance(entry.get("message"), dict) and "role" in entry["message"]
    return "parentId" in entry and "timestamp" in entry


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    if openclaw_sqlite.is_database(path):
        yield from openclaw_sqlite.read(path, agent_of(path), zone)
        return
    if path.name == "sessions.json" or _NOT_TRANSCRIPT.search(path.name):
        return
    session = session_id_of(path.name)
    keys = session_keys(path.parent / "sessions.json").get(session, [])
    # A forum topic is a group, also when the index no longer knows the session.
    assumed = "group" if "-topic-" in path.name and not keys else session_class(keys)
    where = Conversation(agent_of(path), session, assumed, channel_of(keys), zone)
    done = 0
    try:
        for item in transcript(partial(read_lines, path), where):
            done = item.line
            yield item
    except InputError as error:
        if not done:
            raise
        yield Skipped(done + 1, error.message)


def session_keys(index: Path) -> dict[str, list[str]]:
    """Session id → session keys from a `sessions.json`; empty when there is none worth reading."""
    try:
        value = decode_json(read_bytes(index)) if index.is_file() else {}
    except (ValueError, InputError):
        return {}
    found: dict[str, list[str]] = {}
    for key, entry in value.items() if isinstance(value, dict) else ():
        session = entry.get("sessionId") if isinstance(entry, dict) else None
        if isinstance(session, str):
            found.setdefault(session, []).append(key)
    return found


FORMAT = Format(name="openclaw-session", recognise=_recognise, read=_read)
