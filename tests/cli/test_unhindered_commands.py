"""The command line where another process writes on and on, and where nothing can be written."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import click
import pytest

from slowwave.cli import door
from slowwave.model import Record
from slowwave.wiring import Options, open_memory

Process = Callable[..., Any]

READING = (
    ("recall", "barometer"),
    ("context", "where is the spare key of the boathouse"),
    ("memories",),
    ("history", "MEMORY"),
    ("why", "MEMORY"),
    ("status",),
    ("injections", "list"),
    ("injections", "show", "last"),
    ("dreams",),
    ("working",),
    ("stats",),
    ("doctor",),
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Something was said, dreamed and asked."""
    where = tmp_path / "home"
    with closing(open_memory(Options(home=str(where)), {"SLOWWAVE_EMBEDDER": "none"})) as memory:
        text = "the spare key of the boathouse hangs behind the barometer"
        memory.log([Record(text=text, source="me")])
        memory.dream("all", apply=True)
        assert memory.context("where is the spare key of the boathouse", 600).ledger_id
    return where


@pytest.fixture
def other(home: Path) -> Iterator[apsw.Connection]:
    """Another process that writes on and on."""
    with closing(apsw.Connection(str(home / "slowwave.db"))) as opened:
        opened.execute("BEGIN IMMEDIATE")
        yield opened
        opened.execute("ROLLBACK")


def no_growth() -> None:
    """From here on no file grows: what a disk without room does."""
    import resource  # not everywhere

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def test_answers_come_while_another_writes(process: Process, other: apsw.Connection) -> None:
    done = process("context", "where is the spare key of the boathouse", "--json")
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert "barometer" in answer["text"]
    assert answer["ledger_id"] == ""
    assert b"1 ledger entry could not be written" in done.stderr
    done = process("recall", "barometer", "--json")
    assert json.loads(done.stdout)["results"]
    assert b"1 recall could not be counted" in done.stderr
    assert other.in_transaction


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits there")
def test_without_room_all_that_was_made_before_is_read(process: Process, home: Path) -> None:
    memory_id = json.loads(process("memories", "--json").stdout)[0]["id"]
    before = (home / "slowwave.db").read_bytes()
    for command in READING:
        arguments = [memory_id if one == "MEMORY" else one for one in command]
        done = process(*arguments, "--json", preexec_fn=no_growth)
        assert done.returncode == 0, (command, done.stderr)
        assert json.loads(done.stdout) is not None
        assert b"reading what is there" in done.stderr
    for arguments in (["log", "no room for this"], ["working", "add", "nor for this"]):
        done = process(*arguments, "--json", preexec_fn=no_growth)
        assert done.returncode == 1
        assert json.loads(done.stdout)["error"]["hint"]
        assert b"Traceback" not in done.stderr
    assert (home / "slowwave.db").read_bytes() == before


def test_a_stop_does_not_cut_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []

    def echo(text: str) -> None:
        written.append(text[:9])
        os.kill(os.getpid(), signal.SIGINT)
        written.append(text[9:])

    monkeypatch.setattr(click, "echo", echo)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        door.print_json({"results": ["a long answer"]})
    assert json.loads("".join(written)) == {"results": ["a long answer"]}
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_stop_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def echo(_text: str) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("nobody stopped it")

    monkeypatch.setattr(click, "echo", echo)
    with pytest.raises(KeyboardInterrupt):
        door.print_json({})
