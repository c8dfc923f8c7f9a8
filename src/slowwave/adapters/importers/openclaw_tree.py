"""The active branch of an OpenClaw transcript, in two passes over its lines.

An edited question or a retried answer leaves the old branch in the file. What counts is the walk
from the last entry to the root. The first pass keeps eight bytes per entry and its id, the second
makes records; pictures are skipped by both, so a transcript of a gigabyte stays small in memory.
"""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import replace

import msgspec

from slowwave.adapters.importers.lines import decode_json
from slowwave.adapters.importers.openclaw_record import Conversation, entry_records
from slowwave.model import Record, Skipped

Lines = Callable[[], Iterator[tuple[int, bytes]]]
"""Starts reading a transcript from its first line."""

_ROOT = -1


class _Link(msgspec.Struct):
    """What the first pass reads of an entry; everything else is skipped without being built."""

    type: object = None
    id: object = None
    parent: object = msgspec.field(name="parentId", default=msgspec.UNSET)
    target: object = msgspec.field(name="targetId", default=None)


_links = msgspec.json.Decoder(_Link)


def transcript(lines: Lines, where: Conversation) -> Iterator[Record | Skipped]:
    """Records of the active branch, in order, and a Skipped for each damaged line."""
    active = active_entries(lines())
    current = where
    forked_from: tuple[str, str] | None = None
    for place, (number, raw) in enumerate(_filled(lines())):
        if place >= len(active):
            return  # written while we were reading; the next import takes it
        try:
            entry = decode_json(raw) if active[place] else None
        except ValueError as error:
            yield Skipped(number, str(error))
            continue
        if entry is None:
            continue
        if not isinstance(entry, dict):
            yield Skipped(number, f"not a transcript entry but {type(entry).__name__}")
            continue
        if entry.get("type") == "session":
            current, forked_from = _header(entry, where)
            continue
        yield from entry_records(entry, _home(entry, current, forked_from), number)


def active_entries(lines: Iterator[tuple[int, bytes]]) -> bytearray:
    """One byte per filled line: 1 where the second pass must look.

    That is the active branch of each session in the file, headers, and damaged lines (which are
    reported). A parent that is missing, or comes later, is replaced by the entry before: that is
    how transcripts without ids read too, and it keeps what stands before a damaged line.
    """
    tree = _Tree()
    for _number, raw in _filled(lines):
        link = _link(raw)
        if link is None:
            tree.odd()
        elif link.type == "session":
            tree.header()
        else:
            tree.entry(link)
    return tree.walked()


class _Tree:
    """Parents by place in the file. Parents are always earlier, so walks end."""

    def __init__(self) -> None:
        self._parents = array("q")
        self._active = bytearray()
        self._anonymous = bytearray()
        self._places: dict[str, int] = {}
        self._leaf = _ROOT
        self._leaves: list[int] = []

    def odd(self) -> None:
        """A damaged line: looked at, but no part of the tree."""
        self._add(_ROOT, look=True)

    def header(self) -> None:
        """A session header: a file may hold several sessions, each with a branch of its own."""
        self._add(_ROOT, look=True)
        self._leaves.append(self._leaf)
        self._leaf = _ROOT
        self._places.clear()

    def entry(self, link: _Link) -> None:
        """An entry under its parent; it becomes the leaf."""
        place = len(self._parents)
        name = link.id if isinstance(link.id, str) and link.id else None
        self._add(self._parent(link), anonymous=name is None)
        if name is not None and name in self._places:
            return  # appended again: the first one counts
        if name is not None:
            self._places[name] = place
        self._leaf = place
        if link.type == "leaf" and isinstance(link.target, str):
            self._leaf = self._places.get(link.target, place)

    def _parent(self, link: _Link) -> int:
        if link.parent is None:
            return _ROOT
        if isinstance(link.parent, str):
            return self._places.get(link.parent, self._leaf)
        return self._leaf

    def _add(self, parent: int, *, look: bool = False, anonymous: bool = False) -> None:
        self._parents.append(parent)
        self._active.append(look)
        self._anonymous.append(anonymous)

    def walked(self) -> bytearray:
        """Marks every session's branch, and entries without an id that stand beside it."""
        active = self._active
        for leaf in (*self._leaves, self._leaf):
            place = leaf
            while place != _ROOT and not active[place]:
                active[place] = 1
                place = self._parents[place]
        for place, anonymous in enumerate(self._anonymous):
            parent = self._parents[place]
            if anonymous and (parent == _ROOT or active[parent]):
                active[place] = 1
        return active


def _link(raw: bytes) -> _Link | None:
    try:
        return _links.decode(raw)
    except (ValueError, RecursionError):
        pass
    try:
        value = decode_json(raw)
    except ValueError:
        return None
    if not isinstance(value, dict):
        return None
    return _Link(
        value.get("type"), value.get("id"), value.get("parentId", msgspec.UNSET),
        value.get("targetId"),
    )  # fmt: skip


def _filled(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    return ((number, raw) for number, raw in lines if raw and not raw.isspace())


def _header(
    entry: dict[str, object], where: Conversation
) -> tuple[Conversation, tuple[str, str] | None]:
    """The session a header opens, and (parent session, start time) if it was forked off one."""
    session, start = entry.get("id"), entry.get("timestamp")
    here = replace(where, session=session) if isinstance(session, str) and session else where
    parent = entry.get("parentSession", entry.get("branchedFrom"))
    if not isinstance(parent, str) or not parent or not isinstance(start, str):
        return here, None
    name = parent.replace("\\", "/").rsplit("/", 1)[-1]
    return here, (session_id_of(name), start)


def _home(
    entry: dict[str, object], here: Conversation, forked_from: tuple[str, str] | None
) -> Conversation:
    """A fork copies its parent's history: what is older than the fork belongs to the parent."""
    stamp = entry.get("timestamp")
    if forked_from and isinstance(stamp, str) and stamp < forked_from[1]:
        return replace(here, session=forked_from[0])
    return here


def session_id_of(file_name: str) -> str:
    """The session id in a transcript's file name, without topic and archive endings."""
    stem = file_name.split(".jsonl", 1)[0]
    return stem.split("-topic-", 1)[0].rsplit("_", 1)[-1] or stem
