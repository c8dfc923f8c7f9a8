"""Hand-written notes beside the vault: the text around the managed part of MEMORY.md, and in a
workspace USER.md and the daily notes. They are only ever read (O1)."""  # fmt: skip

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from slowwave.adapters.files import digest, read
from slowwave.adapters.vault import regions

__all__ = ["Notes"]

_STATE = ("dreaming", ".dreams")
"""Folders below `memory/` that hold what other programs dreamed."""


class Notes:
    """The notes of a vault, and which of them changed; told by their content (case 43)."""

    def __init__(self, root: Path, workspace: Path | None) -> None:
        self._root = root
        self._workspace = workspace

    def changed(self, known: dict[str, str]) -> list[Path]:
        """The files whose words are not those that are known, in a stable order."""
        return [
            path for path in self._all() if self._digest(path) not in (None, known.get(str(path)))
        ]

    def digests(self, paths: Sequence[Path]) -> dict[str, str]:
        """What is known of these files once they were read."""
        found = ((str(path), self._digest(path)) for path in paths)
        return {name: mark for name, mark in found if mark is not None}

    def _all(self) -> Iterator[Path]:
        if self._workspace is None:
            yield self._root / "MEMORY.md"
            return
        yield self._workspace / "MEMORY.md"
        yield self._workspace / "USER.md"
        for folder, folders, names in os.walk(self._workspace / "memory"):
            folders[:] = sorted(name for name in folders if name not in _STATE)
            yield from (Path(folder, name) for name in sorted(names) if name.endswith(".md"))

    def _digest(self, path: Path) -> str | None:
        """The digest of what people wrote in a file; None where there is nothing."""
        try:
            data = read(path)
        except OSError:
            return None  # the import tells about files that cannot be read
        if not data or not data.strip():
            return None
        try:
            region = regions.find(data)
        except regions.Broken:
            return digest(data)
        return digest(region.before + b"\n" + region.after)
