"""One request: read, prepared, sent up, and its answer passed back.

An ASGI application of its own: the bytes that come are the bytes that go, in both directions.
"""

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, ParamSpec, TypeVar
from urllib.parse import unquote

import httpx
from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive, Scope, Send

from slowwave.errors import SlowwaveError
from slowwave.servers.access import Grant
from slowwave.servers.doors import Doors
from slowwave.servers.problems import NoToken, Refused
from slowwave.servers.proxy import asked as requests
from slowwave.servers.proxy.answer import Heard
from slowwave.servers.proxy.asked import Asked, Protocol
from slowwave.servers.proxy.desk import Desk, Log, Prepared, Said
from slowwave.servers.proxy.failing import Loop, UpstreamFailed, body_of, failed, status_of
from slowwave.servers.proxy.relay import Relay, ours
from slowwave.servers.proxy.upstream import Header
from slowwave.servers.proxy.wishes import Called, authorization, called, wish_of
from slowwave.servers.room import asked_space, grant_of

__all__ = ["Door", "desk_of"]

ACKNOWLEDGED = 0.25
"""Seconds that an answer waits at most until what was asked is durable; mostly it is long before
the model has said its first word."""
LARGE = 200_000
"""Bytes from which on a body is read on a thread of its own."""
TALKS: dict[str, Protocol] = {"/chat/completions": "chat", "/responses": "responses"}
VERSION = "/v1"

P = ParamSpec("P")
T = TypeVar("T")


def desk_of(doors: Doors) -> Desk:
    """The proxy's desk in these doors."""
    found = doors.attached.get("proxy")
    if not isinstance(found, Desk):
        found = doors.attached["proxy"] = Desk(doors.spaces)
    return found


class _Sent(NamedTuple):
    """A request on its way up: what it is, what was done for it, and since when."""

    path: str
    protocol: Protocol | None
    asked: Asked | None
    made: Prepared | None
    body: bytes
    ready_ms: float


