"""What holds on every scheduler, and which of them is picked."""

import subprocess
import sys
from collections.abc import Callable
from datetime import time
from pathlib import Path
from typing import Any

import pytest

from slowwave.adapters.schedule import BACKENDS, Nightly, pick, run_program
from slowwave.errors import ScheduleError, UsageError

Make = Callable[..., Nightly]
Tree = Callable[[], dict[str, bytes]]
KINDS = {"linux": "systemd", "darwin": "launchd", "cron": "cron"}


@pytest.mark.parametrize(("kind", "name"), KINDS.items())
def test_picks_what_the_machine_has(nightly: Make, kind: str, name: str) -> None:
    one = nightly(kind)
    assert pick(one.job, one.machine) == name
    assert one.install()[0] == name


def test_a_container_with_systemctl_but_no_manager(nightly: Make, recorder: Any) -> None:
    recorder.broken["systemctl"] = b"Failed to connect to bus: No medium found\n"
    assert nightly("linux").install()[0] == "cron"
    with pytest.raises(ScheduleError, match="no systemd user manager"):
        nightly("linux").install("systemd")


def test_nothing_at_all_says_what_to_run(nightly: Make, files: Tree) -> None:
    one = nightly("bare", home="/home/ana/my memories")
    with pytest.raises(ScheduleError) as caught:
        one.install()
    assert "'/home/ana/my memories' dream --due" in caught.value.hint
    assert one.show() is None
    assert one.remove() == ()
    assert "@reboot" in one.text()
    assert files() == {}
    with pytest.raises(UsageError):
        one.text("fcron")


@pytest.mark.parametrize("kind", KINDS)
def test_the_life_of_a_job(nightly: Make, recorder: Any, files: Tree, kind: str) -> None:
    name, paths, _ = nightly(kind).install()
    assert all(path.exists() for path in paths)
    assert recorder.changes()
    first = files(), recorder.crontab, set(recorder.on)

    again = nightly(kind)
    assert again.install()[:2] == (name, paths)
    assert again.machine.done == recorder.changes() == []
    shown = again.show()
    assert shown
    assert (shown.scheduler, shown.at, shown.active) == (name, "02:00", True)

    moved = nightly(kind, at=time(3, 30))
    moved.install()
    assert recorder.changes()
    shown = moved.show()
    assert shown
    assert (shown.at, shown.active) == ("03:30", True)
    assert files().keys() == first[0].keys()
    nightly(kind).install()
    assert (files(), recorder.crontab, recorder.on) == first

    gone = nightly(kind).remove()
    assert gone == paths
    assert not [path for path, body in files().items() if body]
    assert (recorder.crontab, recorder.on) == (None, set())
    recorder.changes()
    assert nightly(kind).show() is None
    nightly(kind).remove()
    assert recorder.changes() == []


@pytest.mark.parametrize("kind", KINDS)
def test_two_homes_do_not_meet(nightly: Make, recorder: Any, files: Tree, kind: str) -> None:
    one = nightly(kind, home="/home/ana/a", key="ka", at=time(1))
    one.install()
    before = files(), recorder.crontab, set(recorder.on)
    two = nightly(kind, home="/home/ana/b", key="kb", at=time(4))
    two.install()
    shown = one.show(), two.show()
    assert [each and each.at for each in shown] == ["01:00", "04:00"]
    two.remove()
    assert (files(), recorder.crontab, recorder.on) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_dry_run_touches_nothing(
    nightly: Make, recorder: Any, files: Tree, kind: str, tmp_path: Path
) -> None:
    dry = nightly(kind, dry=True)
    dry.install()
    assert dry.machine.done
    assert recorder.changes() == []
    assert not (tmp_path / "ana").exists()
    wet = nightly(kind)
    wet.install()
    assert wet.machine.done == dry.machine.done
    before = files(), recorder.crontab, set(recorder.on)
    recorder.changes()
    removing = nightly(kind, dry=True)
    removing.remove()
    assert removing.machine.done
    assert recorder.changes() == []
    assert (files(), recorder.crontab, recorder.on) == before


@pytest.mark.parametrize("name", BACKENDS)
def test_a_dry_run_of_a_named_scheduler_works_anywhere(nightly: Make, name: str) -> None:
    assert nightly("bare", dry=True).install(name)[0] == name


def test_another_scheduler_takes_over(nightly: Make, recorder: Any, files: Tree) -> None:
    nightly("linux").install()
    nightly("linux").install("cron")
    assert not [path for path, body in files().items() if body]
    assert recorder.crontab
    nightly("linux").install("systemd")
    assert recorder.crontab is None


@pytest.mark.parametrize("name", ["a\nb", "a\rb", "a\0b", "a\x1bb", "a\udcffb"])
def test_a_name_that_no_scheduler_can_carry(nightly: Make, name: str) -> None:
    with pytest.raises(ScheduleError):
        nightly(home=f"/home/{name}")


def test_a_folder_that_cannot_be_written(nightly: Make, tmp_path: Path) -> None:
    (tmp_path / "ana").write_text("no folder")
    with pytest.raises(ScheduleError) as caught:
        nightly().install()
    assert caught.value.hint


def test_the_runner_of_a_real_machine_never_raises() -> None:
    ran = run_program((sys.executable, "-c", "print(input()); raise SystemExit(3)"), b"word\n")
    assert (ran.code, ran.out.split()) == (3, [b"word"])
    assert run_program(("/no/such/program",), b"").code == 127


def test_a_program_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_given: Any, **_named: Any) -> None:
        raise subprocess.TimeoutExpired("systemctl", 60)

    monkeypatch.setattr(subprocess, "run", hang)
    assert run_program(("systemctl",), b"").code == 124
