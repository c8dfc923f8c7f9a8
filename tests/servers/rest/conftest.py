"""What tests of REST share: a small home with two spaces, its tokens, and a client."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from slowwave.memory import SlowMemory
from slowwave.model import Record
from slowwave.servers.access import Scope
from slowwave.servers.app import build
from slowwave.servers.doors import Doors
from slowwave.servers.rest.desk import Desk
from slowwave.servers.tokens import Keys, add
from slowwave.spaces import Spaces
from slowwave.wiring import Options

NOW = "2026-12-01T03:00:00+08:00"
MARKS = {"ana": "quincenuevo", "bo": "zeppelinkraut"}
"""A word that stands in one space only, in everything that it holds."""


@dataclass
class Served:
    """A server without a network: its home, its spaces, and a client for each token."""

    home: Path
    spaces: Spaces
    doors: Doors
    app: FastAPI
    client: TestClient
    tokens: dict[str, str]
    marks: dict[str, str]

    @property
    def desk(self) -> Desk:
        """What the requests share."""
        return self.app.state.rest

    def headers(self, who: str) -> dict[str, str]:
        """What a holder of a token sends."""
        return {"authorization": f"Bearer {self.tokens[who]}"}


def fill(memory: SlowMemory, mark: str) -> None:
    """A little of everything, each with the word."""
    memory.log(
        [
            Record(text=f"I live in {mark}", source="jsonl", ref=f"{mark}-1", session=mark),
            Record(text=f"I am allergic to {mark}", source="jsonl", session=mark),
            Record(text=f"My friend Mona works at {mark}", source="jsonl", session=mark),
        ]
    )
    memory.dream("all", apply=True)
    memory.forget(memory.forget_plan(text="Mona"))
    memory.working_add(f"call {mark}")
    memory.context(f"where is {mark}", 600, mark)
    memory.recall(memory.query(mark, caller="agent"))
    memory.log([Record(text=f"I prefer tea from {mark}", source="jsonl", session=mark)])
    memory.dream("all")


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The two spaces `ana` and `bo`, and tokens of each scope for `ana`."""
    home = tmp_path_factory.mktemp("rest") / "home"
    options = Options(home=str(home), space="ana", now=NOW, tz="Asia/Shanghai")
    spaces = Spaces(options, {"SLOWWAVE_EMBEDDER": "none"})
    (home / "slowwave.toml").write_text("[server]\nfailures_per_minute = 0\n")
    spaces.close()
    spaces = Spaces(options, {"SLOWWAVE_EMBEDDER": "none"})
    for name, mark in MARKS.items():
        fill(spaces.memory(name), mark)
    now = spaces.first.now()
    wanted: dict[str, tuple[tuple[Scope, ...], tuple[str, ...]]] = {
        "all": (("admin",), ()),
        "bo": (("admin",), ("bo",)),
        **{scope: ((scope,), ("ana",)) for scope in ("read", "log", "review", "admin")},  # type: ignore[misc]
    }
    tokens = {name: add(home, name, scopes, only, now) for name, (scopes, only) in wanted.items()}
    doors = Doors(spaces, Keys(home, ""))
    # An error of the server itself is an answer here as well.
    guard = build(doors)
    client = TestClient(guard, base_url="http://localhost", raise_server_exceptions=False)
    with client:
        yield Served(home, spaces, doors, guard._app, client, tokens, MARKS)
    spaces.close()
