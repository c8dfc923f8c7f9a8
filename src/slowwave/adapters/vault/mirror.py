"""A copy of the vault in any other folder, such as a note-taking tool's (L9). One way.

Only what was written here before is replaced or removed: whatever else lies in that folder, and
what a person changed in the copy, is left alone and told. A folder that is not there (a drive that
is not plugged in) is told too, and never an error.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from slowwave.adapters.files import read, remove, replace_file
from slowwave.adapters.vault.state import stat_of

__all__ = ["Mirrored", "mirror"]

ROOMS = ("long_term", "cold", "history")


class Mirrored(NamedTuple):
    """The copies as they are now (file → source and digest), the files written, warnings, and the
    files removed."""  # fmt: skip

    known: dict[str, str]
    files: list[str]
    warnings: list[str]
    removed: list[str]


def mirror(
    root: Path, pages: dict[str, Path], target: Path, known: dict[str, str], *, dry: bool
) -> Mirrored:
    """Copies what changed. `pages` are files that may lie elsewhere, by their name in the copy."""
    if not target.is_dir():
        return Mirrored(known, [], [f"the mirror {target} is not there: nothing was copied"], [])
    if root.resolve() in (target.resolve(), *target.resolve().parents):
        return Mirrored(known, [], [f"the mirror {target} lies inside of the vault: not used"], [])
    done = Mirrored({}, [], [], [])
    try:
        sources = dict(_sources(root, pages))
        for rel, source in sources.items():
            _copy(source, target, rel, known.get(rel, ""), done, dry=dry)
        for rel in sorted(set(known) - set(sources)):
            _drop(target, rel, known[rel], done, dry=dry)
    except OSError as error:
        kept = {rel: told for rel, told in known.items() if rel not in done.known}
        done.known.update(kept)
        done.warnings.append(f"cannot write to the mirror {target}: {error.strerror or error}")
    return done


def _sources(root: Path, pages: dict[str, Path]) -> Iterator[tuple[str, Path]]:
    for name, path in pages.items():
        if path.is_file() and not path.is_symlink():
            yield name, path
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.md")):
            yield path.relative_to(root).as_posix(), path


def _copy(source: Path, target: Path, rel: str, told: str, done: Mirrored, *, dry: bool) -> None:
    """One file, when its source changed since or its copy is gone."""
    stamp = ":".join(map(str, stat_of(source) or ()))
    copy = target / rel
    if told.startswith(f"{stamp} ") and stat_of(copy) is not None:
        done.known[rel] = told
        return
    body = read(source)
    there = read(copy)
    if body is None:
        return
    if there is not None and there != body and _digest(there) != told.rpartition(" ")[2]:
        done.warnings.append(f"{copy} is not what was mirrored: left alone; remove it to renew it")
        if told:
            done.known[rel] = told
        return
    if there != body:
        done.files.append(str(copy))
        if not dry:
            copy.parent.mkdir(parents=True, exist_ok=True)
            replace_file(copy, body, 0o600)
    done.known[rel] = f"{stamp} {_digest(body)}"


def _drop(target: Path, rel: str, told: str, done: Mirrored, *, dry: bool) -> None:
    there = read(target / rel)
    if there is None:
        return
    if _digest(there) != told.rpartition(" ")[2]:
        done.warnings.append(f"{target / rel} was edited there: left alone")
        return
    done.removed.append(str(target / rel))
    if not dry:
        remove(target / rel, target)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]
