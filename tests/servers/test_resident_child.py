"""The process of a dream: what it is asked, how it stops, what is told of its end; and the lock."""

import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from slowwave.errors import StoreError
from slowwave.model import Ask, Dream, Record, Reply
from slowwave.servers.resident import ResidentState, child, lock, sleeper, standing
from slowwave.servers.resident.job import Ending, Job, Made, Message, Staged
from slowwave.wiring import Options

NOW = "2031-03-10T03:00:00+08:00"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What a dream tells its server."""
    messages: list[Message] = []
    monkeypatch.setattr(sleeper, "say", messages.append)
    return messages


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "slowwave.toml").write_text('embedder = "none"\ntz = "Asia/Shanghai"\n', "utf-8")
    monkeypatch.setenv("SLOWWAVE_HOME", str(folder))
    return folder


def filled(home: Path, *said: tuple[str, str]) -> Job:
    """A job of a home in which this was said, each at a moment."""
    job = Job(options=Options(home=str(home), now=NOW), nights=True, today=True)
    memory = sleeper.opened(job, sleeper.Stop())
    memory.log(
        [Record(text=text, source="chat", ts=datetime.fromisoformat(ts)) for ts, text in said]
    )
    memory.close()
    return job


YESTERDAY = ("2031-03-09T11:00:00+08:00", "I am allergic to kiwis")
TODAY = ("2031-03-10T00:30:00+08:00", "I live in Tartu now")


def test_nights_then_the_running_day(home: Path, said: list[Message]) -> None:
    job = filled(home, YESTERDAY, TODAY)
    ending = sleeper._ended(job, sleeper.Stop())
    assert ending == Ending(outcome="done")
    made = [one for one in said if isinstance(one, Made)]
    assert [(one.date, one.status, one.events) for one in made] == [
        ("2031-03-09", "applied", 1), ("2031-03-10", "applied", 1)
    ]  # fmt: skip
    assert any(isinstance(one, Staged) and one.name == "collect" for one in said)


@pytest.mark.parametrize("stage", ["collect", "distill", "verify", "reconcile", "promote"])
def test_stopped_behind_any_stage_it_goes_on_and_comes_to_the_same(
    home: Path, said: list[Message], monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    job = filled(home, YESTERDAY, TODAY)
    stop = sleeper.Stop()

    def hear(message: Message) -> None:
        if isinstance(message, Staged) and message.name == stage:
            stop.ask()

    monkeypatch.setattr(sleeper, "say", hear)
    assert sleeper._ended(job, stop) == Ending(outcome="preempted")
    memory = sleeper.opened(job, sleeper.Stop())
    assert not memory.dreams()
    assert not memory.memories()
    assert not (home / "vault" / "dream_logs" / "error").exists()
    memory.close()
    monkeypatch.setattr(sleeper, "say", said.append)
    assert sleeper._ended(job, sleeper.Stop()) == Ending(outcome="done")
    assert len([one for one in said if isinstance(one, Made)]) == 2


def test_cut_off_between_the_plan_and_its_application_it_is_taken_up(
    home: Path, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    job = filled(home, YESTERDAY, TODAY)

    def cut(*_given: object, **_more: object) -> Dream:
        raise sleeper.Stopped

    with monkeypatch.context() as patch:
        patch.setattr(sleeper.Sleeping, "apply", cut)
        assert sleeper._ended(job, sleeper.Stop()).outcome == "preempted"
        assert sleeper._ended(
            msgspec.structs.replace(job, nights=False), sleeper.Stop()
        ).outcome == "preempted"  # fmt: skip
    memory = sleeper.opened(job, sleeper.Stop())
    assert [head.status for head in memory.dreams()] == ["planned", "planned"]
    assert [day.isoformat() for day in memory.due()] == ["2031-03-09"]
    assert len(memory.unread_today()) == 1
    memory.close()
    assert sleeper._ended(job, sleeper.Stop()).outcome == "done"
    made = [(one.date, one.status) for one in said if isinstance(one, Made)]
    assert made == [("2031-03-09", "applied"), ("2031-03-10", "applied")]
    memory = sleeper.opened(job, sleeper.Stop())
    standing = [head.status for head in memory.dreams() if not head.replaced_by]
    assert standing == ["applied", "applied"]
    assert not memory.parts.store.undreamed_times(memory.space)
    memory.close()


def test_what_is_being_applied_is_applied_to_the_end() -> None:
    stop = sleeper.Stop()
    with stop.shield():
        stop.ask()
        stop.here()
    with pytest.raises(sleeper.Stopped):
        stop.here()


def test_a_model_has_a_share_of_its_time(home: Path) -> None:
    (home / "slowwave.toml").write_text('embedder = "none"\n[model]\ntimeout = 90\n', "utf-8")
    job = Job(options=Options(home=str(home)), patience=0.5)
    memory = sleeper.opened(job, sleeper.Stop())
    assert memory.parts.settings.model.timeout == 45
    memory.close()


def test_without_a_model_a_night_that_needs_one_fails_and_a_lite_one_does_not(
    home: Path, said: list[Message]
) -> None:
    job = filled(home, TODAY)
    (home / "slowwave.toml").write_text(
        'embedder = "none"\ntz = "Asia/Shanghai"\n[model]\ndistiller = "llm"\n', "utf-8"
    )
    failed = sleeper._ended(job, sleeper.Stop())
    assert (failed.outcome, failed.error, failed.recorded) == ("failed", "SettingsError", False)
    assert failed.hint
    lite = msgspec.structs.replace(job, lite=True)
    assert sleeper._ended(lite, sleeper.Stop()).outcome == "done"
    assert any(isinstance(one, Made) for one in said)


def test_broken_settings_are_told(home: Path) -> None:
    (home / "slowwave.toml").write_text("[resident]\nat = '25:00'\n", "utf-8")
    ending = sleeper._ended(Job(options=Options(home=str(home)), today=True), sleeper.Stop())
    assert (ending.outcome, ending.error) == ("failed", "SettingsError")
    assert "resident.at" in ending.message


def test_parts_that_a_model_owes_make_it_unfinished(
    home: Path, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    del said
    job = filled(home, TODAY)
    monkeypatch.setattr(
        sleeper, "made_of", lambda _dream: Made(dream_id="d", date="x", status="applied", pending=2)
    )
    assert sleeper._ended(job, sleeper.Stop()).outcome == "unfinished"


def test_in_mode_review_the_plan_waits(home: Path, said: list[Message]) -> None:
    job = filled(home, YESTERDAY, TODAY)
    with (home / "slowwave.toml").open("a", encoding="utf-8") as file:
        file.write('[dream]\nmode = "review"\n')
    assert sleeper._ended(job, sleeper.Stop()).outcome == "done"
    made = [(one.date, one.status) for one in said if isinstance(one, Made)]
    assert made == [("2031-03-09", "planned")]  # the running day waits for what becomes of it


def test_stopped_while_a_model_is_asked_costs_no_attempt(
    home: Path, said: list[Message], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that was waited for when the user came back is nobody's fault."""
    from slowwave.modelling import unfinished

    del said
    job = filled(home, TODAY)
    (home / "slowwave.toml").write_text(
        'embedder = "none"\ntz = "Asia/Shanghai"\n[model]\ndistiller = "llm"\n', "utf-8"
    )
    real = sleeper.opened

    class Silent:
        """Never answers; it is waited for when the dream is stopped."""

        name, local = "silent", True

        def complete(self, ask: Ask) -> Reply:
            del ask
            raise sleeper.Stopped

    def with_model(job: Job, stop: sleeper.Stop) -> sleeper.Sleeping:
        memory = real(job, stop)
        memory.parts = replace(memory.parts, model=Silent)
        return memory

    monkeypatch.setattr(sleeper, "opened", with_model)
    assert sleeper._ended(job, sleeper.Stop()).outcome == "preempted"
    memory = real(job, sleeper.Stop())
    marks = unfinished.marks(memory.parts.store, memory.space)
    assert [mark.attempts for mark in marks.values()] == [0]
    memory.close()


