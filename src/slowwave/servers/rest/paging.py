"""A part of a list, and where the next one begins.

A cursor is opaque: it names the last row that was given, by what sorts it. New rows move nothing:
none is given twice, and none that was there is left out. It belongs to one list of one space.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from slowwave.errors import UsageError
from slowwave.model import text_hash

__all__ = ["Page", "after", "page", "position"]

T = TypeVar("T")
Place = tuple[str | int, ...]
"""Where a row stands in its list."""


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some rows of a list; `next` is the cursor of those that follow ("": there are none)."""

    rows: Sequence[T]
    next: str = ""


def page(
    rows: Iterable[T], place: Callable[[T], Place], of: str, limit: int, cursor: str,
    *, newest_first: bool = False,
) -> Page[T]:  # fmt: skip
    """The rows after a cursor, of a list that is sorted by `place`.

    `of` names the list and all that it is limited to. Raises UsageError for a cursor of another.
    """
    last = position(of, cursor)
    left = list(rows)
    if last is not None and left and not _alike(last, place(left[0])):
        raise _no_cursor()
    if last is not None:
        known = next((at for at, row in enumerate(left) if place(row) == last), None)
        if known is not None:
            left = left[known + 1 :]
        elif newest_first:
            left = [row for row in left if place(row) < last]
        else:
            left = [row for row in left if place(row) > last]
    shown = left[:limit]
    more = len(left) > len(shown)
    return Page(shown, after(of, place(shown[-1])) if more and shown else "")


def after(of: str, place: Place) -> str:
    """The cursor of what follows a place of a list."""
    raw = msgspec.json.encode([text_hash(of), *place])
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def position(of: str, cursor: str) -> Place | None:
    """The place a cursor names; None for none. Raises UsageError."""
    if not cursor:
        return None
    try:
        raw = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
        whose, *place = msgspec.json.decode(raw, type=list[Any])
        fits = whose == text_hash(of) and all(type(one) in (str, int) for one in place)
    except (NoBase64, ValueError, UnicodeError, RecursionError):
        fits, place = False, []
    if not fits:
        raise _no_cursor()
    return tuple(place)


def _alike(one: Place, other: Place) -> bool:
    return [type(part) for part in one] == [type(part) for part in other]


def _no_cursor() -> UsageError:
    return UsageError("this is no cursor of this list", "take it from the page before")
