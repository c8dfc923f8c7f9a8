"""The vault as folders and files: looks at what people did, and brings everything in step.

Order of writing: the archive first, so that nothing is ever unreachable, then MEMORY.md, the
diary, the mirror, and last the state. A kill in between leaves whole files, and the next call
goes on; a file that changed after it was looked at is not replaced.
"""

import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import tzinfo
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.adapters.files import read, remove, replace_file, replace_seen, told, writable
from slowwave.adapters.vault import diary, page, regions
from slowwave.adapters.vault.archive import Archive
from slowwave.adapters.vault.mirror import mirror
from slowwave.adapters.vault.notes import Notes
from slowwave.adapters.vault.regions import Broken, Region
from slowwave.adapters.vault.state import NAME, State, load, save
from slowwave.errors import StoreError
from slowwave.model import Clash, Edition, Looked, Written
from slowwave.ports import History, Lookup

__all__ = ["FolderVault"]

DEAD_AFTER = 3600
"""Seconds after which nobody can still be writing a file."""
_HALF_WRITTEN = re.compile(r"\.(?:MEMORY\.md|DREAMS\.md|dreams\.md|\.slowwave\.json)\.[\d-]+\.tmp")
BACKUPS = 3
WORKSPACE_CHARS = 20_000
"""What an OpenClaw workspace loads of one file; the rest is cut off silently (openclaw.md 2a)."""


class _Page(NamedTuple):
    """A shared file as it was seen; `region` is None when it must be left alone."""

    path: Path
    data: bytes | None
    region: Region | None


class _Basis(NamedTuple):
    """What `look` saw and `write` starts from."""

    state: State
    archive: Archive
    seen: dict[str, bytes]
    memory: _Page
    diary: _Page
    lines: dict[str, str]
    loose: str


