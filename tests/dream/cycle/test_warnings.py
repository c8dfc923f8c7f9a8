"""Health warnings of the night (N13): each has a sign, a number, and what to look at."""

from datetime import datetime, timedelta, timezone
from typing import Any

from slowwave.dream.cycle.warnings import (
    growing,
    nights_of,
    nothing_new,
    slowing,
    too_big,
    warnings_of,
)
from slowwave.model import Dream
from slowwave.settings import DreamSettings
from slowwave.testing import samples

NOW = datetime(2031, 3, 20, 3, tzinfo=timezone(timedelta(hours=8)))


def dream(days_ago: float, **fields: Any) -> Dream:
    given = {"run_at": NOW - timedelta(days=days_ago), "dream_id": f"d{days_ago}"}
    return samples.dream(**(given | fields))


def test_nights_are_the_users_days_of_applied_dreams() -> None:
    dreams = [
        dream(2, new_entries=3, input_events=5, duration_sec=1.5),
        dream(1.9, new_entries=1, merged_entries=2, archived_entries=1, duration_sec=0.5),
        dream(1, status="planned", new_entries=9),
        dream(1, status="rolled_back", new_entries=9),
        dream(1, by="person", new_entries=9),
    ]
    (night,) = nights_of(dreams, NOW)
    assert (night.events, night.new, night.archived, night.seconds) == (5, 4, 3, 2.0)


def test_no_new_entries_for_several_nights() -> None:
    quiet = [dream(days, new_entries=0, input_events=40) for days in range(3)]
    told = nothing_new(nights_of([*quiet, dream(3, new_entries=2)], NOW))
    assert "no new entries for 3 nights in a row (120 events read)" in told
    assert "rejected" in told
    assert not nothing_new(nights_of(quiet[:2], NOW))
    assert not nothing_new(nights_of([dream(0, new_entries=1), *quiet[1:]], NOW))
    assert not nothing_new([])


def test_nothing_captured_is_told_apart_from_nothing_kept() -> None:
    silent = [dream(days, new_entries=0, input_events=0) for days in range(4)]
    assert "nothing is captured" in nothing_new(nights_of(silent, NOW))


def test_duration_rising_night_after_night() -> None:
    def seconds(*values: float) -> str:
        dreams = [dream(len(values) - n, duration_sec=value) for n, value in enumerate(values)]
        return slowing(nights_of(dreams, NOW))

    assert "4.0 s, 5 nights later 9.0 s" in seconds(4, 5, 6, 7, 9)
    assert not seconds(4, 5, 6, 5, 9)  # not every night
    assert not seconds(4, 5, 6, 7)  # not long enough
    assert not seconds(8, 8.1, 8.2, 8.3, 8.4)  # next to nothing
    assert not seconds(0.01, 0.02, 0.03, 0.04, 0.05)  # nobody waits for it


def test_an_archive_that_grows_without_bound() -> None:
    def told(new: int, archived: int, live: int = 6_000) -> str:
        dreams = [dream(days, new_entries=new, archived_entries=archived) for days in range(28)]
        return growing(nights_of(dreams, NOW), live)

    assert "560 memories came in 28 nights and 0 left, 6000 are live" in told(20, 0)
    assert not told(20, 20)
    assert not told(20, 25)
    assert not told(20, 0, live=300)
    slower = [dream(days, new_entries=5 if days < 14 else 40) for days in range(28)]
    assert not growing(nights_of(slower, NOW), 6_000)


def test_pinned_memories_close_to_the_budget() -> None:
    pinned = [samples.memory("word " * 50, id=f"m{n}", pinned=True) for n in range(10)]
    rules = DreamSettings(loaded_tokens=500)
    assert "10 pinned memories take 500 of 500 tokens" in too_big(pinned, rules)
    assert not too_big(pinned, DreamSettings())


def test_tonight_counts_but_its_measured_time_does_not() -> None:
    before = [dream(days, new_entries=0) for days in (2, 1)]
    tonight = dream(0, status="planned", new_entries=0, duration_sec=1.0)
    found = warnings_of(before, [], tonight, DreamSettings())
    assert len(found) == 1
    slow = dream(0, status="planned", new_entries=0, duration_sec=900.0)
    assert warnings_of(before, [], slow, DreamSettings()) == found
