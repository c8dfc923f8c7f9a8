"""kill −9 and full disks during import and dream: sound, nothing lost, no half change.

Most of a short call is start-up, where nothing can break. So half of the kills strike a random
moment after the file was seen to move: in the middle of batches, indexing, checkpoints, commits.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

FACTS = (
    "我叫阿{n}的朋友住在{n}号楼",
    "I moved box {n} to shelf {n}",
    "以后第{n}号报告用 PDF",
    "哈哈 {n}",
)
NOW = "2026-12-01T03:00:00+08:00"


def write_log(path: Path, told: int, idle: int) -> int:
    """`told` events of the night that is dreamed, behind `idle` older ones that fill batches."""
    rows = [
        (f"2026-11-{n % 28 + 1:02d}T09:{n % 60:02d}:00+08:00", f"哈哈 {n}") for n in range(idle)
    ]
    rows += [
        (f"2026-11-30T{n % 24:02d}:{n % 60:02d}:00+08:00", FACTS[n % len(FACTS)].format(n=n))
        for n in range(told)
    ]
    with path.open("w", encoding="utf-8") as stream:
        for number, (ts, text) in enumerate(rows):
            row = {"ref": f"k{number}", "ts": ts, "session": f"s{number // 10}", "text": text}
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
    return len(rows)


def slowwave(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "slowwave", "--home", str(home), "--tz", "Asia/Shanghai",
            "--now", NOW, *arguments, "--json"]  # fmt: skip


def environment() -> dict[str, str]:
    return {**os.environ, "SLOWWAVE_EMBEDDER": "none"}


def answer(home: Path, *arguments: str) -> dict:
    done = subprocess.run(
        slowwave(home, *arguments), env=environment(), capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def shape(home: Path) -> list[tuple[str, str, int]]:
    known = answer(home, "memories", "list")
    return sorted((one["text"], one["status"], len(one["evidence"])) for one in known)


def written(home: Path) -> int:
    """How far the write-ahead log has come."""
    try:
        return (home / "slowwave.db-wal").stat().st_size
    except OSError:
        return 0


def strike(home: Path, step: tuple[str, ...], took: float, chance: random.Random) -> bool:
    """Starts a step and kills it; whether it was still alive then."""
    process = subprocess.Popen(
        slowwave(home, *step), env=environment(),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    if chance.random() < 0.5:
        time.sleep(chance.uniform(0.05, 1.0) * took)
    else:
        for _ in range(chance.randint(1, 6)):
            start = written(home)
            while written(home) == start and process.poll() is None:
                time.sleep(0.0005)
        time.sleep(chance.uniform(0, 0.01))
    alive = process.poll() is None
    process.kill()
    process.wait()
    return alive


def kill_and_check(tmp_path: Path, kills: int, told: int, idle: int) -> None:
    log = tmp_path / "log.jsonl"
    events = write_log(log, told, idle)
    calm, stormy = tmp_path / "calm", tmp_path / "stormy"
    steps = (("import", str(log)), ("dream", "--apply"))
    took = []
    for step in steps:
        began = time.monotonic()
        answer(calm, *step)
        took.append(time.monotonic() - began)
    chance = random.Random(20261201)
    before = struck = 0
    for number in range(kills):
        turn = number * 2 // kills
        if number and turn != (number - 1) * 2 // kills:
            answer(stormy, *steps[0])  # the dream is to find all of the night
        struck += strike(stormy, steps[turn], took[turn], chance)
        report = subprocess.run(
            slowwave(stormy, "doctor"), env=environment(), capture_output=True, check=False
        )
        assert json.loads(report.stdout)["ok"], report.stdout
        stored = answer(stormy, "status")["counts"]["events"]
        assert stored >= before, "an acknowledged event was lost"
        before = stored
    assert struck >= kills // 3, "the steps were over before the kills came"
    for step in steps:
        answer(stormy, *step)
    assert answer(stormy, "status")["counts"]["events"] == events
    assert shape(stormy) == shape(calm)
    assert answer(stormy, "doctor")["ok"]


def test_a_few_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 3, told=40, idle=2100)


@pytest.mark.slow
def test_fifty_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 50, told=300, idle=9000)


# The largest file this process may write: what a full disk looks like to it.
CRAMPED = """
import resource, sys
from slowwave.cli.main import run
size = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
sys.exit(run(sys.argv[2:]))
"""


def cramped(home: Path, size: int, *arguments: str) -> tuple[int, dict]:
    done = subprocess.run(
        [sys.executable, "-c", CRAMPED, str(size), *slowwave(home, *arguments)[3:]],
        env=environment(), capture_output=True, check=False,
    )  # fmt: skip
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    return done.returncode, json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limits on files there")
def test_a_full_disk(tmp_path: Path) -> None:
    home, log = tmp_path / "home", tmp_path / "log.jsonl"
    events = write_log(log, told=60, idle=2500)
    answer(home, "log", "the first words", "--ts", "2026-11-29T10:00:00+08:00")
    size = max(path.stat().st_size for path in home.iterdir())
    code, value = cramped(home, size + 200_000, "import", str(log))
    assert (code, value["error"]["type"]) == (1, "DiskFull")
    assert value["error"]["hint"]
    assert answer(home, "status")["counts"]["events"] in (1, 2001, events + 1)
    assert answer(home, "doctor")["ok"]
    answer(home, "import", str(log))
    assert answer(home, "status")["counts"]["events"] == events + 1
    size = max(path.stat().st_size for path in home.iterdir())
    for room in (20_000, 60_000, 120_000):
        code, value = cramped(home, room, "dream", "--apply")
        assert answer(home, "doctor")["ok"]
        if code:
            assert value["error"]["type"] == "DiskFull"
    answer(home, "dream", "--apply")
    done = [one["status"] for one in answer(home, "dreams")]
    assert done.count("applied") == 1
    assert answer(home, "doctor")["ok"]
