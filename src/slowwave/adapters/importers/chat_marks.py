"""Where the turns of a written-down chat begin: `User:`, `### You (…)`, `[昨天 23:59] 名: 文` …

A file keeps one style. A block mark (heading, bold line, time and name on a line of their own)
has its words below; an inline mark has them behind it. Marks inside code fences are none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, date
from typing import NamedTuple

from slowwave.adapters.importers.roles import folded, role_of
from slowwave.adapters.importers.stamps import parse_stamp

__all__ = ["Mark", "Marks", "find_marks"]


class Mark(NamedTuple):
    """The start of a turn: its line (from 0), the name, the time as written, the words behind."""

    at: int
    block: bool
    name: str
    stamp: str
    rest: str
    known: bool


class Marks(NamedTuple):
    """The marks of a file, and whether they are sure enough to call it a chat unasked."""

    marks: tuple[Mark, ...]
    sure: bool


_TIME = (
    r"(?:(?:\w{1,9},?\s+)?(?:\d{4}\s?[-/.年]|\d{1,2}[-/.月])[^\n:：]{0,24}?|(?:昨|今|前|大前)[天日晚]\s?"
    r"|(?i:yesterday|today)[ ,]*(?:at )?)?"
    r"(?:上午|下午|晚上|凌晨|中午)?\s?\d{1,2}:\d{2}(?::\d{2})?(?:\s?(?i:[ap]\.?m\.?))?"
)
_NAME = r"(?P<name>[^\s:：\[\]【】#>`|][^:：\n\[\]【】`|]{0,39}?)"
_PAREN = r"(?:\s*[(（\[](?P<stamp>[^()（）\[\]\n]*\d[^()（）\[\]\n]*)[)）\]])?"
_HEADING = re.compile(
    r"^#{1,6}\s+(?:\d+[.)、]\s*)?(?P<name>\S.{0,40}?)"
    r"(?:\s*[(（\[](?P<stamp>[^()（）\[\]]*\d[^()（）\[\]]*)[)）\]]|\s*[—–|·,@-]+\s+(?P<after>[^()]*\d.*))?\s*+[:：]?+\s*+#*+$"
)
_BOLD = re.compile(
    rf"^(?:[-*>]\s+)?(?P<b>\*\*|__)(?:\d+[.)]\s*)?(?P<name>[^*_\n]{{1,40}}?)\s*[:：]?\s*(?P=b)"
    rf"{_PAREN}\s*(?P<colon>[:：])?\s*(?P<rest>.*)$"
)
_BRACKETED = re.compile(
    rf"^[-*]?\s*[\[【(（](?P<stamp>[^\]】)）\n]{{3,40}})[\]】)）]\s*[-–]?\s*(?:\*\*)?{_NAME}(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<rest>.*)$"
)
_TIMED = re.compile(rf"^(?P<stamp>{_TIME})\s*[-–—]?\s*{_NAME}\s*[:：]\s*(?P<rest>.*)$")
_TIME_NAME = re.compile(rf"^(?P<stamp>{_TIME})\s+{_NAME}$")
_NAME_TIME = re.compile(rf"^{_NAME}\s+(?P<stamp>{_TIME})$")
_PLAIN = re.compile(rf"^(?:[-*]\s+)?{_NAME}{_PAREN}\s*(?P<colon>[:：])(?P<rest>.*)$")
_STAMPED = ((_BRACKETED, False), (_TIMED, False), (_TIME_NAME, True), (_NAME_TIME, True))
_MARK_LENGTH = 160
"""No mark is longer (code points); the words behind it may be."""
_FENCE = re.compile(r"^\s{0,3}(```+|~~~+)(.*)$")
_NOT_A_NAME = re.compile(r"[，。！？；,;!?\"“”=<>{}/\\]|^\W*\d+\W*$|\s\S+\s\S+\s\S+\s")
_ICON = re.compile(r"^[^\w\s]+\s+")
_SOME_DAY = date(2000, 1, 2)


def find_marks(lines: Sequence[str]) -> Marks:
    """The turns' starts, in the one style the file keeps."""
    found = list(_candidates(lines))
    filled = sum(1 for line in lines if line.strip())
    blocks = _accepted([mark for mark in found if mark.block], filled)
    inline = _accepted([mark for mark in found if not mark.block], filled)
    below = len(_roles(blocks)) > 1 or len(blocks) >= len(inline)
    chosen = blocks if below else inline
    return Marks(tuple(chosen), _is_sure(chosen, filled))


