"""The resident with a clock and processes of the test's own: when it dreams, and of whom."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from slowwave.errors import DreamError, SettingsError
from slowwave.memory import SlowMemory
from slowwave.model import Record
from slowwave.servers.nights import Nights
from slowwave.servers.resident import Resident, standing
from slowwave.servers.resident.job import Ending, Job, Made
from slowwave.servers.resident.loop import GRACE
from slowwave.servers.resident.sleeper import made_of
from slowwave.settings import ResidentSettings
from slowwave.spaces import Spaces
from slowwave.wiring import Options

MINUTE, HOUR = 60.0, 3600.0
EVENING = datetime.fromisoformat("2031-03-09T18:00:00+08:00")
DONE, PREEMPTED = Ending(outcome="done"), Ending(outcome="preempted")


class Clock:
    """One clock for all: the user's and the monotonic one. They may part."""

    def __init__(self) -> None:
        self.tick = 1000.0
        self.wall = EVENING

    def passes(self, seconds: float) -> None:
        self.tick += seconds
        self.wall += timedelta(seconds=seconds)


class Home(Spaces):
    """The spaces of a home under a clock that the test moves."""

    def __init__(self, home: Path, clock: Clock, **resident: object) -> None:
        own = msgspec.convert({"triggers": ["clock", "idle"], **resident}, ResidentSettings)
        self.clock, self.own, self.broken = clock, own, ""
        super().__init__(Options(home=str(home), tz="Asia/Shanghai"), {"SLOWWAVE_EMBEDDER": "none"})
        self._under(self.first)

    def _under(self, memory: SlowMemory) -> SlowMemory:
        zone = memory.now().tzinfo
        settings = msgspec.structs.replace(memory.parts.settings, resident=self.own)
        memory.parts = replace(
            memory.parts, settings=settings, clock=lambda: self.clock.wall.astimezone(zone)
        )
        return memory

    def memory(self, space: str = "") -> SlowMemory:
        if space and space == self.broken:
            raise SettingsError("bad setting in this space", "correct the value")
        return self._under(super().memory(space))

    def says(self, text: str, space: str = "") -> None:
        self.memory(space).log([Record(text=text, source="chat", ts=self.clock.wall)])


@dataclass
class Fake:
    """A process that ends when the test says so."""

    job: Job
    ended: Callable[[], None]
    pid: int = 4711
    made: list[object] = field(default_factory=list)
    stage: str = ""
    stopped: int = 0
    killed: int = 0
    ending: Ending | None = None

    def poll(self) -> Ending | None:
        return self.ending

    def wait(self, seconds: float) -> Ending | None:
        del seconds
        return self.ending

    def stop(self) -> None:
        self.stopped += 1

    def kill(self) -> None:
        self.killed += 1
        self.ending = PREEMPTED

    def dreams(self, home: Home) -> None:
        """Does what a real one would, and ends."""
        memory = home.memory(self.job.options.space or "")
        if self.job.nights:
            memory.dream_due(told=lambda dream: self.made.append(made_of(dream)))
        if self.job.today:
            self.made.append(made_of(memory.dream("today", apply=True)))
        self.ending = DONE


class Stage:
    """A home, its resident, and the processes it started."""

    def __init__(self, folder: Path, **resident: object) -> None:
        self.clock = Clock()
        self.home = Home(folder, self.clock, **resident)
        self.started: list[Fake] = []
        self.told: list[str] = []
        self.nights = Nights()
        self.fails: Exception | None = None
        self.resident = self.another()

    def another(self) -> Resident:
        return Resident(
            self.home, self.told.append, nights=self.nights, start=self._start,
            tick=lambda: self.clock.tick,
        )  # fmt: skip

    def _start(self, job: Job, lock: int | None, ended: Callable[[], None]) -> Fake:
        assert lock is not None
        if self.fails is not None:
            raise self.fails
        self.started.append(Fake(job, ended))
        return self.started[-1]

    def passes(self, seconds: float, steps: int = 1) -> None:
        for _ in range(steps):
            self.clock.passes(seconds / steps)
            self.resident.turn()
        self.resident._show()

    @property
    def last(self) -> Fake:
        return self.started[-1]

    def errors(self) -> list[Mapping[str, str]]:
        folder = self.home.first.parts.home / "vault" / "dream_logs" / "error"
        return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path / "home")
    yield made
    made.resident._lock.let_go()
    made.home.close()


