"""Dreams by itself while the server runs (P9-P11)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from slowwave.spaces import Spaces


class Resident:
    """The one of a home that dreams by itself."""

    def __init__(self, spaces: Spaces, told: Callable[[str], None]) -> None:
        self._spaces, self._told = spaces, told

    @contextmanager
    def running(self, *, dreams: bool) -> Iterator[None]:
        """Dreams while the server runs."""
        del dreams
        yield
