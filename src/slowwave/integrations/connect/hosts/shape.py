"""What is known of every host, and what a connection is told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import msgspec

from slowwave.integrations.connect.steps import Wanted

__all__ = ["Check", "Host", "How", "our_files"]

_SOURCES = Path(__file__).parent.parent.parent


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at: whether it is as it must be, and what was found."""

    name: str
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class How:
    """How a host reaches Slowwave: the command, the home and space, and the server.

    `config` is the settings file where the host's own variable names one, else the usual one.
    """

    host: Path
    home: Path
    command: tuple[str, ...]
    space: str = ""
    url: str = ""
    beside: bool = False
    environment: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """An agent that can be given this memory.

    `folder` is its own below a person's folder, `variables` name it elsewhere, `signs` are files or
    folders by which it is known. `left` tells of what it has put aside itself, at taking out.
    """

    name: str
    title: str
    folder: str
    variables: tuple[str, ...]
    signs: tuple[str, ...]
    wanted: Callable[[How], Wanted]
    checks: Callable[[How], list[Check]]
    left: Callable[[Path], tuple[Path | None, str]] = lambda _: (None, "")
    restart: str = ""
    """What is to be done so that a change counts."""


def our_files(folder: str, *, without: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Our files for a host, as they lie in the package: by their path below `folder`."""
    root = _SOURCES / folder
    found: dict[str, bytes] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        hidden = {"__pycache__", "node_modules"} & set(path.relative_to(root).parts)
        out = any(name == one or name.startswith(f"{one}/") for one in without)
        if path.is_file() and not hidden and not out:
            found[name] = path.read_bytes()
    return found
