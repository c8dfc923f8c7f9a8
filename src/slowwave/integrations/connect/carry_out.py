"""Puts a connection in, once, and takes it out again as if it had never been.

Everything is worked out before the first byte is written: a settings file that cannot be read, or
has something else where ours belongs, stops it with nothing done.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import msgspec

from slowwave.errors import FileChanged, InputError, SlowwaveError
from slowwave.integrations.connect import disk
from slowwave.integrations.connect.manifest import (
    NAME,
    Kept,
    Manifest,
    digest,
    encoded,
    forget,
    load,
)  # fmt: skip
from slowwave.integrations.connect.rewriting import Rewrite, known_of, planned, without
from slowwave.integrations.connect.steps import Placed, Wanted

__all__ = ["Place", "Report", "put_in", "take_out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a connection goes: the host's folder, Slowwave's home, and in it the manifest's folder.

    `roots` are the folders outside of which nothing is written. `dry`: nothing is written at all.
    """

    name: str
    host: Path
    home: Path
    folder: Path
    roots: tuple[Path, ...]
    version: str
    at: str
    dry: bool = False


class Report(msgspec.Struct, frozen=True):
    """What was done (or would be), line by line; `changed` is False where nothing was to be done.

    `kept` are files that stay, as somebody else changed them.
    """

    changed: bool
    done: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


# ── in ──────────────────────────────────────────────────────────────────────────────────────────


def put_in(place: Place, wanted: Wanted) -> Report:
    """Puts in what is wanted, or what of it is missing. Raises InputError, StoreError."""
    old = load(place.folder)
    rewrites = []
    for one in wanted.settings:
        path = disk.true_path(Path(one.path), place.roots)
        known = known_of(old, path)
        rewrites.append(planned(path, one, known, place.folder, wanted.stale))
    missing = [one for one in wanted.files if _is_missing(place, one, old, wanted.marks)]
    gone = _no_longer_wanted(old, wanted)
    told = [f"edit {one.path}" for one in rewrites if one.after != one.seen]
    told += [f"write {one.path}" for one in missing] + [f"delete {path}" for path in gone]
    if not told and old is not None and old.whole:
        return Report(changed=False)
    if not place.dry:
        _write(place, old, rewrites, wanted.files, missing)
        for path in gone:
            disk.delete(path)
            disk.without_leavings(path.parent)
    return Report(changed=True, done=tuple(told))


def _is_missing(place: Place, file: Placed, old: Manifest | None, marks: tuple[str, ...]) -> bool:
    """Whether a file of ours must be written. Raises InputError where another's is in its place."""
    path = disk.true_path(Path(file.path), place.roots)
    there = disk.read(path)
    if there is None:
        return True
    if there == file.body:
        return False
    recorded = old is not None and any(one.path == file.path for one in old.files)
    if recorded or any(b"slowwave" in (disk.read(Path(mark)) or b"") for mark in marks):
        return True
    raise InputError(f"{path} is there already, and is not ours", "move it away, then try again")


def _no_longer_wanted(old: Manifest | None, wanted: Wanted) -> list[Path]:
    """Files that an earlier version put there, and this one does not."""
    names = {one.path for one in wanted.files}
    known = old.files if old is not None else ()
    return [Path(one.path) for one in known if one.path not in names and Path(one.path).exists()]


def _write(
    place: Place,
    old: Manifest | None,
    rewrites: list[Rewrite],
    files: tuple[Placed, ...],
    missing: list[Placed],
) -> None:
    """All of it, or nothing: what fails on the way is taken out again."""
    homes = [str(one) for one in disk.missing_folders(place.home)]
    targets = [Path(one.path) for one in files] + [one.path for one in rewrites]
    folders = [str(one) for target in targets for one in disk.missing_folders(target.parent)]
    manifest = Manifest(
        name=place.name, host=str(place.host), version=place.version, at=place.at,
        files=tuple(Kept(path=one.path, digest=digest(one.body)) for one in files),
        edits=tuple(one.recorded(f"{n}-{one.path.name}") for n, one in enumerate(rewrites)),
        folders=tuple(dict.fromkeys((*(old.folders if old else ()), *homes, *folders))),
    )  # fmt: skip
    disk.make_folders(place.folder, private=True)
    try:
        disk.put(place.folder / NAME, encoded(manifest), mode=0o600)
        for edit, one in zip(manifest.edits, rewrites, strict=True):
            if one.kept is None and edit.before is not None and one.before is not None:
                disk.put(place.folder / edit.before, one.before, mode=0o600)
        for file in missing:
            disk.make_folders(Path(file.path).parent)
            disk.put(Path(file.path), file.body)
        for one in rewrites:
            _rewrite(one)
    except SlowwaveError:
        with suppress(SlowwaveError):
            _take_out(place, manifest)
        raise
    whole = msgspec.structs.replace(manifest, whole=True)
    disk.put(place.folder / NAME, encoded(whole), mode=0o600)


def _rewrite(one: Rewrite) -> None:
    """Writes a settings file that still is what it was when it was read."""
    if one.after == one.seen:
        return
    if disk.read(one.path) != one.seen:
        raise FileChanged(f"{one.path} was changed meanwhile", "try again")
    if one.after is None:
        disk.delete(one.path)
        return
    disk.make_folders(one.path.parent)
    disk.put(one.path, one.after, mode=disk.PRIVATE if one.seen is None else None)


# ── out ─────────────────────────────────────────────────────────────────────────────────────────


def take_out(place: Place) -> Report:
    """Takes out what the manifest tells of, and nothing else. Raises InputError, StoreError."""
    manifest = load(place.folder)
    if manifest is None:
        if not place.dry:
            forget(place.folder)  # what was stopped before it began
        return Report(changed=False)
    return _take_out(place, manifest)


def _take_out(place: Place, manifest: Manifest) -> Report:
    rewrites = [without(one, place.folder) for one in reversed(manifest.edits)]
    ours, kept = _files(manifest)
    told = [_told(one) for one in rewrites if one.after != one.seen]
    told += [f"delete {path}" for path in ours]
    if not place.dry:
        for one in rewrites:
            _rewrite(one)
        for path in ours:
            disk.delete(path)
        forget(place.folder)
        for folder in sorted(map(Path, manifest.folders), key=lambda one: -len(one.parts)):
            disk.without_leavings(folder)
    return Report(changed=True, done=tuple(told), kept=tuple(str(path) for path in kept))


def _told(one: Rewrite) -> str:
    return f"{'remove' if one.after is None else 'edit'} {one.path}"


def _files(manifest: Manifest) -> tuple[list[Path], list[Path]]:
    """Our files that are as we wrote them, and those that somebody changed since."""
    ours: list[Path] = []
    kept: list[Path] = []
    for one in manifest.files:
        body = disk.read(Path(one.path))
        if body is not None:
            changed = manifest.whole and digest(body) != one.digest
            (kept if changed else ours).append(Path(one.path))
    return ours, kept