def test_a_user_who_falls_silent_is_dreamed_of_once(stage: Stage) -> None:
    stage.home.says("I moved to Bergamo last week")
    stage.passes(9 * MINUTE, steps=3)
    assert not stage.started
    stage.passes(MINUTE + 1)
    job = stage.last.job
    assert (job.nights, job.today, job.lite) == (False, True, False)
    assert (job.patience, job.cores, job.nice) == (0.5, 1, 10)
    assert stage.resident.state().dreaming is not None
    stage.last.dreams(stage.home)
    stage.passes(1)
    state = stage.resident.state()
    assert state.dreaming is None
    assert (state.counts.begun, state.counts.done) == (1, 1)
    done = state.spaces[0].last
    assert done is not None
    assert (done.outcome, done.events, done.trigger) == ("done", 1, "idle")
    assert any("1 event → " in words for words in stage.told)
    stage.passes(5 * HOUR, steps=30)
    assert len(stage.started) == 1  # nothing new was said


def test_the_evening_after_an_idle_dream_has_its_night(stage: Stage) -> None:
    stage.home.says("my sister Ilaria sails")
    stage.passes(11 * MINUTE)
    stage.last.dreams(stage.home)
    stage.passes(2 * HOUR)
    stage.home.says("my cat is called Bruma")
    stage.passes(20 * MINUTE, steps=5)
    stage.last.dreams(stage.home)
    stage.passes(10 * MINUTE)
    stage.home.says("I sleep badly before flights")
    stage.passes(9 * MINUTE)  # no idle dream comes in time: the home is closed until three
    stage.clock.passes(7 * HOUR)
    stage.passes(1)
    assert (stage.last.job.nights, stage.last.job.today) == (True, False)
    stage.last.dreams(stage.home)
    stage.passes(1)
    read = [
        event
        for head in stage.home.first.dreams()
        for event in stage.home.first.dream_by_id(head.dream_id).event_ids
    ]
    assert len(read) == len(set(read)) == 3
    assert not stage.home.first.parts.store.undreamed_times("default")


def test_words_of_the_user_stop_a_dream_and_that_is_no_failure(stage: Stage) -> None:
    stage.home.says("we rent a flat in Gdynia")
    stage.passes(11 * MINUTE)
    stage.passes(1)
    assert not stage.last.stopped
    stage.home.says("wait, one more thing")
    stage.passes(1, steps=2)
    assert stage.last.stopped == 1
    stage.last.ending = PREEMPTED
    stage.passes(1)
    state = stage.resident.state()
    assert (state.counts.preempted, state.counts.failed, state.spaces[0].failures) == (1, 0, 0)
    assert not stage.errors()
    stage.passes(14 * MINUTE, steps=14)
    assert len(stage.started) == 1  # the gap holds, though the user has been silent for long
    stage.passes(2 * MINUTE)
    assert len(stage.started) == 2


def test_only_the_users_own_words_stop_a_dream(stage: Stage) -> None:
    stage.home.says("the boiler is serviced in May")
    stage.passes(11 * MINUTE)
    memory = stage.home.first
    memory.log(
        [
            Record(text="noted!", source="chat", role="assistant", ts=stage.clock.wall),
            Record(text="ok", source="shell", role="tool", kind="tool_result", ts=stage.clock.wall),
            Record(
                text="from an old log", source="import", ts=stage.clock.wall - timedelta(days=3)
            ),
            Record(text="# a page", source="vault", kind="note", ts=stage.clock.wall),
        ]
    )
    stage.home.says("hello from somebody else", "birch")
    stage.passes(5, steps=3)
    assert not stage.last.stopped


def test_a_dream_that_does_not_stop_is_ended(stage: Stage) -> None:
    stage.home.says("I play the cello")
    stage.passes(11 * MINUTE)
    stage.home.says("again")
    stage.passes(1)
    stage.passes(GRACE - 1)
    assert (stage.last.stopped, stage.last.killed) == (1, 0)
    stage.passes(2)
    assert stage.last.killed == 1
    stage.passes(1)
    assert stage.resident.state().counts.killed == 1
    assert stage.resident.state().dreaming is None


def test_after_three_stops_a_dream_runs_to_its_end(stage: Stage) -> None:
    stage.home.says("I collect stamps of Malta")
    for turn in range(4):
        stage.passes(16 * MINUTE, steps=4)
        assert len(stage.started) == turn + 1
        stage.home.says(f"interruption {turn}")
        stage.passes(1)
        stage.last.ending = PREEMPTED if turn < 3 else DONE
        assert stage.last.stopped == (1 if turn < 3 else 0)
        stage.passes(1)
    assert stage.resident.state().counts.dropped == 1


def test_a_dream_that_may_not_be_stopped_may_once_a_night_is_done(stage: Stage) -> None:
    stage.home.says("the first of three days")
    stage.clock.passes(80 * HOUR)
    for _ in range(3):
        stage.passes(16 * MINUTE, steps=4)
        stage.home.says("not now")
        stage.passes(1)
        stage.last.ending = PREEMPTED
        stage.passes(1)
    stage.passes(16 * MINUTE, steps=4)
    assert len(stage.started) == 4
    stage.home.says("and now?")
    stage.passes(1)
    assert not stage.last.stopped
    stage.last.made.append(Made(dream_id="d1", date="2031-03-09", status="applied", events=1))
    stage.home.says("and now!")
    stage.passes(1)
    assert stage.last.stopped == 1
    stage.last.ending = PREEMPTED
    stage.passes(1)
    assert stage.resident.state().counts.preempted == 4


