"""What MEMORY.md loads into every prompt, and in which section (L7, N2, N11). Pure.

Pinned memories come first, then the most important and newest. A month of age weighs as much as one
point of importance: what matters for life outlasts what was only said last, and the order of two
memories never changes by the mere passing of days, so an unchanged memory is an unchanged file.
Moods, quotes, what holds only once or for now, and what is over never get in.
"""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from slowwave.model import SECTION_TITLES, USER, Memory
from slowwave.text.entities import EntityKind, find_entities
from slowwave.text.markdown import is_chinese, shown
from slowwave.text.tokens import estimate

__all__ = ["Curated", "Part", "curate", "in_chinese", "pointer_of"]

DAYS_PER_POINT = 30
POINTER_TOKENS = 24
"""Room kept for the line that points to what did not fit."""
FULL_AFTER = 20
"""So many in a row that do not fit: the room is full, the rest need not be tried."""

_NEVER_KINDS = frozenset({"emotion", "quote"})
_NEVER_STANDINGS = frozenset({"one_off", "temporary"})
_PEOPLE_KINDS = frozenset({"relationship"})
_WORK_KINDS = frozenset({"project", "environment", "skill", "lesson"})
_LIFE_KINDS = frozenset({"profile", "preference"})
_NOT_PEOPLE = frozenset({USER, "agent", "assistant", "world", ""})
_TECHNICAL: frozenset[EntityKind] = frozenset({"version", "path", "url", "code"})

WORK, LIFE, CHRONICLE, PEOPLE = range(4)


class Part(NamedTuple):
    """One section: its title and its memories, the weightiest first."""

    title: str
    memories: tuple[Memory, ...]


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
    most_chars: int | None = None,
) -> Curated:
    """The memories to load within a budget, by section.

    `today` (the user's day) tells what is over; without it nothing is. `most_chars` is a second
    limit, in UTF-16 units as editors and agents count them.
    """
    wanted = sorted((m for m in memories if _belongs(m, today)), key=_weight)
    chinese = in_chinese(wanted)
    room = _Room(budget_tokens - POINTER_TOKENS, most_chars)
    chosen: dict[int, list[Memory]] = {}
    misses = 0
    for memory in wanted:
        if misses == FULL_AFTER:
            break
        section = section_of(memory)
        title = "" if section in chosen else f"\n## {SECTION_TITLES[section][chinese]}\n\n"
        if room.takes(f"{title}- {shown(memory)}\n"):
            chosen.setdefault(section, []).append(memory)
            misses = 0
        else:
            misses += 1
    sections = tuple(
        Part(SECTION_TITLES[section][chinese], tuple(chosen[section]))
        for section in range(len(SECTION_TITLES))
        if section in chosen
    )
    left = len(wanted) - sum(len(part.memories) for part in sections)
    return Curated(sections, left, room.used)


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
    """The section a memory belongs to: by its subject, its kind, and what it names."""
    if memory.kind in _PEOPLE_KINDS or memory.subject not in _NOT_PEOPLE:
        return PEOPLE
    if memory.kind in _WORK_KINDS:
        return WORK
    if any(entity.kind in _TECHNICAL for entity in find_entities(memory.text)):
        return WORK
    return LIFE if memory.kind in _LIFE_KINDS else CHRONICLE


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
