"""The pages as one application: routes, forms, errors, headers."""

from collections.abc import Awaitable, Callable
from functools import cache, partial
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from slowwave.errors import SlowwaveError
from slowwave.servers.counting import Attempts
from slowwave.servers.dashboard import assets, reasons, showing, words
from slowwave.servers.dashboard.jobs import Jobs
from slowwave.servers.dashboard.pages import ALL
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.pages.telling import SIGNS, fact
from slowwave.servers.dashboard.pages.trouble import trouble
from slowwave.servers.dashboard.safety import CSRF_FIELD, HEADERS
from slowwave.servers.dashboard.visit import LANGUAGE_COOKIE, Shared, Visit
from slowwave.servers.doors import Doors
from slowwave.servers.problems import NotAllowed, Refused
from slowwave.servers.room import beside
from slowwave.servers.tokens import guessable

Answer = Callable[[Request], Awaitable[Response]]

FIELDS, FIELD_BYTES = 100, 256 * 1024
"""At most of a form."""


def application(doors: Doors) -> Starlette:
    """All pages of a server."""
    attempts = Attempts(doors.settings.server.failures_per_minute, guessable)
    shared = Shared(doors, templates(), Jobs(doors.nights), attempts)
    routes = [Route(page.path, _answer(shared, page), methods=[page.method]) for page in ALL]
    routes += [Route("/static/{name}", _static), Route("/favicon.ico", _icon)]
    return Starlette(
        routes=routes,
        exception_handlers={
            HTTPException: partial(_refused, shared), Exception: partial(_broken, shared),
        },
    )  # fmt: skip


@cache
def templates() -> Environment:
    """The templates: everything is escaped, and what is not given is an error."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False,
    )  # fmt: skip
    made.globals |= {
        "asset": assets.address, "lang_of": showing.language_of, "clip": showing.clip,
        "form_field": CSRF_FIELD, "languages": words.LANGUAGES,
        "signs": SIGNS, "fact": fact, "reason": reasons.told,
    }  # fmt: skip
    made.filters["visible"] = showing.visible
    made.tests["known"] = words.known
    return made


def _answer(shared: Shared, page: Page) -> Answer:
    """Answers the requests of one page."""

    async def answer(request: Request) -> Response:
        visit = Visit(shared, request)
        try:
            if request.method == "POST":
                await _take_form(visit)
            response = await beside(_rendered, visit, page)
        except SlowwaveError as error:
            response = await beside(trouble, visit, error)
        return _sealed(visit, response)

    return answer


def _rendered(visit: Visit, page: Page) -> Response:
    if page.scope is not None:
        visit.enter(page.scope)
    return page.show(visit)


async def _take_form(visit: Visit) -> None:
    """Reads what was sent. Raises NotAllowed for what did not come from a page of ours."""
    async with visit.request.form(
        max_files=0, max_fields=FIELDS, max_part_size=FIELD_BYTES
    ) as form:
        visit.form = {
            name: value.replace("\r\n", "\n")
            for name, value in form.items()
            if isinstance(value, str)
        }
    if not visit.ours():
        raise NotAllowed(
            "this form did not come from a page of this server, or the page was old",
            "open the page again and send it once more",
        )


def _sealed(visit: Visit, response: Response) -> Response:
    """The answer with its headers and cookies."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    asked = visit.request.query_params.get("lang", "")
    if asked in words.LANGUAGES:
        visit.cookie(LANGUAGE_COOKIE, asked)
    visit.stamp(response)
    return response


async def _refused(shared: Shared, request: Request, error: Exception) -> Response:
    """What the framework refuses: no such page, a wrong method, a form that is none."""
    assert isinstance(error, HTTPException)
    visit = Visit(shared, request)
    made = Refused(error.status_code, str(error.detail))
    return _sealed(visit, await beside(trouble, visit, made))


async def _broken(shared: Shared, request: Request, error: Exception) -> Response:
    """A mistake of ours: the page says so, and the server's log says what."""
    visit = Visit(shared, request)
    made = SlowwaveError(f"{type(error).__name__}", "the server's own output says more")
    return _sealed(visit, await beside(trouble, visit, made))


async def _static(request: Request) -> Response:
    """A file of ours, by a name that changes with what is in it."""
    found = assets.assets().files.get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    return _file(found)


async def _icon(_request: Request) -> Response:
    known = assets.assets()
    return _file(known.files[known.names["icon.svg"]], "public, max-age=86400")


def _file(asset: assets.Asset, kept: str = assets.FOR_EVER) -> Response:
    headers = {"cache-control": kept, "x-content-type-options": "nosniff"}
    return Response(asset.body, media_type=asset.type, headers=headers)


__all__ = ["application", "templates"]
