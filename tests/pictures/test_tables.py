"""Rows of pictures: steps without gaps, and what stood at the end of each."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.pictures.chart_parts import log_ticks, short, ticks_to
from slowwave.pictures.tables import MOST_STEPS, kinds_shown, steps_of, weeks_of
from slowwave.stats import Day, Stats, Week


def day(name: str, events: int = 1, **known: int) -> Day:
    return Day(day=name, events=events, tokens=10 * events, known=known, known_tokens=5)


def test_a_quiet_day_keeps_what_is_known() -> None:
    steps = steps_of([day("2031-02-27", fact=1), day("2031-03-02", rule=2, fact=1)], "en")
    assert [step.label for step in steps] == ["Feb 27", "Feb 28", "Mar 1", "Mar 2"]
    assert [step.events for step in steps] == [1, 0, 0, 1]
    assert [step.known for step in steps] == [{"fact": 1}] * 3 + [{"rule": 2, "fact": 1}]


def test_long_spans_are_told_in_weeks_and_months() -> None:
    weeks = steps_of([day("2031-01-01"), day("2031-06-01")], "zh")
    assert (weeks[0].at, weeks[0].label) == ("2030-12-30", "12月30日")
    months = steps_of([day("2031-01-31"), day("2033-06-01")], "zh")
    assert [months[0].label, months[1].label] == ["2031年1月", "2031年2月"]
    assert sum(step.events for step in months) == 2


@given(st.lists(st.integers(0, 2000), min_size=1, max_size=30, unique=True))
@settings(max_examples=60, deadline=None)
def test_no_event_is_lost_and_no_step_missing(places: list[int]) -> None:
    first = date(2029, 12, 31)
    days = [day((first + timedelta(days=at)).isoformat(), at + 1) for at in sorted(places)]
    steps = steps_of(days, "en")
    assert sum(step.events for step in steps) == sum(one.events for one in days)
    assert sum(step.tokens for step in steps) == sum(one.tokens for one in days)
    assert len({step.at for step in steps}) == len(steps)
    if max(places) - min(places) < 7 * (MOST_STEPS - 1):
        assert len(steps) <= MOST_STEPS


def test_the_most_frequent_kinds_are_shown() -> None:
    steps = steps_of([day("2031-01-01", quote=9), day("2031-01-02", fact=3, rule=4)], "en")
    assert kinds_shown(steps) == ["rule", "fact", "quote"]


def test_weeks_have_no_gaps() -> None:
    stats = Stats(
        kinds={}, subjects={}, statuses={}, months=(), dreams={}, events_per_memory=0,
        weeks=(Week(week="2031-03-03", cold=1), Week(week="2031-03-24", faded=2)),
    )  # fmt: skip
    rows = weeks_of(stats, "en")
    assert [row["at"] for row in rows if row["way"] == "cold"] == [
        "2031-03-03", "2031-03-10", "2031-03-17", "2031-03-24",
    ]  # fmt: skip
    assert sum(row["number"] for row in rows) == 3


@given(st.floats(0, 1e9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_scale_reaches_the_largest_number(most: float, whole: bool) -> None:
    ticks = ticks_to(most, whole=whole)
    assert ticks[0] == 0
    assert ticks[-1] >= most * (1 - 1e-6)
    assert 2 <= len(ticks) <= 7
    assert not whole or all(tick == round(tick) for tick in ticks)


@given(st.integers(1, 10**9), st.integers(1, 10**9))
@settings(max_examples=60, deadline=None)
def test_a_scale_of_powers_holds_both_ends(one: int, other: int) -> None:
    low, high = sorted((one, other))
    ticks = log_ticks(low, high)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert ticks[0] < ticks[-1]


@pytest.mark.parametrize(
    ("number", "english", "chinese"),
    [(950, "950", "950"), (12_400, "12.4k", "1.2万"), (3_100_000, "3.1M", "310.0万")],
)
def test_short_numbers(number: int, english: str, chinese: str) -> None:
    assert (short(number, "en"), short(number, "zh")) == (english, chinese)
