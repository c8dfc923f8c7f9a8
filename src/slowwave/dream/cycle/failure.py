"""A dream that fails leaves a record of what went wrong, beside the logs of the others (N16)."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from slowwave.errors import AlreadyDecided, DreamError, SlowwaveError, StoreError, UsageError
from slowwave.ports import DreamLog, Failure

__all__ = ["recorded"]


@contextmanager
def recorded(log: DreamLog, date: str, now: datetime, *, dry: bool) -> Iterator[None]:
    """Records whatever stops the dream of a day, and lets it pass on.

    A wrong call and a night that another process dreamed meanwhile are no failures; with `dry`
    nothing is recorded. What nobody expected passes on as DreamError, caused by it: one night that
    breaks must not break those after it.
    """
    try:
        yield
    except (UsageError, AlreadyDecided):
        raise
    except Exception as error:
        if not dry:
            known = error if isinstance(error, SlowwaveError) else None
            failure = Failure(
                date=date,
                run_at=now,
                error=type(error).__name__,
                message=known.message if known else str(error),
                hint=known.hint if known else "please report it; nothing was changed",
            )
            with suppress(StoreError):  # what stops the dream may stop its record as well
                log.failed(failure)
        if not isinstance(error, SlowwaveError | OSError):
            raise DreamError(
                f"the dream of {date} broke: {type(error).__name__}: {error}",
                "please report it; nothing was changed",
            ) from error
        raise
