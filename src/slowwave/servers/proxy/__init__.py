"""Between a client and its model: captures both sides, and puts memories into the system prompt.

request → asked (what it says) → desk.prepare (conversation, memories) → up
answer  → relay (its bytes as they come) → heard → desk.log_answer

door      one request                   wishes    what its token and headers allow
spans     places in a JSON text         asked     a request, and the block put into it
pieces    messages as events            align     which of them are new
talks     the conversations so far      desk      memory, on threads of its own
upstream  the server that answers       relay     its answer on the way back
answer    what it says                  failing   errors as clients here read them
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.routing import Route

from slowwave.servers.doors import Doors
from slowwave.servers.proxy.counting import Totals
from slowwave.servers.proxy.door import Door, desk_of

__all__ = ["Totals", "counters", "install", "running"]

PATHS = (
    "/chat/completions", "/responses", "/models", "/embeddings", "/completions", "/moderations",
    "/audio", "/images", "/rerank",
)  # fmt: skip
"""What of the protocol passes through, with all below it; the first two with a memory."""
METHODS = ("GET", "POST", "DELETE")


def install(app: FastAPI) -> None:
    """Adds the routes. They are described by the protocol, not by our own OpenAPI."""
    door = Door()
    for path in PATHS:
        for below in ("", "/{rest:path}"):
            app.router.routes.append(
                Route(f"/v1{path}{below}", door, methods=METHODS, include_in_schema=False)
            )


@asynccontextmanager
async def running(doors: Doors) -> AsyncIterator[None]:
    """Holds the connections to the upstream server while the server runs."""
    desk = desk_of(doors)
    desk.warm()
    try:
        yield
    finally:
        await desk.close()
        doors.attached.pop("proxy", None)


def counters(doors: Doors) -> Totals:
    """What went through since the server started."""
    return desk_of(doors).counters.totals()
