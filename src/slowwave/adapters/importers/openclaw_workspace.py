"""An OpenClaw workspace: MEMORY.md, USER.md and the notes under `memory/`.

Trust. Notes are written by the agent at the user's word or while talking with the user, and by
the user's own hand; nothing in the file tells the two apart. They are what OpenClaw itself dreams
of (O1–O5), and for someone who moves here they are the memory. So list items, paragraphs and
headed text count as the owner's, with `source_kind: note` to tell them from words that were
spoken. What is not a note about the user's life does not: quotations and imported notes are
external, code is the agent's, promoted and consolidated sections are recalled, turns that the
session hook copied are external (their speaker cannot be told for sure, and the session itself is
the better source). Managed dream blocks, diaries and `memory/dreaming/` yield nothing.

What a line stands under says what it is about, so every record carries it for the distiller. Of a
note `kind` is "note"; `meta["heading"]` has its headings from the outermost to the innermost, as
"Ways of working > Replies" (absent where there is none); `meta["block"]` is "item" for a bullet,
else "paragraph", "quote" or "code". A bullet under a heading may be no sentence at all.

Where nothing else dates a note, the file's last change does, and `meta["dated_by"]` is "file":
taking in never lets that be later than its own now.

Identity is the text within its file, so a note that is edited adds only what is new.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import Path

from slowwave.adapters.importers.lines import decode, plain_head, read_bytes
from slowwave.adapters.importers.markdown_notes import Block, front_matter, parse
from slowwave.adapters.importers.note_dates import (
    at,
    clock_at_start,
    date_at_start,
    date_in_heading,
    date_in_name,
    date_stated,
    utc_in_heading,
)
from slowwave.errors import InputError
from slowwave.model import EventKind, Origin, Record, Role, Skipped, text_hash
from slowwave.ports import Format
from slowwave.text.noise import is_control, is_recalled, unwrap

_CURATED = ("memory.md", "user.md")
_DIARY = ("dreams.md",)
_INSTRUCTIONS = (
    "agents.md", "soul.md", "identity.md", "tools.md", "heartbeat.md", "boot.md", "bootstrap.md",
)  # fmt: skip
_ROOT_FILES = ("MEMORY.md", "SOUL.md", "AGENTS.md", "IDENTITY.md", "USER.md")
_STATE = re.compile(r"(?:\A|/)(?:memory/dreaming|(?:memory/)?\.dreams)(?:/|\Z)")
_MARKS = re.compile(
    r"<!--\s*openclaw[:-]|^<!-- slowwave:begin\b|^# Dream Diary\s*$"
    r"|^# Session: \d{4}-\d\d-\d\d .*\n\s*- \*\*Session Key"
    r"|^## (?:Promoted From Short-Term|Consolidated) Memory \(|^## (?:Light|REM) Sleep\s*$",
    re.MULTILINE,
)
_CHAT = re.compile(
    r"^(?:#{1,6}\s*|\*\*)?(?:user|assistant|human|you|chatgpt|claude)\b[^\n]{0,40}?(?:\*\*)?\s*[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_MACHINE_SECTION = re.compile(r"(?:Promoted From Short-Term|Consolidated) Memory\b", re.IGNORECASE)
_MACHINE_ITEM = re.compile(
    r"\[score=[\d.]{1,9}[^\[\]\n]{0,400}\]|\bSource: [^\s#]{1,300}#L\d+"
    r"|openclaw-memory-promotion:"
)
_DUMP_HEAD = re.compile(r"Session: \d{4}-\d\d-\d\d \d\d:\d\d")
_IMPORTANCE = re.compile(r"importance:\s*(\d{1,2})\b")
_BOX = re.compile(r"\[([ xX])\]\s+")


def _recognise(path: Path, head: bytes) -> bool:
    parts = [part.lower() for part in path.parts]
    if ".dreams" in parts[:-1]:
        return True
    if path.suffix.lower() not in (".md", ".markdown"):
        return False
    name = parts[-1]
    text = decode(plain_head(path, head))[0]
    if path.name == "MEMORY.md" or _MARKS.search(text):
        return True
    if name in (*_CURATED, *_DIARY, *_INSTRUCTIONS):
        return _is_root(path.parent)
    root = _root_of(path)
    if root is None:
        return False
    return _is_root(root) or not _CHAT.search(text)


def _is_root(folder: Path) -> bool:
    """A workspace: at least two of its own files, or one beside a `memory` folder."""
    found = sum((folder / name).is_file() for name in _ROOT_FILES)
    return found >= 2 or (found == 1 and (folder / "memory").is_dir())


def _root_of(path: Path) -> Path | None:
    """The workspace a note belongs to: the folder that holds its `memory` folder, or its own."""
    for parent in path.parents:
        if parent.name.lower() == "memory":
            return parent.parent
    if date_in_name(path.name) and _is_root(path.parent):
        return path.parent
    return None


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    parts = [part.lower() for part in path.parts]
    if parts[-1] in (*_DIARY, *_INSTRUCTIONS) or _STATE.search("/".join(parts[:-1])):
        return
    text, encoding = decode(read_bytes(path))
    yield from _bad_header(text)
    yield from _Note(path, zone, encoding).records(text)


def _bad_header(text: str) -> Iterator[Skipped]:
    """One word about a YAML header that is none, or one too many (case 54); the rest is read."""
    lines = text[:65_536].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    found = front_matter(lines)
    if len(found) > 1:
        yield Skipped(found[1][0], "a second front matter block: left out, what follows is read")
    elif found:
        # Few notes have a header, and the parser costs more than reading a note.
        from ruamel.yaml import YAML  # noqa: PLC0415
        from ruamel.yaml.error import YAMLError  # noqa: PLC0415

        try:
            YAML(typ="safe", pure=True).load("\n".join(lines[found[0][0] : found[0][1]]))
        except (YAMLError, ValueError):
            reason = "front matter that is not valid YAML: left out, what follows is read"
            yield Skipped(found[0][0], reason)


class _Note:
    """One file: where it lies, when it speaks of, and its blocks as records."""

    def __init__(self, path: Path, zone: tzinfo, encoding: str) -> None:
        root = _root_of(path) or path.parent
        self._name = path.relative_to(root).as_posix()
        self._zone = zone
        self._encoding = encoding
        self._imported = "imports" in path.relative_to(root).parts[:-1]
        self._file_day = date_in_name(path.name)
        self._fallback = _changed_at(path, zone)
        self._seen: set[str] = set()

    def records(self, text: str) -> Iterator[Record]:
        """The records of the note's text, in order."""
        stated = None if self._name.lower() in _CURATED else date_stated(text)
        for block in parse(text):
            box = _BOX.match(block.text)
            body = block.text[box.end() if box else 0 :].replace("\x00", "").strip()
            if not body or (block.kind != "turn" and self._is_machine(block)):
                continue
            key = text_hash(f"{block.role}\n{body}")
            if key not in self._seen:
                self._seen.add(key)
                yield self._record(block, body, key, stated)

    def _is_machine(self, block: Block) -> bool:
        """Staged candidates, a session dump's head; promoted items come, marked as recalled."""
        if block.text.startswith("**") and _DUMP_HEAD.match("".join(block.headings[-1:])):
            return True
        staged = block.staged or is_recalled(f"- {block.text}")
        return staged and not _is_promoted(block)

    def _record(self, block: Block, body: str, key: str, stated: date | None) -> Record:
        role, kind, origin = self._voice(block)
        when = self._when(block, stated)
        box = _BOX.match(block.text)
        # A box may stand on a line of its own, above what is to be done.
        line = block.line + (box[0].count("\n") if box else 0)
        return Record(
            text=body,
            source=f"openclaw:notes/{self._name}",
            key=key,
            ref=f"{self._name}#L{line}",
            ts=when or self._fallback,
            role=role,
            kind=kind,
            origin=origin,
            session=f"notes/{self._name}",
            meta=self._meta(block, stated) | ({} if when else {"dated_by": "file"}),
            line=line,
        )

    def _voice(self, block: Block) -> tuple[Role, EventKind, Origin]:
        if block.kind == "turn":
            return _turn_voice(block)
        if _is_promoted(block):
            return "system", "note", "recalled"
        if block.kind == "quote" or self._imported:
            return "user", "note", "external"
        if block.kind == "code":
            return "assistant", "note", "agent"
        return "user", "note", "owner"

    def _meta(self, block: Block, stated: date | None) -> dict[str, str]:
        meta = {"source_kind": "session_dump" if block.kind == "turn" else "note"}
        if block.headings:
            meta["heading"] = " > ".join(block.headings)
        if block.kind != "turn":
            meta["block"] = block.kind
        importance = _IMPORTANCE.search(block.marks)
        if importance:
            meta["importance"] = importance[1]
        box = _BOX.match(block.text)
        if box:
            meta["task"] = "open" if box[1] == " " else "done"
        if self._encoding not in ("utf-8", "utf-8-sig"):
            meta["encoding"] = self._encoding
        heading = _heading_day(block.headings)
        days = {"file": self._file_day, "heading": heading, "text": stated}
        if len({day for day in days.values() if day}) > 1:
            told = (f"{name} {day}" for name, day in days.items() if day)
            meta["date_conflict"] = ", ".join(told)
        return meta

    def _when(self, block: Block, stated: date | None) -> datetime | None:
        """When it was written, as far as the note itself tells."""
        day = stated or _heading_day(block.headings) or self._file_day
        own = date_at_start(block.text)
        if own and own <= (day or self._fallback.date()):
            day = own  # a later one is a plan, not the day it was written
        clock = clock_at_start(block.text) or _heading_clock(block.headings)
        if day is None:
            return None
        if clock and block.headings and utc_in_heading(block.headings[0]):
            return at(day, clock, UTC).astimezone(self._zone)
        return at(day, clock, self._zone)


