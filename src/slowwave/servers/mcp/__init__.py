"""The Model Context Protocol, over HTTP and over stdio."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from starlette.applications import Starlette
from starlette.types import ASGIApp

from slowwave.servers.doors import Doors


@dataclass(frozen=True)
class Door:
    """The application that speaks it."""

    app: ASGIApp

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Holds its sessions while the server runs."""
        yield


def door(doors: Doors) -> Door:
    """The door of a server."""
    del doors
    return Door(Starlette())
