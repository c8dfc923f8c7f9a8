"""Markdown notes → blocks: list items, paragraphs, quotes and code, each with its line.

People and agents write notes without any fixed structure, so nothing is required: headings may be
missing, fences may never close, lists may be nested in any way. What a dream wrote between its
marks is passed over; it is the machine's text about these very notes.
"""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from typing import Literal

import msgspec

from slowwave.text.markdown import REGION_CLOSE, REGION_OPENS
from slowwave.text.noise import is_recalled

BlockKind = Literal["item", "paragraph", "quote", "code", "turn"]

ITEM_LIMIT = 280
"""A list item with its sub-items is one block up to this many code points (O5), else several."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*[ \t]*\Z")
_FENCE = re.compile(r"\s{0,8}(`{3,}|~{3,})([^`\n]*)\Z")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,4}[.)、])(?:[ \t]+|(?=\[))(.*)\Z")
_RULE = re.compile(r"[ \t]*(?:-[ \t]*){3,}\Z|[ \t]*(?:\*[ \t]*){3,}\Z|[ \t]*(?:_[ \t]*){3,}\Z")
_QUOTE = re.compile(r"[ \t]{0,3}>[ \t]?(.*)\Z")
_COMMENT = re.compile(r"[ \t]?<!--((?:(?!<!--|-->).)*)-->")
_MANAGED = re.compile(r"<!--\s*openclaw:dreaming:([\w-]+):(start|end)\s*-->")
_SLEEP = re.compile(r"(?:light|rem|deep) sleep\b", re.IGNORECASE)
_TURN = re.compile(r"(user|assistant|system|toolResult|tool): ?(.*)\Z")
_FIELD = re.compile(r"[\w-]+[ \t]*:(?:[ \t]|\Z)")
_FENCE_TRIES = 50


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of a note. `marks` holds the HTML comments in it and right before it.

    `staged` tells that it was cut out of a longer item that a dream wrote.
    """

    line: int
    kind: BlockKind
    text: str
    headings: tuple[str, ...] = ()
    marks: str = ""
    role: str = ""
    staged: bool = False


