"""What asks for a dream, which dream, and until when there is nothing to do."""

from datetime import date, datetime
from math import inf
from typing import get_args
from zoneinfo import ZoneInfo

import msgspec
import pytest

from slowwave.scheduler import HEAVY, Brakes, Kept, Seen, Verdict, decide
from slowwave.settings import ResidentSettings, Trigger

ZONE = ZoneInfo("Asia/Shanghai")
NOON = datetime(2031, 3, 9, 12, tzinfo=ZONE)
LAST_NIGHT = (date(2031, 3, 8),)
ALL: tuple[Trigger, ...] = get_args(Trigger)
MINUTE, HOUR = 60.0, 3600.0


def rules(*triggers: Trigger, **more: object) -> ResidentSettings:
    return msgspec.convert({"triggers": triggers or ALL, **more}, ResidentSettings)


def rested(hours: float | None = None) -> Brakes:
    brakes = Brakes(Kept(), NOON, 0.0)
    if hours is not None:
        brakes.ended_elsewhere(hours * HOUR, 0.0)
    return brakes


def verdict(
    seen: Seen, settings: ResidentSettings | None = None, brakes: Brakes | None = None
) -> Verdict:
    return decide(settings or rules(), seen, brakes or rested(), 0.0)


def spoken(minutes: float, **more: object) -> Seen:
    known = {"now": NOON, "quiet": minutes * MINUTE, "today": True, "unread": 3, "fresh": True}
    return Seen(**{**known, **more})  # type: ignore[arg-type]


def test_a_silent_user_and_something_new() -> None:
    assert not verdict(spoken(9.9)).go
    assert verdict(spoken(9.9)).wait == pytest.approx(6)
    found = verdict(spoken(10))
    assert (found.go, found.trigger, found.today, found.nights) == (True, "idle", True, ())
    assert (found.lite, found.yields, found.brake) == (False, True, None)


@pytest.mark.parametrize(
    "seen",
    [
        Seen(now=NOON),
        Seen(now=NOON, unread=9, arrived=9),
        spoken(30, fresh=False),
        spoken(30, today=False, fresh=False),
    ],
)
def test_without_anything_new_nothing_is_dreamed(seen: Seen) -> None:
    assert not verdict(seen).go


def test_logs_without_a_word_of_the_user_are_no_talk() -> None:
    assert verdict(spoken(0, quiet=inf)).trigger == "idle"


def test_a_backlog_that_grows() -> None:
    seen = spoken(0, unread=201, arrived=40, dreamed=39)
    assert verdict(seen).trigger == "backlog"
    assert not verdict(msgspec.structs.replace(seen, unread=200)).go
    assert not verdict(msgspec.structs.replace(seen, dreamed=40)).go
    assert not verdict(msgspec.structs.replace(seen, today=False)).go


def test_a_heavy_backlog_gets_a_lite_dream() -> None:
    seen = spoken(0, unread=200 * HEAVY, arrived=1)
    assert not verdict(seen).lite
    more = msgspec.structs.replace(seen, unread=200 * HEAVY + 1)
    assert verdict(more).lite
    # An idle user's dream is whole, however much there is.
    assert not verdict(msgspec.structs.replace(more, quiet=inf), rules("idle")).lite


def test_every_four_hours() -> None:
    seen = spoken(0, fresh=False)
    assert not verdict(seen, brakes=rested(3.99)).go
    assert verdict(seen, brakes=rested(3.5)).wait == pytest.approx(HOUR / 2)
    assert verdict(seen, brakes=rested(4)).trigger == "forced"
    assert not verdict(msgspec.structs.replace(seen, today=False), brakes=rested(9)).go


def test_without_a_dream_the_four_hours_count_from_the_start() -> None:
    assert not verdict(spoken(0)).go
    assert verdict(spoken(0, up=4 * HOUR)).trigger == "forced"


def test_nights_come_first_and_the_clock_takes_them_alone() -> None:
    found = verdict(spoken(99, nights=LAST_NIGHT, unread=900, arrived=1, up=9 * HOUR))
    assert (found.trigger, found.nights, found.today) == ("clock", LAST_NIGHT, False)


@pytest.mark.parametrize("trigger", ["idle", "backlog", "forced"])
def test_without_the_clock_the_others_take_the_nights_along(trigger: Trigger) -> None:
    seen = spoken(99, nights=LAST_NIGHT, unread=900, arrived=1, up=9 * HOUR)
    found = verdict(seen, rules(trigger))
    assert (found.trigger, found.nights, found.today) == (trigger, LAST_NIGHT, True)
    alone = verdict(msgspec.structs.replace(seen, today=False), rules(trigger))
    assert (alone.go, alone.nights, alone.today) == (True, LAST_NIGHT, False)


def test_no_trigger_no_dream() -> None:
    none = msgspec.convert({"triggers": []}, ResidentSettings)
    assert not verdict(spoken(99, nights=LAST_NIGHT, up=9 * HOUR), none).go


@pytest.mark.parametrize(
    ("now", "at", "hours"),
    [
        ("2031-03-09T12:00+08:00", "02:00", 14),
        ("2031-03-09T01:30+08:00", "02:00", 0.5),
        ("2031-03-09T02:00+08:00", "02:00", 24),
        ("2031-03-09T12:00+08:00", "13:15", 1.25),
    ],
)
def test_when_the_next_night_comes(now: str, at: str, hours: float) -> None:
    moment = datetime.fromisoformat(now).astimezone(ZONE)
    found = verdict(Seen(now=moment), rules("clock", at=at))
    assert found.wait == hours * HOUR
    assert found.trigger is None


def test_the_hours_of_a_night_on_which_clocks_change() -> None:
    paris = ZoneInfo("Europe/Paris")
    spring = Seen(now=datetime(2031, 3, 29, 23, tzinfo=paris))
    assert verdict(spring, rules("clock", at="04:00")).wait == 4 * HOUR
    autumn = Seen(now=datetime(2031, 10, 25, 23, tzinfo=paris))
    assert verdict(autumn, rules("clock", at="04:00")).wait == 6 * HOUR


def test_a_plan_that_waits_for_a_person_holds_all_back() -> None:
    found = verdict(spoken(99, nights=LAST_NIGHT, waits=True))
    assert (found.go, found.trigger, found.brake, found.wait) == (False, "clock", "review", inf)


def test_the_end_of_the_calendar() -> None:
    assert verdict(Seen(now=datetime(9999, 12, 31, 12, tzinfo=ZONE))).wait == inf