def _turn_voice(block: Block) -> tuple[Role, EventKind, Origin]:
    if block.role not in ("user", "assistant") or is_control(unwrap(block.text).text):
        return "system", "message", "system"
    if block.role == "assistant":
        return "assistant", "message", "agent"
    return "user", "message", "external"


def _is_promoted(block: Block) -> bool:
    in_section = any(_MACHINE_SECTION.match(title) for title in block.headings)
    return in_section or bool(_MACHINE_ITEM.search(f"{block.text} {block.marks}"))


def _heading_day(headings: tuple[str, ...]) -> date | None:
    """The day of the innermost heading that is about one."""
    for place in range(len(headings) - 1, -1, -1):
        day = date_in_heading(headings[place], anywhere=place == 0)
        if day:
            return day
    return None


def _heading_clock(headings: tuple[str, ...]) -> time | None:
    for title in reversed(headings):
        clock = clock_at_start(title)
        if clock:
            return clock
    return None


def _changed_at(path: Path, zone: tzinfo) -> datetime:
    """When the file was last changed: all that is known of an undated note."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).astimezone(zone)
    except (OSError, OverflowError, ValueError):
        raise InputError(f"cannot read {path}", "Check that it is readable.") from None


FORMAT = Format(name="openclaw", recognise=_recognise, read=_read)
