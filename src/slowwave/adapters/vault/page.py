"""MEMORY.md: the managed part as lines, and what a person did to these lines.

Which line is which memory is known from the last time, so the file carries no ids: it is loaded
into every prompt, and each token counts. A line that moved is the same; one that changed is told
by likeness; what is neither a heading of ours nor a bullet is no memory and moves out of the
managed part instead of getting lost.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import tzinfo
from difflib import SequenceMatcher
from typing import NamedTuple

from slowwave.model import SECTION_KINDS, SECTION_TITLES, Clash, Edit, Memory, Section
from slowwave.ports import Lookup
from slowwave.text.listing import listed, undated, unlisted
from slowwave.text.markdown import line_of, shown, text_of

__all__ = ["Page", "Read", "read_back", "render"]

FILE = "MEMORY.md"
ALIKE = 0.5
"""From this likeness on, a line that came in is taken for one that went away, edited."""
ALIKE_ALONE = 0.25
"""The same where just one line went away and just one came in."""
MOST_GONE = 5
"""More bullets than this deleted at once, and more than half of all: an accident, not a wish."""

_KIND_OF = {
    title: kind
    for titles, kind in zip(SECTION_TITLES, SECTION_KINDS, strict=True)
    for title in titles
}

_BULLET = re.compile(r"(?P<indent>[ \t]*)[-*+](?:[ \t]+(?P<text>.*))?\Z")
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<title>.*?)[ \t]*#*\Z")


class Page(NamedTuple):
    """The managed text, and which line is which memory."""

    body: str
    lines: tuple[tuple[str, str], ...]


class Read(NamedTuple):
    """What a person did: edits, his line of each memory he edited, and words that are no memory."""

    edits: tuple[Edit, ...]
    loose: str
    lines: dict[str, str]
    clashes: tuple[Clash, ...]


class _Item(NamedTuple):
    line: str
    section: str


def render(sections: Sequence[Section], pointer: str, held: dict[str, str]) -> Page:
    """The managed text. Of memories in `held` the line stays as a person wrote it."""
    parts: list[str] = []
    lines: list[tuple[str, str]] = []
    for section in sections:
        bullets = []
        for memory, own in zip(section.memories, section.lines, strict=True):
            lines.append((memory.id, own))
            bullets.append(f"- {held.get(memory.id, own)}")
        parts.append("\n".join([f"## {line_of(section.title)}", "", *bullets]))
    if pointer:
        parts.append(f"*{line_of(pointer)}*")
    return Page("\n\n".join(parts), tuple(lines))


def read_back(
    body: str,
    written: Sequence[tuple[str, str]],
    by_hand: str,
    lookup: Lookup,
    zone: tzinfo | None = None,
) -> Read:
    """What a person changed in the managed text, compared with the lines that were written.

    `by_hand` is the text outside: a bullet that was moved there is not gone. `lookup` finds the
    memories of the lines that are not there any more; `zone` is that of the days in the lines.
    """
    items, loose = _items(body)
    old, new = _left(written, items)
    known = lookup([row[0] for row in old]) if old else {}
    edits: list[Edit] = []
    lines: dict[str, str] = {}
    for (memory_id, before), after in _pairs(old, new):
        memory = known.get(memory_id)
        old.remove((memory_id, before))
        new.remove(after)
        if memory is None:
            loose.append(f"- {after.line}")
            continue
        lines[memory_id] = after.line
        was, now = unlisted(memory, before, after.line, zone)
        edits.append(Edit(file=FILE, what="text", memory_id=memory_id, before=was, after=now))
    gone = [row for row in old if row[1] not in by_hand and row[0] in known]
    clashes: list[Clash] = []
    if len(gone) > max(MOST_GONE, len(written) // 2):
        reason = f"{len(gone)} of {len(written)} bullets are gone at once: written again"
        clashes.append(Clash(file=FILE, reason=reason))
    else:
        edits += [
            Edit(
                file=FILE, what="delete", memory_id=key,
                before=unlisted(known[key], line, line, zone)[0],
            )
            for key, line in gone
        ]  # fmt: skip
    for item in new:
        kind = _KIND_OF.get(item.section, "fact")
        edits.append(Edit(file=FILE, what="add", after=text_of(item.line), kind=kind))
    return Read(tuple(edits), "\n".join(loose).strip("\n"), lines, tuple(clashes))


def known_lines(
    body: str, known: Mapping[str, Memory], zone: tzinfo | None = None
) -> tuple[list[tuple[str, str]], str]:
    """Without knowledge of the last time: the lines that are memories, and all the other words."""
    by_line = {undated(listed(memory, zone)): memory.id for memory in known.values()}
    by_line |= {shown(memory): memory.id for memory in known.values()}
    found, loose = _items(body)
    items = [item if item.line in by_line else item._replace(line=undated(item.line))
             for item in found]  # fmt: skip
    lines = [(by_line[item.line], item.line) for item in items if item.line in by_line]
    loose += [f"- {item.line}" for item in items if item.line not in by_line]
    return lines, "\n".join(loose).strip("\n")


def _items(body: str) -> tuple[list[_Item], list[str]]:
    """The bullets of the managed text, each on one line, and the lines that are something else."""
    items: list[_Item] = []
    loose: list[str] = []
    section = ""
    inside = False
    for line in body.split("\n"):
        bullet, heading = _BULLET.match(line.rstrip()), _HEADING.match(line.rstrip())
        if bullet and (bullet["text"] or "").strip():
            items.append(_Item(bullet["text"].strip(), section))
            inside = True
        elif heading and heading["title"] in _KIND_OF:
            section, inside = heading["title"], False
        elif inside and line[:1] in (" ", "\t") and line.strip():
            whole = f"{items[-1].line} {line.strip()}"
            items[-1] = items[-1]._replace(line=whole)
        elif line.strip() and not _is_pointer(line):
            loose.append(line)
            inside = False
    return items, loose


def _is_pointer(line: str) -> bool:
    bare = line.strip()
    return bare.startswith("*") and bare.endswith("*") and "long_term/" in bare


def _left(
    written: Sequence[tuple[str, str]], items: Sequence[_Item]
) -> tuple[list[tuple[str, str]], list[_Item]]:
    """The lines of the last time that are gone, and the lines that are new."""
    there = Counter(item.line for item in items)
    old = []
    for row in written:
        if there[row[1]]:
            there[row[1]] -= 1
        else:
            old.append(row)
    new = []
    for item in reversed(items):
        if there[item.line] > 0:
            there[item.line] -= 1
            new.append(item)
    return old, new[::-1]


def _pairs(
    old: Sequence[tuple[str, str]], new: Sequence[_Item]
) -> list[tuple[tuple[str, str], _Item]]:
    """Lines that went away with those they became, the likest first."""
    least = ALIKE_ALONE if len(old) == len(new) == 1 else ALIKE
    ranked = sorted(
        (
            (-SequenceMatcher(None, row[1], item.line, autojunk=False).ratio(), place, at)
            for place, row in enumerate(old)
            for at, item in enumerate(new)
        )
    )
    taken_old: set[int] = set()
    taken_new: set[int] = set()
    pairs = []
    for ratio, place, at in ranked:
        if -ratio >= least and place not in taken_old and at not in taken_new:
            taken_old.add(place)
            taken_new.add(at)
            pairs.append((old[place], new[at]))
    return pairs
