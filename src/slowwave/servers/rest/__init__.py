"""`/v1`: everything the command line does, over HTTP.

route (a route as data) · desk (how requests are answered) · reading, paging, idempotency (what
requests say) · journal, asking, archive, prompts, dreams, upkeep, transfer, watch (the routes) ·
dreaming, jobs, dream_shape (dreams under way) · openapi, examples (the schema)
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route as Path

from slowwave.errors import SlowwaveError
from slowwave.servers.doors import Doors
from slowwave.servers.problems import Refused
from slowwave.servers.rest import (
    archive,
    asking,
    dreams,
    journal,
    prompts,
    transfer,
    upkeep,
    watch,
)
from slowwave.servers.rest.desk import Desk, answer, problem
from slowwave.servers.rest.openapi import schema_of
from slowwave.servers.rest.route import Route
from slowwave.servers.rest.watch import NAMED, Counted, Meters

__all__ = ["ROUTES", "install", "running"]

ROUTES: tuple[Route, ...] = (
    *asking.ROUTES, *journal.ROUTES, *archive.ROUTES, *dreams.ROUTES, *prompts.ROUTES,
    *upkeep.ROUTES, *transfer.ROUTES, *watch.ROUTES,
)  # fmt: skip
"""All routes, those first that are asked most."""


def install(app: FastAPI) -> None:
    """Adds the routes, how errors are told, the schema and the meters."""
    doors = app.state.doors
    assert isinstance(doors, Doors)
    app.state.rest = desk = Desk()
    app.state.meters = meters = Meters(doors, desk.jobs)
    by_path: dict[str, dict[str, Route]] = {}
    for route in ROUTES:
        by_path.setdefault(route.path, {})[route.method] = route
    for path, methods in by_path.items():
        endpoint = _endpoint(path, methods)
        app.router.routes.append(
            Path(path, endpoint, methods=list(methods), include_in_schema=False)
        )
    app.add_exception_handler(HTTPException, _http_problem)
    app.add_exception_handler(SlowwaveError, _known_problem)
    app.add_exception_handler(Exception, _unknown_problem)
    app.add_middleware(Counted, meters=meters)
    app.openapi = partial(_schema, app)  # type: ignore[method-assign]


@asynccontextmanager
async def running(app: FastAPI) -> AsyncIterator[None]:
    """Holds the desk while the server runs; dreams under way are stopped at its end."""
    try:
        yield
    finally:
        app.state.rest.close()


def _endpoint(path: str, methods: dict[str, Route]) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        request.scope[NAMED] = path
        # HEAD comes with GET, and is answered as it is.
        return await answer(methods.get(request.method) or methods["GET"], request)

    return endpoint


async def _http_problem(_request: Request, error: Exception) -> Response:
    """What the framework itself refuses: a path or a method that is not there."""
    assert isinstance(error, HTTPException)
    hint = "/openapi.json lists what there is"
    made = problem(Refused(error.status_code, str(error.detail), hint))
    made.headers.update(error.headers or {})
    return made


async def _known_problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, SlowwaveError)
    return problem(error)


async def _unknown_problem(_request: Request, _error: Exception) -> Response:
    return problem(Refused(500, "something broke here", "please report it; see the server's log"))


def _schema(app: FastAPI) -> dict[str, Any]:
    """The schema of these routes, and of those that other doors add to it."""
    if app.openapi_schema is None:
        made = schema_of(ROUTES)
        others = get_openapi(title=app.title, version=app.version, routes=app.routes)
        for path, methods in others.get("paths", {}).items():
            made["paths"].setdefault(path, {}).update(methods)
        for group, named in others.get("components", {}).items():
            made["components"].setdefault(group, {}).update(named)
        app.openapi_schema = made
    return app.openapi_schema
