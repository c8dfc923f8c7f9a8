"""One dream at a time in a space, whichever door it came through: a second is refused (P10)."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from slowwave.errors import DreamError

__all__ = ["Busy", "Nights"]


class Busy(DreamError):
    """The space is dreaming already."""


class Nights:
    """The spaces in which a dream is being planned. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._dreaming: set[str] = set()

    def begin(self, space: str) -> None:
        """Takes the one place of a space. Raises Busy where it is taken."""
        with self._lock:
            if space in self._dreaming:
                raise Busy("this space is dreaming already", "wait until that dream is done")
            self._dreaming.add(space)

    def end(self, space: str) -> None:
        """Gives the place back."""
        with self._lock:
            self._dreaming.discard(space)

    @contextmanager
    def holding(self, space: str) -> Iterator[None]:
        """The place, as long as the dream takes. Raises as `begin`."""
        self.begin(space)
        try:
            yield
        finally:
            self.end(space)

    @property
    def number(self) -> int:
        """How many spaces dream now."""
        with self._lock:
            return len(self._dreaming)
