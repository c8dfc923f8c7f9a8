"""Streams: answers on stdout, the rest on stderr; closed pipes, Ctrl-C, odd input."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., tuple[int, Any, str]]
Process = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("made_home")

needs_posix = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals and files")


def rows(count: int) -> str:
    return "".join(
        json.dumps({"ref": f"r{n}", "ts": "2026-11-30T10:00:00+08:00", "text": f"bread recipe {n}"})
        + "\n"
        for n in range(count)
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "recall", "bread"],
        ["recall", "--json", "bread"],
        ["recall", "bread", "--json"],
        ["dreams", "--json"],
        ["--json", "dreams"],
        ["memories", "--json", "list"],
        ["memories", "list", "--json"],
        ["inspect", "--json", "when", "tomorrow"],
        ["inspect", "when", "tomorrow", "--json"],
        ["status", "--json"],
    ],
)
@pytest.mark.parametrize("before", [True, False])
def test_options_stand_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], before: bool
) -> None:
    from slowwave.cli.main import run

    head = ["--home", str(tmp_path / "home"), "--space", "x", "--tz", "Asia/Tokyo",
            "--now", "2026-05-01T09:00:00+09:00"]  # fmt: skip
    assert run([*head, *arguments] if before else [*arguments, *head]) == 0
    captured = capsys.readouterr()
    json.loads(captured.out)
    assert captured.out.count("\n") == 1
    assert captured.err == ""


def test_a_dash_dash_ends_the_options(call: Call) -> None:
    code, found, _ = call("recall", "--", "--json")
    assert (code, found["query"]) == (0, "--json")


@needs_posix
@pytest.mark.parametrize("arguments", [["recall", "bread", "-k", "900"], ["--help"],
                                       ["recall", "bread", "-k", "900", "--json"]])  # fmt: skip
def test_a_reader_that_goes_away(
    process: Process, environment: dict[str, str], arguments: list[str]
) -> None:
    process("log", "--stdin", input=rows(900).encode())
    command = [sys.executable, "-m", "slowwave", *arguments]
    source, sink = os.pipe()
    os.close(source)
    done = subprocess.run(
        command, env=environment, stdout=sink, stderr=subprocess.PIPE, check=False
    )
    os.close(sink)
    assert (done.returncode, done.stderr) == (0, b"")


@needs_posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_answer_that_cannot_be_written(process: Process) -> None:
    with open("/dev/full", "wb") as full:
        done = process("status", stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith(b"slowwave: cannot write the answer")
    assert done.stderr.count(b"\n") == 1


@needs_posix
@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_streams(process: Process, closed: int) -> None:
    done = process("memories", preexec_fn=lambda: os.close(closed))
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    stdin = process("log", "--stdin", preexec_fn=lambda: os.close(0))
    assert stdin.returncode == 2


@needs_posix
def test_ctrl_c_keeps_what_was_acknowledged(process: Process, environment: dict[str, str]) -> None:
    process("log", "said before")
    command = [sys.executable, "-m", "slowwave", "log", "--stdin"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:  # fmt: skip
        assert running.stdin is not None
        assert running.stderr is not None
        # It has read (and so handles signals) once more than a pipe holds has gone through.
        running.stdin.write(rows(3000).encode())
        running.stdin.flush()
        running.send_signal(signal.SIGINT)
        err = running.stderr.read()
        running.wait(60)
    assert running.returncode == 130
    assert err.strip() == b"slowwave: stopped; what was acknowledged is kept"
    status = json.loads(process("status", "--json").stdout)
    assert status["counts"]["events"] >= 1
    assert process("doctor").returncode == 0
    again = json.loads(process("log", "--stdin", "--json", input=rows(3000).encode()).stdout)
    assert len(again["events"]) + again["duplicates"] == 3000


@needs_posix
@pytest.mark.parametrize("name", ["NO_COLOR", "TERM", ""])
def test_colours_only_where_they_are_wanted(environment: dict[str, str], name: str) -> None:
    import pty

    leader, follower = pty.openpty()
    for variable in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        environment.pop(variable, None)
    environment |= {"TERM": "xterm-256color"} | ({name: "dumb"} if name else {})
    command = [sys.executable, "-m", "slowwave", "status"]
    done = subprocess.run(command, env=environment, stdout=follower, stderr=follower, check=False)
    shown = os.read(leader, 4096)
    os.close(leader)
    os.close(follower)
    assert done.returncode == 0
    assert (b"\x1b[" in shown) == (not name)


ODD = [
    b'{"text": "fine"}',
    b"\xef\xbb\xbf",
    b"[" * 100_000,
    b'{"text": ' * 10_000,
    b'{"text": "lone \\ud83d"}',
    b'{"text": "\xff\xfe"}',
    b'{"text": "nul \\u0000 inside"}',
    b'["text"]',
    b"null",
    b"7e999",
    b'{"text": 7}',
    b'{"text": "x", "ts": 5}',
    b'{"text": "x", "ts": "0001-01-01T00:00:00+14:00"}',
    b'{"text": "x", "role": "queen"}',
    b'{"text": "x", "unknown": {"deep": [1, 2, {"er": null}]}}',
    b'{"text": "' + "长".encode() * 500_000 + b'"}',
    b'{"text": "no newline at the end"}',
]


def test_odd_lines_never_stop_the_good_ones(call: Call) -> None:
    code, taken, err = call("log", "--stdin", stdin=b"\r\n".join(ODD))
    assert code == 3
    bad = {item["line"] for item in taken["skipped"]}
    assert {3, 4, 8, 9, 10, 11} <= bad
    good = {1, 15, 16, 17}
    assert not bad & good
    assert len(taken["events"]) + taken["duplicates"] + len(bad) == sum(1 for line in ODD if line)
    assert "Traceback" not in err


@pytest.mark.parametrize("look", ["distill", "compare", "when"])
def test_odd_requests_never_stop_the_good_ones(call: Call, look: str, process: Process) -> None:
    del call
    good = json.dumps({"id": "g", "text": "明天去买面粉", "a": {"text": "x"}, "b": {"text": "y"}})
    lines = [line for line in ODD if len(line) < 200_000]
    done = process("inspect", look, "--stdin", input=b"\n".join([*lines, good.encode()]))
    assert done.returncode == 3
    assert json.loads(done.stdout.splitlines()[-1])["id"] == "g"
    assert b"skipped stdin:3: not JSON: nested too deeply\n" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_byte_order_mark_is_no_damage(call: Call) -> None:
    code, taken, _ = call("log", "--stdin", stdin=b'\xef\xbb\xbf{"text": "hello from a pipe"}\r\n')
    assert (code, len(taken["events"])) == (0, 1)


def test_nothing_on_stdin(call: Call) -> None:
    code, taken, _ = call("log", "--stdin", stdin="\n \n")
    assert (code, taken) == (0, {"events": [], "duplicates": 0, "skipped": []})


def test_a_file_name_that_is_no_text(call: Call, tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xfccher.jsonl")
    try:
        (tmp_path / name).write_text('{"text": "a book about bees"}\n')
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    code, done, _ = call("import", str(tmp_path / name))
    assert (code, done["events"]) == (0, 1)
    assert done["files"][0]["path"].endswith("cher.jsonl")


def test_progress_as_lines(process: Process, tmp_path: Path) -> None:
    process("log", "--stdin", input=rows(3).encode())
    done = process("dream", "--date", "2026-11-30", "--progress", "--json")
    assert b"distill 1/1\n" in done.stderr
    assert json.loads(done.stdout)["input_events"] == 3
    del tmp_path
