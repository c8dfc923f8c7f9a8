"""Where requests are answered: read on the loop, done on a thread, told as JSON or as a problem."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from slowwave.answers.encoding import encoded
from slowwave.errors import SlowwaveError
from slowwave.servers import problems
from slowwave.servers.access import Grant
from slowwave.servers.doors import room_of
from slowwave.servers.problems import NotAllowed, NoToken, Refused
from slowwave.servers.rest.idempotency import Kept, key_of, whose
from slowwave.servers.rest.jobs import Jobs
from slowwave.servers.rest.paging import Page
from slowwave.servers.rest.reading import Malformed, body_of, query_of
from slowwave.servers.rest.route import JSON, Lane, Route
from slowwave.servers.room import Room, grant_of

__all__ = ["Desk", "answer", "desk_of", "following", "problem", "query_pairs", "refuse", "told"]

T = TypeVar("T")

LANES: Mapping[Lane, int] = {"ask": 4, "log": 2, "rest": 4}
"""Requests of each kind that are worked on at once; the others wait their turn, in order.

Python works on one at a time mostly: with more threads each takes longer, and none is done sooner.
Who logs does not wait behind those who ask, nor these behind an export or a check of everything.
"""

QUIET = {"cache-control": "no-store"}


class Answer(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class Desk:
    """What the requests of one server share."""

    def __init__(self) -> None:
        self.kept = Kept()
        self.jobs = Jobs()
        self._lanes = {
            lane: ThreadPoolExecutor(threads, thread_name_prefix=lane)
            for lane, threads in LANES.items()
        }

    async def beside(self, work: Callable[..., T], *args: Any, lane: Lane = "rest") -> T:
        """Runs what blocks on a thread, in its turn."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._lanes[lane], partial(work, *args))

    def close(self) -> None:
        """Stops the dreams under way and waits a moment for them; takes no more requests."""
        self.jobs.close()
        for threads in self._lanes.values():
            threads.shutdown(wait=False, cancel_futures=True)


def desk_of(request: Request) -> Desk:
    """The desk of the server that a request came to."""
    found = request.app.state.rest
    assert isinstance(found, Desk)
    return found


async def answer(route: Route, request: Request) -> Response:
    """Answers a request: with what its route gives, or with a problem."""
    try:
        if not route.open:
            refuse(route, request)
        if route.handler is not None:
            return await route.handler(route, request)
        raw = await body_bytes(route, request)
        made = await desk_of(request).beside(_once, route, request, raw, lane=route.lane)
    except SlowwaveError as error:
        return problem(error)
    return told(made)


def refuse(route: Route, request: Request) -> None:
    """NoToken or NotAllowed before anything is read, for one who may not."""
    grant = grant_of(request)
    if grant is None:
        raise NoToken
    if not grant.may(route.scope):
        raise NotAllowed(f"this token may not {route.scope}")


async def body_bytes(route: Route, request: Request) -> bytes:
    """The body as it came. Raises Refused for a media type that is not read here."""
    if route.body is None:
        return b""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    try:
        raw = await request.body()
    except ClientDisconnect as error:
        raise Malformed("the client went away") from error
    if raw and kind not in route.takes and "*/*" not in route.takes:
        raise Refused(415, f"a body of {kind[:60] or 'no type'} is not read here",
                      f"send {' or '.join(route.takes)}")  # fmt: skip
    return raw


def _once(route: Route, request: Request, raw: bytes) -> Answer:
    """Does it; with an idempotency key, only where it was not done before."""
    key = key_of(request.headers) if route.writes else ""
    if not key:
        return _done(route, request, raw)
    room = room_of(request, route.scope)
    place = whose(room.memory.space, room.grant.name, route.id, request.url.path, key)
    said = raw + b"\0" + request.url.query.encode()
    return desk_of(request).kept.once(place, said, partial(_done, route, request, raw))


def _done(route: Route, request: Request, raw: bytes) -> Answer:
    room = room_of(request, route.scope)
    assert route.work is not None
    made = route.work(**_given(route, request, room, raw))
    headers = dict(QUIET)
    if isinstance(made, Page):
        headers |= following(request, made.next)
        made = made.rows
    if isinstance(made, str):
        return Answer(route.status, made.encode("utf-8", "replace"), headers | _TEXT)
    return Answer(route.status, encoded(made), headers | _JSON)


_JSON = {"content-type": JSON}
_TEXT = {"content-type": "text/plain; charset=utf-8"}


def _given(route: Route, request: Request, room: Room, raw: bytes) -> dict[str, Any]:
    """What the work of a route is called with."""
    pairs = query_pairs(request)
    given: dict[str, Any] = {"memory": room.memory, "grant": room.grant, **request.path_params}
    if route.query is not None:
        given["query"] = query_of(pairs, route.query)
    elif pairs:
        raise Malformed(f"there is no parameter {pairs[0][0][:40]!r}")
    if route.body is not None:
        given["body"] = body_of(raw, route.body) if route.takes == (JSON,) else raw
    if "kind" in route.wants:
        given["kind"] = request.headers.get("content-type", "").partition(";")[0].casefold()
    if "key" in route.wants:
        given["key"] = key_of(request.headers)
    return {name: given[name] for name in route.wants}


def query_pairs(request: Request) -> list[tuple[str, str]]:
    """The parameters of a query but the space, which `room` has read. Raises Malformed."""
    pairs = request.query_params.multi_items()
    spaces = [text for name, text in pairs if name == "space"]
    if len(spaces) > 1 or "" in spaces:
        raise Malformed("space is given twice, or is empty", "give it once, or leave it out")
    return [(name, text) for name, text in pairs if name != "space"]


def following(request: Request, cursor: str) -> dict[str, str]:
    """The header that says where the next page is; none where there is none."""
    if not cursor:
        return {}
    kept = [(name, text) for name, text in request.query_params.multi_items() if name != "cursor"]
    where = f"{quote(request.url.path)}?{urlencode([*kept, ('cursor', cursor)])}"
    return {"link": f'<{where}>; rel="next"'}


def told(made: Answer) -> Response:
    """An answer as it is sent."""
    return Response(made.body, made.status, dict(made.headers))


def problem(error: SlowwaveError) -> Response:
    """An error as it is sent."""
    headers = dict(QUIET)
    if isinstance(error, NoToken):
        headers["www-authenticate"] = "Bearer"
    body = encoded(problems.problem_of(error))
    return Response(body, problems.status_of(error), headers, media_type=problems.MEDIA_TYPE)


def sees_all(grant: Grant) -> None:
    """NotAllowed for a token that is not for every space."""
    if grant.spaces:
        raise NotAllowed("this token is for some spaces only", "use one that is for all")
