"""`slowwave vault`: the contract's answer, and exit codes that a script can rely on."""

import json
import re
from pathlib import Path

import pytest

from slowwave.cli.main import run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    assert run(["--now", "2031-05-01T10:00:00+08:00", "log", "I am allergic to hazelnuts"]) == 0
    assert run(["--now", "2031-05-02T03:00:00+08:00", "dream", "--apply"]) == 0
    return tmp_path / "home"


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict]:
    capsys.readouterr()
    code = run([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.usefixtures("home")
def test_in_step_after_a_night(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["vault"], ["vault", "check"], ["vault", "sync"]):
        code, found = answer(capsys, *command)
        assert code == 0
        assert (found["written"], found["imported"], found["conflicts"]) == ([], [], [])
    assert run(["vault"]) == 0
    assert "in step" in capsys.readouterr().out


def test_an_edit(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = home / "vault/MEMORY.md"
    page.write_text(page.read_text("utf-8").replace("hazelnuts", "hazelnuts and figs"), "utf-8")
    code, found = answer(capsys, "vault", "check")
    assert code == 1
    assert [edit["what"] for edit in found["imported"]] == ["edited"]
    assert run(["vault", "check"]) == 1
    shown = capsys.readouterr().out
    assert "would be edited" in shown
    assert "figs" in shown
    code, found = answer(capsys, "vault", "sync")
    assert code == 0
    assert found["imported"][0]["after"] == "I am allergic to hazelnuts and figs"
    code, found = answer(capsys, "recall", "what am I allergic to")
    assert "figs" in found["results"][0]["text"]
    assert answer(capsys, "vault", "check")[0] == 0


def test_a_clash_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = home / "vault/MEMORY.md"
    page.write_text(page.read_text("utf-8").replace("<!-- slowwave:end -->", ""), "utf-8")
    code, found = answer(capsys, "vault", "sync")
    assert code == 3
    assert found["conflicts"][0]["file"] == "MEMORY.md"
    assert answer(capsys, "vault", "check")[0] == 1


def test_what_cannot_be_understood(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    entry = next((home / "vault/long_term").glob("*/*.md"))
    body = re.sub(r"importance: \d+", "importance: 640", entry.read_text("utf-8"))
    entry.write_text(body, "utf-8")
    for command, code in (("check", 1), ("sync", 3), ("check", 1)):
        assert answer(capsys, "vault", command)[0] == code
        assert run(["vault", command]) == code
        shown = capsys.readouterr().out
        assert "not understood: " in shown
        assert "640" in shown
        assert "would be" not in shown
    code, found = answer(capsys, "doctor")
    assert code == 1
    assert [problem["check"] for problem in found["problems"]] == ["vault"]
    assert entry.read_text("utf-8") == body


def test_one_sync_is_told_as_one_change_set(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = home / "vault/MEMORY.md"
    edited = page.read_text("utf-8").replace("hazelnuts", "figs\n- The kiln is sold\n- Odile drums")
    page.write_text(edited, "utf-8")
    capsys.readouterr()
    assert run(["vault", "sync"]) == 0
    shown = capsys.readouterr().out
    [dream_id] = re.findall(r"one change set: (d\w+)", shown)
    assert run(["dreams", "rollback", dream_id]) == 0
    _, known = answer(capsys, "memories")
    assert [one["text"] for one in known] == ["I am allergic to hazelnuts"]


def test_a_check_needs_a_home(tmp_path: Path) -> None:
    assert run(["--home", str(tmp_path / "none"), "vault", "check"]) == 1
    assert not (tmp_path / "none").exists()


def test_by_hand_commands_keep_the_files_in_step(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, known = answer(capsys, "memories")
    code, _ = answer(capsys, "memories", "pin", known[0]["id"])
    assert code == 0
    assert answer(capsys, "vault", "check")[0] == 0
    entry = next((home / "vault/long_term").glob("*/*.md"))
    assert "pinned: true" in entry.read_text("utf-8")


def test_forgetting_takes_the_files_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, known = answer(capsys, "memories")
    assert run(["forget", known[0]["id"], "--yes"]) == 0
    for path in home.rglob("*"):
        if path.is_file():
            assert b"hazelnuts" not in path.read_bytes(), path
