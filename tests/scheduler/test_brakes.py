"""What holds a dream back: gaps, failures, the day, also over restarts and wrong clocks."""

from datetime import datetime, timedelta
from math import inf
from zoneinfo import ZoneInfo

import msgspec
import pytest

from slowwave.scheduler import YIELDS, Brakes, Kept
from slowwave.settings import ResidentSettings

ZONE = ZoneInfo("Europe/Paris")
NOW = datetime(2031, 3, 9, 15, tzinfo=ZONE)
MINUTE = 60.0
SETTINGS = ResidentSettings(triggers=("clock", "idle"))


def brakes(kept: Kept | None = None, now: datetime = NOW, tick: float = 0.0) -> Brakes:
    return Brakes(kept or Kept(), now, tick)


def test_fifteen_minutes_between_two_dreams() -> None:
    one = brakes()
    assert one.rested(0) == inf
    assert one.held(SETTINGS, "idle", NOW, 0) is None
    one.begin(NOW, 0)
    one.end("done", 100, read=7)
    assert one.held(SETTINGS, "idle", NOW, 100) == ("gap", 15 * MINUTE)
    assert one.held(SETTINGS, "clock", NOW, 99 + 15 * MINUTE) == ("gap", 1)
    assert one.held(SETTINGS, "idle", NOW, 100 + 15 * MINUTE) is None
    assert one.read == 7


def test_failures_double_the_pause_and_success_ends_it() -> None:
    one, tick, pauses = brakes(), 0.0, []
    roomy = msgspec.structs.replace(SETTINGS, dreams_a_day=99, gap_minutes=0)
    for _ in range(7):
        one.begin(NOW, tick)
        one.end("failed", tick, read=0)
        held = one.held(roomy, "clock", NOW, tick)
        assert held is not None
        assert held[0] == "backoff"
        pauses.append(held[1] / MINUTE)
        tick += held[1]
        assert one.held(roomy, "clock", NOW, tick) is None
    assert pauses == [12, 24, 48, 96, 120, 120, 120]
    one.begin(NOW, tick)
    one.end("done", tick, read=0)
    assert (one.failures, one.held(roomy, "clock", NOW, tick)) == (0, None)


def test_the_longer_of_gap_and_pause_counts() -> None:
    one = brakes()
    one.begin(NOW, 0)
    one.end("failed", 0, read=0)
    assert one.held(SETTINGS, "idle", NOW, 0) == ("gap", 15 * MINUTE)
    one.begin(NOW, 0)
    one.end("unfinished", 0, read=9)
    assert one.held(SETTINGS, "idle", NOW, 0) == ("backoff", 24 * MINUTE)
    assert one.read == 0  # what was left undone is still new


def test_eight_a_day_and_one_of_them_for_the_night() -> None:
    one, tick = brakes(), 0.0
    for _ in range(7):
        assert one.held(SETTINGS, "idle", NOW, tick) is None
        one.begin(NOW, tick)
        one.end("done", tick, read=0)
        tick += 15 * MINUTE
    assert one.held(SETTINGS, "idle", NOW, tick) == ("day", 9 * 60 * MINUTE)
    assert one.held(SETTINGS, "clock", NOW, tick) is None
    one.begin(NOW, tick)
    one.end("failed", tick, read=0)
    tick += 15 * MINUTE
    assert one.held(SETTINGS, "clock", NOW, tick) == ("day", 9 * 60 * MINUTE)
    tomorrow = NOW + timedelta(hours=9)
    assert one.held(SETTINGS, "idle", tomorrow, tick) is None
    # A clock that was set back finds the old day as it was.
    assert one.held(SETTINGS, "clock", NOW, tick) is not None


def test_without_the_clock_nothing_is_kept_for_it() -> None:
    one, tick = brakes(), 0.0
    alone = msgspec.structs.replace(SETTINGS, triggers=("idle",))
    for _ in range(8):
        assert one.held(alone, "idle", NOW, tick) is None
        one.begin(NOW, tick)
        one.end("done", tick, read=0)
        tick += 15 * MINUTE
    assert one.held(alone, "idle", NOW, tick) is not None


