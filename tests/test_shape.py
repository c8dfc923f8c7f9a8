"""The shape of the code: rules that ruff does not hold."""

import ast
import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "slowwave"
MODULES = sorted(SOURCE.rglob("*.py"))
MAX_MODULE, MAX_FUNCTION = 400, 50
BANNED_NAMES = {"utils.py", "helpers.py", "common.py", "misc.py", "manager.py", "service.py"}


def name_of(path: Path) -> str:
    return str(path.relative_to(SOURCE))


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_module_and_function_sizes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_MODULE
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            assert length <= MAX_FUNCTION, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_no_room_without_a_name() -> None:
    assert not [path for path in MODULES if path.name in BANNED_NAMES]


def test_nothing_names_a_machine() -> None:
    root = SOURCE.parent.parent
    folders = ("src", "tests", "docs", "bench")
    files = [path for folder in folders for path in (root / folder).rglob("*")]
    machine = re.compile(r"/(?:work|root)/(?:main|shared|\.)")
    for path in files:
        if path.suffix in {".py", ".md", ".toml", ".sql"} and path != Path(__file__):
            assert not machine.search(path.read_text(encoding="utf-8")), path
