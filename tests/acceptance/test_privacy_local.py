"""With `local-only` no byte leaves loopback, whatever command is run: every socket is watched.

The commands run in a process of their own in which an audit hook writes down what Python asks of
the net: connections, packets, questions about names, and programs that are started.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from slowwave.testing.scripted_model import ScriptedModel

WATCHED = """
import os, sys
kept = os.open(os.environ["WATCH"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
names = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.getnameinfo",
         "socket.sendto", "socket.sendmsg", "subprocess.Popen", "os.exec", "os.posix_spawn",
         "os.system")

def watch(event, arguments):
    if event.startswith(names):
        told = [one if isinstance(one, (str, bytes, int, tuple, list)) else "" for one in arguments]
        os.write(kept, f"{event} {told!r}\\n".encode())

sys.addaudithook(watch)
import contextlib, io, json
from slowwave.cli.main import run
for command, given in json.loads(sys.stdin.read()):
    sys.stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(command)
    print(json.dumps([code, out.getvalue(), err.getvalue()]), flush=True)
"""

NIGHT = "2026-12-01T03:00:00+08:00"
SAID = [
    {"ref": "r1", "ts": "2026-11-30T09:12:00+08:00", "text": "我对花生过敏，以后点菜都不要花生"},
    {"ref": "r2", "ts": "2026-11-30T09:14:00+08:00", "speaker": "Quorra Flynn",
     "text": "I moved to Lyon in May, my number is 138 0013 8077"},
    {"ref": "r3", "ts": "2026-11-30T10:00:00+08:00", "kind": "note",
     "text": "The staging password is wide-harbour-51"},
]  # fmt: skip

ELSEWHERE = ("http://203.0.113.9:8000/v1", "https://models.slowwave-test.invalid/v1")


class Watched:
    """A home whose commands are run with their sockets watched."""

    def __init__(self, folder: Path, address: str, name: str, **more: str) -> None:
        self.folder = folder
        self.kept = folder / "watched.txt"
        self.environment = {
            **os.environ, "WATCH": str(self.kept), "SLOWWAVE_HOME": str(folder / "home"),
            "SLOWWAVE_EMBEDDER": "none", "SLOWWAVE_TZ": "Asia/Shanghai",
            "SLOWWAVE_MODEL_BASE_URL": address, "SLOWWAVE_MODEL_NAME": name,
            "http_proxy": "http://203.0.113.77:3128", "ALL_PROXY": "http://203.0.113.77:3128",
            **more,
        }  # fmt: skip

    def run(self, *commands: Sequence[str]) -> list[tuple[int, str]]:
        """Commands, one after the other, on a day that is told first: exit codes and errors."""
        said = "\n".join(map(json.dumps, SAID))
        todo = [(("log", "--stdin"), said), *((command, "") for command in commands)]
        script = [(["--now", NIGHT, "--json", *command], given) for command, given in todo]
        done = subprocess.run(
            [sys.executable, "-c", WATCHED], input=json.dumps(script), capture_output=True,
            text=True, encoding="utf-8", env=self.environment, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert told[0][0] == 0, told[0]
        return [(code, error) for code, _, error in told[1:]]

    @property
    def asked(self) -> list[str]:
        """What was asked of the net so far."""
        return self.kept.read_text(encoding="utf-8").splitlines() if self.kept.exists() else []


COMMANDS = (
    ("turn", "--user", "My sister Wanda lives in Oslo", "--assistant", "Noted", "--wait"),
    ("dream", "--distiller", "rules", "--apply"),
    ("recall", "where does Quorra live"),
    ("context", "晚饭吃什么"),
    ("status",),
    ("doctor",),
    ("stats",),
    ("privacy", "preview", "--date", "all"),
    ("privacy", "preview", "--text", "call 138 0013 8077"),
)
ASKING = (
    ("dream", "--distiller", "llm"),
    ("dream", "--distiller", "llm", "--apply", "--date", "all"),
    ("dream", "--distiller", "llm", "--dry-run"),
    ("model", "check"),
)


@pytest.mark.parametrize("address", ELSEWHERE)
def test_no_command_says_a_word_to_another_machine(tmp_path: Path, address: str) -> None:
    home = Watched(tmp_path, address, "tiny")
    told = home.run(*ASKING, *COMMANDS)
    for command, (code, error) in zip(ASKING, told, strict=False):
        assert code != 0, command
        assert "is not on this machine, and model.privacy is local-only" in error
        assert "use a model on this machine, or set model.privacy to masked or open" in error
    for command, (code, error) in zip(COMMANDS, told[len(ASKING) :], strict=True):
        assert code == 0, (command, error)
    assert home.asked == []


def test_a_server_here_that_would_ask_another_machine_is_none_of_this_one(tmp_path: Path) -> None:
    with ScriptedModel(['{"items": []}'] * 9) as server:
        home = Watched(tmp_path, server.base_url, "large:cloud")
        (tmp_path / "home").mkdir()
        settings = tmp_path / "home" / "slowwave.toml"
        settings.write_text('[model]\ndistiller = "llm"\n', encoding="utf-8")
        for code, error in home.run(*ASKING, ("dream", "--apply")):
            assert code != 0
            assert "local-only" in error
        assert server.bytes_received == b""
    assert home.asked == []


def test_a_model_here_is_asked_here_and_nowhere_else(tmp_path: Path) -> None:
    with ScriptedModel(lambda _request: {"items": []}) as server:
        home = Watched(tmp_path, server.base_url.replace("127.0.0.1", "localhost"), "tiny")
        commands = (*ASKING[:2], *COMMANDS)
        for command, (code, error) in zip(commands, home.run(*commands), strict=True):
            assert code == 0, (command, error)
        assert server.asked
    here = ("'127.0.0.1'", "'::1'", "'localhost'", "b'localhost'", "b'127.0.0.1'", "b'::1'")
    asked = [line for line in home.asked if not line.startswith("subprocess.Popen ['uname'")]
    assert any("socket.connect" in line for line in asked)
    for line in asked:
        assert any(name in line for name in here), line
