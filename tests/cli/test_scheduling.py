"""`slowwave schedule` on a machine whose systemctl and crontab are scripts of the test."""

import json
import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]

CRONTAB = """\
case "$1" in
-l) [ -f "$TABLE" ] && exec /bin/cat "$TABLE"; echo "no crontab for ana" >&2; exit 1;;
-) exec /bin/cat > "$TABLE";;
-r) exec /bin/rm "$TABLE";;
esac
"""
SYSTEMCTL = """\
verb="$2"; for unit; do :; done
case "$verb" in
enable|restart) : > "$STATE.$verb.$unit";;
disable) /bin/rm -f "$STATE".*."$unit";;
is-enabled) [ -e "$STATE.enable.$unit" ];;
is-active) [ -e "$STATE.restart.$unit" ];;
esac
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A user's folder on a machine with these programs and no others."""
    programs = {"crontab": CRONTAB, "systemctl": SYSTEMCTL}

    def make(*names: str) -> Path:
        where = tmp_path / "bin"
        where.mkdir()
        for name in names:
            script = where / name
            script.write_text(f"#!/bin/sh\n{programs[name]}")
            script.chmod(0o755)
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "TZ"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv("PATH", str(where))
        monkeypatch.setenv("HOME", str(tmp_path / "ana"))
        monkeypatch.setenv("TABLE", str(tmp_path / "table"))
        monkeypatch.setenv("STATE", str(tmp_path / "state"))
        monkeypatch.setattr(sys, "platform", "linux")
        return tmp_path / "ana"

    return make


@pytest.mark.parametrize("program", ["systemctl", "crontab"])
def test_install_show_remove(machine: Callable[..., Path], call: Call, program: str) -> None:
    machine(program)
    name = {"systemctl": "systemd", "crontab": "cron"}[program]
    code, made, err = call("schedule", "install")
    assert (code, made["installed"], made["scheduler"], made["at"]) == (0, True, name, "02:00")
    assert made["next_run"] == "2026-12-02T02:00:00+08:00"
    assert made["done"]
    assert err == ""
    assert all(Path(path).exists() for path in made["files"])

    _, again, _ = call("schedule", "install")
    assert again["done"] == []

    _, moved, _ = call("schedule", "install", "--at", "3:30")
    assert moved["done"]
    for arguments in (("schedule", "show"), ("schedule",)):
        code, shown, _ = call(*arguments)
        assert (code, shown["installed"], shown["active"]) == (0, True, True)
        assert (shown["scheduler"], shown["at"]) == (name, "03:30")
        assert shown["next_run"] == "2026-12-01T03:30:00+08:00"
        assert "dream" in shown["text"]

    _, gone, _ = call("schedule", "remove")
    assert gone["removed"]
    assert gone["files"] == made["files"]
    assert not any(Path(path).exists() for path in made["files"])
    assert call("schedule", "show")[1] == {"installed": False}
    code, gone, _ = call("schedule", "remove")
    assert (code, gone) == (0, {"removed": False, "files": [], "done": []})


def test_dry_runs_do_nothing(machine: Callable[..., Path], call: Call, tmp_path: Path) -> None:
    ana = machine("systemctl")
    _, said, _ = call("schedule", "install", "--dry-run")
    assert not said["installed"]
    assert not ana.exists()
    _, done, _ = call("schedule", "install")
    assert done["done"] == said["done"]
    before = sorted(path.name for path in tmp_path.rglob("*"))
    _, said, _ = call("schedule", "remove", "--dry-run")
    assert not said["removed"]
    assert said["done"]
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_it_makes_no_home(machine: Callable[..., Path], call: Call, tmp_path: Path) -> None:
    machine("crontab")
    for arguments in (("install",), ("show",), ("remove",)):
        assert call("schedule", *arguments)[0] == 0
    assert not (tmp_path / "home").exists()


def test_without_any_scheduler(machine: Callable[..., Path], call: Call) -> None:
    machine()
    code, answer, err = call("schedule", "install")
    assert (code, answer["error"]["type"]) == (1, "ScheduleError")
    assert "dream --due" in answer["error"]["hint"]
    assert err.count("\n") == 1
    for name in ("systemd", "launchd", "cron"):
        code, answer, _ = call("schedule", "install", "--print", "--with", name)
        assert (code, answer["installed"]) == (0, False)
        assert "--due" in answer["text"]
    assert call("schedule", "install", "--print")[0] == 0
    assert call("schedule", "show")[1] == {"installed": False}


@pytest.mark.parametrize("at", ["25:00", "2am", "", "02:60"])
def test_a_bad_time(machine: Callable[..., Path], call: Call, at: str) -> None:
    machine("crontab")
    code, answer, _ = call("schedule", "install", "--at", at)
    assert (code, answer["error"]["type"]) == (2, "UsageError")
    assert "02:00" in answer["error"]["hint"]


