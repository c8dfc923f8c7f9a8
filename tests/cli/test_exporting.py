"""`slowwave export`: to a file and back through the front door."""

import gzip
import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]

SAID = (
    ("2026-11-27T09:00:00+08:00", "I live in Ghent, near the tannery", "r-1"),
    ("2026-11-28T23:30:00+08:00", "My sister Wanda is allergic to walnuts", "r-2"),
    ("2026-11-30T10:00:00+08:00", "我的车停在北门车库\n就在电梯旁边 --> 左边", "r-3"),
)


@pytest.fixture
def home(call: Call) -> Call:
    """A home that was lived in: dreamed, corrected, undone, forgotten, asked."""
    lines = [json.dumps({"ts": ts, "text": text, "ref": ref}) for ts, text, ref in SAID]
    call("log", "--stdin", stdin="\n".join(lines))
    call("log", "Call me at the boathouse", "--ts", "2026-11-29T10:00:00+08:00")
    call("dream", "--date", "all", "--apply")
    made = call("wrong", "r-2", "--right", "My sister Wanda is allergic to hazelnuts", "--apply")[1]
    call("dreams", "rollback", made["correction"]["dream_id"])
    call("wrong", "r-1", "--right", "I live in Bruges")
    call("forget", "--match", "boathouse", "--yes")
    call("context", "what is Wanda allergic to")
    call("recall", "Wanda")
    call("working", "add", "call the bank")
    return call


def without_header(path: Path) -> list[bytes]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as file:
        return list(file.read().splitlines()[1:])


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz", "all.md"])
def test_everything_comes_back_in_another_home(
    home: Call, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    plain, file = tmp_path / "plain.jsonl", tmp_path / name
    home("export", str(plain))
    code, told, _ = home("export", str(file))
    assert (code, told["file"]) == (0, str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    clock = ("--tz", "Asia/Shanghai", "--now", "2026-12-01T03:00:00+08:00")
    other = ("--home", str(tmp_path / "other"), *clock, "--json")
    assert run([*other, "import", str(file)]) == 0
    [report] = json.loads(capsys.readouterr().out)["files"]
    assert (report["format"], report["events"], report["memories"]) == (
        "slowwave", told["events"], told["memories"]
    )  # fmt: skip
    back = tmp_path / "back.jsonl"
    run([*other, "export", str(back)])
    assert without_header(back) == without_header(plain)
    capsys.readouterr()
    run([*other, "vault", "check"])
    assert json.loads(capsys.readouterr().out)["conflicts"] == []
    run([*other, "doctor"])
    assert json.loads(capsys.readouterr().out)["ok"]
    run([*other, "why", "r-2"])
    assert "walnuts" in json.loads(capsys.readouterr().out)["memory"]["text"]
    run([*other, "recall", "Wanda"])
    assert "walnuts" in json.loads(capsys.readouterr().out)["results"][0]["text"]
    # What was forgotten stays so, and the file can be read once more.
    run([*other, "import", str(file)])
    assert json.loads(capsys.readouterr().out)["files"][0]["state"] == "unchanged"
    assert "boathouse" not in plain.read_text()


def test_events_of_an_export_are_event_lines_of_anybody(home: Call, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    home("export", str(file))
    events = [line for line in map(json.loads, file.read_text().splitlines()) if "text" in line]
    assert {"r-1", "r-2", "r-3"} <= {event.get("ref") for event in events}
    assert events[0]["ts"] == SAID[0][0]


def test_nothing_is_overwritten_unasked(home: Call, tmp_path: Path) -> None:
    file = tmp_path / "all.jsonl"
    file.write_text("mine")
    code, told, _ = home("export", str(file))
    assert (code, told["error"]["type"]) == (1, "InputError")
    assert "--force" in told["error"]["hint"]
    assert file.read_text() == "mine"
    assert home("export", str(file), "--force")[0] == 0
    assert file.read_text().startswith('{"slowwave":')
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((".",), 1),
        (("nowhere/all.jsonl",), 1),
        (("-",), 2),
        (("days.yaml",), 2),
        (("x.jsonl", "--date", "today", "--format", "jsonl"), 2),
        (("x.yaml", "--date", "someday"), 2),
        (("x.yaml", "--date", "2020-01-01"), 1),
        (("x", "--format", "pdf"), 2),
        ((), 2),
    ],
)
def test_a_wrong_call_says_what_to_do(
    home: Call,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    found, told, _ = home("export", *arguments)
    assert (found, bool(told["error"]["hint"])) == (code, True)


def test_without_a_home_there_is_nothing_to_export(call: Call, tmp_path: Path) -> None:
    assert call("export", str(tmp_path / "all.jsonl"))[0] == 1
    assert not (tmp_path / "home").exists()


def test_the_day_files(home: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "short_term"
    told = home("export", str(folder), "--format", "claw-yaml")[1]
    assert told["files"] == sorted(file.name for file in folder.iterdir())
    assert "2026-11-28-events.yaml" in told["files"]
    assert home("export", str(folder), "--format", "claw-yaml")[0] == 1
    one = tmp_path / "one.yaml"
    assert home("export", str(one), "--date", "2026-11-28")[1]["events"] == 1
    assert one.read_bytes() == (folder / "2026-11-28-events.yaml").read_bytes()
    run(["--home", str(tmp_path / "other"), "--tz", "UTC", "--json", "import", str(folder)])
    files = json.loads(capsys.readouterr().out)["files"]
    assert {file["format"] for file in files} == {"claw-yaml"}
    assert sum(file["events"] for file in files) == told["events"]


def test_to_stdout_and_on(home: Call, tmp_path: Path, process: Callable[..., Any]) -> None:
    done = process("export", "-")
    assert done.returncode == 0
    piped = tmp_path / "piped.jsonl"
    piped.write_bytes(done.stdout)
    named = tmp_path / "named.jsonl"
    home("export", str(named))
    assert without_header(piped) == without_header(named)