def test_a_store_that_is_gone_is_told(home: Path, said: list[Message]) -> None:
    del said
    (home / "slowwave.db").write_bytes(b"no database at all" * 500)
    ending = sleeper._ended(Job(options=Options(home=str(home)), today=True), sleeper.Stop())
    assert ending.outcome == "failed"
    assert ending.message


# --- the same process, seen from outside


@pytest.fixture
def ended() -> threading.Event:
    return threading.Event()


def run(code: str, monkeypatch: pytest.MonkeyPatch, ended: threading.Event) -> child.Child:
    """A child that runs this instead of a dream."""
    monkeypatch.setattr(child, "COMMAND", ("-S", "-E", "-c", code))
    return child.Child(Job(options=Options()), None, ended.set)


def test_what_a_process_tells_is_heard(
    monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    made = msgspec.json.encode(Made(dream_id="d1", date="2031-03-09", status="applied"))
    lines = (b'{"type":"stage","name":"verify"}', b"something printed", made,
             b'{"type":"end","outcome":"done"}')  # fmt: skip
    told = b"\n".join(lines)
    code = f"import sys; sys.stdin.readline(); sys.stdout.buffer.write({told!r})"
    process = run(code, monkeypatch, ended)
    assert process.wait(20) == Ending(outcome="done")
    assert ended.wait(5)
    assert (process.stage, [one.dream_id for one in process.made]) == ("verify", ["d1"])
    assert process.poll() == Ending(outcome="done")
    process.stop()  # too late, and no harm
    process.kill()


def test_a_process_that_breaks_says_why(
    monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    ending = run("raise ValueError('odd ' * 3)", monkeypatch, ended).wait(20)
    assert ending is not None
    assert (ending.outcome, ending.recorded) == ("failed", False)
    assert "ended with 1: ValueError: odd odd odd" in ending.message


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_process_that_is_killed_by_others_has_failed(
    monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    process = run("import time; time.sleep(60)", monkeypatch, ended)
    os.kill(process.pid, signal.SIGKILL)
    ending = process.wait(20)
    assert ending is not None
    assert (ending.outcome, ending.message) == (
        "failed", "the process of the dream was ended by signal 9"
    )  # fmt: skip


def test_one_that_was_asked_to_stop_was_preempted(
    monkeypatch: pytest.MonkeyPatch, ended: threading.Event
) -> None:
    process = run("import sys; sys.stdin.read()", monkeypatch, ended)
    assert process.poll() is None
    process.stop()
    assert process.wait(20) == Ending(outcome="preempted")


# --- the lock


@pytest.fixture
def locks(tmp_path: Path) -> Iterator[tuple[lock.HomeLock, lock.HomeLock]]:
    pair = lock.HomeLock(tmp_path), lock.HomeLock(tmp_path)
    yield pair
    for one in pair:
        one.let_go()


def test_one_resident_of_a_home(locks: tuple[lock.HomeLock, lock.HomeLock], tmp_path: Path) -> None:
    first, second = locks
    assert standing(tmp_path) is None
    assert first.take()
    assert first.take()
    assert not second.take()
    first.let_go()
    assert second.take()
    assert not first.take()


def test_what_it_tells_is_read_by_others(
    locks: tuple[lock.HomeLock, lock.HomeLock], tmp_path: Path
) -> None:
    first, _ = locks
    state = ResidentState(role="dreams", pid=7, since=datetime(2031, 3, 9, tzinfo=UTC), by=123456)
    first.tell(state)  # it does not hold the lock: nothing is written
    assert first.take()
    assert standing(tmp_path) is None  # nothing is told yet
    first.tell(state)
    shorter = msgspec.structs.replace(state, by=0)
    first.tell(shorter)
    assert standing(tmp_path) == shorter
    first.let_go()
    assert standing(tmp_path) is None


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may do all")
def test_a_home_that_cannot_be_locked(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError):
        lock.HomeLock(tmp_path).take()
    tmp_path.chmod(0o700)


def test_a_folder_in_the_place_of_the_lock(tmp_path: Path) -> None:
    (tmp_path / lock.NAME).mkdir()
    with pytest.raises(StoreError):
        lock.HomeLock(tmp_path).take()
    assert standing(tmp_path) is None
