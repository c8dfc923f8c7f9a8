"""Functions of texts that keep what they found lately, and how that is forgotten.

What is kept spares the work on texts that come again and again. It holds their words, so whoever
forgets something for good calls `forget`.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_CLEARED: list[Callable[[], None]] = []


def lately(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `functools.lru_cache(most)`, for pure functions of hashable values; see `forget`."""

    def kept(function: Callable[P, T]) -> Callable[P, T]:
        cached = lru_cache(maxsize=most)(function)
        _CLEARED.append(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return kept


def forget() -> None:
    """Keeps nothing of any text that was read so far."""
    for clear in _CLEARED:
        clear()
