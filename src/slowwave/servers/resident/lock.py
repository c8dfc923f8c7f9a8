"""One resident of a home: a lock of the system, which dies with its process, however that ends.

The lock file also holds what the resident tells of itself, for other processes to read.
"""

import os
from pathlib import Path
from time import sleep

import msgspec

from slowwave.errors import StoreError
from slowwave.servers.filelock import opened, taken
from slowwave.servers.resident.state import ResidentState

__all__ = ["NAME", "HomeLock", "standing"]

NAME = "resident.lock"
_PLACE = 1 << 30
"""The byte that is locked where locks are of bytes: far behind what is written."""
_MOST = 1 << 20

_decode = msgspec.json.Decoder(ResidentState).decode


class HomeLock:
    """The lock of one home. Not for several threads."""

    def __init__(self, home: Path) -> None:
        self._path = home / NAME
        self._file: int | None = None

    @property
    def fd(self) -> int | None:
        """The open file while the lock is held: a child that has it holds the lock as well."""
        return self._file

    def take(self) -> bool:
        """Takes the lock; False where another process has it. Raises StoreError where none can."""
        if self._file is not None:
            return True
        file = opened(self._path)
        try:
            got = taken(file, _PLACE)
            for _ in range(2):  # whoever looks whether it is taken holds it for a moment
                if not got:
                    sleep(0.02)
                    got = taken(file, _PLACE)
        except OSError as error:
            os.close(file)
            raise StoreError(
                f"this file system knows no locks: {error.strerror}",
                "let `slowwave schedule install` dream, and serve with --no-dreams",
            ) from error
        if not got:
            os.close(file)
            return False
        self._file = file
        return True

    def tell(self, state: ResidentState) -> None:
        """Writes down what others may read. Raises OSError."""
        if self._file is None:
            return
        line = msgspec.json.encode(state) + b"\n"
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, line)
        os.ftruncate(self._file, len(line))

    def let_go(self) -> None:
        """Gives the lock back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def standing(home: Path) -> ResidentState | None:
    """The resident of a home as it told last; None where none runs. Changes nothing."""
    path = home / NAME
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        if taken(file, _PLACE):  # closing it gives it back
            return None
        line, _, _ = os.read(file, _MOST).partition(b"\n")
        return _decode(line)
    except (OSError, msgspec.MsgspecError):
        return None
    finally:
        os.close(file)
