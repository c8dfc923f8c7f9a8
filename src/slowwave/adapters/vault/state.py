"""What the vault remembers of the last time it was written. Derived: losing it loses nothing.

It tells which files need not be looked at (same size and times), which line of MEMORY.md is which
memory, and what of the mirror is ours. Files prove by themselves whether they were edited.
"""

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

    An entry without a path is a memory that has left the archive. `retell`: the diary is to be
    written anew.
    """

    format: int = FORMAT
    entries: dict[str, Entry] = {}
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
    if state.format == FORMAT:
        return state
    return msgspec.structs.replace(
        state,
        format=FORMAT,
        entries={
            key: msgspec.structs.replace(entry, version=0) for key, entry in state.entries.items()
        },
    )


def save(root: Path, state: State, before: State) -> None:
    """Keeps the state, if it changed. Raises OSError."""
    if state != before or not (root / NAME).exists():
        replace_file(root / NAME, msgspec.json.encode(state), 0o600)


def stat_of(path: Path) -> Stat | None:
    """Size and times of a file, None when it is not there."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns


def same(path: Path, entry: Entry) -> bool:
    """Whether a file is, by its size and times, the one that was written."""
    return stat_of(path) == tuple(entry.stat)
