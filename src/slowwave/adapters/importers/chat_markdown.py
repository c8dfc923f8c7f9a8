"""Chats written down as Markdown or plain text, by converters, chat programs or by hand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.adapters.importers.chat_marks import Mark, find_marks
from slowwave.adapters.importers.chatgpt_message import Content, content_of
from slowwave.adapters.importers.keys import content_key
from slowwave.adapters.importers.lines import (
    HEAD_BYTES,
    decode,
    decode_json,
    plain_head,
    read_bytes,
)
from slowwave.adapters.importers.roles import folded, role_of
from slowwave.adapters.importers.stamps import find_day, parse_stamp
from slowwave.model import Origin, Record, Role, Skipped, text_hash
from slowwave.ports import Format

__all__ = ["FORMAT"]

_ENDINGS = frozenset({".md", ".markdown", ".mdown", ".txt", ".text", ".log", ""})
_DATE_FIELD = re.compile(
    r"(?im)^\W*(?:date|created|created[_ -]?at|create[_ ]?time|time|exported|日期|时间|创建时间)"
    r"\W*[:：]\s*(.+)$"
)
_RULE = re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
_DAY_LINE = re.compile(
    r"^[\s#*=_─—–-]*(?P<day>[\w年月日,./ -]{6,30}?)(?:\s*[(（]?(?:星期|周).[)）]?)?[\s#*=_─—–-]*$"
)
_DECORATED = re.compile(r"^\s*(?:#{1,6}\s|\*\*|[─—–=-]{2,})")
_CLOCK_ONLY = re.compile(
    r"(?:上午|下午|晚上|凌晨|中午)?\s?\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?", re.IGNORECASE
)
_DUMP = re.compile(r"^\s*\{\s*['\"]content_type['\"]\s*:\s*['\"](\w+)")
_DUMPED: dict[str, tuple[Role, Origin | None]] = {
    "system": ("system", "system"),
    "recalled": ("system", "recalled"),
    "external": ("tool", "external"),
    "tool": ("tool", "tool"),
}


class _Turn(NamedTuple):
    """A mark, the words that follow it, and the day a separator line before it names."""

    mark: Mark
    text: str
    day: date | None


class _Front(NamedTuple):
    """A text without its front matter: that, the lines below, and how many lines it took."""

    fields: str
    lines: list[str]
    offset: int


class _Clock:
    """The time of each turn: its own, on the day it stands under; else that of the turn before."""

    def __init__(self, zone: tzinfo, day: date | None) -> None:
        self._zone = zone
        self._day = day
        self._ts: datetime | None = None

    def turn_day(self, day: date) -> None:
        """A separator line names the day of what follows."""
        self._day = day
        self._ts = None

    def read(self, stamp: str) -> tuple[datetime | None, str]:
        """The instant, and what of the stamp stays unsure or unread (else "")."""
        if not stamp:
            return self._ts or self._start(), ""
        found = parse_stamp(stamp, self._zone)
        if found is not None:
            self._day = found.ts.date()
        else:
            found = parse_stamp(stamp, self._zone, self._day)
        if found is None:
            return self._ts, stamp
        ts = found.ts
        # Only hours and minutes, and earlier than the turn before by half a day: past midnight.
        night = self._ts is not None and self._ts - ts > timedelta(hours=12)
        if night and self._day is not None and _CLOCK_ONLY.fullmatch(stamp.strip()):
            self._day += timedelta(days=1)
            ts += timedelta(days=1)
        self._ts = ts
        return ts, "" if found.sure else stamp

    def _start(self) -> datetime | None:
        return datetime.combine(self._day, time(), self._zone) if self._day else None


def _recognise(path: Path, head: bytes) -> bool:
    if path.suffix.lower() not in _ENDINGS:
        return False
    text = decode(plain_head(path, head))[0]
    if "\x00" in text:
        return False
    lines = _front(text).lines
    return find_marks(lines[:-1] if len(head) >= HEAD_BYTES else lines).sure


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    text, encoding = decode(read_bytes(path))
    front = _front(text)
    marks = find_marks(front.lines).marks
    if not marks:
        yield Skipped(0, "no turns: no line names a speaker")
        return
    clock = _Clock(zone, _first_day(path, front, marks[0].at))
    turns = list(_turns(front.lines, marks))
    # Copies of a chat begin alike, whatever their files are called.
    opening = text_hash("\x1f".join((folded(marks[0].name), marks[0].stamp, turns[0].text)))
    base = Record(
        text="",
        source=f"chat-markdown:{opening}",
        session=path.stem,
        meta={} if encoding.startswith("utf-8") else {"encoding": encoding},
    )
    seen: Counter[str] = Counter()
    for turn in turns:
        if turn.day is not None:
            clock.turn_day(turn.day)
        line = turn.mark.at + front.offset + 1
        found = _record(turn, base, clock)
        if isinstance(found, str):
            yield Skipped(line, found)
            continue
        key = content_key(seen, turn.mark.stamp, folded(turn.mark.name), found.text)
        yield msgspec.structs.replace(found, key=key, ref=f"{path.name}#L{line}", line=line)


def _record(turn: _Turn, base: Record, clock: _Clock) -> Record | str:
    """The record of a turn, or why it has none."""
    ts, unread = clock.read(turn.mark.stamp)
    content = _content(turn.text)
    text = content.text.strip()
    if not text:
        return "a turn without words"
    role = role_of(turn.mark.name)
    who, origin = _DUMPED.get(content.by, (role or "user", None))
    return msgspec.structs.replace(
        base,
        text=text,
        ts=ts,
        role=who,
        kind="tool_result" if who == "tool" else "message",
        origin=origin,
        # The name of a role or a product is nobody's name.
        speaker=None if role else turn.mark.name,
        meta={**base.meta, "time": unread} if unread else base.meta,
    )


def _content(text: str) -> Content:
    """A body; one that is a hidden node dumped as JSON is taken for what it is."""
    dump = _DUMP.match(text)
    if dump is None:
        return Content(text)
    try:
        value = decode_json(text.encode("utf-8", "replace"))
    except ValueError:
        return Content(text, "recalled" if "model" in dump[1] else "system")
    return content_of(value)


def _turns(lines: Sequence[str], marks: Sequence[Mark]) -> Iterator[_Turn]:
    """Each turn with its body; a line between two turns that names a day belongs to the next."""
    day: date | None = None
    ends = [*(mark.at for mark in marks[1:]), len(lines)]
    for mark, end in zip(marks, ends, strict=True):
        body = [mark.rest, *lines[mark.at + 1 : end]]
        following: date | None = None
        while body and (found := _between(body[-1])) is not None:
            following = following or found.day
            body.pop()
        yield _Turn(mark, _unquoted(body), day)
        day = following


class _Gap(NamedTuple):
    day: date | None = None


def _between(line: str) -> _Gap | None:
    """A blank line, a rule or a day's line: nobody's words."""
    if not line.strip() or _RULE.match(line):
        return _Gap()
    match = _DAY_LINE.match(line) if _DECORATED.match(line) else None
    day = find_day(match["day"]) if match else None
    return _Gap(day) if day else None


def _unquoted(body: Sequence[str]) -> str:
    """The words, without the `>` before every line of a quoted body."""
    filled = [line for line in body if line.strip()]
    if filled and all(line.lstrip().startswith(">") for line in filled):
        body = [line.lstrip().removeprefix(">").removeprefix(" ") for line in body]
    return "\n".join(body).strip()


def _front(text: str) -> _Front:
    """Splits off front matter: only from a first line that is exactly `---`, and only closed."""
    lines = re.split(r"\r\n|\n|\r", text.removeprefix("\ufeff"))
    fields: list[str] = []
    offset = 0
    # Two blocks in a row occur.
    while len(lines) > offset and lines[offset].rstrip() == "---":
        try:
            end = lines.index("---", offset + 1)
        except ValueError:
            break
        inner = lines[offset + 1 : end]
        if not all(_is_field(line) for line in inner):
            break  # a rule above the text, not a block of fields
        fields += inner
        offset = end + 1
    return _Front("\n".join(fields), lines[offset:], offset)


def _is_field(line: str) -> bool:
    return not line.strip() or line[:1] in " \t-#" or bool(re.match(r"[\w.\"' -]+\s*:", line))


def _first_day(path: Path, front: _Front, first: int) -> date | None:
    """The day a chat starts on: told above its first turn, in its front matter, in its name."""
    above = "\n".join(front.lines[:first])
    told = [match[1] for match in _DATE_FIELD.finditer(f"{front.fields}\n{above}")]
    headings = [line for line in front.lines[:first] if _DECORATED.match(line)]
    days = (find_day(text) for text in (*headings, *told, path.stem))
    return next((day for day in days if day), None)


FORMAT = Format("chat-markdown", _recognise, _read)
