"""Between a client and its model: captures both sides, and puts memories into the system prompt."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from slowwave.servers.doors import Doors


def install(app: FastAPI) -> None:
    """Adds the routes."""
    del app


@asynccontextmanager
async def running(doors: Doors) -> AsyncIterator[None]:
    """Holds the connections to the upstream server while the server runs."""
    del doors
    yield
