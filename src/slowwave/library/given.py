"""What callers give in several forms: days and moments, and whom a memory is about."""

from datetime import date, datetime, time, tzinfo

from slowwave.errors import UsageError
from slowwave.model import USER

__all__ = ["Moment", "moment", "subject_of"]

Moment = datetime | date | str
"""A moment, or a whole day. Without an offset it is the user's zone."""


def moment(given: Moment, zone: tzinfo | None, *, end_of_day: bool = False) -> datetime:
    """An aware moment; a bare day is its first instant, or its last. Raises UsageError."""
    if isinstance(given, str):
        given = _read(given)
    if not isinstance(given, datetime):
        return datetime.combine(given, time.max if end_of_day else time.min, zone)
    return given if given.tzinfo else given.replace(tzinfo=zone)


def _read(given: str) -> datetime | date:
    try:
        return date.fromisoformat(given)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(given)
    except ValueError as error:
        hint = "write it as 2026-11-30 or 2026-11-30T09:00+01:00"
        raise UsageError(f"{given[:40]!r} is no day or moment", hint) from error


def subject_of(given: str) -> str:
    """A subject as it is kept: people say `you` where a memory says `user`."""
    return USER if given.casefold() == "you" else given