def parse(text: str) -> Iterator[Block]:
    """The blocks of a note, in order. Line numbers count from 1 in the text as given."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    yield from _Parser(lines).run()


class _Parser:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._headings: list[tuple[int, str]] = []
        self._open: list[tuple[int, str]] = []
        self._kind: BlockKind = "paragraph"
        self._marks: list[str] = []
        self._closers = [
            place for place, line in enumerate(lines)
            if (match := _FENCE.match(line)) and not match[2].strip()
        ]  # fmt: skip

    def run(self) -> Iterator[Block]:
        place = _after_front_matter(self._lines)
        while place < len(self._lines):
            line = self._lines[place]
            heading, fence = _HEADING.match(line), _FENCE.match(line)
            managed = _MANAGED.search(line)
            if REGION_OPENS.fullmatch(line.rstrip()):
                yield from self._close()
                place = self._after_region(place)
                continue
            empty = not line.strip() or bool(_RULE.match(line))
            if managed or heading or fence or empty:
                yield from self._close()
            if managed:
                place = self._after_managed(place, managed)
            elif heading:
                place = self._enter(place, len(heading[1]), heading[2] or "")
                if self._in_dump():
                    place = yield from self._dump(place)
            elif fence:
                place = yield from self._code(place, fence[1])
            else:
                if not empty:
                    yield from self._take(place, line)
                place += 1
        yield from self._close()

    # ── sections ────────────────────────────────────────────────────────────────────────────────

    def _enter(self, place: int, level: int, title: str) -> int:
        """Takes in a heading; passes over the whole section when a dream wrote it."""
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        title = _COMMENT.sub("", title).strip()
        self._marks.clear()
        if not _SLEEP.match(title):
            self._headings.append((level, title))
            return place + 1
        for after in range(place + 1, len(self._lines)):
            line = self._lines[after]
            managed = _MANAGED.search(line)
            if managed:
                return self._after_managed(after, managed)
            heading = _HEADING.match(line)
            if heading and len(heading[1]) <= level:
                return after
        return len(self._lines)

    def _after_managed(self, place: int, mark: re.Match[str]) -> int:
        """The line after a managed block; one that never ends stops at the next section."""
        if mark[2] == "end":
            return place + 1
        section = len(self._lines)
        for after in range(place + 1, len(self._lines)):
            line = self._lines[after]
            found = _MANAGED.search(line)
            if found and found[1] == mark[1] and found[2] == "end":
                return after + 1
            heading = _HEADING.match(line)
            if heading and len(heading[1]) <= 2 and section == len(self._lines):
                section = after
            if found and found[2] == "start":
                break
        return section

    def _after_region(self, place: int) -> int:
        """The line after a managed part of our own; one that never ends reaches to the end."""
        for after in range(place + 1, len(self._lines)):
            if self._lines[after].rstrip() == REGION_CLOSE:
                return after + 1
        return len(self._lines)

    def _in_dump(self) -> bool:
        titles = [title for _level, title in self._headings]
        return titles[-1:] == ["Conversation Summary"]

    def _dump(self, place: int) -> Generator[Block, None, int]:
        """Turns of a session that a hook wrote into the note; ends at the next session."""
        turn: list[str] = []
        role, start = "", place
        while place < len(self._lines):
            line = self._lines[place]
            if line.startswith("# Session:") or _MANAGED.search(line):
                break
            match = _TURN.match(line)
            if match:
                yield from self._turn(turn, role, start)
                turn, role, start = [match[2]], match[1], place
            elif role:
                turn.append(line)
            place += 1
        yield from self._turn(turn, role, start)
        return place

    def _turn(self, turn: list[str], role: str, start: int) -> Iterator[Block]:
        text = "\n".join(turn).strip()
        if text:
            yield self._block(start, "turn", text, role=role)

    def _code(self, place: int, fence: str) -> Generator[Block, None, int]:
        """A fenced block; an opening fence that is never closed counts as an empty line."""
        at = bisect_right(self._closers, place)
        for closer in self._closers[at : at + _FENCE_TRIES]:
            mark = self._lines[closer].strip()
            if mark[0] == fence[0] and len(mark) >= len(fence):
                inside = self._lines[place + 1 : closer]
                if any(_opens_anew(line) for line in inside):
                    break  # the closer belongs to a later block
                text = "\n".join(inside)
                if text.strip():
                    yield self._block(place + 1, "code", text)
                return closer + 1
        return place + 1

    # ── items, paragraphs, quotes ───────────────────────────────────────────────────────────────

    def _take(self, place: int, line: str) -> Iterator[Block]:
        comments = _COMMENT.findall(line)
        if comments and not _COMMENT.sub("", line).strip():
            yield from self._close()
            self._marks += comments  # a mark that stands alone belongs to what follows
            return
        item, quote = _ITEM.match(line), _QUOTE.match(line)
        indented = line[:1] in (" ", "\t")
        kind: BlockKind = "item" if item else "quote" if quote else "paragraph"
        nested = item is not None and bool(item[1])
        goes_on = self._kind == "item" and (nested or (not item and not quote and indented))
        lazy = self._kind == kind and kind != "item"
        if self._open and not goes_on and not lazy:
            yield from self._close()
        if not self._open:
            self._kind = kind
        self._open.append((place, quote[1] if quote and self._kind == "quote" else line))

    def _close(self) -> Iterator[Block]:
        """What was gathered, as one block, or one per item when it is long."""
        rows, self._open = self._open, []
        if not rows:
            return
        whole = "\n".join(line for _place, line in rows)
        parts = [rows]
        staged = False
        if self._kind == "item" and len(whole) > ITEM_LIMIT:
            parts = _items(rows)
            staged = len(parts) > 1 and is_recalled(whole)
        for part in parts:
            text = "\n".join(line for _place, line in part)
            own = _without_bullet(text) if self._kind == "item" else text
            bare = _COMMENT.sub("", own)
            if bare.strip():
                self._marks += _COMMENT.findall(text)
                yield self._block(part[0][0], self._kind, bare.strip(), staged=staged)
                self._marks.clear()
        self._marks.clear()

    def _block(
        self, place: int, kind: BlockKind, text: str, *, role: str = "", staged: bool = False
    ) -> Block:
        return Block(
            line=place + 1,
            kind=kind,
            text=text,
            headings=tuple(title for _level, title in self._headings if title),
            marks=" ".join(mark.strip() for mark in self._marks),
            role=role,
            staged=staged,
        )


def _opens_anew(line: str) -> bool:
    """A line that cannot stand inside a code block of a note: another opening, a dream's mark."""
    fence = _FENCE.match(line)
    return bool((fence and fence[2].strip()) or _MANAGED.search(line))


def _items(rows: list[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """The rows of a nested list, cut before each item."""
    parts: list[list[tuple[int, str]]] = []
    for row in rows:
        if not parts or _ITEM.match(row[1]):
            parts.append([])
        parts[-1].append(row)
    return parts


def _without_bullet(text: str) -> str:
    """An item without its bullet, the lines below it moved left by the first one's indent."""
    first, *rest = text.split("\n")
    match = _ITEM.match(first)
    if not match:
        return text
    indent = len(match[1])
    moved = (line[indent:] if line[:indent].isspace() or not indent else line for line in rest)
    return "\n".join([match[2], *moved])


def front_matter(lines: list[str]) -> list[tuple[int, int]]:
    """Where YAML headers stand: from which line (after its `---`) to which (its closing `---`).

    Counted from 0. More than one in a row happens where two programs each wrote theirs.
    """
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(lines) and lines[place].rstrip() == "---":
        first = lines[place + 1] if place + 1 < len(lines) else ""
        if found and not _FIELD.match(first):
            break  # a rule between paragraphs
        closing = (at for at in range(place + 1, min(place + 200, len(lines)))
                   if lines[at].rstrip() == "---")  # fmt: skip
        end = next(closing, None)
        if end is None:
            break
        found.append((place + 1, end))
        place = end + 1
        while found and place < len(lines) and not lines[place].strip():
            place += 1
    return found


def _after_front_matter(lines: list[str]) -> int:
    """The first line after the YAML headers; 0 when there is none or it is never closed."""
    found = front_matter(lines)
    return found[-1][1] + 1 if found else 0
