"""The edge to the disk: bytes in, bytes out as a whole, folders made and taken away again."""

from contextlib import suppress
from pathlib import Path

from slowwave.errors import InputError, StoreError
from slowwave.wiring import replace_file

__all__ = [
    "delete",
    "make_folders",
    "missing_folders",
    "put",
    "read",
    "true_path",
    "without_leavings",
]

PRIVATE = 0o600
"""Permissions of a settings file that was not there: it may come to hold keys."""


def true_path(path: Path, roots: tuple[Path, ...]) -> Path:
    """Where a file really is, through links. Raises InputError where they lead out of the roots."""
    try:
        real = path.resolve()
        inside = any(real.is_relative_to(root.resolve()) for root in roots)
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: {error}", "mend the link, or remove it") from error
    if not inside:
        raise InputError(
            f"{path} is a link out of {roots[0]}, to {real}",
            "nothing is written there; make it a file, or see --dry-run for what to add by hand",
        )
    return real


def read(path: Path) -> bytes | None:
    """What a file holds, None where there is none. Raises InputError."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder", "move it away; a file belongs there") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", "check its permissions") from error


def missing_folders(folder: Path) -> list[Path]:
    """A folder and those above it that are not there, the outermost first."""
    return [one for one in reversed((folder, *folder.parents)) if not one.exists()]


def make_folders(folder: Path, *, private: bool = False) -> None:
    """Makes a folder with those above it; `private`: for their owner alone. Raises StoreError."""
    for one in missing_folders(folder):
        try:
            one.mkdir(exist_ok=True, mode=0o700 if private else 0o755)
        except OSError as error:
            raise _refused(one, error) from error


def put(path: Path, body: bytes, *, mode: int | None = None) -> None:
    """Writes a file as a whole; one that is there keeps its permissions. Raises StoreError."""
    try:
        if path.exists():
            mode = path.stat().st_mode & 0o777
        replace_file(path, body, mode)
    except OSError as error:
        raise _refused(path, error) from error


def delete(path: Path) -> bool:
    """Removes a file; whether it was there. Raises StoreError."""
    try:
        path.unlink()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _refused(path, error) from error
    return True


def without_leavings(folder: Path) -> bool:
    """Removes a folder that holds nothing but compiled modules of what was there; whether it went.

    A folder that somebody put something into stays.
    """
    compiled = folder / "__pycache__"
    with suppress(OSError):
        if compiled.is_dir() and {one.name for one in folder.iterdir()} == {compiled.name}:
            for one in compiled.glob("*.pyc"):
                one.unlink()
            compiled.rmdir()
        folder.rmdir()
        return True
    return False


def _refused(path: Path, error: OSError) -> StoreError:
    return StoreError(
        f"cannot write {path}: {error.strerror or error}",
        "check that its folder is writable and has space; nothing else was changed",
    )