def crontab_of(table: Path) -> list[str]:
    """The words of the nightly line, as the shell behind cron splits them."""
    return shlex.split(table.read_text().splitlines()[0].replace("\\%", "%"), comments=True)


def test_what_was_said_is_said_every_night(
    machine: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine("crontab")
    monkeypatch.chdir(tmp_path)
    assert run(["--home", "my home", "--space", "tea 茶", "schedule", "install",
                "--tz", "Asia/Tokyo"]) == 0  # fmt: skip
    words = crontab_of(tmp_path / "table")
    assert words[words.index("--home") + 1] == str(tmp_path / "my home")
    assert words[words.index("--space") + 1] == "tea 茶"
    assert words[words.index("--tz") + 1] == "Asia/Tokyo"
    assert words[words.index("dream") :][:4] == ["dream", "--due", "--at", "02:00"]


@pytest.mark.parametrize(
    ("variable", "settings", "said"),
    [
        ("SLOWWAVE_TZ", "", True),
        ("SLOWWAVE_TZ", 'tz = "Asia/Tokyo"\n', True),
        ("TZ", "", True),
        # What stands in the settings is read every night: it may change.
        ("TZ", 'tz = "Asia/Tokyo"\n', False),
        ("HOME", "", False),
    ],
)
def test_the_zone_of_this_shell_goes_with_the_job(
    machine: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    settings: str,
    said: bool,
) -> None:
    machine("crontab")
    if variable != "HOME":
        monkeypatch.setenv(variable, "America/Asuncion")
    home = tmp_path / "h"
    home.mkdir()
    (home / "slowwave.toml").write_text(settings)
    assert run(["--home", str(home), "schedule", "install"]) == 0
    words = crontab_of(tmp_path / "table")
    assert ("--tz" in words) == said
    assert not said or words[words.index("--tz") + 1] == "America/Asuncion"


def test_two_homes_and_two_spaces_stand_side_by_side(
    machine: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("crontab")
    for arguments in (["--home", "a"], ["--home", "b"], ["--home", "b", "--space", "work"]):
        assert run([*arguments, "schedule", "install"]) == 0
    table = tmp_path / "table"
    assert len(table.read_text().splitlines()) == 6
    assert run(["--home", os.path.abspath("b"), "schedule", "remove"]) == 0
    left = table.read_text().splitlines()
    assert [line.count("--space") for line in left] == [1, 1, 0, 0]
    capsys.readouterr()


def test_for_people(machine: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    machine("systemctl")
    head = ["--home", "h", "--tz", "Asia/Shanghai", "--now", "2026-12-01T03:00", "schedule"]

    def said(*arguments: str) -> str:
        assert run([*head, *arguments]) == 0
        return capsys.readouterr().out

    assert "not scheduled: slowwave schedule install" in said()
    assert "nothing was done" in said("install", "--dry-run")
    assert "systemd runs every night at 02:00" in said("install")
    assert "already installed" in said("install")
    assert "next: 2026-12-02 02:00" in said("show")
    assert "Persistent=true" in said("install", "--print")
    assert "nothing was done" in said("remove", "--dry-run")
    assert said("remove").endswith("removed\n")
    assert "nothing to remove" in said("remove")


def test_a_timer_that_sleeps_is_said(
    machine: Callable[..., Path], call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    machine("systemctl")
    call("schedule", "install")
    for state in tmp_path.glob("state.*"):
        state.unlink()
    _, shown, _ = call("schedule", "show")
    assert (shown["active"], shown["next_run"]) == (False, None)
    assert run(["--home", str(tmp_path / "home"), "schedule"]) == 0
    assert "it is not running" in capsys.readouterr().out


def test_the_job_that_is_installed_dreams_each_night_once(
    machine: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Case 64: triggered again after eleven seconds, and every half hour after that."""
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    machine("crontab")
    head = ["--home", str(tmp_path / "h"), "--tz", "Asia/Shanghai"]
    for day in ("2026-11-27", "2026-11-29"):
        assert run([*head, "log", "my dentist is on the Lindenweg", "--ts", f"{day}T15:00"]) == 0
    assert run([*head, "schedule", "install", "--at", "00:30"]) == 0
    words = crontab_of(tmp_path / "table")
    job = words[words.index("slowwave") + 1 : words.index(">/dev/null")]
    capsys.readouterr()

    def nights(now: str) -> list[str]:
        assert run(["--json", "--now", f"2026-11-30T{now}", *job]) == 0
        return [made["date"] for made in json.loads(capsys.readouterr().out)]

    assert nights("00:29") == ["2026-11-27"]
    assert nights("00:30") == ["2026-11-29"]
    for again in ("00:30:11", "01:00", "01:30", "02:00", "23:59"):
        assert nights(again) == []
