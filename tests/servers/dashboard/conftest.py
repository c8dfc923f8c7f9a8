"""A server of an invented home, and who calls it."""

import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient
from starlette.types import ASGIApp

sys.path.insert(0, str(Path(__file__).parent))

import dashboard_story as story
from dashboard_desk import Desk

from slowwave.servers import dashboard, tokens
from slowwave.servers.access import Scope
from slowwave.servers.doors import Doors
from slowwave.servers.guard import Guard
from slowwave.servers.paths import page, public
from slowwave.servers.tokens import Keys
from slowwave.spaces import Spaces
from slowwave.wiring import Options

Maker = Callable[..., Desk]


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the story; nobody changes it."""
    home = tmp_path_factory.mktemp("dashboard") / "home"
    story.build(home)
    return home


@pytest.fixture
def desk(told: Path, tmp_path: Path) -> Iterator[Maker]:
    """Makes a desk before a server: on the story or (`empty`) a new home, with a token's scopes."""
    opened: list[Spaces] = []

    def make(
        *scopes: Scope, empty: bool = False, only: tuple[str, ...] = (), whole: bool = False
    ) -> Desk:
        home = tmp_path / "home"
        if not empty and not home.exists():
            story.copied(told, home)
        options = Options(home=str(home), now=story.NOW, tz="Asia/Shanghai")
        spaces = Spaces(options, story.ENVIRONMENT)
        opened.append(spaces)
        now = datetime.fromisoformat(story.NOW)
        token = tokens.add(home, f"t{len(opened)}", scopes, only, now) if scopes else ""
        doors = Doors(spaces, Keys(home, ""))
        app = server_of(doors) if whole else pages_of(doors)
        client = TestClient(app, base_url="http://127.0.0.1")
        made = Desk(spaces, client)
        if token:
            sign_in(made, token)
        return made

    yield make
    for spaces in opened:
        spaces.close()


def server_of(doors: Doors) -> ASGIApp:
    """All doors, which take seconds to load."""
    from slowwave.servers.app import build

    return build(doors)


def pages_of(doors: Doors) -> ASGIApp:
    """The server as `build` makes it, without its other doors: they take long to make."""
    app = FastAPI()
    app.state.doors = doors
    dashboard.install(app)
    settings = doors.settings.server
    return Guard(
        app, keys=doors.keys, sessions=doors.sessions, settings=settings, public=public, page=page
    )


def sign_in(desk: Desk, token: str) -> None:
    """Gives the token at the door."""
    desk.client.follow_redirects = False
    desk.send("/login", "/login", token=token, status=303)
    desk.client.follow_redirects = True
