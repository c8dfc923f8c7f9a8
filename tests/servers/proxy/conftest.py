"""A server with a proxy before a scripted model, in this process or on a socket."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from slowwave.model import Event, Record
from slowwave.servers.access import Scope
from slowwave.servers.doors import Doors
from slowwave.servers.guard import Guard
from slowwave.servers.paths import page, public
from slowwave.servers.proxy import Totals, counters, install, running
from slowwave.servers.proxy.door import desk_of
from slowwave.servers.tokens import Keys, add
from slowwave.spaces import Spaces
from slowwave.testing.scripted_model import ScriptedModel
from slowwave.wiring import Options

HERE = "http://localhost:8377"


class House:
    """One home with its server. `proxy` are lines of `[server.proxy]`."""

    def __init__(self, home: Path, base_url: str, *, proxy: str = "", head: str = "") -> None:
        home.mkdir(parents=True, exist_ok=True)
        where = f'base_url = "{base_url}"\n' if base_url else ""
        (home / "slowwave.toml").write_text(f"{head}\n[server.proxy]\n{where}{proxy}\n")
        self.home = home
        self.open()

    def open(self) -> None:
        options = Options(home=str(self.home), tz="Europe/Paris")
        self.spaces = Spaces(options, {"SLOWWAVE_EMBEDDER": "none"})
        self.doors = Doors(self.spaces, Keys(self.home, ""))
        app = FastAPI(lifespan=lambda _: running(self.doors))
        app.state.doors = self.doors
        install(app)
        self.app = Guard(
            app, keys=self.doors.keys, sessions=self.doors.sessions,
            settings=self.doors.settings.server, public=public, page=page,
        )  # fmt: skip

    def close(self) -> None:
        self.spaces.close()

    def again(self) -> None:
        """As after a restart: nothing is known but what the disk holds."""
        self.close()
        self.open()

    def token(self, name: str, *scopes: Scope, spaces: tuple[str, ...] = ()) -> str:
        return add(self.home, name, scopes, spaces, self.spaces.first.now())

    def remember(self, *texts: str, space: str = "") -> None:
        """What was said long ago, in another conversation."""
        memory = self.spaces.memory(space)
        memory.log([Record(text=text, source="old", session="long-ago") for text in texts])

    def logged(self, space: str = "") -> list[Event]:
        """What came into the journal through the proxy."""
        return [
            event for event in self.spaces.memory(space).events_since(0) if event.source != "old"
        ]

    def said(self, space: str = "") -> list[tuple[str, str]]:
        return [(event.role, event.text) for event in self.logged(space)]

    def totals(self) -> Totals:
        return counters(self.doors)

    def run(self, work: Callable[[httpx.AsyncClient], Coroutine[Any, Any, Any]]) -> Any:
        """Does something with a client of the server; when it returns all is written."""

        desk = desk_of(self.doors)

        async def inside() -> Any:
            transport = httpx.ASGITransport(app=self.app)
            async with httpx.AsyncClient(transport=transport, base_url=HERE, timeout=20) as client:
                try:
                    return await work(client)
                finally:  # as `running`, but for what is loaded in advance
                    await desk.close()
                    del self.doors.attached["proxy"]

        done = asyncio.run(inside())
        self.last = desk.counters.totals()
        return done

    def ask(
        self, body: Any = None, path: str = "/v1/chat/completions", *, raw: bytes | None = None,
        method: str = "POST", **headers: str,
    ) -> httpx.Response:  # fmt: skip
        named = [(name.replace("_", "-").encode(), value.encode())
                 for name, value in headers.items()]  # fmt: skip
        given: dict[str, Any] = {"json": body} if raw is None else {"content": raw}
        if method == "GET":
            given = {}
        return self.run(lambda client: client.request(method, path, headers=named, **given))

    @contextmanager
    def listening(self) -> Iterator[str]:
        """On a real socket; gives its address."""
        made = socket.socket()
        made.bind(("127.0.0.1", 0))
        made.listen(128)
        config = uvicorn.Config(self.app, log_level="critical", lifespan="on", ws="none",
                                timeout_graceful_shutdown=5)  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [made]})
        thread.start()
        for _ in range(500):
            if server.started:
                break
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{made.getsockname()[1]}"
            self.last = counters(self.doors)
        finally:
            server.should_exit = True
            thread.join(20)
            made.close()


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A model that says what it is told to: tests set its script."""
    with ScriptedModel() as server:
        yield server


@pytest.fixture
def build_house(tmp_path: Path, model: ScriptedModel) -> Iterator[Callable[..., House]]:
    """Makes servers before the scripted model."""
    made: list[House] = []

    def make(name: str = "home", base_url: str | None = None, **given: Any) -> House:
        made.append(
            House(tmp_path / name, model.base_url if base_url is None else base_url, **given)
        )
        return made[-1]

    yield make
    for house in made:
        house.close()


@pytest.fixture
def house(build_house: Callable[..., House]) -> House:
    return build_house()
