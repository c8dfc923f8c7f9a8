"""What tests of the command line share."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.wiring import Options, open_memory

NOW = "2026-12-01T03:00:00+08:00"
Call = Callable[..., tuple[int, Any, str]]
Process = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Runs one command with --json; returns exit code, the JSON value, stderr."""
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")

    def caller(*arguments: str, stdin: str | bytes | None = None) -> tuple[int, Any, str]:
        if stdin is not None:
            raw = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        head = ["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai", "--now", NOW]
        code = run([*head, "--json", *arguments])
        captured = capsys.readouterr()
        return code, json.loads(captured.out) if captured.out.strip() else None, captured.err

    return caller


@pytest.fixture
def made_home(tmp_path: Path) -> Path:
    """The test's home, made and empty: commands that only read do not make one."""
    with closing(open_memory(Options(home=str(tmp_path / "home")), {})):
        return tmp_path / "home"


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """Runs the command line as a process of its own, words only, on the test's home."""

    def runner(*arguments: str, **given: Any) -> subprocess.CompletedProcess[bytes]:
        environment = environment_of(tmp_path, **given.pop("env", {}))
        command = [sys.executable, *given.pop("python", ("-m", "slowwave")), *arguments]
        return subprocess.run(
            command, env=environment, timeout=120, check=False,
            **({"capture_output": True} if "stdout" not in given else {}), **given,
        )  # fmt: skip

    return runner


def environment_of(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a process under test."""
    home = {"SLOWWAVE_HOME": str(folder / "home"), "SLOWWAVE_EMBEDDER": "none"}
    return {**os.environ, **home, "SLOWWAVE_TZ": "Asia/Shanghai", **more}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process under test."""
    return environment_of(tmp_path)
