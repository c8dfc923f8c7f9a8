"""Real time under kill −9 and beside other processes: nothing lost, nothing doubled."""

import contextlib
import io
import json
import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from slowwave.cli.main import run
from slowwave.testing.scripted_model import Request, ScriptedModel, holding

NOW = "2026-12-01T20:00:00+08:00"
SAID = (
    ("I moved crate {n} to bay {n}", "Lesson: weigh crate {n} before lifting it"),
    ("我的第{n}个柜子在{n}号房", "好的"),
    ("今后第{n}份简报用蓝色封面", "教训：第{n}份简报要先给编辑看"),
    ("what is {n} times two?", "let me see"),
)


def turns(count: int) -> list[dict[str, str]]:
    return [
        {
            "user": SAID[n % len(SAID)][0].format(n=n),
            "assistant": SAID[n % len(SAID)][1].format(n=n),
            "session": f"s{n % 3}",
            "ts": f"2026-12-01T{8 + n // 60:02d}:{n % 60:02d}:00+08:00",
        }
        for n in range(count)
    ]


def command(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "slowwave", "--home", str(home), "--tz", "Asia/Shanghai",
            "--now", NOW, *arguments, "--json"]  # fmt: skip


def environment() -> dict[str, str]:
    return {**os.environ, "SLOWWAVE_EMBEDDER": "none"}


def answer(home: Path, *arguments: str, stdin: bytes = b"") -> Any:
    """A call in this process: only those that are killed or race need one of their own."""
    out = io.StringIO()
    typed = io.TextIOWrapper(io.BytesIO(stdin))
    with (
        patch.dict(os.environ, environment()),
        patch.object(sys, "stdin", typed),
        contextlib.redirect_stdout(out),
    ):
        assert run(command(home, *arguments)[3:]) == 0, out.getvalue()
    return json.loads(out.getvalue())


def start(home: Path, stdin: bytes, *arguments: str) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen(
        command(home, *arguments), env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(stdin)
    process.stdin.close()
    process.stdin = None
    return process


def lines(of: list[dict[str, str]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in of)


def shape(home: Path) -> list[tuple[str, str, int, int]]:
    known = answer(home, "memories", "list")
    return sorted(
        (one["text"], one["status"], len(one["evidence"]), one["mention_count"]) for one in known
    )


def written(home: Path) -> int:
    try:
        return (home / "slowwave.db-wal").stat().st_size
    except OSError:
        return 0


def strike(home: Path, stdin: bytes, chance: random.Random) -> bool:
    """Takes turns in and kills the process at a write; whether it was alive then."""
    process = start(home, stdin, "turn", "--stdin", "--wait")
    for _ in range(chance.randint(1, 40)):
        before = written(home)
        while written(home) == before and process.poll() is None:
            time.sleep(0.0005)
    time.sleep(chance.uniform(0, 0.01))
    alive = process.poll() is None
    process.kill()
    process.communicate()
    return alive


def kill_and_check(tmp_path: Path, kills: int, count: int) -> None:
    calm, stormy = tmp_path / "calm", tmp_path / "stormy"
    said = lines(turns(count))
    answer(calm, "turn", "--stdin", "--wait", stdin=said)
    chance = random.Random(20261201)
    answer(stormy, "init")
    before = struck = 0
    for _ in range(kills):
        struck += strike(stormy, said, chance)
        assert answer(stormy, "doctor")["ok"]
        stored = answer(stormy, "status")["counts"]["events"]
        assert stored >= before, "an acknowledged message was lost"
        before = stored
    assert struck >= kills // 3, "the turns were over before the kills came"
    # What was logged is found without being told again; then the rest comes.
    answer(stormy, "turn", "--catch-up")
    answer(stormy, "turn", "--stdin", "--wait", stdin=said)
    assert answer(stormy, "status")["counts"]["events"] == 2 * count
    assert shape(stormy) == shape(calm)
    read = [head for head in answer(stormy, "dreams") if head["by"] == "turn"]
    assert sum(head["input_events"] for head in read) <= 2 * count
    assert answer(stormy, "doctor")["ok"]


def test_a_few_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 2, 12)


@pytest.mark.slow
def test_thirty_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 30, 80)


def ended(process: "subprocess.Popen[bytes]") -> Any:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err.decode()
    return json.loads(out)


def at_once(tmp_path: Path, count: int) -> None:
    """Two processes take in turns of their own, and both learn from all that waits."""
    calm, home = tmp_path / "calm", tmp_path / "home"
    said = turns(count)
    answer(calm, "turn", "--stdin", "--wait", stdin=lines(said))
    answer(home, "init")
    both = [start(home, lines(said[n::2]), "turn", "--stdin", "--wait") for n in range(2)]
    done = [ended(process) for process in both]
    assert [len(one["events"]) for one in done] == [len(said[n::2]) * 2 for n in range(2)]
    # A turn whose ledger moved on twice waits; nobody has to say it again.
    answer(home, "turn", "--catch-up")
    assert shape(home) == shape(calm)
    heads = [head for head in answer(home, "dreams") if head["by"] == "turn"]
    assert len({head["dream_id"] for head in heads}) == len(heads)
    assert answer(home, "doctor")["ok"]


def test_two_processes(tmp_path: Path) -> None:
    at_once(tmp_path, 10)


def test_the_night_dreams_meanwhile(tmp_path: Path) -> None:
    home = tmp_path / "home"
    said = turns(16)
    answer(home, "turn", "--stdin", "--wait", stdin=lines(said[:4]))
    learner = start(home, lines(said[4:]), "turn", "--stdin", "--wait")
    night = start(home, b"", "dream", "--date", "today", "--apply")
    ended(learner)
    ended(night)
    answer(home, "turn", "--catch-up")
    answer(home, "dream", "--date", "today", "--apply")
    calm = tmp_path / "calm"
    answer(calm, "turn", "--stdin", "--wait", stdin=lines(said))
    learned = {text for text, *_ in shape(home)}
    assert {text for text, *_ in shape(calm) if "before lifting" not in text} >= {
        text for text in learned if "before lifting" not in text
    }
    assert len(shape(home)) == len(learned), "something was learned twice"
    for n in range(16):
        if n % 4 == 1:
            assert any(f"第{n}个柜子" in text for text in learned)
    assert answer(home, "doctor")["ok"]


def test_a_turn_whose_process_is_killed_while_the_model_is_asked(tmp_path: Path) -> None:
    """It is durable before the model is asked; the next process learns it, once."""
    home = tmp_path / "home"
    asked = threading.Event()

    def never(_request: Request) -> Any:
        asked.set()
        return holding(60)

    with ScriptedModel(never) as server:
        home.mkdir()
        (home / "slowwave.toml").write_text('[model]\ndistiller = "llm"\n', encoding="utf-8")
        model = {"SLOWWAVE_MODEL_BASE_URL": server.base_url, "SLOWWAVE_MODEL_NAME": "scripted"}
        with patch.dict(os.environ, model):
            process = start(home, b"", "turn", "--user", "I moved crate 9 to bay 9",
                            "--assistant", "ok")  # fmt: skip
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            assert len(told["events"]) == 2
            assert asked.wait(60)
            process.kill()
            process.communicate()
            assert answer(home, "dreams") == []
            server._script = lambda _request: {"items": []}
            done = answer(home, "turn", "--catch-up")
        (dream,) = done["dreams"]
        assert [one["text"] for one in dream["changes"]] == ["I moved crate 9 to bay 9"]
        assert answer(home, "turn", "--catch-up")["dreams"] == []
