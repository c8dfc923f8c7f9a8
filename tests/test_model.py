"""The nouns: identity, days, and the JSON of the closed union of changes."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from slowwave.model import Event, day_bounds, day_of, short_id, text_hash

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")


def test_the_day_is_the_users_not_utc() -> None:
    assert day_of(datetime(2026, 4, 11, 19, 53, tzinfo=UTC), SHANGHAI) == date(2026, 4, 12)


def test_days_around_clock_changes() -> None:
    for day, hours in ((date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 6, 1), 24)):
        start, end = day_bounds(day, BERLIN)
        assert (end.astimezone(UTC) - start.astimezone(UTC)) == timedelta(hours=hours)


@given(st.integers(0, 4_000_000_000))
def test_every_instant_falls_into_its_day(seconds: int) -> None:
    moment = datetime.fromtimestamp(seconds, UTC)
    start, end = day_bounds(day_of(moment, BERLIN), BERLIN)
    assert start <= moment < end


@given(st.lists(st.text()), st.lists(st.text()))
def test_ids_are_stable_and_short(one: list[str], other: list[str]) -> None:
    assert short_id("m", *one) == short_id("m", *one)
    assert len(short_id("m", *one)) == 13
    if "\x1f".join(one) != "\x1f".join(other):
        assert short_id("m", *one) != short_id("m", *other)


@given(st.text())
def test_text_hash_takes_any_text(text: str) -> None:
    assert len(text_hash(text)) == 16


def test_an_event_is_frozen() -> None:
    event = Event(id="e", space="s", identity="i", ts=datetime(2026, 1, 1, tzinfo=UTC), role="user",
                  kind="message", origin="owner", text="x", source="t")  # fmt: skip
    try:
        event.text = "y"  # type: ignore[misc]
    except AttributeError:
        pass
    else:
        raise AssertionError("an event was changed")
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
