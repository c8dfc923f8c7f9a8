"""What several tests need: a memory on a fresh home, with a clock that stands still."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from slowwave.memory import SlowMemory
from slowwave.wiring import Options, open_memory

Opener = Callable[..., SlowMemory]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tester's own settings must not reach a test."""
    import os

    for name in list(os.environ):
        if name.startswith("SLOWWAVE_"):
            monkeypatch.delenv(name)


@pytest.fixture
def open_at(tmp_path: Path) -> Iterator[Opener]:
    """Opens the test's home at a moment; words only unless told, so that tests start fast."""
    opened: list[SlowMemory] = []

    def opener(
        now: str = "2026-12-01T03:00:00+08:00", *, embedder: str = "none", tz: str = "Asia/Shanghai"
    ) -> SlowMemory:
        while opened:
            opened.pop().close()
        options = Options(home=str(tmp_path / "home"), now=now, tz=tz)
        memory = open_memory(options, {"SLOWWAVE_EMBEDDER": embedder})
        opened.append(memory)
        return memory

    yield opener
    for memory in opened:
        memory.close()
