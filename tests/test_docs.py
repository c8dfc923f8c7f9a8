"""Docs are tests: the reference is fresh, every command is named, the shown commands run."""

import re
import shlex
from pathlib import Path

import pytest

from slowwave.cli.main import COMMANDS, run
from slowwave.cli.reference import page, walk

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_reference_is_fresh() -> None:
    assert (ROOT / "docs/reference/commands.md").read_text(encoding="utf-8") == page(), (
        "run `make docs`"
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_every_command_says_what_it_does(command) -> None:
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
        for target in re.findall(r"`((?:src|docs|bench|tests)/[\w/.-]+)`", source.read_text("utf-8")):
            assert (ROOT / target).exists(), (source, target)


def shell_lines(path: Path) -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith("slowwave ")]


def test_the_quickstart_runs_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")
    lines = shell_lines(ROOT / "docs/quickstart.md")
    assert len(lines) >= 10
    for line in lines:
        arguments = shlex.split(line, comments=True)[1:]
        if arguments[0] == "why":
            # The page shows the beginning of an id; two memories share it here.
            capsys.readouterr()
            run(["memories", "list", "--json"])
            arguments[1] = re.findall(r'"id":"(m\w+)"', capsys.readouterr().out)[0]
        code = run(arguments)
        captured = capsys.readouterr()
        assert code == 0, (line, captured.err)
        if arguments[0] == "recall":
            assert captured.out.strip() != "nothing found", line


def test_the_readme_names_real_commands() -> None:
    known = {str(command.name) for command in COMMANDS}
    for source in PAGES:
        for line in shell_lines(source):
            assert line.split()[1] in known, (source, line)
