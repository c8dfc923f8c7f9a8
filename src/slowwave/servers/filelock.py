"""A lock of the system on a file: one process at a time changes what it stands for.

It dies with its process, however that ends.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from slowwave.errors import StoreBusy, StoreError

__all__ = ["held", "opened", "taken"]

NAP = 0.01
"""Seconds between two attempts."""


@contextmanager
def held(path: Path, wait: float) -> Iterator[None]:
    """Holds the lock while the block runs.

    Raises StoreBusy where another process has it for longer than `wait` seconds, StoreError where
    the file cannot be made.
    """
    file = opened(path)
    try:
        _wait(file, path, wait)
        yield
    finally:
        os.close(file)  # gives it back


def opened(path: Path) -> int:
    """The open file of a lock, made where it is not there. Raises StoreError where it cannot be."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot open {path.name}: {error.strerror}", "check the home's permissions"
        ) from error


def _wait(file: int, path: Path, wait: float) -> None:
    until = monotonic() + wait
    try:
        while not taken(file):
            if monotonic() > until:
                raise StoreBusy(f"another process keeps {path.name}", "try again in a moment")
            sleep(NAP)
    except OSError as error:
        raise StoreError(
            f"this file system knows no locks: {error.strerror}", "put the home elsewhere"
        ) from error


if sys.platform == "win32":
    import msvcrt

    def taken(file: int, place: int = 0) -> bool:
        """Whether the lock of an open file could be had.

        `place` is the byte that stands for it where locks are of bytes. Raises OSError where the
        file system knows no locks.
        """
        os.lseek(file, place, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(file, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def taken(file: int, place: int = 0) -> bool:
        """Whether the lock of an open file could be had.

        `place` is the byte that stands for it where locks are of bytes. Raises OSError where the
        file system knows no locks.
        """
        del place
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
