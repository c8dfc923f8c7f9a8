"""A real Chromium before a real server of the invented home."""

import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import dashboard_story as story
import pytest
import uvicorn

from slowwave.servers import tokens
from slowwave.servers.app import build
from slowwave.servers.doors import Doors
from slowwave.servers.tokens import Keys
from slowwave.spaces import Spaces
from slowwave.wiring import Options

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PROGRAM = os.environ.get("SLOWWAVE_CHROMIUM", "") or shutil.which("chromium") or "/usr/bin/chromium"
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
MEASURE = (Path(__file__).parent / "dashboard_contrast.js").read_text(encoding="utf-8")


def needed(reason: str) -> None:
    """Skips where a tool is missing; where tests are meant to be complete that is a failure."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


class Served:
    """A server on a port of this machine, and its memory."""

    def __init__(self, home: Path, address: str, spaces: Spaces) -> None:
        self.home, self.address, self.spaces = home, address, spaces

    def ways(self) -> dict[str, str]:
        """The pages that are looked at, by the name of their picture."""
        memory = self.spaces.first
        known = {words: next(one.id for one in memory.memories() if words in one.text)
                 for words in ("老段", "北门街，养蜂")}  # fmt: skip
        asked = next(one.id for one in memory.injections() if "稿子" in one.query)
        event = memory.why(known["北门街，养蜂"]).evidence[0].event_id
        return {
            "tonight": "/", "dreams": "/dreams", "review": f"/dreams/{self.plan()}",
            "memories": "/memories", "memory": f"/memories/{known['老段']}",
            "event": f"/events/{event}", "timeline": "/timeline?day=2026-05-11",
            "search": "/search?q=which+port+does+the+hive+scale+use",
            "conflicts": "/conflicts", "injections": "/injections",
            "injection": f"/injections/{asked}?item=1", "working": "/working",
            "statistics": "/statistics", "topics": "/statistics/topics?days=30",
            "forget": f"/forget/{known['老段']}", "forget-words": "/forget",
            "missing": "/memories/none",
        }  # fmt: skip

    def plan(self) -> str:
        """The night that waits."""
        known = self.spaces.first.dreams()
        return next(one.dream_id for one in known if one.date == story.LAST and one.by == "night")


@contextmanager
def serving(home: Path, token: str = "") -> Iterator[Served]:
    """A server of a home while the block runs."""
    options = Options(home=str(home), now=story.NOW, tz="Asia/Shanghai")
    spaces = Spaces(options, story.ENVIRONMENT)
    if token:
        tokens.add(home, "t", ("admin",), (), spaces.first.now())
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    app = build(Doors(spaces, Keys(home, token)))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Served(home, f"http://127.0.0.1:{listening.getsockname()[1]}", spaces)
    finally:
        server.should_exit = True
        thread.join(20)
        listening.close()
        spaces.close()


@contextmanager
def chromium() -> Iterator[Any]:
    """The system's browser."""
    if not Path(PROGRAM).exists():
        needed(f"no browser at {PROGRAM}")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        needed("playwright is not installed")
    with sync_playwright() as tools:
        browser = tools.chromium.launch(executable_path=PROGRAM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Window:
    """One window; whatever goes wrong in it is written down."""

    def __init__(self, browser: Any, served: Served, language: str = "en", **how: Any) -> None:
        self.served = served
        given = {"viewport": {"width": 1040, "height": 800}, **how}
        self.context = browser.new_context(
            base_url=served.address, locale=LOCALES[language], reduced_motion="reduce", **given
        )
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("request", self._asked)
        self.page.on("response", self._answered)

    def _heard(self, message: Any) -> None:
        expected = "Failed to load resource: the server responded with a status of 404"
        if message.type in ("error", "warning") and not message.text.startswith(expected):
            self.wrong.append(f"console: {message.text}")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.served.address, "data:")):
            self.wrong.append(f"asked elsewhere: {request.url}")

    def _answered(self, response: Any) -> None:
        if response.status >= 500:
            self.wrong.append(f"{response.status}: {response.url}")

    def go(self, way: str) -> Any:
        """Opens a page."""
        self.page.goto(way)
        return self.page

    def close(self) -> None:
        """Nothing may have gone wrong."""
        self.context.close()
        assert not self.wrong
