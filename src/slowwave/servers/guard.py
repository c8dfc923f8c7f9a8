"""Who comes in: the ASGI layer around every door. Closed by default.

In this order: the form of the request, the host that was called (against DNS rebinding), the page
that calls (another site's browser page may not), the size of what is sent, the token, and how many
requests. What it lets through carries its `Grant` in `scope["state"]["grant"]`.
"""

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slowwave.answers.encoding import encoded
from slowwave.errors import InputError, SlowwaveError
from slowwave.servers.access import LOCAL, Grant
from slowwave.servers.counting import Attempts, Windows, from_where, is_elsewhere, is_loopback
from slowwave.servers.problems import (
    MEDIA_TYPE,
    NotAllowed,
    NoToken,
    Refused,
    problem_of,
    status_of,
)
from slowwave.servers.sessions import COOKIE, Sessions
from slowwave.servers.tokens import Keys, guessable
from slowwave.settings import ServerSettings

HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine that are taken in a Host header."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS = SAFE | {"POST", "PUT", "PATCH", "DELETE"}
TOKEN_HEADER = "x-slowwave-token"
"""For those whose Authorization is meant for somebody else (the proxy's upstream)."""
OPEN_BYTES = 64 * 1024
"""At most what somebody sends to a path that is open to everybody: a token, and no more."""

QUIET: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}
"""On every answer for machines: opened in a browser it is text, and can do nothing here."""

Public = Callable[[str], bool]
"""Whether a path is open to everybody."""
Page = Callable[[str], bool]
"""Whether a path is a page for people: they are sent to the sign-in instead of an error."""

_HOST = re.compile(r"(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::[0-9]{1,5})?", re.ASCII)
_ORIGIN = re.compile(r"https?://([^/@?#\\\s]+)")


