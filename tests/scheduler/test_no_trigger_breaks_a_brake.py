"""However triggers, failures, stops and clocks come: the brakes hold, and every day is dreamed."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.model import day_of
from slowwave.scheduler import YIELDS, Brakes, Kept, Outcome, Seen, Verdict, decide, due, time_of
from slowwave.settings import ResidentSettings, Trigger

ALL: tuple[Trigger, ...] = get_args(Trigger)
ZONES = ["Asia/Shanghai", "Europe/Paris", "America/New_York", "Australia/Lord_Howe"]


@dataclass
class World:
    """A user, a journal and a clock; the resident's part is played by `decide` and `Brakes`."""

    rules: ResidentSettings
    zone: ZoneInfo
    wall: datetime
    tick: float = 0.0
    spoke: float = -1e9
    number: int = 0
    unread: list[tuple[int, date]] = field(default_factory=list)
    begun: list[tuple[float, float, date, Trigger, Outcome]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.brakes = Brakes(Kept(), self.now, self.tick)

    @property
    def now(self) -> datetime:
        return self.wall.astimezone(self.zone)

    def passes(self, seconds: float) -> None:
        self.tick += seconds
        self.wall += timedelta(seconds=seconds)

    def says(self, number: int) -> None:
        self.spoke = self.tick
        for _ in range(number):
            self.number += 1
            self.unread.append((self.number, day_of(self.now, self.zone)))

    def restarts(self) -> None:
        kept = msgspec.json.encode(self.brakes.kept(self.now, self.tick))
        self.brakes = Brakes(msgspec.json.decode(kept, type=Kept), self.now, self.tick)

    def seen(self) -> Seen:
        today = day_of(self.now, self.zone)
        nights = due([], [day for _, day in self.unread], self.now, time_of(self.rules.at))
        mine = [seq for seq, day in self.unread if day == today]
        number = len(mine) + sum(day in nights for _, day in self.unread)
        return Seen(
            now=self.now, quiet=self.tick - self.spoke, up=self.tick, nights=nights,
            today=bool(mine), unread=number, arrived=number, dreamed=0,
            fresh=bool(nights) or any(seq > self.brakes.read for seq in mine),
        )  # fmt: skip

    def verdict(self) -> Verdict:
        return decide(self.rules, self.seen(), self.brakes, self.tick)

    def dreams(self, verdict: Verdict, outcome: Outcome, seconds: float) -> None:
        """A dream that takes so long; what was said meanwhile is not in it."""
        today, read, start = day_of(self.now, self.zone), self.number, self.tick
        self.brakes.begin(self.now, self.tick)
        self.passes(seconds)
        self.brakes.end(outcome, self.tick, read)
        assert verdict.trigger in self.rules.triggers
        self.begun.append((start, self.tick, today, verdict.trigger, outcome))
        if outcome == "done":
            taken = {*verdict.nights, *((today,) if verdict.today else ())}
            self.unread = [one for one in self.unread if one[1] not in taken or one[0] > read]


STEPS = st.tuples(
    st.sampled_from([1.0, 30.0, 600.0, 900.0, 3600.0, 5 * 3600.0]),  # seconds that pass
    st.sampled_from([0, 0, 1, 3, 250]),  # events that come in
    st.sampled_from([0, 0, 0, 0, 0, -30, -1, 1, 49]),  # hours that the clock jumps
    st.sampled_from(get_args(Outcome)),
    st.sampled_from([0.5, 40.0, 2000.0]),  # seconds that a dream takes
    st.booleans(),  # whether the server is started anew
)
RULES = st.builds(
    ResidentSettings,
    triggers=st.lists(st.sampled_from(ALL), min_size=1, unique=True).map(tuple),
    dreams_a_day=st.integers(1, 9),
    at=st.sampled_from(["00:00", "02:00", "02:30", "23:59"]),
)


def check(world: World) -> None:
    """What no sequence may break."""
    rules, gap = world.rules, world.rules.gap_minutes * 60
    failures = yielded = 0
    last = failed = -1e9
    for start, end, _, _, outcome in world.begun:
        pause = rules.backoff_minutes * 2 ** max(0, failures - 1)
        assert start - last >= gap - 1e-3
        if failures:
            assert start - failed >= min(pause, rules.backoff_most) * 60 - 1e-3
        last, failed = end, end if outcome in ("failed", "unfinished") else failed
        failures = {"done": 0, "failed": failures + 1, "unfinished": failures + 1}.get(
            outcome, failures
        )
        yielded = yielded + 1 if outcome == "preempted" else 0 if outcome == "done" else yielded
        assert yielded <= YIELDS
    days = Counter(day for _, _, day, _, _ in world.begun)
    assert max(days.values(), default=0) <= rules.dreams_a_day


@settings(max_examples=100, deadline=None)
@given(rules=RULES, zone=st.sampled_from(ZONES), steps=st.lists(STEPS, max_size=40))
def test_no_sequence_of_triggers_breaks_a_brake_and_every_day_is_dreamed(
    rules: ResidentSettings, zone: str, steps: list[tuple[float, int, int, Outcome, float, bool]]
) -> None:
    world = World(rules, ZoneInfo(zone), datetime(2031, 3, 27, 20, tzinfo=UTC))
    for seconds, events, jump, outcome, takes, anew in steps:
        world.passes(seconds)
        world.wall += timedelta(hours=jump)
        if anew:
            world.restarts()
        if events:
            world.says(events)
        verdict = world.verdict()
        assert verdict.go or verdict.wait > 0
        if verdict.go:
            assert verdict.nights or verdict.today
            if outcome == "preempted" and not verdict.yields:
                outcome = "done"
            world.dreams(verdict, outcome, takes)
    check(world)
    # From now on all goes well, and nobody says anything: in the end nothing is left. With a
    # growing backlog as the only reason to dream, one is needed for that.
    if rules.triggers == ("backlog",):
        rules = world.rules = msgspec.structs.replace(rules, triggers=("clock", "idle"))
    latest = max((day for _, day in world.unread), default=day_of(world.now, world.zone))
    # Days to come may have had their dreams already, while the clock was wrong.
    last = max([latest, *(day for _, _, day, _, _ in world.begun)]) + timedelta(days=2)
    while world.unread and day_of(world.now, world.zone) <= last:
        verdict = world.verdict()
        if verdict.go:
            world.dreams(verdict, "done", 40.0)
        else:  # looked at only when a clock says so, or once a day
            world.passes(min(verdict.wait, 86_400.0) + 0.001)
    check(world)
    assert world.unread == []


@settings(max_examples=30, deadline=None)
@given(outcomes=st.lists(st.sampled_from(["failed", "preempted", "stopped"]), max_size=12))
def test_a_night_comes_to_its_end_however_often_it_was_broken_off(outcomes: list[Outcome]) -> None:
    world = World(
        ResidentSettings(), ZoneInfo("Asia/Shanghai"), datetime(2031, 3, 9, 4, tzinfo=UTC)
    )
    world.says(2)
    waiting = list(outcomes)
    for _ in range(400):
        verdict = world.verdict()
        if verdict.go:
            outcome: Outcome = waiting.pop(0) if waiting else "done"
            if outcome == "preempted" and not verdict.yields:
                outcome = "done"
            world.dreams(verdict, outcome, 60.0)
        else:
            world.passes(min(verdict.wait, 3600.0) + 0.001)
    check(world)
    assert world.unread == []
