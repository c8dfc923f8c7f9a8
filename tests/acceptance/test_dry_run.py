"""A dry run leaves no trace, and the same night is dreamed the same way every time (N13, N16)."""

import hashlib
import json
import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave.model import Dream, Record

NOW = "2026-12-01T03:00:00+08:00"
SAID = (
    "My landlord Osvaldo lives on the third floor",
    "以后给供应商的报价一律用表格",
    "I moved the pottery class to Thursday 4 December",
    "我对荞麦过敏",
    "hm, what is the capital of Peru?",
    "haha",
    "I prefer the night train to flying",
    "下周二我去婺源看油菜花",
    "My landlord Osvaldo lives on the third floor",
)


def records(day: str) -> list[Record]:
    from datetime import datetime

    return [
        Record(
            text=text, source="dry", key=f"{day}-{number}", session=day,
            ts=datetime.fromisoformat(f"{day}T10:{number:02d}:00+08:00"),
        )
        for number, text in enumerate(SAID)
    ]  # fmt: skip


def fill(open_at: Any) -> None:
    """A home with an applied night, a plan that waits, a stored vault, and a day not dreamed."""
    memory = open_at("2026-11-29T03:00:00+08:00")
    memory.log(records("2026-11-28"))
    memory.dream(apply=True)
    memory = open_at("2026-11-30T03:00:00+08:00")
    memory.log(records("2026-11-29"))
    memory.dream()
    memory = open_at(NOW)
    memory.log(records("2026-11-30"))
    memory.recall(memory.query("Where does Osvaldo live?"))
    memory.close()


def tree(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file below a folder: hash of its bytes and when it was changed.

    SQLite's shared memory is no data: any reader makes it.
    """
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith("-shm") and path.stat().st_size
    }  # fmt: skip


def no_calls(*_: object, **__: object) -> None:
    raise AssertionError("a dry run of the rules called out")


@pytest.mark.parametrize("date", ["yesterday", "2026-11-29", "all"])
def test_a_dry_run_leaves_tree_database_and_model_alone(
    date: str, open_at: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(open_at)
    open_at(NOW).close()  # whatever opening tidies up is done
    before = tree(tmp_path)
    assert "home/slowwave.db" in before
    memory = open_at(NOW)
    counts = memory.status().counts
    monkeypatch.setattr(socket.socket, "connect", no_calls)
    monkeypatch.setattr(socket, "create_connection", no_calls)
    made = memory.dream(date, dry_run=True)
    assert made.changes
    assert made.model_used == "rules"
    assert memory.status().counts == counts
    assert made.dream_id not in {dream.dream_id for dream in memory.dreams() if date == "all"}
    memory.close()
    assert tree(tmp_path) == before


def outcome(dream: Dream) -> bytes:
    """All of a dream but the seconds it took."""
    still = tuple(msgspec.structs.replace(stage, duration_sec=0.0) for stage in dream.stages)
    return msgspec.json.encode(msgspec.structs.replace(dream, duration_sec=0.0, stages=still))


def test_five_dreams_over_unchanged_input_are_byte_identical(open_at: Any) -> None:
    fill(open_at)
    memory = open_at(NOW)
    assert len({outcome(memory.dream("all", dry_run=True)) for _ in range(5)}) == 1


def test_other_processes_with_other_hash_seeds_dream_the_same(open_at: Any, tmp_path: Path) -> None:
    fill(open_at)
    found = set()
    for seed in ("0", "1", "271828"):
        done = subprocess.run(
            [sys.executable, "-m", "slowwave", "--home", str(tmp_path / "home"), "--now", NOW,
             "--tz", "Asia/Shanghai", "dream", "--date", "all", "--dry-run", "--json"],
            env={**os.environ, "SLOWWAVE_EMBEDDER": "none", "PYTHONHASHSEED": seed},
            capture_output=True, check=True,
        )  # fmt: skip
        value = json.loads(done.stdout)
        assert value["changes"]
        value["duration_sec"] = 0
        for stage in value["stages"]:
            stage["duration_sec"] = 0
        found.add(json.dumps(value, sort_keys=True))
    assert len(found) == 1


def test_a_plan_and_its_dry_run_agree(open_at: Any) -> None:
    fill(open_at)
    with closing(open_at(NOW)) as memory:
        dry, planned = memory.dream(dry_run=True), memory.dream()
        assert dry.changes == planned.changes
        assert dry.rejections == planned.rejections
