"""What the vault remembers of the last time it was written. Derived: losing it loses nothing.

It tells how far the ledger was read, which files need not be looked at (same size and times), which
line of MEMORY.md is which memory, and what of the mirror is ours. Files prove by themselves whether
they were edited.
"""

import os
from pathlib import Path

import msgspec

from slowwave.adapters.files import read, replace_file

__all__ = ["NAME", "Entry", "State", "load", "same", "save", "stat_of"]

NAME = ".slowwave.json"
FORMAT = 1
"""Raised when the rendering changes: every file is then rendered again."""

Stat = tuple[int, int, int]


class Entry(msgspec.Struct, frozen=True):
    """The file of one memory: where it lies below the vault, the version it shows, its stat."""

    path: str
    version: int
    stat: Stat


class State(msgspec.Struct, frozen=True):
    """The last time. `lines` are (memory id, line) of MEMORY.md in their order, `stamp` its stamp.

    `gone` are memories that have left the archive, with the version that did. `mark` is how far the
    ledger was read, and `late` are memories that could not be brought in step then. `retell`: the
    diary is to be written anew.
    """

    format: int = FORMAT
    entries: dict[str, Entry] = {}
    gone: dict[str, int] = {}
    mark: str = ""
    late: tuple[str, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    stamp: str = ""
    notes: dict[str, str] = {}
    mirror: dict[str, str] = {}
    retell: bool = False


def load(root: Path) -> State:
    """The state of a vault; an empty one where there is none that can be read."""
    body = read(root / NAME)
    try:
        state = msgspec.json.decode(body or b"{}", type=State)
    except msgspec.MsgspecError:
        return State()
    if state.format != FORMAT:
        entries = {
            key: msgspec.structs.replace(entry, version=0) for key, entry in state.entries.items()
        }
        state = msgspec.structs.replace(
            state, format=FORMAT, entries=entries, gone=dict.fromkeys(state.gone, 0), mark=""
        )
    return state if state.mark else _parted(state)


def _parted(state: State) -> State:
    """The state with entries that have no file apart: an older program kept both together."""
    left = {key: entry.version for key, entry in state.entries.items() if not entry.path}
    if not left:
        return state
    entries = {key: entry for key, entry in state.entries.items() if entry.path}
    return msgspec.structs.replace(state, entries=entries, gone={**state.gone, **left})


def save(root: Path, state: State, before: State) -> None:
    """Keeps the state, if it changed. Raises OSError."""
    if state != before or not (root / NAME).exists():
        replace_file(root / NAME, msgspec.json.encode(state), 0o600)


def stat_of(path: Path | str) -> Stat | None:
    """Size and times of a file, None when it is not there."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def same(path: Path | str, entry: Entry) -> bool:
    """Whether a file is, by its size and times, the one that was written.

    A change of its content sets the time of the last change (ctime), which nobody can set back.
    """
    return stat_of(path) == entry.stat