def test_a_failure_is_recorded_told_and_tried_again_later(stage: Stage) -> None:
    stage.home.says("my knee hurts on stairs")
    stage.passes(11 * MINUTE)
    stage.last.ending = Ending(outcome="failed", error="ProcessEnded", message="it broke", hint="h")
    stage.passes(1)
    assert [(one["error"], one["message"]) for one in stage.errors()] == [
        ("ProcessEnded", "it broke")
    ]
    assert sum("it broke" in words for words in stage.told) == 1
    assert "again in 12 min" in stage.told[-1]
    assert stage.resident.state().spaces[0].failures == 1
    stage.passes(14 * MINUTE, steps=14)  # the gap is longer than the pause
    assert len(stage.started) == 1
    stage.passes(MINUTE)
    assert len(stage.started) == 2
    stage.last.ending = Ending(outcome="failed", error="x", message="again", recorded=True)
    stage.passes(1)
    assert len(stage.errors()) == 1
    stage.passes(23 * MINUTE, steps=23)
    assert len(stage.started) == 2
    stage.passes(MINUTE)
    assert len(stage.started) == 3


@pytest.mark.parametrize("error", [DreamError("no process", "see"), OSError(12, "no memory")])
def test_a_dream_that_cannot_begin_is_a_failure(stage: Stage, error: Exception) -> None:
    stage.home.says("the roof was mended")
    stage.fails = error
    stage.passes(11 * MINUTE)
    assert len(stage.errors()) == 1
    assert stage.resident.state().counts.failed == 1
    stage.fails = None
    stage.nights.begin("default")  # its place was given back
    stage.nights.end("default")
    stage.passes(16 * MINUTE)
    assert len(stage.started) == 1


def test_one_broken_space_does_not_stop_the_others(stage: Stage) -> None:
    stage.home.says("a birch in the garden", "birch")
    stage.home.says("an alder by the river", "alder")
    stage.home.broken = "alder"
    stage.passes(11 * MINUTE, steps=11)
    assert [one.job.options.space for one in stage.started] == ["birch"]
    assert sum("space alder" in words for words in stage.told) == 1
    stage.home.broken = ""
    stage.last.ending = DONE
    stage.passes(2 * MINUTE, steps=2)
    assert [one.job.options.space for one in stage.started] == ["birch", "alder"]


def test_one_dream_at_a_time_and_nights_first(stage: Stage) -> None:
    for space in ("alder", "birch", "cedar"):
        stage.home.says(f"{space} grows", space)
    stage.clock.passes(8 * HOUR)
    stage.home.says("up late tonight", "default")
    stage.passes(11 * MINUTE)
    order = []
    for turn in range(4):
        assert len(stage.started) == turn + 1
        stage.passes(5, steps=5)
        assert len(stage.started) == turn + 1
        order.append((stage.last.job.options.space, stage.last.job.nights))
        stage.last.dreams(stage.home)
        stage.passes(1)
    assert {space for space, nights in order[:3] if nights} == {"alder", "birch", "cedar"}
    assert order[3] == ("default", False)


def test_a_door_that_dreams_of_the_space_keeps_the_resident_away(stage: Stage) -> None:
    stage.home.says("I signed the lease")
    with stage.nights.holding("default"):
        stage.passes(11 * MINUTE)
        assert not stage.started
    stage.passes(1)
    assert len(stage.started) == 1
    with pytest.raises(DreamError):
        stage.nights.begin("default")


def test_a_dream_by_hand_counts_as_rest(stage: Stage) -> None:
    stage.home.says("the piano is tuned")
    stage.passes(8 * MINUTE)
    stage.home.first.dream("today", apply=True)
    stage.home.says("and the violin")
    stage.passes(12 * MINUTE, steps=6)
    assert not stage.started
    assert stage.resident.state().spaces[0].brake == "gap"
    stage.passes(4 * MINUTE)
    assert len(stage.started) == 1


def test_a_plan_that_waits_holds_dreams_back(tmp_path: Path) -> None:
    stage = Stage(tmp_path / "home", triggers=["idle"])
    memory = stage.home.first
    dream = msgspec.structs.replace(memory.parts.settings.dream, mode="review")
    settings = msgspec.structs.replace(memory.parts.settings, dream=dream)
    memory.parts = replace(memory.parts, settings=settings)
    stage.home.says("I am allergic to kiwis and I live in Tartu")
    planned = memory.dream("today")
    assert planned.new_entries
    stage.home.says("I also have a dog")
    stage.passes(40 * MINUTE, steps=9)
    assert not stage.started
    assert stage.resident.state().spaces[0].brake == "review"
    memory.apply(planned.dream_id)
    stage.passes(20 * MINUTE, steps=9)
    assert len(stage.started) == 1
    stage.resident._lock.let_go()
    stage.home.close()


