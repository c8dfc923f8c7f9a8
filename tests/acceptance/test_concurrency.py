"""Several processes on one home at once: nothing lost, nothing doubled, no error about locks."""

import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

NOW = "2026-12-01T03:00:00+08:00"


def command(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "slowwave", "--home", str(home), "--tz", "Asia/Shanghai",
            "--now", NOW, *arguments, "--json"]  # fmt: skip


def environment() -> dict[str, str]:
    return {**os.environ, "SLOWWAVE_EMBEDDER": "none"}


def start(home: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command(home, *arguments), env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, Any, str]:
    """Exit code, the JSON answer, and what was said on stderr."""
    out, err = process.communicate(timeout=120)
    return process.returncode, json.loads(out) if out.strip() else None, err.decode()


def answer(home: Path, *arguments: str) -> Any:
    code, value, err = ended(start(home, *arguments))
    assert code == 0, err
    return value


def write_log(path: Path, events: int) -> None:
    said = ("I moved crate {n} to bay {n}", "我的第{n}个柜子在{n}号房", "今后第{n}份简报用蓝色封面")
    rows = (
        {
            "ref": f"k{number}",
            "ts": f"2026-11-{number % 28 + 1:02d}T10:{number % 60:02d}:00+08:00",
            "session": f"s{number // 10}",
            "text": said[number % len(said)].format(n=number),
        }
        for number in range(events)
    )
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


# Many calls of the command line without the start-up of as many interpreters.
LOGGER = """
import contextlib, io, sys
from slowwave.cli.main import run
home, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for n in range(count):
    with contextlib.redirect_stdout(io.StringIO()):
        code = run(["--home", home, "--tz", "Asia/Shanghai", "log", f"{name} says {n}", "--json"])
    if code:
        sys.exit(code)
"""


def all_at_once(tmp_path: Path, processes: int, calls: int, events: int) -> None:
    home, log = tmp_path / "home", tmp_path / "log.jsonl"
    write_log(log, events)
    answer(home, "init")  # reading commands make no home
    loggers = [
        subprocess.Popen(
            [sys.executable, "-c", LOGGER, str(home), f"caller {n}", str(calls)],
            env=environment(), stderr=subprocess.PIPE,
        )
        for n in range(processes)
    ]  # fmt: skip
    others = [
        start(home, "import", str(log)),
        start(home, "dream", "--date", "all", "--apply"),
        start(home, "recall", "crate"),
        start(home, "context", "crate bay"),
    ]
    for logger in loggers:
        _, err = logger.communicate(timeout=300)
        assert logger.returncode == 0, err.decode()
    for process in others:
        code, _, err = ended(process)
        # A dream may find that another one was quicker; nothing else may fail.
        assert code == 0, err
    counts = answer(home, "status")["counts"]
    assert counts["events"] == processes * calls + events
    assert answer(home, "doctor")["ok"]
    again = answer(home, "import", str(log))
    assert (again["events"], again["duplicates"]) == (0, events)
    assert answer(home, "dream", "--date", "all", "--apply")["status"] in (
        "applied",
        "nothing_to_do",
    )
    assert answer(home, "status")["counts"]["undreamed_events"] == 0
    assert answer(home, "doctor")["ok"]


@pytest.mark.slow
def test_callers_import_dream_and_recall_at_once(tmp_path: Path) -> None:
    all_at_once(tmp_path, 2, 10, 60)


@pytest.mark.slow
def test_many_callers_import_dream_and_recall_at_once(tmp_path: Path) -> None:
    all_at_once(tmp_path, 4, 60, 2000)


def shape(home: Path) -> list[tuple[str, str, int]]:
    known = answer(home, "memories", "list")
    return sorted((one["text"], one["status"], len(one["evidence"])) for one in known)


def test_the_same_night_dreamed_by_several_at_once_is_applied_once(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write_log(log, 48)
    calm, crowded = tmp_path / "calm", tmp_path / "crowded"
    for home in (calm, crowded):
        answer(home, "import", str(log))
    answer(calm, "dream", "--date", "all", "--apply")
    twins = [start(crowded, "dream", "--date", "all", "--apply") for _ in range(2)]
    ends = Counter()
    for process in twins:
        code, value, err = ended(process)
        if code == 0:
            ends[value["status"]] += 1
        else:
            assert value["error"]["type"] in ("AlreadyDecided", "StalePlan"), err
            assert "Traceback" not in err
            assert value["error"]["hint"]
    assert ends["applied"] == 1
    assert ends["planned"] == 0
    assert shape(crowded) == shape(calm)
    assert [one["status"] for one in answer(crowded, "dreams")] == ["applied"]
    assert answer(crowded, "status")["counts"]["undreamed_events"] == 0
    assert answer(crowded, "doctor")["ok"]


def test_one_plan_applied_by_several_at_once_is_applied_once(tmp_path: Path) -> None:
    home, log = tmp_path / "home", tmp_path / "log.jsonl"
    write_log(log, 30)
    answer(home, "import", str(log))
    plan = answer(home, "dream", "--date", "all")["dream_id"]
    codes = sorted(ended(one)[0] for one in [start(home, "dreams", "apply", plan) for _ in "ab"])
    assert codes == [0, 1]
    assert answer(home, "doctor")["ok"]


def test_several_make_the_same_home_at_once(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    makers = [start(home, "init"), start(home, "log", "one"), start(home, "log", "two"),
              start(home, "init")]  # fmt: skip
    for process in makers:
        code, _, err = ended(process)
        assert code == 0, err
    assert answer(home, "status")["counts"]["events"] == 2
    assert (home / "slowwave.toml").read_text(encoding="utf-8").startswith("# Slowwave")


def import_beside_a_lock(tmp_path: Path, seconds: float) -> None:
    """Case 65: another program holds the write lock while an import runs."""
    home, log = tmp_path / "home", tmp_path / "log.jsonl"
    answer(home, "init")
    write_log(log, 300)
    holder = sqlite3.connect(home / "slowwave.db", isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    freed = threading.Timer(seconds, holder.rollback)
    freed.start()
    done = answer(home, "import", str(log))
    assert time.monotonic() - began >= seconds
    freed.join()
    holder.close()
    assert (done["events"], done["skipped"]) == (300, 0)
    assert answer(home, "doctor")["ok"]


@pytest.mark.slow
def test_an_import_waits_for_a_lock(tmp_path: Path) -> None:
    import_beside_a_lock(tmp_path, 1.5)


@pytest.mark.slow
def test_an_import_waits_for_a_long_lock(tmp_path: Path) -> None:
    import_beside_a_lock(tmp_path, 8)