class Door:
    """All paths of the proxy."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request. What goes wrong is told in the shape that clients here read."""
        request = Request(scope, receive)
        desk = desk_of(request.app.state.doors)
        try:
            body = await request.body()
        except ClientDisconnect:
            return
        except SlowwaveError as error:  # too large
            await _refuse(send, error)
            return
        work = asyncio.ensure_future(_answered(desk, request, body, send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                desk.counters.add(gone=1)
                work.cancel()
            with suppress(asyncio.CancelledError):
                await work
        finally:
            gone.cancel()
            work.cancel()


async def _gone(receive: Receive) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answered(desk: Desk, request: Request, body: bytes, send: Send) -> None:
    desk.counters.add(requests=1)
    try:
        sent = await _prepared(desk, request, body)
        response, log = await _upstream(desk, request, sent)
    except SlowwaveError as error:
        desk.counters.add(failed=1)
        await _refuse(send, error)
        return
    try:
        await _passed_back(desk, sent, response, log, send)
    finally:
        await response.aclose()


async def _prepared(desk: Desk, request: Request, body: bytes) -> _Sent:
    """What is sent up. Raises SettingsError, Loop, and what forbids the space."""
    began = time.perf_counter()
    if desk.line.loops(request.scope["headers"]):
        raise Loop
    path = _below(request.scope)
    protocol = TALKS.get(path) if request.method == "POST" else None
    asked = await _aside(body, requests.read, body, protocol) if protocol is not None else None
    made = None
    if asked is not None:
        headers = called(request.scope["headers"])
        space = asked_space(request)
        made = await desk.prepare(
            asked, wish_of(asked, headers, _grant(request), space, desk.settings)
        )
        if made.given.text:
            changed = await _aside(body, requests.with_block, asked, made.given.text)
            if changed is None:
                made.given = made.given._replace(text="", tokens=0, state="no-place")
            body = changed or body
    return _Sent(path, protocol, asked, made, body, (time.perf_counter() - began) * 1_000)


async def _aside(body: bytes, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Does something with a body; with a large one on a thread, so that others go on."""
    if len(body) < LARGE:
        return work(*args, **named)
    return await asyncio.to_thread(work, *args, **named)


async def _upstream(
    desk: Desk, request: Request, sent: _Sent
) -> tuple[httpx.Response, Log | None]:  # fmt: skip
    """The head of the answer, while the request's side is logged. Raises UpstreamFailed."""
    line = desk.line
    headers: Called = called(request.scope["headers"])
    key = line.upstream.key
    own = authorization(headers, _grant(request), request.app.state.doors.keys, key)
    readable = sent.made is not None and sent.made.wish.capture
    try:
        up = httpx.Request(
            request.method, line.upstream.target(sent.path, request.url.query),
            headers=line.up(request.scope["headers"], own, readable=readable), content=sent.body,
        )  # fmt: skip
        log = None
        if sent.made is not None and sent.asked is not None:
            log = desk.log_request(sent.made, sent.asked)
        response = await line.client.send(up, stream=True)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise failed(error, line.upstream.shown, line.upstream.timeout) from error
    if 300 <= response.status_code < 400 and response.status_code != 304:
        # A client that followed would show its token to whoever is there.
        await response.aclose()
        raise UpstreamFailed(
            502, "upstream_redirects", f"{line.upstream.shown} sends us elsewhere",
            "set base_url in [server.proxy] to where the server is",
        )  # fmt: skip
    return response, log


async def _passed_back(
    desk: Desk, sent: _Sent, response: httpx.Response, log: Log | None, send: Send
) -> None:  # fmt: skip
    made = sent.made

    def tell(heard: Heard, cut: str) -> None:
        if made is not None and log is not None:
            if heard.unread:
                desk.told("an answer was not logged", "its coding or size cannot be read")
            follow = heard.answer_id if sent.protocol == "responses" else ""
            desk.log_answer(made.wish, log, Said(heard.pieces, cut, follow))

    began = time.perf_counter()
    own = await _own_headers(desk, sent, log, began)
    relay = Relay(response, sent.protocol, desk.line.upstream.shown, tell)
    refused, streams = response.status_code >= 400, relay.stream
    desk.counters.add(refused=int(refused), streams=int(streams))
    end = await relay.pass_on(send, own)
    if end == "broken":
        desk.counters.add(broken=1)


async def _own_headers(desk: Desk, sent: _Sent, log: Log | None, began: float) -> list[Header]:
    """What we tell, once what was asked is durable, or too long in coming."""
    made, logged, session = sent.made, "", ""
    if log is not None:
        waiting = asyncio.wrap_future(log)
        done, _ = await asyncio.wait({waiting}, timeout=ACKNOWLEDGED)
        if done and waiting.exception() is None:
            logged, session = str(waiting.result().events), waiting.result().session
        else:
            logged = "failed" if done else "later"
            waiting.add_done_callback(lambda one: one.cancelled() or one.exception())
    took = sent.ready_ms + (time.perf_counter() - began) * 1_000
    given = made.given if made is not None else None
    injected = given is not None and bool(given.text)
    desk.counters.add(
        overhead_ms=took, injected=int(injected), tokens=given.tokens if given is not None else 0
    )
    told = [("overhead-ms", f"{took:.1f}")]
    if made is not None and given is not None:
        told += [
            ("memory", _state(made, given.state)), ("tokens", str(given.tokens)),
            ("ledger", given.ledger_id), ("session", session or made.session),
            ("logged", logged or _unlogged(made)),
        ]  # fmt: skip
    elif sent.protocol is not None:
        told.append(("memory", "unreadable"))
    return ours(told)


def _state(made: Prepared, state: str) -> str:
    return "no-scope" if not made.wish.grant.may("read") else state


def _unlogged(made: Prepared) -> str:
    """Why nothing of a request was logged."""
    if made.wish.read_only:
        return "read-only"
    if not made.wish.grant.may("log"):
        return "no-scope"
    return "failed" if made.wish.capture else "off"


def _below(scope: Scope) -> str:
    """The path below /v1, written as it came. Raises Refused for one that leads out of there.

    Whoever reads it next may resolve dots, also encoded ones: with our key nobody calls what else
    the upstream has.
    """
    raw = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
    path = str(raw.decode("ascii", "replace"))
    plain = path
    for _ in range(3):
        plain = unquote(plain)
    if not path.startswith(f"{VERSION}/") or {".", ".."} & set(re.split(r"[/\\;]", plain)):
        raise Refused(404, "this is no path of the model's server", "write it without dots")
    return path.removeprefix(VERSION)


def _grant(request: Request) -> Grant:
    grant = grant_of(request)
    if grant is None:
        raise NoToken
    return grant


async def _refuse(send: Send, error: SlowwaveError) -> None:
    body = body_of(error)
    headers = [
        (b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]  # fmt: skip
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
