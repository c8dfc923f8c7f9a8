"""Writes files as a whole: old or new content, never part of it, whatever happens in between."""

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_ident
from typing import BinaryIO

from slowwave.errors import DiskFull, FileChanged, InputError, NotFound, StoreError

__all__ = [
    "digest",
    "new_file",
    "read",
    "refuse_target",
    "remove",
    "replace_file",
    "replace_seen",
    "settle_folder",
    "told",
    "writable",
]


def _beside(target: Path) -> Path:
    """Where a file is written before it is put in its place; no two writers have the same."""
    return target.with_name(f".{target.name}.{os.getpid()}-{get_ident()}.tmp")


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def replace_file(
    target: Path, body: bytes, mode: int | None = None, *, settle: bool = True
) -> None:
    """Old or new content: temporary file in the same folder, fsync, rename, fsync of the folder.

    `mode` is the file's permissions; None leaves them to the system. Without `settle` the caller
    sees to the folder (`settle_folder`), once for many files. Raises OSError.
    """
    temporary = _beside(target)
    try:
        with temporary.open("wb") as stream:
            if mode is not None:
                os.chmod(temporary, mode)
            stream.write(body)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
    if settle:
        settle_folder(target.parent)


@contextmanager
def new_file(target: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """A file that its owner alone can read, there as a whole once the block is done, or not at all.

    Raises InputError for one that is there already (unless `replace`) and for what is no file,
    StoreError for what the system refuses.
    """
    refuse_target(target, replace=replace)
    temporary = _beside(target)
    with writable(target):
        try:
            with temporary.open("wb") as stream:
                os.chmod(temporary, 0o600)
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            refuse_target(target, replace=replace)  # somebody may have been quicker
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        settle_folder(target.parent)


def refuse_target(target: Path, *, replace: bool = False) -> None:
    """InputError where a new file cannot be made, or would take the place of another."""
    if target.is_dir():
        raise InputError(f"{target} is a folder", "name a file in it")
    if not target.parent.is_dir():
        raise NotFound(f"no folder {target.parent}", "make it first, or name another one")
    if target.exists() and not target.is_file():
        raise InputError(f"{target} is no ordinary file", "name another one, or - for stdout")
    if target.exists() and not replace:
        raise InputError(f"{target} is there already", "name another one, or say --force")


def replace_seen(
    target: Path,
    seen: bytes | None,
    body: bytes,
    mode: int | None = None,
    *,
    settle: bool = True,
) -> None:
    """Replaces a file that still is as it was seen (None: not there); FileChanged when it is not.

    `mode` are its permissions; None keeps those it has, and makes a new one its owner's alone.
    """
    if read(target) != seen:
        raise FileChanged(f"{target} was changed meanwhile", "try again")
    if mode is None:
        mode = 0o600 if seen is None else target.stat().st_mode & 0o777
    replace_file(target, body, mode, settle=settle)


def read(path: Path) -> bytes | None:
    """The bytes of a file, None when it is not there. Raises OSError."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def remove(path: Path, root: Path) -> bool:
    """Removes a file, and the folders that it leaves empty, up to `root`; whether it was there."""
    try:
        path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    for folder in path.parents:
        if folder == root or root not in folder.parents:
            break
        with suppress(OSError):  # not empty: the folders above are not either
            folder.rmdir()
            continue
        break
    return True


def digest(body: bytes) -> str:
    """12 hex digits of the SHA-256: enough to tell one's own output from an edited one."""
    return hashlib.sha256(body).hexdigest()[:12]


@contextmanager
def writable(place: Path) -> Iterator[None]:
    """Turns what the system refuses below `place` into a StoreError that says what to do."""
    try:
        yield
    except OSError as error:
        raise told(place, error) from error


def told(place: Path, error: OSError) -> StoreError:
    """What the system refused, with what to do next."""
    full = error.errno in _FULL
    return (DiskFull if full else StoreError)(
        f"cannot write to {place}: {error.strerror or error}",
        "free some disk space" if full else "check that the folder is writable",
    )


def settle_folder(folder: Path) -> None:
    """Makes the renames in a folder durable, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
