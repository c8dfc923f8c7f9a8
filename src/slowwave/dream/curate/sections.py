"""What MEMORY.md loads into every prompt, and in which section (L7, N2, N11). Pure.

Pinned memories come first, then the most important and newest. A month of age weighs as much as one
point of importance: what matters for life outlasts what was only said last, and the order of two
memories never changes by the mere passing of days, so an unchanged memory is an unchanged file.
Moods, quotes, what holds only once or for now, and what is over never get in. Inside a section the
newest of what is about equally important comes first.
"""

from collections.abc import Callable, Sequence
from datetime import date, tzinfo
from typing import NamedTuple

from slowwave.dream.curate.topics import about_replies, leaning, names_a_day
from slowwave.model import SECTION_TITLES, USER, Memory
from slowwave.text.listing import listed, undated
from slowwave.text.markdown import is_chinese
from slowwave.text.tokens import estimate

__all__ = ["Curated", "Part", "curate", "in_chinese", "pointer_of"]

DAYS_PER_POINT = 30
POINTER_TOKENS = 24
"""Room kept for the line that points to what did not fit."""
FULL_AFTER = 20
"""So many in a row that do not fit: the room is full, the rest need not be tried."""

_NEVER_KINDS = frozenset({"emotion", "quote"})
_NEVER_STANDINGS = frozenset({"one_off", "temporary"})
_WORK_KINDS = frozenset({"project", "environment", "skill", "lesson"})
_NOT_PEOPLE = frozenset({USER, "agent", "assistant", "world", ""})
LEAST_PART = 8
"""Characters from which a line that another one holds is said twice."""
BAND = 10
"""Memories of one section whose importance differs by less than about this are sorted by age."""

MANNERS, WORK, LIFE, CHRONICLE, PEOPLE = range(5)


class Part(NamedTuple):
    """One section: its title, its memories, and the line of each."""

    title: str
    memories: tuple[Memory, ...]
    lines: tuple[str, ...]


class Curated(NamedTuple):
    """The sections that have anything, how many memories did not fit, and the tokens used."""

    sections: tuple[Part, ...]
    left_out: int
    tokens: int


def curate(
    memories: Sequence[Memory],
    budget_tokens: int,
    *,
    today: date | None = None,
    zone: tzinfo | None = None,
    most_chars: int | None = None,
    told: Callable[[Memory], bool] = lambda _memory: False,
) -> Curated:
    """The memories to load within a budget, by section, no line twice.

    `today` (the user's day) tells what is over; without it nothing is. `zone` is the user's, for
    the days in lines. `most_chars` is a second limit, in UTF-16 units as editors and agents count
    them. What is `told` elsewhere needs no room; it is asked only of those that there may be room
    for.
    """
    wanted = sorted((m for m in memories if _belongs(m, today)), key=_weight)
    chinese = in_chinese(wanted)
    room = _Room(budget_tokens - POINTER_TOKENS, most_chars)
    rows = _Rows()
    misses = 0
    for memory in wanted:
        if misses == FULL_AFTER:
            break
        line = listed(memory, zone)
        if rows.has(line) or told(memory):
            rows.skipped += 1
            continue
        section = section_of(memory)
        title = "" if section in rows.sections else f"\n## {SECTION_TITLES[section][chinese]}\n\n"
        if room.takes(f"{title}- {line}\n"):
            rows.add(section, memory, line)
            misses = 0
        else:
            misses += 1
    parts = tuple(_part(SECTION_TITLES[at][chinese], rows.of(at)) for at in sorted(rows.sections))
    left = len(wanted) - rows.skipped - sum(len(part.memories) for part in parts)
    return Curated(parts, left, room.used)