def test_a_day_of_23_hours_is_over_sooner() -> None:
    spring = datetime(2031, 3, 30, 0, 30, tzinfo=ZONE)
    one = brakes(Kept(begun={"2031-03-30": 8}))
    assert one.held(SETTINGS, "clock", spring, 0) == ("day", 22.5 * 60 * MINUTE)


def test_being_stopped_is_no_failure_and_comes_to_an_end() -> None:
    one, tick = brakes(), 0.0
    for _ in range(YIELDS):
        assert one.may_yield(SETTINGS, NOW)
        one.begin(NOW, tick)
        one.end("preempted", tick, read=5)
        assert one.failures == 0
        assert one.held(SETTINGS, "idle", NOW, tick) == ("gap", 15 * MINUTE)
        tick += 15 * MINUTE
    assert not one.may_yield(SETTINGS, NOW)
    assert one.read == 0
    one.begin(NOW, tick)
    one.end("done", tick, read=5)
    assert one.may_yield(SETTINGS, NOW)


def test_a_dream_that_got_a_night_done_begins_to_count_anew() -> None:
    one = brakes(Kept(yielded=YIELDS))
    one.begin(NOW, 0)
    one.end("preempted", 0, read=0, moved=True)
    assert (one.yielded, one.failures) == (0, 0)


def test_the_last_dream_of_a_day_is_not_stopped() -> None:
    one = brakes(Kept(begun={"2031-03-09": 7}))
    assert not one.may_yield(SETTINGS, NOW)
    assert brakes(Kept(begun={"2031-03-09": 6})).may_yield(SETTINGS, NOW)


def test_all_of_it_is_known_after_a_restart() -> None:
    one = brakes()
    one.begin(NOW, 0)
    one.end("done", 0, read=41)
    one.begin(NOW, 1000)
    one.end("failed", 1060, read=50)
    later = NOW + timedelta(seconds=1100)
    kept = msgspec.json.decode(msgspec.json.encode(one.kept(later, 1100)), type=Kept)
    again = brakes(kept, later + timedelta(minutes=5), tick=9.0)
    assert again.rested(9.0) == pytest.approx(340)
    assert again.held(SETTINGS, "clock", later, 9.0) == ("gap", pytest.approx(560))
    assert (again.failures, again.read, again.dreams_of(NOW.date())) == (1, 41, 2)


def test_a_dream_that_was_cut_off_counts_from_its_beginning() -> None:
    one = brakes()
    one.begin(NOW, 50)
    again = brakes(one.kept(NOW, 50), NOW + timedelta(minutes=1), tick=0)
    assert again.rested(0) == 60
    assert (again.failures, again.dreams_of(NOW.date())) == (0, 1)


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(hours=-3), timedelta(days=9)])
def test_a_clock_that_jumps_lets_nothing_through_and_keeps_nothing_away(jump: timedelta) -> None:
    one = brakes()
    one.begin(NOW, 0)
    one.end("failed", 0, read=0)
    assert one.held(SETTINGS, "clock", NOW + jump, 0) == ("gap", 15 * MINUTE)
    assert one.held(SETTINGS, "clock", NOW + jump, 15 * MINUTE) is None
    back = brakes(one.kept(NOW, 0), NOW - timedelta(days=400), tick=5.0)
    assert back.rested(5.0) == 0
    assert back.held(SETTINGS, "clock", NOW, 5.0 + 15 * MINUTE) is None


def test_dreams_of_others_count_as_rest_that_is_not_over() -> None:
    one = brakes()
    one.ended_elsewhere(5 * MINUTE, tick=1000)
    assert one.held(SETTINGS, "idle", NOW, 1000) == ("gap", 10 * MINUTE)
    one.ended_elsewhere(9 * MINUTE, tick=1000)
    assert one.rested(1000) == 5 * MINUTE
    assert one.dreams_of(NOW.date()) == 0


def test_days_long_past_are_let_go() -> None:
    one = brakes()
    for day in range(40):
        one.begin(NOW + timedelta(days=day), day * 86_400.0)
    assert len(one.kept(NOW, 40 * 86_400.0).begun) <= 11
