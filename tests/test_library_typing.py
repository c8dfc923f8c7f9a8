"""A program of a user type-checks under `mypy --strict`, and what is misused is found by it."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = '''
from datetime import date, datetime
from typing import assert_type

import slowwave
from slowwave import Dream, Event, Hit, Injected, Memory, Record, Remembered, Version, WorkItem
from slowwave.testing import FrozenMemory, assert_remembers


def remember(memory: Memory) -> list[str]:
    done = memory.log("words")
    assert_type(done.events, int)
    memory.log(["words", {"text": "a mapping"}, Record(text="x", source="mine")])
    memory.log({"text": "x", "ts": datetime.now().astimezone()}, kind="note")
    night = memory.dream("today", apply=True, distiller="rules")
    assert_type(night, Dream)
    hits = memory.recall("?", k=3, kind="profile", since=date(2026, 1, 1), as_of="2026-03-01")
    assert_type(hits, list[Hit])
    assert_type(memory.context("?", budget=300), Injected)
    assert_type(memory.memories(status=("active", "cold")), list[Remembered])
    assert_type(memory.history("m"), tuple[Version, ...])
    assert_type(memory.working(state="open"), list[WorkItem])
    assert_type(memory.events(["e"]), dict[str, Event])
    assert_type(memory.why("m").memory, Remembered)
    assert_type(memory.forget(match="x").receipt.removed.events, int)
    return [change.after.text for change in night.changes]


class Agent(Memory):
    """Somebody's own."""


def main() -> None:
    try:
        with Memory("home", space="ada", tz="Europe/Paris") as memory:
            assert_type(memory, Memory)
            remember(memory)
        with Agent.ephemeral(settings={"embedder": "none"}) as agent:
            assert_type(agent, Agent)
        with FrozenMemory() as frozen:
            remember(frozen)
            assert_remembers(frozen, "?", "words")
    except slowwave.NotFound as error:
        assert_type(error.hint, str)
'''
MISUSED = """
from slowwave import Memory

memory = Memory()
memory.recall("?", kind="pet")
memory.recall("?", k="3")
memory.log(5)
memory.log("x", role="boss")
memory.dream(apply="yes")
memory.memories(status="warm")
memory.recal("?")
"""


@pytest.mark.slow
def test_a_users_program(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "misused.py").write_text(MISUSED, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "mypy.ini", "program.py", "misused.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = [line.split(": ", 1) for line in told.stdout.splitlines() if ": error:" in line]
    lines = [int(where.split(":")[1]) for where, _ in found if where.startswith("misused.py")]
    assert [where for where, _ in found if not where.startswith("misused.py")] == [], told.stdout
    assert sorted(set(lines)) == list(range(5, 12)), told.stdout