class _Rows:
    """The lines chosen so far; none of them is said a second time, alone or inside of another."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, Memory, str, str]] = []
        self.sections: set[int] = set()
        self.skipped = 0

    def has(self, line: str) -> bool:
        """Whether a line is there already, or is a part of one that is."""
        words = _words(line)
        return any(
            words == known or (words in known and len(line) >= LEAST_PART)
            for _, _, _, known in self._rows
        )

    def add(self, section: int, memory: Memory, line: str) -> None:
        """Takes in a line; what it says in full needs no line of its own any more."""
        words = _words(line)
        kept = [
            row for row in self._rows
            if row[1].pinned or len(row[2]) < LEAST_PART or row[3] not in words
        ]  # fmt: skip
        self.skipped += len(self._rows) - len(kept)
        self._rows = [*kept, (section, memory, line, words)]
        self.sections = {row[0] for row in self._rows}

    def of(self, section: int) -> list[tuple[Memory, str]]:
        """The lines of a section."""
        return [(memory, line) for at, memory, line, _ in self._rows if at == section]


def _words(line: str) -> str:
    """What makes two lines the same: neither marks nor the day at the end."""
    return "".join(filter(str.isalnum, undated(line).casefold())) or line


def _part(title: str, rows: Sequence[tuple[Memory, str]]) -> Part:
    ordered = sorted(rows, key=lambda row: _place(row[0]))
    return Part(title, tuple(row[0] for row in ordered), tuple(row[1] for row in ordered))


class _Room:
    """How much still fits."""

    def __init__(self, tokens: int, chars: int | None) -> None:
        self._tokens = tokens
        self._chars = chars
        self.used = 0

    def takes(self, text: str) -> bool:
        """Whether a text fits; if so, it is counted."""
        cost = estimate(text)
        # A line break may be two characters: CR LF.
        size = len(text.encode("utf-16-le", "surrogatepass")) // 2 + text.count("\n")
        if self.used + cost > self._tokens or (self._chars is not None and size > self._chars):
            return False
        self.used += cost
        if self._chars is not None:
            self._chars -= size
        return True


def pointer_of(left_out: int, chinese: bool) -> str:
    """The line about what did not fit; empty when all did."""
    if not left_out:
        return ""
    if chinese:
        return f"另有 {left_out} 条记忆在 long_term/ 中，可用 slowwave recall 查找"
    noun = "memory" if left_out == 1 else "memories"
    return f"{left_out} more {noun} in long_term/, found by `slowwave recall`"


def in_chinese(memories: Sequence[Memory]) -> bool:
    """Whether most memories are in Chinese."""
    return sum(is_chinese(memory.text) for memory in memories) * 2 > len(memories)


def section_of(memory: Memory) -> int:
    """The section a memory belongs to: by its kind, its subject, and what it is about."""
    if memory.kind in ("plan", "rule") or memory.standing == "dated":
        standing_rule = memory.kind == "rule" and not names_a_day(memory)
        return MANNERS if standing_rule else CHRONICLE
    if memory.kind == "preference" and (memory.subject == "agent" or about_replies(memory)):
        return MANNERS
    known_person = memory.subject not in _NOT_PEOPLE and memory.kind not in _WORK_KINDS
    if memory.kind == "relationship" or known_person:
        return PEOPLE
    lean = leaning(memory)
    if lean:
        return WORK if lean > 0 else LIFE
    return WORK if memory.kind in _WORK_KINDS else CHRONICLE


def _belongs(memory: Memory, today: date | None) -> bool:
    if memory.status != "active" or memory.undone or memory.superseded_by is not None:
        return False
    if memory.kind in _NEVER_KINDS or memory.standing in _NEVER_STANDINGS:
        return False
    if today is None:
        return True
    day = today.isoformat()
    over = memory.valid_to
    if over is None and memory.standing == "dated":
        over = memory.valid_from
    return all(end is None or end[:10] >= day for end in (over, memory.expires_at))


def _weight(memory: Memory) -> tuple[bool, float, float, str]:
    """The order: pinned, then importance less age, then the newer, then the id."""
    seen = memory.last_seen.timestamp()
    points = memory.importance + seen / 86_400 / DAYS_PER_POINT
    return not memory.pinned, -points, -seen, memory.id


def _place(memory: Memory) -> tuple[bool, int, float, str]:
    """The order inside a section: pinned, then importance in bands, then the newer, then the id."""
    band = memory.importance // BAND
    return not memory.pinned, -band, -memory.last_seen.timestamp(), memory.id
