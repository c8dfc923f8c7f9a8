"""What was put into a host and where: kept in Slowwave's home, so that all of it can be taken out.

It is written before the first byte goes into the host, and again when the last one is there:
whoever is stopped in between finds in it what may be half done.
"""

import hashlib
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec

from slowwave.errors import InputError
from slowwave.integrations.connect.steps import Done

__all__ = [
    "NAME", "Edited", "Kept", "Manifest", "digest", "encoded", "folder_of", "forget", "load",
    "recorded",
]  # fmt: skip

FOLDER, NAME = "connections", "manifest.json"

Language = Literal["json", "yaml"]


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A file of ours that was written, and the digest of what is in it."""

    path: str
    digest: str


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """A settings file that steps were taken in: from which bytes it came to which.

    `before` is None where there was no file; else the name of the copy beside the manifest.
    """

    path: str
    language: Language
    before: str | None
    before_digest: str
    after_digest: str
    done: tuple[Done, ...]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """One connection: a host, its folder, and all that was done for it, in the order it was done.

    `whole` is False while it is being made. `folders` are those that were made.
    """

    name: str
    host: str
    version: str
    at: str
    whole: bool = False
    files: tuple[Kept, ...] = ()
    edits: tuple[Edited, ...] = ()
    folders: tuple[str, ...] = ()


def digest(body: bytes) -> str:
    """What tells one content from another."""
    return hashlib.sha256(body).hexdigest()


def folder_of(home: Path, name: str, host: Path) -> Path:
    """Where the manifest of one connection is; several folders of one host have one each."""
    return home / FOLDER / f"{name}-{digest(str(host).encode('utf-8', 'surrogateescape'))[:8]}"


def load(folder: Path) -> Manifest | None:
    """The manifest in a folder, None where there is none. Raises InputError."""
    path = folder / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", "check its permissions") from error
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        hint = f"what was there before lies beside it; take out what is left, then remove {folder}"
        raise InputError(f"{path} is damaged: {error}", hint) from error


def recorded(home: Path) -> Iterator[Manifest]:
    """Every connection that this home knows of; damaged ones are passed over."""
    for path in sorted((home / FOLDER).glob(f"*/{NAME}")):
        with suppress(InputError):
            found = load(path.parent)
            if found is not None:
                yield found


def encoded(manifest: Manifest) -> bytes:
    """The manifest as it is written, for people to read too."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def forget(folder: Path) -> None:
    """Removes a manifest and the copies beside it, and what that leaves empty."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        folder.parent.rmdir()