class Guard:
    """Lets in whom the keys open the server for."""

    def __init__(
        self, app: ASGIApp, *, keys: Keys, sessions: Sessions, settings: ServerSettings,
        public: Public, page: Page,
    ) -> None:  # fmt: skip
        self._app, self._keys, self._sessions = app, keys, sessions
        self._settings, self._public, self._page = settings, public, page
        self._names = HERE | {name.strip().casefold() for name in settings.hosts}
        self._attempts = Attempts(settings.failures_per_minute, guessable)
        self._asked = Windows(settings.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it with what is wrong."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nothing here speaks anything else
        path = scope["path"]
        try:
            grant = self._let_in(scope, Headers(scope=scope))
            if grant is None and not self._public(path):
                if self._page(path) and (where := _sign_in(scope)):
                    await _see_other(send, where)
                    return
                raise NoToken
            self._count(scope, grant)
        except SlowwaveError as error:
            await answer(send, error)
            return
        scope.setdefault("state", {})["grant"] = grant
        measured = _Measured(receive, self._most(path))
        await self._app(scope, measured.receive, send if self._page(path) else _quietly(send))

    def _let_in(self, scope: Scope, headers: Headers) -> Grant | None:
        """Who asks; None for nobody. Raises Refused, NotAllowed, NoToken."""
        _form(scope, headers)
        try:
            self._from_where(scope, headers)
            self._size(scope["path"], headers)
            return self._grant(scope, headers)
        except InputError as error:
            # Where they lie is nothing for those who ask.
            raise Refused(503, "the tokens of this server cannot be read, so nobody comes in",
                          "repair tokens.json in its home") from error  # fmt: skip

    def _most(self, path: str) -> int:
        whole = self._settings.body_mb * 1024 * 1024
        return min(OPEN_BYTES, whole) if self._public(path) else whole

    def _from_where(self, scope: Scope, headers: Headers) -> None:
        hosts = headers.getlist("host")
        host = hosts[0] if len(hosts) == 1 else ""
        bound = (scope.get("server") or ("", None))[0]
        named = host_name(host) in self._names
        if not named and (not self._keys.needed() or is_loopback(bound)):
            hint = "call it localhost, or add the name to hosts in [server]"
            raise Refused(421, f"this server is not called {host[:80]!r}", hint)
        for origin in headers.getlist("origin"):
            told = _ORIGIN.fullmatch(origin.casefold())
            if told is None or told[1] != host.casefold():
                raise _another_site()
        sites = headers.getlist("sec-fetch-site")
        if set(sites) - {"same-origin", "none"} and not self._followed_link(scope, headers):
            raise _another_site()

    def _followed_link(self, scope: Scope, headers: Headers) -> bool:
        """Whether a person followed a link on another site's page to a page of ours."""
        return (
            scope["method"] in SAFE
            and headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest", "document") == "document"
            and self._page(scope["path"])
        )

    def _size(self, path: str, headers: Headers) -> None:
        for told in headers.getlist("content-length"):
            if not told.isascii() or not told.isdigit() or len(told) > 18:
                raise Refused(400, "the Content-Length is no number", "send the request again")
            if int(told) > self._most(path):
                raise _too_large(self._most(path))

    def _grant(self, scope: Scope, headers: Headers) -> Grant | None:
        """Who asks; None for nobody. Raises Refused for a wrong token, and for too many."""
        if not self._keys.needed():
            return LOCAL if _from_here(scope) else None
        # One token is looked at, and where everybody may come none: else one could be guessed by
        # how it is answered, behind another one that is right.
        given = headers.get(TOKEN_HEADER) or bearer(headers)
        if given and not self._public(scope["path"]):
            return self._opened(address_of(scope), given)
        digest = self._sessions.digest(cookie_of(headers))
        for one in self._keys.known():
            if digest is not None and one.digest == digest:
                return one.grant()
        return None

    def _opened(self, address: str, token: str) -> Grant:
        too_many = Refused(429, "too many wrong tokens", "wait a minute")
        if self._attempts.barred(address, token):
            raise too_many
        found = self._keys.grant(token)
        if found is not None:
            return found
        if not self._attempts.wrong(address):
            raise too_many
        raise NoToken("this token opens nothing")

    def _count(self, scope: Scope, grant: Grant | None) -> None:
        named = grant is not None and not grant.local
        who = f"token {grant.name}" if grant and named else from_where(address_of(scope))
        if not self._asked.hit(who):
            raise Refused(429, "too many requests", "wait a minute, or raise requests_per_minute")


class _Measured:
    """What is sent without telling its length, up to the limit."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive, self._most, self._seen = receive, most, 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            raise _too_large(self._most)
        return message


def _form(scope: Scope, headers: Headers) -> None:
    """Raises Refused for what is no request for anything here."""
    if "transfer-encoding" in headers and "content-length" in headers:
        # One that stands before may believe the other of the two, and see another request.
        raise Refused(400, "the length is told in two ways", "send the request again")
    path, method = scope["path"], scope["method"]
    if not path.startswith("/"):  # `OPTIONS *`, or an address whole, as for a forward proxy
        raise Refused(400, "this is no path of this server", "begin it with a slash")
    if method not in METHODS:
        raise Refused(
            405, f"{method[:20]!r} is no method here", "/openapi.json lists what there is"
        )


def _quietly(send: Send) -> Send:
    """Sends what is for machines so that a browser makes nothing of it."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=list(message.get("headers", ())))
            for name, value in QUIET.items():
                headers.setdefault(name, value)
            message = {**message, "headers": headers.raw}
        await send(message)

    return sent


def bearer(headers: Mapping[str, str]) -> str:
    """The token of `Authorization: Bearer TOKEN`; empty without one."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == "bearer" else ""


def cookie_of(headers: Mapping[str, str]) -> str:
    """The cookie of a session in the browser; empty without one.

    Other servers of this machine put cookies beside it: odd ones do not make it unreadable.
    """
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty for what is no host."""
    found = _HOST.fullmatch(host.casefold())
    return found[1] if found else ""


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    return (scope.get("client") or ("unknown", 0))[0]


def _from_here(scope: Scope) -> bool:
    """Whether a request comes from this machine, to an address of this machine.

    It does not where the server listens to others as well, nor where one that stands before it on
    this machine says that it asks for somebody else. What has no address cannot be elsewhere.
    """
    bound = (scope.get("server") or ("", None))[0]
    return not is_elsewhere(bound) and not is_elsewhere(address_of(scope))


def _another_site() -> NotAllowed:
    return NotAllowed("another site's page may not call this server", "call it directly")


def _too_large(most: int) -> Refused:
    told = f"{most // 1024 // 1024} MB" if most >= 1024 * 1024 else f"{most // 1024} kB"
    return Refused(413, f"more than {told} were sent",
                   "send less at once, or raise body_mb in [server]")  # fmt: skip


def _sign_in(scope: Scope) -> str:
    """Where a person signs in who looks at a page, or whose session ended before a form was sent.

    Empty for a program: it is told what is missing.
    """
    if scope["method"] in SAFE:
        return f"/login?next={quote(scope['path'], errors='replace')}"
    return "/login" if "text/html" in Headers(scope=scope).get("accept", "") else ""


async def _see_other(send: Send, where: str) -> None:
    headers = [(b"location", where.encode("ascii")), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def answer(send: Send, error: SlowwaveError) -> None:
    """Sends an error as problem+json."""
    body = encoded(problem_of(error))
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *((name.encode(), value.encode()) for name, value in QUIET.items()),
    ]
    status = status_of(error)
    if status in (400, 413):  # what follows on this connection may be the rest of it
        headers.append((b"connection", b"close"))
    if status == 405:
        headers.append((b"allow", ", ".join(sorted(METHODS)).encode()))
    if isinstance(error, NoToken):
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
