"""What a command says when it is called a little wrong, or twice."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.model import Record
from slowwave.wiring import Options, open_memory

Call = Callable[..., tuple[int, Any, str]]


@pytest.mark.usefixtures("made_home")
@pytest.mark.parametrize("command", ["recall", "context"])
def test_a_caller_named_by_the_environment_is_blamed_there(
    call: Call, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    assert call(command, "tea", "--caller", "robot")[1]["error"]["message"].startswith(
        "Invalid value for '--caller'"
    )
    monkeypatch.setenv("SLOWWAVE_CALLER", "robot")
    code, answer, _ = call(command, "tea")
    assert (code, answer["error"]["message"]) == (2, "SLOWWAVE_CALLER is 'robot'")
    assert "--caller" not in str(answer)
    assert "person, agent, job" in answer["error"]["hint"]
    assert call(command, "tea", "--caller", "job")[0] == 0
    monkeypatch.setenv("SLOWWAVE_CALLER", "")
    assert call(command, "tea")[0] == 0


@pytest.mark.usefixtures("made_home")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--match", ""), "no text was given"),
        (("--match", " \t"), "no text was given"),
        (("",), "no id was given"),
        ((" ", "--yes"), "no id was given"),
        (("--match", "", "--dry-run"), "no text was given"),
    ],
)
def test_nothing_to_forget_is_told_before_anything_else(
    call: Call, arguments: tuple[str, ...], told: str
) -> None:
    code, answer, _ = call("forget", *arguments)
    assert (code, answer["error"]["message"]) == (2, told)


def test_a_trial_that_is_started_again_says_so(
    call: Call, made_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("trial", "start")[1]["was_running"] is False
    again = call("trial", "start", "--days", "2")[1]
    assert again["was_running"] is True
    clock = ("--tz", "Asia/Shanghai", "--now", "2026-12-01T03:00:00+08:00")
    run(["--home", str(made_home), *clock, "trial", "start"])
    said = capsys.readouterr().out
    assert "a trial ran already, from 2026-12-01 03:00 to 2026-12-03 03:00" in said
    call("trial", "stop")
    assert call("trial", "start")[1]["was_running"] is False


def test_a_removed_file_is_not_told_as_written(call: Call, tmp_path: Path) -> None:
    call("log", "I am allergic to hazelnuts", "--ts", "2026-11-29T10:00:00+08:00")
    call("dream", "--date", "all", "--apply")
    [kept] = call("memories")[1]
    [file] = (tmp_path / "home" / "vault" / "long_term").rglob("*.md")
    home = Options(home=str(tmp_path / "home"), now="2026-12-01T03:00:00+08:00")
    with closing(open_memory(home, {"SLOWWAVE_EMBEDDER": "none"})) as memory:
        # As after a crash between the change and its files.
        memory._in_step = lambda applied: applied  # type: ignore[method-assign]
        memory.by_hand("demote", kept["id"])
    checked = call("vault", "check")
    assert checked[0] == 1
    done = call("vault", "sync")[1]
    assert done["removed"] == checked[1]["removed"]
    assert [Path(name).name for name in done["removed"]] == [file.name]
    assert done["removed"][0].startswith("long_term/")
    assert not set(done["removed"]) & set(done["written"])
    assert any(name.startswith("cold/") for name in done["written"])


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
@pytest.mark.parametrize("arguments", [("log", "hello"), ("working", "add", "hello")])
def test_what_cannot_be_written_is_told_once(
    process: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    def no_growth() -> None:
        import resource  # not everywhere

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    home = Options(home=str(tmp_path / "home"))
    with closing(open_memory(home, {"SLOWWAVE_EMBEDDER": "none"})) as memory:
        memory.log([Record(text="the key hangs behind the barometer", source="me")])
    done = process(*arguments, "--json", preexec_fn=no_growth)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert b"Traceback" not in done.stderr
    assert json.loads(done.stdout)["error"]["hint"]


@pytest.mark.parametrize(
    "arguments",
    [("import", ""), ("import", "a.jsonl", " "), ("init", "--workspace", ""), ("export", ""),
     ("demo", "--keep", "")],
)  # fmt: skip
def test_an_empty_path_is_not_this_folder(call: Call, arguments: tuple[str, ...]) -> None:
    code, answer, _ = call(*arguments)
    assert code == 2
    assert "the path is empty" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [(("recal", "tea"), "recall"), (("memoires",), "memories"), (("expert", "x"), "export")],
)
def test_a_slip_in_a_command_is_understood(
    call: Call, arguments: tuple[str, ...], meant: str
) -> None:
    code, answer, _ = call(*arguments)
    assert code == 2
    assert f"did you mean `{meant}`?" in answer["error"]["hint"]
    assert "did you mean" not in call("qqqq")[1]["error"]["hint"]


def test_commands_that_only_read_or_repair_make_no_home(call: Call, tmp_path: Path) -> None:
    for arguments in (("vault", "sync"), ("vault",), ("export", str(tmp_path / "x.jsonl"))):
        assert call(*arguments)[0] == 1, arguments
    assert not (tmp_path / "home").exists()


def test_a_home_keeps_the_preset_it_has(call: Call, tmp_path: Path) -> None:
    assert call("init", "--preset", "nightly")[1]["preset"] == "nightly"
    assert call("init", "--preset", "nightly")[0] == call("init")[0] == 0
    code, answer, _ = call("init", "--preset", "recall")
    assert (code, "preset nightly" in answer["error"]["message"]) == (2, True)
    assert 'preset = "recall"' in answer["error"]["hint"]
    assert 'preset = "nightly"' in (tmp_path / "home" / "slowwave.toml").read_text()


def test_without_a_terminal_no_editor_is_opened(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("click.edit", lambda _: pytest.fail("an editor was opened"))
    call("log", "I am allergic to hazelnuts", "--ts", "2026-11-29T10:00:00+08:00")
    call("dream", "--date", "all", "--apply")
    code, answer, _ = call("memories", "edit", call("memories")[1][0]["id"])
    assert (code, "no terminal" in answer["error"]["message"]) == (2, True)


@pytest.mark.usefixtures("made_home")
def test_there_is_nothing_to_tell_of_an_empty_memory(
    capsys: pytest.CaptureFixture[str], made_home: Path
) -> None:
    assert run(["--home", str(made_home), "stats"]) == 0
    assert capsys.readouterr().out == "nothing to tell yet: no memories\n"
