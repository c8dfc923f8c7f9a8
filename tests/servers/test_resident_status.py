"""`slowwave status` tells which process dreams by itself, and when it does next."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from slowwave.cli.main import run
from slowwave.servers.resident import Dreaming, ResidentState, SpaceState
from slowwave.servers.resident.lock import HomeLock

SINCE = datetime(2031, 3, 9, 4, tzinfo=UTC)
STATE = ResidentState(
    role="dreams", pid=4711, since=SINCE, triggers=("clock", "idle"),
    spaces=(SpaceState(space="default", next=datetime(2031, 3, 9, 18, tzinfo=UTC)),),
)  # fmt: skip


@pytest.fixture
def lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[HomeLock]:
    assert run(["--home", str(tmp_path), "log", "a word"]) == 0
    capsys.readouterr()
    made = HomeLock(tmp_path)
    yield made
    made.let_go()


def status(lock: HomeLock, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert run(["--home", str(lock._path.parent), "status", *more]) == 0
    return capsys.readouterr().out


def test_without_one(lock: HomeLock, capsys: pytest.CaptureFixture[str]) -> None:
    assert "by itself" not in status(lock, capsys)
    assert json.loads(status(lock, capsys, "--json"))["resident"] is None


def test_with_one(lock: HomeLock, capsys: pytest.CaptureFixture[str]) -> None:
    assert lock.take()
    lock.tell(STATE)
    assert "dreams by itself: process 4711: next 2031-03-09 18:00" in status(lock, capsys)
    found = json.loads(status(lock, capsys, "--json"))["resident"]
    assert (found["pid"], found["triggers"]) == (4711, ["clock", "idle"])
    now = Dreaming(space="default", trigger="idle", since=SINCE, pid=4712)
    lock.tell(msgspec.structs.replace(STATE, dreaming=now))
    assert "process 4711: now (idle)" in status(lock, capsys)
    lock.tell(msgspec.structs.replace(STATE, spaces=()))
    assert "process 4711: clock, idle" in status(lock, capsys)
