"""A day or a moment as callers write it, on a command line or in a request."""

from datetime import date, datetime, time, tzinfo

from slowwave.errors import UsageError

DAY = len("2026-11-30")


def moment(given: str, zone: tzinfo | None, *, end_of_day: bool) -> datetime:
    """The moment of `2026-11-30` or `2026-11-30T08:00+08:00`; without an offset in `zone`.

    A bare day means its first or its last instant. Raises UsageError for what is neither.
    """
    try:
        parsed = datetime.fromisoformat(given)
        if len(given) <= DAY:
            edge = time.max if end_of_day else time.min
            return datetime.combine(date.fromisoformat(given), edge, zone)
    except ValueError as error:
        shown = given[:40]
        raise UsageError(f"{shown!r} is no day or moment", "write it as 2026-11-30") from error
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=zone)
