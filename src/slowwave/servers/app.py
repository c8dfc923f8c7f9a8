"""The ASGI application: all doors behind one guard.

/healthz /metrics /openapi.json /v1/…   rest
/v1/chat/completions /v1/responses …    proxy
/mcp                                    mcp
everything else                         dashboard
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.routing import Route
from starlette.types import ASGIApp

from slowwave import __version__
from slowwave.servers import dashboard, mcp, proxy, rest
from slowwave.servers.doors import Doors
from slowwave.servers.guard import Guard
from slowwave.servers.paths import page, public


def build(doors: Doors) -> ASGIApp:
    """The server of a home. Opens nothing but what `doors` holds, and closes none of it."""
    agents = mcp.door(doors)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(rest.running(app))
            await stack.enter_async_context(agents.running())
            await stack.enter_async_context(proxy.running(doors))
            yield

    app = FastAPI(
        title="Slowwave", version=__version__, lifespan=lifespan,
        docs_url=None, redoc_url=None, openapi_url="/openapi.json",
    )  # fmt: skip
    app.state.doors = doors
    rest.install(app)
    proxy.install(app)
    app.router.routes.append(Route("/mcp", endpoint=agents.app, include_in_schema=False))
    dashboard.install(app)
    return Guard(
        app, keys=doors.keys, sessions=doors.sessions, settings=doors.settings.server,
        public=public, page=page,
    )  # fmt: skip
