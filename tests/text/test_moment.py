"""Days and moments as callers write them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from slowwave.errors import UsageError
from slowwave.text.moment import moment

EAST = timezone(timedelta(hours=8))


def test_a_day_has_two_ends_and_a_moment_none() -> None:
    assert moment("2031-05-06", EAST, end_of_day=False) == datetime(2031, 5, 6, tzinfo=EAST)
    end = moment("2031-05-06", EAST, end_of_day=True)
    assert end + timedelta(microseconds=1) == datetime(2031, 5, 7, tzinfo=EAST)
    assert moment("2031-05-06T08:00", EAST, end_of_day=True) == datetime(2031, 5, 6, 8, tzinfo=EAST)
    assert moment("2031-05-06T08:00Z", EAST, end_of_day=True) == datetime(2031, 5, 6, 8, tzinfo=UTC)


@pytest.mark.parametrize("given", ["", "Tuesday", "2031-13-01", "2031-05-06T99:00", "x" * 500])
def test_what_is_neither(given: str) -> None:
    with pytest.raises(UsageError) as told:
        moment(given, EAST, end_of_day=False)
    assert len(told.value.message) < 80
