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

__all__ = ["held", "taken"]

NAP = 0.01
"""Seconds between two attempts."""


@contextmanager
def held(path: Path, wait: float) -> Iterator[None]:
    """Holds the lock while the block runs.

    Raises StoreBusy where another process has it for longer than `wait` seconds, StoreError where
    the file cannot be made.
    """
    try:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot open {path.name}: {error.strerror}", "check the home's permissions"
        ) from error
    try:
        _wait(opened, path, wait)
        yield
    finally:
        os.close(opened)  # gives it back


def _wait(opened: int, path: Path, wait: float) -> None:
    until = monotonic() + wait
    try:
        while not taken(opened):
            if monotonic() > until:
                raise StoreBusy(f"another process keeps {path.name}", "try again in a moment")
            sleep(NAP)
    except OSError as error:
        raise StoreError(
            f"this file system knows no locks: {error.strerror}", "put the home elsewhere"
        ) from error


if sys.platform == "win32":
    import msvcrt

    def taken(opened: int, place: int = 0) -> bool:
        """Whether the lock of an open file could be had.

        `place` is the byte that stands for it where locks are of bytes. Raises OSError where the
        file system knows no locks.
        """
        os.lseek(opened, place, os.SEEK_SET)
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(opened, 0, os.SEEK_SET)
        return True
else:
    import fcntl

    def taken(opened: int, place: int = 0) -> bool:
        """Whether the lock of an open file could be had.

        `place` is the byte that stands for it where locks are of bytes. Raises OSError where the
        file system knows no locks.
        """
        del place
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