def _candidates(lines: Sequence[str]) -> Iterator[Mark]:
    fenced = _fenced(lines)
    for at, line in enumerate(lines):
        if at in fenced or not line.strip():
            continue
        mark = _mark(at, line.rstrip())
        if mark is not None:
            yield mark


def _mark(at: int, line: str) -> Mark | None:
    start = line[:_MARK_LENGTH]
    whole = len(line) <= _MARK_LENGTH
    heading = _HEADING.match(line) if whole else None
    if heading:
        return _made(at, True, heading, heading["stamp"] or heading["after"] or "", "")
    bold = _BOLD.match(start)
    if bold:
        rest = line[bold.start("rest") :].strip()
        if rest and not (bold["colon"] or _colon_in(bold)):
            return None
        return _made(at, not rest, bold, bold["stamp"] or "", rest)
    for pattern, block in _STAMPED:
        match = pattern.match(start) if whole or not block else None
        if match and parse_stamp(match["stamp"], UTC, _SOME_DAY):
            rest = "" if block else line[match.start("rest") :].strip()
            return _made(at, block, match, match["stamp"], rest)
    return _plain(at, line)


def _colon_in(bold: re.Match[str]) -> bool:
    """`**User:** text` has its colon inside."""
    return bold.string[: bold.end("name") + 3].rstrip("*_ ").endswith((":", "："))


def _plain(at: int, line: str) -> Mark | None:
    match = _PLAIN.match(line[:_MARK_LENGTH])
    if match is None:
        return None
    rest = line[match.start("rest") :]
    mark = _made(at, False, match, match["stamp"] or "", rest.strip())
    # `https://…` and `12:30` have colons too; a person's name is set off by a space.
    glued = match["colon"] == ":" and rest and not rest.startswith((" ", "\t"))
    return None if mark is None or (glued and not mark.known) else mark


def _made(at: int, block: bool, match: re.Match[str], stamp: str, rest: str) -> Mark | None:
    name = _ICON.sub("", match["name"]).strip(" *_\t")
    known = role_of(name) is not None
    if stamp and parse_stamp(stamp, UTC, _SOME_DAY) is None:
        if not known:
            return None
        stamp = ""
    if not name or (not known and _NOT_A_NAME.search(name)):
        return None
    return Mark(at, block, name, stamp.strip(), rest, known)


def _accepted(marks: Sequence[Mark], filled: int) -> list[Mark]:
    """Known roles, and the other names that prove to be speakers.

    Between a user and an assistant nobody else speaks: labels in their words are no names.
    """
    counts = Counter(folded(mark.name) for mark in marks)
    stamped = Counter(folded(mark.name) for mark in marks if mark.stamp)
    closed = len(_roles(marks)) > 1
    talk = any(count > 1 for count in stamped.values()) and not closed
    timed = not closed or any(mark.stamp for mark in marks if mark.known)
    all_lines = len(marks) >= 2 and len(marks) >= 0.8 * filled
    chosen = []
    for mark in marks:
        again = counts[folded(mark.name)] > 1
        dated = bool(mark.stamp) and timed and (not mark.block or again or talk)
        spoken = not mark.block and not closed and (again or all_lines)
        if mark.known or dated or spoken:
            chosen.append(mark)
    return chosen


def _roles(marks: Sequence[Mark]) -> set[str]:
    found = {role_of(mark.name) for mark in marks if mark.known}
    return {role for role in found if role in ("user", "assistant")}


def _is_sure(marks: Sequence[Mark], filled: int) -> bool:
    """Notes are full of `Label: text` too; a chat shows by its roles, its times or its turns."""
    if len(marks) < 2:
        return False
    known = [mark for mark in marks if mark.known]
    if len(_roles(marks)) > 1 or (len(known) >= 2 and known[0].block):
        return True
    timed = sum(1 for mark in marks if mark.stamp)
    if timed >= 2 and timed >= len(marks) / 2:
        return True
    counts = Counter(folded(mark.name) for mark in marks)
    again = max(counts.values()) > 1
    pair = len(marks) == 2 and "user" in _roles(marks)
    return len(counts) > 1 and (pair or again) and len(marks) >= 0.4 * filled


def _fenced(lines: Sequence[str]) -> set[int]:
    """Lines inside closed code fences. One that is never closed does not swallow the rest."""
    inside: set[int] = set()
    start: tuple[int, str] | None = None
    for at, line in enumerate(lines):
        fence = _FENCE.match(line)
        if fence is None:
            continue
        if start is None:
            start = (at, fence[1])
        elif fence[1].startswith(start[1]) and not fence[2].strip():
            inside.update(range(start[0], at + 1))
            start = None
    return inside
