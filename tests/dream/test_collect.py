"""Collect: order, segments, what is left out."""

from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from slowwave.dream.collect import collect
from slowwave.model import SAID_BY_HAND, Event, Origin

START = datetime(2026, 1, 1, tzinfo=UTC)


def event(number: int, text: str, origin: Origin = "owner", minute: int = 0) -> Event:
    return Event(
        id=f"e{number}",
        space="s",
        identity=str(number),
        text=text,
        source="t",
        seq=number,
        ts=START + timedelta(minutes=minute),
        role="user",
        kind="message",
        origin=origin,
    )


def test_what_was_said_for_a_change_by_hand_is_read_and_not_learned() -> None:
    said = msgspec.structs.replace(event(1, "I live in Bruges"), source=SAID_BY_HAND)
    made = collect([said, event(2, "and I like it")], 100)
    assert [one.id for segment in made.segments for one in segment.events] == ["e2"]
    assert [one.reason for one in made.dropped] == ["said for a change by hand"]


def test_time_order_not_arrival() -> None:
    made = collect([event(1, "late", minute=5), event(2, "early", minute=1)], 100)
    assert [one.text for segment in made.segments for one in segment.events] == ["early", "late"]


def test_blank_and_recalled_are_left_out_and_named() -> None:
    made = collect([event(1, " \n"), event(2, "from memory", "recalled"), event(3, "kept")], 100)
    assert [one.id for segment in made.segments for one in segment.events] == ["e3"]
    assert [(item.event_id, item.reason) for item in made.dropped] == [
        ("e1", "blank"),
        ("e2", "came out of a memory"),
    ]


@given(st.lists(st.text("ab", max_size=30), max_size=30), st.integers(1, 40))
def test_nothing_is_lost_and_no_segment_is_too_long(texts: list[str], limit: int) -> None:
    events = [event(number, text, minute=number) for number, text in enumerate(texts)]
    made = collect(events, limit)
    inside = [one for segment in made.segments for one in segment.events]
    assert [one.id for one in inside] == [one.id for one in events if one.text.strip()]
    assert len(inside) + len(made.dropped) == len(events)
    for segment in made.segments:
        size = sum(len(one.text) for one in segment.events)
        assert size <= limit or len(segment.events) == 1
