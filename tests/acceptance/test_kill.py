"""kill −9 at random instants during import and dream: sound, nothing lost, no half change."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

EVENTS = 400
FACTS = ("我叫阿{n}的朋友住在{n}号楼", "I moved box {n} to shelf {n}", "以后第{n}号报告用 PDF", "哈哈 {n}")


def write_log(path: Path) -> None:
    with path.open("w", encoding="utf-8") as stream:
        for number in range(EVENTS):
            row = {
                "ref": f"k{number}",
                "ts": f"2026-11-{number % 28 + 1:02d}T10:{number % 60:02d}:00+08:00",
                "session": f"s{number // 10}",
                "text": FACTS[number % len(FACTS)].format(n=number),
            }
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def slowwave(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "slowwave", "--home", str(home), "--tz", "Asia/Shanghai",
            "--now", "2026-12-01T03:00:00+08:00", *arguments, "--json"]  # fmt: skip


def answer(home: Path, *arguments: str, environment: dict[str, str]) -> dict:
    done = subprocess.run(
        slowwave(home, *arguments), env=environment, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def shape(home: Path, environment: dict[str, str]) -> list[tuple[str, str, int]]:
    known = answer(home, "memories", "list", environment=environment)
    return sorted((one["text"], one["status"], len(one["evidence"])) for one in known)


def kill_and_check(tmp_path: Path, kills: int) -> None:
    import os

    environment = {**os.environ, "SLOWWAVE_EMBEDDER": "none"}
    log = tmp_path / "log.jsonl"
    write_log(log)
    calm, stormy = tmp_path / "calm", tmp_path / "stormy"
    steps = (("import", str(log)), ("dream", "--date", "all", "--apply"))
    took = []
    for step in steps:
        began = time.monotonic()
        answer(calm, *step, environment=environment)
        took.append(time.monotonic() - began)
    chance = random.Random(20261201)
    before = 0
    for number in range(kills):
        step = number * 2 // kills
        process = subprocess.Popen(
            slowwave(stormy, *steps[step]), env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(chance.uniform(0.05, 1.0) * took[step])
        process.kill()
        process.wait()
        report = subprocess.run(
            slowwave(stormy, "doctor"), env=environment, capture_output=True, check=False
        )
        assert json.loads(report.stdout)["ok"], report.stdout
        events = answer(stormy, "status", environment=environment)["counts"]["events"]
        assert events >= before, "an acknowledged event was lost"
        before = events
    for step in steps:
        answer(stormy, *step, environment=environment)
    assert answer(stormy, "status", environment=environment)["counts"]["events"] == EVENTS
    assert shape(stormy, environment) == shape(calm, environment)


def test_a_few_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 4)


@pytest.mark.slow
def test_fifty_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 50)
