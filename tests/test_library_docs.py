"""The Python of the pages runs as it stands there, and prints what stands below it."""

import contextlib
import inspect
import io
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any

import pytest

from slowwave import Memory
from slowwave.testing import FrozenMemory

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / page for page in ("README.md", "docs/quickstart.md")]
PAGES += [
    ROOT / f"docs/how-to/{name}.md"
    for name in ("python", "testing", "langgraph", "realtime", "model")
]

BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", re.DOTALL)
VOLATILE = (
    (re.compile(r"\b[a-z][a-z2-7]{12}\b"), "ID"),
    (re.compile(r"\b\d{4}-\d{2}-\d{2} ·"), "DAY ·"),
)
"""What no page can know: ids of events that were logged without a time, and today."""


def blocks(page: Path) -> list[tuple[int, str, str | None]]:
    """Each block of Python with its line, and what stands below it as printed."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start()) + 2, found[1], found[2])
        for found in BLOCK.finditer(text)
    ]


def plain(printed: str) -> str:
    for pattern, word in VOLATILE:
        printed = pattern.sub(word, printed)
    return printed


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who tries a page in a folder of his own."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_python_of_a_page_runs(page: Path) -> None:
    if page.stem == "langgraph":
        pytest.importorskip("langgraph")
    found = blocks(page)
    assert found, "a page without Python"
    names: dict[str, Any] = {"__name__": page.stem}
    for line, code, expected in found:
        printed = io.StringIO()
        # Errors name the line of the page.
        compiled = compile("\n" * (line - 1) + code, str(page.relative_to(ROOT)), "exec")
        with contextlib.redirect_stdout(printed):
            exec(compiled, names)
        if expected is not None:
            assert plain(printed.getvalue()) == plain(expected), f"{page.name}, line {line}"
    for name in ("test_the_agent_is_told_of_allergies",):
        if name in names:
            _run(names[name])


def _run(test: Any) -> None:
    """A test of the page, as pytest would run it."""
    with FrozenMemory() as memory:
        test(memory)


EXAMPLES = [
    (name, example)
    for name, method in inspect.getmembers(Memory)
    if not name.startswith("_")
    for example in [re.findall(r"^ {4}.*$", inspect.getdoc(method) or "", re.MULTILINE)]
    if example
]


@pytest.mark.usefixtures("reader")
@pytest.mark.parametrize(("name", "lines"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_the_example_of_a_docstring_runs(name: str, lines: list[str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "src/slowwave/demo/logs", tmp_path / ".openclaw")
    assert callable(getattr(Memory, name))
    with FrozenMemory() as memory:
        memory.log(["I live in Maple Street", "I am allergic to peanuts"])
        memory.dream("today", apply=True)
        memory.log("I keep bees in Leuven")
        memory.context("where do I live?")
        names = {"memory": memory, "hit": memory.recall("Maple Street")[0], "seen": 0}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(textwrap.dedent("\n".join(lines)), {"Memory": Memory, **names})


def test_most_methods_have_an_example() -> None:
    assert len(EXAMPLES) >= 12
