"""Docs are tests: the reference is fresh, every command is named, the shown commands run."""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from slowwave.cli.main import COMMANDS, command_at, run
from slowwave.cli.reference import page, walk

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_reference_is_fresh() -> None:
    assert (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8") == page(), (
        "run `make docs`"
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_it_does(name) -> None:
    command = command_at(COMMANDS[name])
    assert command.name == name
    for path, text in walk(command, ("slowwave", str(command.name))):
        first = text.split("\n\n")[1].strip()
        assert len(first) > 10, path


def test_every_link_leads_somewhere() -> None:
    for source in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", source.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (source.parent / target).exists(), (source, target)


def test_every_named_file_is_there() -> None:
    for source in PAGES:
        for target in re.findall(
            r"`((?:src|docs|bench|tests)/[\w/.-]+)`", source.read_text("utf-8")
        ):
            assert (ROOT / target).exists(), (source, target)


def shell_lines(path: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("slowwave ")]


RUNNABLE = [path for path in PAGES if shell_lines(path)]
PROMISED = {"allergic": "peanuts", "我住哪": "井亭巷"}
"""A word of a question, and what the first hit must hold."""
EVENTS = """\
{"ref": "r1", "ts": "2026-03-03T09:12:00+08:00", "text": "I live on the third floor, no lift"}
{"ref": "r2", "ts": "2026-03-03T09:13:00+08:00", "text": "提醒我每周三浇花"}
"""
ASKED = (
    EVENTS
    + """\
{"question": "On which floor do I live?", "evidence": ["r1"]}
"""
)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who follows a page: two agents' folders at home, a log in the current folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")
    shutil.copytree(ROOT / "src/slowwave/demo/logs", tmp_path / ".openclaw")
    (tmp_path / ".claude").mkdir()
    (tmp_path / "today.jsonl").write_text(EVENTS, encoding="utf-8")
    (tmp_path / "turns.jsonl").write_text('{"user": "I play the cello"}\n', encoding="utf-8")
    (tmp_path / "questions.jsonl").write_text(ASKED, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


ENDLESS = {"serve", "mcp"}
"""Commands that go on until they are stopped: here it is enough that they are understood; that they
serve is shown in tests/cli/test_serving.py."""
TALKATIVE = {"context", "token"}
"""Commands that have something to say on stderr even when all is well."""


def follow(line: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Runs one line of a page as a shell would."""
    words = shlex.split(line, comments=True)[1:]
    if "<" in words:
        place = words.index("<")
        text = Path(words[place + 1]).read_bytes()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        del words[place : place + 2]
    if "ID" in words:
        words[words.index("ID")] = re.findall(r'"id":"(m\w+)"', _memories())[0]
    if endless := ENDLESS & set(words):
        name = endless.pop()
        command_at(COMMANDS[name]).make_context(name, words[words.index(name) + 1 :])
        return 0
    return run([os.path.expanduser(word) for word in words])


def _memories() -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert run(["memories", "--json"]) == 0
    return printed.getvalue()


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.stem)
def test_the_page_runs_as_written(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if page.stem != "quickstart":
        # The first page shows what a reader gets; elsewhere words are enough, and faster.
        monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    if page.parent.name == "how-to" and "slowwave import" not in page.read_text("utf-8"):
        assert run(["import", "today.jsonl"]) == 0
    capsys.readouterr()
    for line in shell_lines(page):
        code = follow(line, monkeypatch)
        captured = capsys.readouterr()
        assert code == 0, (line, captured.err)
        # Whether a block has anything to inject depends on whose log it is.
        assert captured.err == "" or line.split()[1] in TALKATIVE, line
        if line.split()[1] == "recall":
            found = captured.out.splitlines()[1:2]
            assert found, line
            assert all(PROMISED.get(word, "") in found[0] for word in line.split()), (line, found)


def test_the_readme_names_real_commands() -> None:
    known = set(COMMANDS)
    for source in PAGES:
        for line in shell_lines(source):
            assert known & set(line.split()[1:]), (source, line)