def test_what_is_known_survives_a_restart(stage: Stage) -> None:
    stage.home.says("the ferry leaves at nine")
    stage.passes(11 * MINUTE)
    stage.last.ending = Ending(outcome="failed", message="broke")
    stage.passes(1)
    stage.resident._leave()
    stage.resident = stage.another()
    stage.passes(10 * MINUTE, steps=5)
    assert len(stage.started) == 1
    one = stage.resident.state().spaces[0]
    assert (one.today, one.failures, one.brake) == (1, 1, "gap")
    stage.passes(6 * MINUTE)
    assert len(stage.started) == 2


def test_missed_nights_are_dreamed_when_it_starts(stage: Stage) -> None:
    stage.home.says("the first of these days")
    stage.clock.passes(70 * HOUR)
    stage.passes(1)
    assert stage.last.job.nights
    assert "2031-03-09" in stage.told[-1]


def test_eight_a_day_and_the_night_still_comes(stage: Stage) -> None:
    for turn in range(30):
        stage.home.says(f"remark {turn}")
        stage.passes(16 * MINUTE, steps=8)
        if stage.last.ending is None:
            stage.last.dreams(stage.home)
        stage.passes(1)
        if stage.clock.wall.hour < 12:
            break
    today = [one for one in stage.started if one.job.today]
    assert len(today) <= 7 + 7  # of two days of the user
    stage.clock.passes(9 * HOUR)
    stage.passes(1)
    if stage.last.ending is None:
        stage.last.dreams(stage.home)
    stage.passes(1)
    nights = [one for one in stage.started if one.job.nights]
    assert nights or not stage.home.first.due()


def test_a_clock_that_is_set_back_or_forth(stage: Stage) -> None:
    stage.home.says("it rains in Cork")
    stage.passes(11 * MINUTE)
    stage.last.dreams(stage.home)
    stage.passes(1)
    stage.clock.wall -= timedelta(days=40)
    stage.home.says("said under the wrong clock")
    stage.passes(20 * MINUTE, steps=20)
    assert len(stage.started) == 2
    stage.last.dreams(stage.home)
    stage.passes(1)
    stage.clock.wall += timedelta(days=80)
    stage.passes(16 * MINUTE, steps=4)
    stage.home.says("and under another")
    stage.passes(30 * MINUTE, steps=30)
    assert len(stage.started) == 3
    stage.last.dreams(stage.home)
    stage.passes(1)
    assert not stage.home.first.parts.store.undreamed_times("default")


def test_a_second_resident_stands_by_and_takes_over(stage: Stage) -> None:
    stage.passes(1)
    other = stage.another()
    assert other.turn() > 0
    other._show()
    assert other.state().role == "stands_by"
    assert "takes over" in stage.told[-1]
    told = len(stage.told)
    other.turn()
    assert len(stage.told) == told  # once
    found = standing(stage.home.first.parts.home)
    assert found is not None
    assert (found.role, found.triggers) == ("dreams", ("clock", "idle"))
    stage.resident._leave()
    assert standing(stage.home.first.parts.home) is None
    stage.home.says("who is there")
    stage.clock.passes(11 * MINUTE)
    other.turn()
    assert other._role == "dreams"
    assert len(stage.started) == 1
    other._running = None
    other._lock.let_go()


def test_the_end_of_the_server_stops_the_dream(stage: Stage) -> None:
    stage.home.says("the door is painted blue")
    stage.passes(11 * MINUTE)
    stage.last.ending = PREEMPTED
    stage.resident._leave()
    assert stage.last.stopped == 1
    state = stage.resident.state()
    assert (state.counts.stopped, state.counts.preempted, state.counts.failed) == (1, 0, 0)


def test_the_thread_goes_on_after_what_nobody_expected(stage: Stage) -> None:
    stage.home.says("hello")
    stage.passes(1)

    def broken() -> list[str]:
        raise ValueError("nobody expected this")

    stage.home.names = broken  # type: ignore[method-assign]
    assert stage.resident._safely() > 0
    assert stage.resident._safely() > 0
    assert sum("nobody expected this" in words for words in stage.told) == 1


def test_it_runs_beside_the_server_and_ends_with_it(stage: Stage) -> None:
    with stage.resident.running(dreams=True):
        pass
    assert stage.resident.state().role == "stopped"
    other = stage.another()
    with other.running(dreams=False):
        assert other.state().role == "off"
    assert "--no-dreams" in stage.told[-1]
    assert standing(stage.home.first.parts.home) is None
