"""When a night is due: each of the user's days once, whatever the clock does."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.errors import (
    AlreadyDecided,
    DiskFull,
    DreamError,
    SlowwaveError,
    StalePlan,
    StoreBusy,
    UsageError,
)
from slowwave.model import Dream, DreamBy, DreamMode, DreamStatus, day_bounds, day_of
from slowwave.scheduler import (
    DECIDED,
    NIGHTS_A_RUN,
    PAUSES,
    catch_up,
    due,
    next_run,
    retry,
    time_of,
)

ZONES = ["Europe/Paris", "America/New_York", "Asia/Shanghai", "America/Asuncion", "Africa/Cairo",
         "America/Havana", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]  # fmt: skip


def dream(
    day: date | str,
    run_at: datetime,
    status: DreamStatus = "rejected",
    by: DreamBy = "night",
    mode: DreamMode = "plan",
) -> Dream:
    return Dream(dream_id="d1", space="s", mode=mode, date=str(day), run_at=run_at,
                 status=status, by=by)  # fmt: skip


def local(zone: str, moment: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(moment).replace(tzinfo=ZoneInfo(zone), fold=fold)


def days(*texts: str) -> list[date]:
    return [date.fromisoformat(text) for text in texts]


@pytest.mark.parametrize(
    ("now", "at", "events", "expected"),
    [
        # Yesterday is due from `at` on; before that its night is not over.
        ("2026-11-30T01:59:59", "02:00", ["2026-11-29"], []),
        ("2026-11-30T02:00", "02:00", ["2026-11-29"], ["2026-11-29"]),
        ("2026-11-30T23:59", "02:00", ["2026-11-29", "2026-11-30"], ["2026-11-29"]),
        # Missed nights come first, also before `at`; unsorted and doubled days do no harm.
        ("2026-11-30T01:00", "02:00", ["2026-11-29", "2026-11-26", "2026-11-28", "2026-11-26"],
         ["2026-11-26", "2026-11-28"]),
        ("2026-11-30T00:00", "00:00", ["2026-11-29"], ["2026-11-29"]),
        ("2026-11-30T23:58", "23:59", ["2026-11-29", "2026-11-28"], ["2026-11-28"]),
        # Events of today and of the future (a clock that was wrong) wait for their night.
        ("2026-11-30T12:00", "02:00", ["2026-11-30", "2031-01-01"], []),
        ("2026-11-30T12:00", "02:00", [], []),
        ("2026-03-01T02:00", "02:00", ["2026-02-28"], ["2026-02-28"]),
        ("2028-03-01T02:00", "02:00", ["2028-02-29"], ["2028-02-29"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("zone", ["Asia/Shanghai", "Europe/Paris", "America/St_Johns"])
def test_which_nights_are_due(
    zone: str, now: str, at: str, events: list[str], expected: list[str]
) -> None:
    assert due([], days(*events), local(zone, now), time_of(at)) == tuple(days(*expected))


CHANGES = [
    # zone, day with events, at, the last instant it is not due yet, the first it is
    ("Europe/Paris", "2026-03-28", "02:30", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"),
    ("Europe/Paris", "2026-03-28", "02:00", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"),
    ("Europe/Paris", "2026-03-29", "02:30", "2026-03-30T00:29:59Z", "2026-03-30T00:30:00Z"),
    ("Europe/Paris", "2026-10-24", "02:30", "2026-10-25T00:29:59Z", "2026-10-25T00:30:00Z"),
    ("Europe/Paris", "2026-10-25", "02:30", "2026-10-26T01:29:59Z", "2026-10-26T01:30:00Z"),
    ("America/New_York", "2026-03-07", "02:30", "2026-03-08T06:59:59Z", "2026-03-08T07:00:00Z"),
    ("America/New_York", "2026-10-31", "01:30", "2026-11-01T05:29:59Z", "2026-11-01T05:30:00Z"),
    ("Asia/Shanghai", "2026-03-28", "02:00", "2026-03-28T17:59:59Z", "2026-03-28T18:00:00Z"),
    ("America/Asuncion", "2023-09-30", "00:00", "2023-10-01T03:59:59Z", "2023-10-01T04:00:00Z"),
    ("America/Asuncion", "2023-09-30", "00:30", "2023-10-01T03:59:59Z", "2023-10-01T04:00:00Z"),
    ("America/Asuncion", "2023-03-25", "00:00", "2023-03-26T03:59:59Z", "2023-03-26T04:00:00Z"),
    ("America/Asuncion", "2023-03-25", "02:00", "2023-03-26T05:59:59Z", "2023-03-26T06:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-03", "02:15", "2026-10-03T15:29:59Z", "2026-10-03T15:30:00Z"),
    ("America/Havana", "2026-10-31", "00:30", "2026-11-01T04:29:59Z", "2026-11-01T04:30:00Z"),
    # A whole day that the calendar skipped: 30 December 2011 in Samoa.
    ("Pacific/Apia", "2011-12-29", "02:00", "2011-12-30T09:59:59Z", "2011-12-30T12:00:00Z"),
]


@pytest.mark.parametrize(("zone", "day", "at", "before", "after"), CHANGES)
def test_when_clocks_change(zone: str, day: str, at: str, before: str, after: str) -> None:
    place, clock = ZoneInfo(zone), time_of(at)
    waiting = days(day)

    def nights(moment: str) -> tuple[date, ...]:
        return due([], waiting, datetime.fromisoformat(moment).astimezone(place), clock)

    assert nights(before) == ()
    assert nights(after) == tuple(waiting)


def test_an_hour_that_comes_twice_does_not_take_a_night_back() -> None:
    second = local("Europe/Paris", "2026-10-25T02:10", fold=1)
    assert due([], days("2026-10-24"), second, time(2, 30)) == tuple(days("2026-10-24"))


@pytest.mark.parametrize(
    ("zone", "now", "at", "expected"),
    [
        ("Asia/Shanghai", "2026-11-30T01:00", "02:00", "2026-11-30T02:00:00+08:00"),
        ("Asia/Shanghai", "2026-11-30T02:00", "02:00", "2026-12-01T02:00:00+08:00"),
        ("Asia/Shanghai", "2026-12-31T23:59", "02:00", "2027-01-01T02:00:00+08:00"),
        ("Europe/Paris", "2026-03-29T00:00", "02:30", "2026-03-29T03:00:00+02:00"),
        ("Europe/Paris", "2026-03-29T03:00", "02:30", "2026-03-30T02:30:00+02:00"),
        ("Europe/Paris", "2026-10-25T00:00", "02:30", "2026-10-25T02:30:00+02:00"),
        ("Europe/Paris", "2026-10-25T02:30", "02:30", "2026-10-26T02:30:00+01:00"),
        ("America/Asuncion", "2023-09-30T12:00", "00:30", "2023-10-01T01:00:00-03:00"),
        ("America/Asuncion", "2023-03-25T12:00", "00:00", "2023-03-26T00:00:00-04:00"),
        ("America/New_York", "2026-03-07T12:00", "02:00", "2026-03-08T03:00:00-04:00"),
    ],
)
def test_the_next_run(zone: str, now: str, at: str, expected: str) -> None:
    found = next_run(local(zone, now), time_of(at))
    assert found.isoformat() == expected


@pytest.mark.parametrize("status", sorted(DECIDED))
def test_a_night_that_waits_or_is_not_wanted_is_not_due_again(status: DreamStatus) -> None:
    now = local("Asia/Shanghai", "2026-11-30T02:00:11")
    had = dream("2026-11-29", local("Asia/Shanghai", "2026-11-30T02:00"), status)
    assert due([had], days("2026-11-28", "2026-11-29"), now) == tuple(days("2026-11-28"))


def test_a_night_that_was_cut_off_before_it_was_applied_is_due_again() -> None:
    now = local("Asia/Shanghai", "2026-11-30T02:00:11")
    had = dream("2026-11-29", local("Asia/Shanghai", "2026-11-30T02:00"), "planned", mode="apply")
    assert due([had], days("2026-11-29"), now) == tuple(days("2026-11-29"))


def test_what_came_in_after_an_applied_night_is_due() -> None:
    now = local("Asia/Shanghai", "2026-11-30T02:00:11")
    had = dream("2026-11-29", local("Asia/Shanghai", "2026-11-30T02:00"), "applied")
    assert due([had], days("2026-11-29"), now) == tuple(days("2026-11-29"))
    assert due([had], [], now) == ()


def test_what_is_no_dream_of_the_night() -> None:
    zone = "Asia/Shanghai"
    night, now = local(zone, "2026-11-30T02:00"), local(zone, "2026-11-30T03:00")
    day = days("2026-11-29")
    others = [
        dream(day[0], night, "nothing_to_do"),
        dream(day[0], night, mode="dry_run"),
        dream(day[0], night, by="person"),
        dream(day[0], night, by="rollback"),
        dream("all", night, "planned"),
        # Made at noon, it cannot have read the evening.
        dream(day[0], local(zone, "2026-11-29T12:00")),
        dream("9999-12-31", night),
    ]
    assert due(others, day, now) == tuple(day)


def test_case_64_triggered_again_and_again() -> None:
    start = local("Europe/Paris", "2026-11-30T00:07")
    triggers = [start + timedelta(minutes=30 * turn) for turn in range(60)]
    triggers += [moment + timedelta(seconds=11) for moment in triggers]
    made: list[Dream] = []
    talked = days("2026-11-27", "2026-11-29", "2026-11-30")
    for now in sorted(triggers):
        made += [dream(day, now, "planned") for day in due(made, talked, now)]
    assert [one.date for one in made] == ["2026-11-27", "2026-11-29", "2026-11-30"]
    assert made[1].run_at == local("Europe/Paris", "2026-11-30T02:07")


def test_years_are_caught_up_with_bit_by_bit() -> None:
    now = local("America/New_York", "2026-11-30T09:00")
    waiting = [date(2024, 1, 1) + timedelta(days=turn) for turn in range(400)]
    made: list[Dream] = []
    sizes = []
    while nights := due(made, waiting, now):
        sizes.append(len(nights))
        made += [dream(day, now) for day in nights]
    assert [one.date for one in made] == [day.isoformat() for day in waiting]
    assert max(sizes) == NIGHTS_A_RUN
    assert due([], waiting, now, limit=3) == tuple(waiting[:3])


def starts(year: int) -> st.SearchStrategy[datetime]:
    """Instants from a year to the end of 2027."""
    seconds = (datetime(at, 1, 1, tzinfo=UTC).timestamp() for at in (year, 2028))
    return st.integers(*map(int, seconds)).map(lambda value: datetime.fromtimestamp(value, UTC))


STEP = st.timedeltas(timedelta(seconds=1), timedelta(hours=40))


@settings(max_examples=100, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    start=starts(2010),
    steps=st.lists(STEP, min_size=1, max_size=60),
    offsets=st.sets(st.integers(-10, 60), max_size=30),
    at=st.times().map(lambda value: value.replace(second=0, microsecond=0)),
    data=st.data(),
)
def test_each_day_once_at_whatever_instants_it_is_triggered(
    zone: str,
    start: datetime,
    steps: list[timedelta],
    offsets: set[int],
    at: time,
    data: st.DataObject,
) -> None:
    place = ZoneInfo(zone)
    now = start
    talked = {day_of(now + timedelta(days=offset), place) for offset in offsets}
    made: list[Dream] = []
    for step in [*steps, timedelta(days=80)]:
        now += step
        happened = [day for day in talked if day_bounds(day, place)[0] <= now]
        nights = due(made, happened, now.astimezone(place), at)
        assert list(nights) == sorted(nights)
        for day in nights:
            assert day_bounds(day, place)[1].astimezone(UTC) <= now
            status = data.draw(st.sampled_from(sorted(DECIDED)))
            made.append(dream(day, now.astimezone(place), status))
        assert due(made, happened, now.astimezone(place), at) == ()
    assert Counter(one.date for one in made) == Counter(day.isoformat() for day in talked)


@settings(max_examples=60, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    start=starts(2011),
    at=st.times().map(lambda value: value.replace(second=0, microsecond=0)),
)
def test_at_the_next_run_one_more_night_is_due(zone: str, start: datetime, at: time) -> None:
    place = ZoneInfo(zone)
    now = start.astimezone(place)
    coming = next_run(now, at)
    assert coming.astimezone(UTC) > now.astimezone(UTC)
    first = day_of(now, place) - timedelta(days=3)
    talked = [first + timedelta(days=turn) for turn in range(9)]
    just_before = (coming.astimezone(UTC) - timedelta(seconds=1)).astimezone(place)
    early = due([], talked, just_before, at)
    assert len(due([], talked, coming, at)) > len(early)
    assert early == due([], talked, now, at)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("02:00", time(2)), ("2:05", time(2, 5)), ("00:00", time(0)), ("23:59", time(23, 59)),
     (" 7:30 ", time(7, 30)), ("０２：３０", time(2, 30))],
)  # fmt: skip
def test_times_of_day(text: str, expected: time) -> None:
    assert time_of(text) == expected


@pytest.mark.parametrize(
    "text", ["", ":", "2", "2am", "24:00", "12:60", "2:5", "02:00:00", "-1:00", "noon", "1:0²"]
)
def test_what_is_no_time_of_day(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        time_of(text)
    assert caught.value.hint


def test_a_clock_without_a_zone_is_refused() -> None:
    naive = datetime(2026, 11, 30)  # noqa: DTZ001 - that is the point
    with pytest.raises(UsageError):
        due([], [], naive)
    with pytest.raises(UsageError):
        next_run(naive)


def test_the_end_of_the_calendar_is_said() -> None:
    with pytest.raises(UsageError):
        next_run(datetime(9999, 12, 31, 12, tzinfo=UTC))


class Work:
    """Fails with these errors, one a call, then returns how often it was called."""

    def __init__(self, *errors: Exception) -> None:
        self.errors = list(errors)
        self.calls = 0

    def __call__(self) -> int:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return self.calls


@pytest.mark.parametrize("failures", range(4))
def test_what_passes_is_tried_again_with_growing_pauses(failures: int) -> None:
    slept: list[float] = []
    told: list[tuple[str, float]] = []
    errors = [StoreBusy("busy"), StalePlan("stale"), StoreBusy("busy again")][:failures]
    found = retry(
        Work(*errors), PAUSES, slept.append, lambda error, pause: told.append((str(error), pause))
    )
    assert found == failures + 1
    assert slept == [30.0, 60.0, 90.0][:failures]
    assert [pause for _, pause in told] == slept


def test_the_last_failure_is_loud() -> None:
    slept: list[float] = []
    work = Work(*(StoreBusy(str(turn)) for turn in range(9)))
    with pytest.raises(StoreBusy) as caught:
        retry(work, PAUSES, slept.append)
    assert (str(caught.value), work.calls, slept) == ("3", 4, list(PAUSES))


def test_what_does_not_pass_is_not_tried_again() -> None:
    work = Work(DiskFull("full"))
    with pytest.raises(DiskFull):
        retry(work, PAUSES, pytest.fail)
    assert work.calls == 1


def night_of(failing: dict[int, SlowwaveError], done: list[int]) -> Callable[[date], int]:
    def work(night: date) -> int:
        done.append(night.day)
        if night.day in failing:
            raise failing[night.day]
        return night.day

    return work


NIGHTS = tuple(date(2031, 3, day) for day in range(1, 6))


def test_a_night_that_fails_does_not_stop_the_others() -> None:
    told: list[int] = []
    work = night_of({1: DiskFull("no room", "make room"), 4: DreamError("gate shrink")}, [])
    with pytest.raises(DreamError) as caught:
        catch_up(NIGHTS, work, pytest.fail, told.append)
    assert told == [2, 3, 5]
    assert caught.value.message == (
        "2 of 5 nights failed: 2031-03-01: no room; 2031-03-04: gate shrink"
    )
    assert caught.value.hint.startswith("make room; the other 3 were dreamed")


def test_a_store_that_stays_busy_holds_up_one_night_only() -> None:
    slept: list[float] = []
    with pytest.raises(DreamError, match="5 of 5 nights failed"):
        catch_up(
            NIGHTS, night_of({day: StoreBusy("busy") for day in range(1, 6)}, []), slept.append
        )
    assert slept == list(PAUSES)


def test_of_many_failures_only_the_first_are_told_whole() -> None:
    with pytest.raises(DreamError) as caught:
        catch_up(NIGHTS, night_of({n: DreamError(f"why{n}") for n in range(1, 6)}, []), pytest.fail)
    assert "why3; 2031-03-04; 2031-03-05" in caught.value.message


def test_a_night_that_another_process_dreamed_is_no_failure() -> None:
    assert catch_up(NIGHTS, night_of({2: AlreadyDecided("done")}, []), pytest.fail) == [1, 3, 4, 5]


def test_a_wrong_call_stops_at_once() -> None:
    done: list[int] = []
    with pytest.raises(UsageError):
        catch_up(NIGHTS, night_of({2: UsageError("no")}, done), pytest.fail)
    assert done == [1, 2]