class FolderVault:
    """`ports.Vault` below `root`.

    MEMORY.md and DREAMS.md lie in `workspace`, if one is given, everything else in `root`.
    `mirror` is a folder that gets a copy. `versions` old versions of each memory are kept.
    """

    def __init__(
        self, root: Path, *, workspace: Path | None, mirror: Path | None, versions: int
    ) -> None:
        self._root = root
        self._pages = workspace or root
        self._workspace = workspace
        self._mirror = mirror
        self._versions = versions
        self._loaded: tuple[tuple[int, ...], State] | None = None

    def look(self, known: Lookup, versions: History, zone: tzinfo) -> Looked:
        """What people did to the files since they were written. Changes nothing."""
        with writable(self._root):
            state = self._load()
            archive = Archive(self._root, self._versions, versions, zone)
            found = archive.look(state, known)
            clashes = [*self._missing_workspace(), *found.clashes]
            memory_page = self._open("MEMORY.md", clashes, had=bool(state.stamp))
            diary_page = self._open(self._diary_name(), clashes)
        by_hand, read_page = self._read_page(memory_page, state, known, zone)
        basis = _Basis(
            state, archive, found.seen, memory_page, diary_page, read_page.lines, read_page.loose
        )
        told_already: frozenset[str] = frozenset()
        if diary_page.region is not None and not state.retell:
            told_already = diary.told_of(diary_page.region.body)
        return Looked(
            edits=(*found.edits, *read_page.edits),
            clashes=(*clashes, *read_page.clashes),
            by_hand=by_hand,
            told=told_already,
            most_chars=WORKSPACE_CHARS if self._workspace else None,
            basis=basis,
            mark=state.mark,
            touched=tuple(sorted({*found.touched, *state.late})),
        )

    def write(self, edition: Edition, looked: Looked, *, dry: bool = False) -> Written:
        """Brings the files in step; with `dry` only tells what it would write.

        Raises FileChanged when MEMORY.md or DREAMS.md changed since `looked`.
        """
        basis = looked.basis
        if not isinstance(basis, _Basis):
            raise TypeError("looked must come from this vault's look()")
        with writable(self._root):
            if not dry:
                self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            state = basis.state
            after, files, clashes, removed = basis.archive.write(
                edition, state, basis.seen, dry=dry
            )
            if not dry:
                self._save(after, state)
            after = self._write_page(edition, basis, after, files, dry=dry)
            self._write_diary(edition, basis, files, dry=dry)
            after = msgspec.structs.replace(after, retell=False)
            warnings: list[str] = []
            if self._mirror is not None:
                pages = {"MEMORY.md": basis.memory.path, "DREAMS.md": basis.diary.path}
                done = mirror(self._root, pages, self._mirror, state.mirror, dry=dry)
                files += done.files
                removed += done.removed
                warnings += done.warnings
                after = msgspec.structs.replace(after, mirror=done.known)
            if not dry:
                self._save(after, self._load())
                self._sweep()
        return Written(tuple(files), tuple(clashes), tuple(warnings), tuple(removed))

    def notes(self) -> list[Path]:
        """Files of hand-written notes that are new or changed since `notes_taken`."""
        with writable(self._root):
            return self._notes().changed(self._load().notes)

    def notes_taken(self, paths: Sequence[Path]) -> None:
        """Remembers that these notes were read as they stand."""
        with writable(self._root):
            state = self._load()
            known = self._notes().digests(paths)
            after = msgspec.structs.replace(state, notes={**state.notes, **known})
            self._root.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._save(after, state)

    def erase(self, memory_ids: Sequence[str]) -> int:
        """Removes every file about these memories, and all backups; how many files went."""
        with writable(self._root):
            state = self._load()
            gone = 0
            for memory_id in memory_ids:
                entry = state.entries.get(memory_id)
                if entry and entry.path:
                    gone += remove(self._root / entry.path, self._root)
                for path in sorted((self._root / "history" / memory_id).glob("*")):
                    gone += remove(path, self._root)
            for path in sorted((self._root / ".backup").glob("*")):
                gone += remove(path, self._root)
            after = msgspec.structs.replace(
                state,
                entries={key: e for key, e in state.entries.items() if key not in memory_ids},
                gone={key: at for key, at in state.gone.items() if key not in memory_ids},
                mark="",
                retell=True,
            )
            if self._root.is_dir():
                self._save(after, state)
            return gone

    # --- MEMORY.md ------------------------------------------------------------------------------

    def _read_page(
        self, seen: _Page, state: State, known: Lookup, zone: tzinfo
    ) -> tuple[str, page.Read]:
        """The hand-written text around the managed part, and what was done to that part."""
        nothing = page.Read((), "", {}, ())
        if seen.region is None:
            return regions.decoded(seen.data or b""), nothing
        region = seen.region
        by_hand = regions.decoded(region.before) + regions.decoded(region.after)
        if not region.found:
            return by_hand, nothing
        if region.stamp == state.stamp:
            return by_hand, page.read_back(region.body, state.lines, by_hand, known, zone)
        if region.ours:
            return by_hand, nothing
        # Edited, and not what was written last: what is no memory moves out, nothing is guessed.
        loose = page.known_lines(region.body, known(None), zone)[1]
        return by_hand, nothing._replace(loose=loose)

    def _write_page(
        self, edition: Edition, basis: _Basis, state: State, files: list[str], *, dry: bool
    ) -> State:
        path, data, region = basis.memory
        if region is None:
            return state
        held = {
            key: line for key, line in basis.lines.items() if ("MEMORY.md", key) in edition.held
        }
        made = page.render(edition.sections, edition.pointer, held)
        if not region.found and not made.body:
            return state  # nothing to say yet
        if data:
            body = regions.composed(region, made.body, basis.loose)
        else:
            body = regions.inserted(edition.title, made.body)
        was = dict(basis.state.lines)
        lines = tuple(
            (key, was.get(key, line) if key in held else line) for key, line in made.lines
        )
        after = msgspec.structs.replace(
            state, lines=lines, stamp=regions.stamped(made.body.strip("\n"))
        )
        if body == data:
            return after
        files.append("MEMORY.md")
        if not dry:
            self._replace_page(path, data, body, region)
            self._save(after, state)
        return after

    def _replace_page(self, path: Path, data: bytes | None, body: bytes, region: Region) -> None:
        """Backup before, check after (L7)."""
        if data:
            self._back_up(data)
        replace_seen(path, data, body)
        now = read(path)
        kept = now is not None and now.startswith(region.before) and now.endswith(region.after)
        sound = now == body and (kept if data else body.startswith(b"#"))
        if not sound and data:
            replace_file(path, data)
        if not sound:
            raise StoreError(
                f"{path} did not come out as it was written",
                "it was put back as it was; check the disk, then run `slowwave vault sync`",
            )

    def _back_up(self, data: bytes) -> None:
        folder = self._root / ".backup"
        folder.mkdir(mode=0o700, exist_ok=True)
        newest = folder / "MEMORY.md.1"
        if read(newest) == data:
            return
        for number in range(BACKUPS - 1, 0, -1):
            older = folder / f"MEMORY.md.{number}"
            if older.exists():
                older.replace(folder / f"MEMORY.md.{number + 1}")
        replace_file(newest, data, 0o600)

    # --- DREAMS.md ------------------------------------------------------------------------------

    def _diary_name(self) -> str:
        """DREAMS.md, or the small letters of a workspace that has it so."""
        if (self._pages / "DREAMS.md").exists() or not (self._pages / "dreams.md").exists():
            return "DREAMS.md"
        return "dreams.md"

    def _write_diary(self, edition: Edition, basis: _Basis, files: list[str], *, dry: bool) -> None:
        path, data, region = basis.diary
        if region is None:
            return
        body = diary.body_with("" if basis.state.retell else region.body, edition.diary)
        if not body and not region.found:
            return
        title = "Dream Diary"
        now = regions.composed(region, body) if data else regions.inserted(title, body)
        if now != data and body != region.body:
            files.append(path.name)
            if not dry:
                replace_seen(path, data, now, 0o600)

    # --- the state ------------------------------------------------------------------------------

    def _load(self) -> State:
        """The state, read anew when its file is another one than last time."""
        stat = _identity(self._root / NAME)
        if stat is None or self._loaded is None or self._loaded[0] != stat:
            self._loaded = (stat, load(self._root)) if stat else None
        return self._loaded[1] if self._loaded else State()

    def _save(self, state: State, before: State) -> None:
        """Keeps the state, if it changed. Raises OSError."""
        self._loaded = None
        save(self._root, state, before)
        stat = _identity(self._root / NAME)
        self._loaded = (stat, state) if stat else None

    # --- the files ------------------------------------------------------------------------------

    def _open(self, name: str, clashes: list[Clash], *, had: bool = False) -> _Page:
        """A shared file; told and left alone where it cannot be managed.

        `had`: it had a managed part the last time.
        """
        path = self._pages / name
        if self._workspace is not None and not self._workspace.is_dir():
            return _Page(path, None, None)  # told once, by `_missing_workspace`
        try:
            if path.is_symlink():
                return _left_alone(path, None, "it is a symbolic link", clashes)
            data = read(path)
            region = regions.find(data or b"")
            if had and not region.found and data and regions.mentions(data):
                reason = "its managed part stands in a code fence; close the fence before it"
                return _left_alone(path, data, reason, clashes)
            if region.more:
                reason = "it holds more than one managed part: only the first is kept in step"
                clashes.append(Clash(file=name, reason=reason))
            return _Page(path, data, region)
        except Broken as error:
            return _left_alone(path, read(path), str(error), clashes)
        except IsADirectoryError:
            return _left_alone(path, None, "it is a folder", clashes)
        except OSError as error:
            raise told(path, error) from error

    def _sweep(self) -> None:
        """Removes what a killed writer left half-written, once it is surely dead."""
        for folder in {self._root, self._pages}:
            for path in folder.glob(".*.tmp"):
                left = _HALF_WRITTEN.fullmatch(path.name)
                with suppress(FileNotFoundError):  # it was put in its place meanwhile
                    if left and path.stat().st_mtime < time.time() - DEAD_AFTER:
                        path.unlink()

    def _missing_workspace(self) -> list[Clash]:
        if self._workspace is None or self._workspace.is_dir():
            return []
        reason = f"the workspace {self._workspace} is not there"
        return [Clash(file="MEMORY.md", reason=reason)]

    def _notes(self) -> Notes:
        return Notes(self._root, self._workspace)


def _identity(path: Path) -> tuple[int, ...] | None:
    """What tells one file from another that replaced it."""
    try:
        found = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _left_alone(path: Path, data: bytes | None, reason: str, clashes: list[Clash]) -> _Page:
    clashes.append(Clash(file=path.name, reason=f"left alone: {reason}"))
    return _Page(path, data, None)
