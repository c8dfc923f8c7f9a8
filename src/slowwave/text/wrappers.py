"""What programs put around and into a person's words: channel metadata, and recalled memory.

`unwrap` takes off what a channel adds (case 14), keeping who wrote and when. `strip_managed` takes
out what came from a memory: injected frames, managed dreaming blocks, promoted sections, diaries;
`is_recalled` tells whether anything else is there (promise 5). All run in linear time.
"""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone

import msgspec

from slowwave.text.frame import MEMORY_CLOSE, MEMORY_OPEN, without_frames
from slowwave.text.later import later
from slowwave.text.markdown import REGION_CLOSE, REGION_OPENS

__all__ = ["MEMORY_CLOSE", "MEMORY_OPEN", "Unwrapped", "is_recalled", "strip_managed", "unwrap"]


class Unwrapped(msgspec.Struct, frozen=True):
    """A message without its wrapper, and what the wrapper said.

    `sender` is a display name, else the id. `sent_at` is the sender's local minute: aware where
    the wrapper gave an offset, else naive. `group` tells that several people can write there.
    """

    text: str
    sender: str | None = None
    sent_at: datetime | None = None
    sender_id: str | None = None
    group: bool = False


# --- channel wrappers ---------------------------------------------------------------------------

_WRAPPER_HINTS = (
    "(untrusted", "message_id", "[media attached", "system: [", "[[", "<system-reminder",
)  # fmt: skip
_BLOCK = later(
    r"^[ \t]*(?P<title>[A-Z][^\n()]{0,80}?) ?\(untrusted[^)\n]{0,80}\):[ \t]*\r?\n"
    r"(?:[ \t]*```[\w-]*[ \t]*\r?\n(?P<body>(?:(?![ \t]*```)[^\n]*\n){0,400})"
    r"[ \t]*```[ \t]*(?:\r?\n|\Z))?",
    re.MULTILINE,
)
_MESSAGE_ID = later(r"^[ \t]*\[message_?id:[^\]\n]{0,200}\][ \t]*(?:\r?\n|\Z)?", re.M | re.I)
_DROPPED_LINES = later(
    r"^[ \t]*(?:\[media attached[^\n]*\]|System: \[[^\]\n]{0,60}\][^\n]*)[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)
_REMINDER = later(r"<system-reminder>(?:(?!</?system-reminder>).)*</system-reminder>", re.S)
_DIRECTIVE = r"\[\[\s*(?:reply_to\w*(?::[^\]\n]{0,80})?|audio_as_voice|no_reply)\s*\]\]"
_LEADING_DIRECTIVES = later(rf"\A(?:\s*{_DIRECTIVE})+", re.I)
_TRAILING_DIRECTIVES = later(rf"(?:{_DIRECTIVE}\s*)+\Z", re.I)
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_STAMP = later(
    rf"(?P<day>{_DAY}[a-z]*,? )?(?P<date>\d{{4}}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d(?::\d\d)?)"
    r"(?:\.\d{1,9})?"
    r"(?P<zone> ?(?:Z\b|(?:GMT|UTC)?[+-]\d{1,2}(?::?\d\d)?|(?:GMT|UTC)\b|[A-Z]{2,5}\b))?",
)
_HEADER = later(r"\A\s*\[(?P<inside>[^\]\n]{10,240})\][ \t]*")
_LEVEL = later(r"\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b", re.I)
_HEADER_ID = later(r"\bid:(\S{1,80})")
_ELAPSED = later(r"\s\+\d+[smhdw]\w*\s*\Z")
_SENDER_PREFIX = later(
    r"\A\s*(?P<who>[A-Za-z]{2}_\w{6,64}|@\w{2,40}|\+?\d{5,20}"
    r"|[A-Z][\w.'-]{0,30}(?: [A-Z][\w.'-]{0,30}){0,2}"
    r"|[㐀-鿿]{2,4})(?: \([^)\n]{1,60}\))?[:：][ \t]*(?=\S)"
)


def unwrap(text: str) -> Unwrapped:
    """The person's own words in a message that a channel wrapped, with sender and local time.

    A text without a wrapper comes back as it is, byte for byte.
    """
    low = text[:4000].lower() if len(text) > 4000 else text.lower()
    start = text.lstrip()[:1]
    if start != "[" and not any(hint in low for hint in _WRAPPER_HINTS):
        return Unwrapped(text)
    found = _Found()
    rest = _BLOCK.sub(found.block, text)
    rest, ids = _MESSAGE_ID.subn("", rest)
    rest = _REMINDER.sub("", _DROPPED_LINES.sub("", rest))
    rest = _TRAILING_DIRECTIVES.sub("", _LEADING_DIRECTIVES.sub("", rest))
    header = _HEADER.match(rest)
    if header and found.header(header["inside"]):
        rest = rest[header.end() :]
    prefix = _SENDER_PREFIX.match(rest) if ids and not found.any_name else None
    if prefix:
        found.name, rest = prefix["who"], rest[prefix.end() :]
    if rest == text:
        return Unwrapped(text)
    return Unwrapped(rest.strip(), found.name or found.id, found.sent_at, found.id, found.group)


class _Found:
    """What the wrappers of one message told, gathered piece by piece."""

    def __init__(self) -> None:
        self.name: str | None = None
        self.id: str | None = None
        self.sent_at: datetime | None = None
        self.group = False

    @property
    def any_name(self) -> bool:
        return bool(self.name or self.id)

    def block(self, match: re.Match[str]) -> str:
        """Takes in one "… (untrusted …):" block and its JSON; gives what replaces it."""
        if match["body"] is None and match["title"] not in _KNOWN_TITLES:
            return match[0]
        table = _json_object(match["body"] or "")
        if match["title"].startswith(("Conversation", "Sender")):
            self._table(table)
        return ""

    def _table(self, table: dict[str, object]) -> None:
        text = {key: value for key, value in table.items() if isinstance(value, str | int)}
        name = next((text[key] for key in _NAME_KEYS if text.get(key)), None)
        ident = next((text[key] for key in _ID_KEYS if text.get(key)), None)
        self.name = self.name or (str(name) if name else None)
        self.id = self.id or (str(ident) if ident else None)
        self.group = self.group or bool(
            table.get("is_group_chat") or table.get("group_subject") or table.get("group_id")
        )
        if self.sent_at is None and isinstance(table.get("timestamp"), str):
            stamp = _STAMP.search(str(table["timestamp"]))
            self.sent_at = _moment(stamp) if stamp else None

    def header(self, inside: str) -> bool:
        """Takes in a "[channel sender weekday date time zone]" prefix; False if it is none."""
        stamp = _STAMP.search(inside)
        if stamp is None or inside[stamp.end() :].strip():
            return False
        before = inside[: stamp.start()].strip()
        if _LEVEL.search(before) or not (stamp["day"] or before):
            return False
        self.sent_at = self.sent_at or _moment(stamp)
        ident = _HEADER_ID.search(before)
        if ident:
            self.id = self.id or ident[1]
            before = before[: ident.start()].strip()
        words = _ELAPSED.sub("", before + " ").strip().split(" ", 1)
        if len(words) == 2:
            self.name = self.name or words[1].strip() or None
        return True


_NAME_KEYS = ("name", "sender_name", "sender", "label", "username")
_ID_KEYS = ("sender_id", "id", "user_id", "e164")
_KNOWN_TITLES = ("Conversation info", "Sender")


def _json_object(body: str) -> dict[str, object]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _moment(stamp: re.Match[str]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(f"{stamp['date']}T{stamp['time']}")
    except ValueError:
        return None
    zone = (stamp["zone"] or "").strip()
    if zone in ("Z", "GMT", "UTC"):
        return moment.replace(tzinfo=UTC)
    offset = re.fullmatch(r"(?:GMT|UTC)?([+-])(\d{1,2}):?(\d\d)?", zone)
    if offset is None or int(offset[2]) > 14:
        return moment
    minutes = int(offset[2]) * 60 + int(offset[3] or 0)
    return moment.replace(
        tzinfo=timezone(timedelta(minutes=minutes if offset[1] == "+" else -minutes))
    )


# --- text that came out of a memory -------------------------------------------------------------

_MANAGED_HINTS = (
    "memor", "recall", "openclaw", "dream diary", "runtime-context", "runtime context",
    "conversation summary", "session is being continued", "staged", "reflection",
    "kept surfacing", "session key", "slowwave", "无关则忽略", "\n*",
)  # fmt: skip
_FRAME = later(r"^[ \t]*<(?P<tag>[A-Za-z][\w-]*)(?=[\s>])", re.M)
_FRAME_NAME = later(r"memor(?:y|ies)|recall|runtime[-_]context", re.I)
_UNCLOSED = "active_memory_plugin"
"""A frame of others of which we know that it is nothing else: it may be cut off."""
_FENCE = later(r"<!--\s*openclaw:dreaming:(\w+):start\s*-->", re.I)
_REGION = later(rf"^(?:{REGION_OPENS.pattern})[ \t\r]*$", re.M)
_SLEEP_HEADING = later(r"^#{1,4} (?:Light|REM|Deep) Sleep\b[^\n]*\n\s*\Z", re.I | re.M)
_PROMOTED = later(r"^#{1,4} Promoted From Short-Term Memory\b[^\n]*(?:\n|\Z)", re.I | re.M)
_HEADING = later(r"^#{1,3} ", re.M)
_ANNOTATION = later(r"<!--\s*openclaw(?:-memory-\w+)?:[^>\n]*-->", re.I)
_SCORED = later(r"\[score=[\d.]+ recalls=\d+[^\]\n]*\]", re.I)
_MACHINE_KEY = later(
    r"(?:^|[\s-])(?P<key>candidate|reflections?|confidence|evidence|recalls|status|note):[ \t]*"
    r"(?=(?P<value>[^\n]{0,40}))",
    re.I,
)
_VALUES: dict[str, re.Pattern[str]] = {
    "confidence": later(r"[01](?:\.\d+)?\b"),
    "evidence": later(r"\S+:\d+(?:-\d+)?|memory/"),
    "recalls": later(r"\d+\b"),
    "status": later(r"staged|promoted", re.I),
    "note": later(r"reflection", re.I),
}
_STRONG = {"confidence", "evidence", "recalls", "status"}
_DIARY_DATE = later(
    r"^\*(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}, \d{4}(?: at \d{1,2}:\d\d [AP]M(?: [A-Z][\w+:-]{1,8})?)?\*[ \t]*$"
    r"|^\*\d{4}年\d{1,2}月\d{1,2}日 \d\d:\d\d\*[ \t]*$",
    re.M,
)
_WHOLE = later(
    r"\A\s*(?:# Dream Diary\b|This session is being continued from a previous conversation\b"
    r"|(?:- )?Reflections?: (?:Theme|Possible)\b|Theme: [^\n]{1,200}\bkept surfacing\b"
    r"|(?:\[|# )?(?:open\w+[ .:])?runtime[- ]context\b|#{1,3} Conversation Summary\b"
    r"|# Session: [^\n]*\n(?:\s*- \*\*Session (?:Key|ID)\*\*))",
    re.I,
)


def strip_managed(text: str) -> str:
    """The text without what came out of a memory; unchanged, byte for byte, if nothing did."""
    low = text.lower()
    if not text.startswith("*") and not any(hint in low for hint in _MANAGED_HINTS):
        return text
    if _WHOLE.match(text):
        return ""
    rest = text
    for step in _STEPS:
        rest = step(rest)
    return text if rest == text else rest.strip()


def is_recalled(text: str) -> bool:
    """Whether the text is nothing but recalled memory: never evidence of anything (case 13, 16)."""
    return bool(text) and not text.isspace() and not strip_managed(text)


def _without_foreign_frames(text: str) -> str:
    """Takes out the `<…memory…>` frames of others."""
    kept, at = [], 0
    for match in _FRAME.finditer(text):
        tag = match["tag"]
        if match.start() < at or not _FRAME_NAME.search(tag):
            continue
        close = text.find(f"</{tag}>", match.end())
        if close < 0 and tag != _UNCLOSED:
            continue
        kept.append(text[at : match.start()])
        at = len(text) if close < 0 else close + len(tag) + 3
    kept.append(text[at:])
    return "".join(kept)


def _without_regions(text: str) -> str:
    """Takes out the managed parts of our own files; an unclosed one reaches to the end."""
    kept, at = [], 0
    for match in _REGION.finditer(text):
        if match.start() < at:
            continue
        kept.append(text[at : match.start()])
        close = text.find(REGION_CLOSE, match.end())
        at = len(text) if close < 0 else close + len(REGION_CLOSE)
    kept.append(text[at:])
    return "".join(kept)


def _without_fences(text: str) -> str:
    """Takes out managed dreaming blocks with their heading; an unclosed one reaches to the end."""
    kept, at = [], 0
    for match in _FENCE.finditer(text):
        if match.start() < at:
            continue
        before = text[at : match.start()]
        heading = _SLEEP_HEADING.search(before)
        kept.append(before[: heading.start()] if heading else before)
        end = later(rf"<!--\s*openclaw:dreaming:{match[1]}:end\s*-->", re.I)
        close = end.search(text, match.end())
        at = close.end() if close else len(text)
    kept.append(text[at:])
    return "".join(kept)


def _without_promoted(text: str) -> str:
    """Takes out promoted sections: from their heading to the next one of any kind."""
    kept, at = [], 0
    for match in _PROMOTED.finditer(text):
        if match.start() < at:
            continue
        kept.append(text[at : match.start()])
        after = _HEADING.search(text, match.end())
        at = after.start() if after else len(text)
    kept.append(text[at:])
    return "".join(kept)


def _without_diary(text: str) -> str:
    """Takes out diary entries: from a date line in italics to the next rule or to the end."""
    kept, at = [], 0
    for match in _DIARY_DATE.finditer(text):
        if match.start() < at:
            continue
        kept.append(text[at : match.start()])
        rule = text.find("\n---", match.end())
        at = rule + 4 if rule >= 0 else len(text)
    kept.append(text[at:])
    return "".join(kept)


def _without_machine_bullets(text: str) -> str:
    """Takes out scored, annotated and staged items line by line, with their indented details."""
    kept: list[str] = []
    lines = text.splitlines(keepends=True)
    skip_next = False
    at = 0
    while at < len(lines):
        block = 1
        while at + block < len(lines) and re.match(r"[ \t]+- ?\w+:", lines[at + block]):
            block += 1
        item = "".join(lines[at : at + block])
        at += block
        if _ANNOTATION.search(item) and not _ANNOTATION.sub("", item).strip():
            skip_next = "promotion" in item
        elif skip_next or _SCORED.search(item) or _is_staged(item):
            skip_next = skip_next and not item.strip()
        else:
            kept.append(item)
    return "".join(kept)


def _is_staged(item: str) -> bool:
    """Two or more of a dream's own keys, each with a value of its kind, in one item."""
    keys = set()
    for match in _MACHINE_KEY.finditer(item[:8000]):
        key = match["key"].lower()
        shape = _VALUES.get(key)
        if shape is None or shape.match(match["value"]):
            keys.add(key)
    return len(keys) >= 2 and not keys.isdisjoint(_STRONG)


_STEPS: tuple[Callable[[str], str], ...] = (
    without_frames,
    _without_foreign_frames,
    _without_regions,
    _without_fences,
    _without_promoted,
    _without_diary,
    _without_machine_bullets,
)
