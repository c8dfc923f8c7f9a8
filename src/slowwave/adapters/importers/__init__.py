"""Foreign formats, one file each, recognised and not asked for.

    for path in discover(folder):
        found = recognise(path)
        if found: found.read(path, zone)  # Record | Skipped, streamed

A format's module is imported when it is first needed: loading all of them costs more than `log`.
"""

import os
import stat
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from slowwave.errors import InputError, NotFound, UsageError
from slowwave.ports import Format

if TYPE_CHECKING:
    FORMATS: tuple[Format, ...]

__all__ = ["FORMATS", "by_name", "discover", "recognise"]

_MODULES = {
    "slowwave": "slowwave_export",
    "openclaw-session": "openclaw_session",
    "claude-code": "claude_code",
    "openclaw": "openclaw_workspace",
    "chatgpt": "chatgpt",
    "claude-ai": "claude_ai",
    "locomo": "locomo",
    "beam": "beam",
    "claw-yaml": "claw_yaml",
    "jsonl": "jsonl",
    "chat-markdown": "chat_markdown",
}
"""Names of the contract and their modules, in the order they are asked: the strict ones first."""

_JUNK_FOLDERS = frozenset(
    {
        ".cache", ".git", ".hg", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".svn", ".tox",
        ".trash", ".venv", "$recycle.bin", "__macosx", "__pycache__", "node_modules",
        "site-packages", "system volume information", "venv",
    }
)  # fmt: skip
_JUNK_NAMES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_JUNK_ENDINGS = (
    "-shm", "-wal", ".7z", ".avi", ".bin", ".bmp", ".css", ".dat", ".dll", ".dylib", ".exe",
    ".flac", ".gguf", ".gif", ".heic", ".html", ".ico", ".iso", ".jpeg", ".jpg", ".js", ".lock",
    ".m4a", ".mkv", ".mov", ".mp3", ".mp4", ".ogg", ".onnx", ".opus", ".pdf", ".png", ".pyc",
    ".so", ".svg", ".tif", ".tiff", ".ttf", ".wav", ".webm", ".webp", ".woff", ".woff2",
)  # fmt: skip


def __getattr__(name: str) -> tuple[Format, ...]:
    if name == "FORMATS":
        return _formats()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _formats() -> tuple[Format, ...]:
    return tuple(by_name(name) for name in _MODULES)


def by_name(name: str) -> Format:
    """The format of that name; UsageError naming the known ones."""
    if name not in _MODULES:
        known = ", ".join(sorted(_MODULES))
        raise UsageError(f"unknown format {name!r}", f"known formats: auto, {known}")
    found: Format = import_module(f"{__name__}.{_MODULES[name]}").FORMAT
    return found


def recognise(path: Path) -> Format | None:
    """The format of a file, decided from its path and its first 64 KiB; None if unknown.

    Raises NotFound, or InputError for a folder or a file that cannot be read.
    """
    head = _head(path)
    return next((found for found in _formats() if found.recognise(path, head)), None)


def discover(path: Path) -> Iterator[Path]:
    """Files below a folder that may be logs, in order of name; a file is itself.

    Looks into hidden folders (agents keep their state there), not into those of tools. Each real
    folder is entered once, so links may run in circles. A folder that cannot be listed comes
    out itself, so that reading it says why. Raises NotFound, or InputError for a device or pipe.
    """
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        raise NotFound(f"no such file or folder: {path}", "check the path") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "check the path and its rights") from None
    if stat.S_ISREG(kind):
        yield path
    elif stat.S_ISDIR(kind):
        yield from _walk(path, set())
    else:
        raise InputError(f"{path} is neither a file nor a folder", "save the log to a file first")


def _walk(folder: Path, entered: set[tuple[int, int]]) -> Iterator[Path]:
    stack = [folder]
    while stack:
        current = stack.pop()
        try:
            found = current.stat()
            if (found.st_dev, found.st_ino) in entered:
                continue
            entered.add((found.st_dev, found.st_ino))
            with os.scandir(current) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            yield current
            continue
        folders = []
        for entry in entries:
            if _is_folder(entry):
                if entry.name.casefold() not in _JUNK_FOLDERS:
                    folders.append(Path(entry.path))
            elif _is_candidate(entry):
                yield Path(entry.path)
        stack += reversed(folders)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_candidate(entry: os.DirEntry[str]) -> bool:
    """An ordinary file that is not known to be something else."""
    name = entry.name.casefold()
    if name.startswith("._") or name in _JUNK_NAMES or name.endswith(_JUNK_ENDINGS):
        return False
    try:
        return entry.is_file()
    except OSError:
        return False


def _head(path: Path) -> bytes:
    # Its module parses JSON and packed files; nothing that only lists folders needs it.
    from slowwave.adapters.importers.lines import HEAD_BYTES  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except FileNotFoundError:
        raise NotFound(f"no such file: {path}", "check the path") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}", "check the file and its rights") from None
