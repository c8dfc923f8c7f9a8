"""What callers give in several forms: days and moments."""

from datetime import date, datetime, time, tzinfo

from slowwave.text.moment import moment as moment_in

__all__ = ["Moment", "moment"]

Moment = datetime | date | str
"""A moment, or a whole day. Without an offset it is the user's zone."""


def moment(given: Moment, zone: tzinfo | None, *, end_of_day: bool = False) -> datetime:
    """An aware moment; a bare day is its first instant, or its last. Raises UsageError."""
    if isinstance(given, str):
        return moment_in(given, zone, end_of_day=end_of_day)
    if not isinstance(given, datetime):
        return datetime.combine(given, time.max if end_of_day else time.min, zone)
    return given if given.tzinfo else given.replace(tzinfo=zone)
