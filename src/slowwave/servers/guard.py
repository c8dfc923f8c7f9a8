"""Who comes in: the ASGI layer around every door. Closed by default.

In this order: the host that was called (against DNS rebinding), the page that calls (another
site's browser page may not), the size of what is sent, the token, and how many requests. What it
lets through carries its `Grant` in `scope["state"]["grant"]`.
"""

from collections.abc import Callable, Mapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slowwave.errors import SlowwaveError
from slowwave.servers.access import Grant
from slowwave.servers.problems import (
    MEDIA_TYPE,
    NotAllowed,
    NoToken,
    Refused,
    encoded,
    problem_of,
    status_of,
)
from slowwave.servers.sessions import COOKIE, Sessions
from slowwave.servers.tokens import Keys
from slowwave.settings import ServerSettings

HERE = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Names of this machine that are taken in a Host header."""

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
TOKEN_HEADER = "x-slowwave-token"
"""For those whose Authorization is meant for somebody else (the proxy's upstream)."""

Public = Callable[[str], bool]
"""Whether a path is open to everybody."""
Page = Callable[[str], bool]
"""Whether a path is a page for people: they are sent to the sign-in instead of an error."""


class Guard:
    """Lets in whom the keys open the server for."""

    def __init__(
        self, app: ASGIApp, *, keys: Keys, sessions: Sessions, settings: ServerSettings,
        public: Public, page: Page,
    ) -> None:  # fmt: skip
        self._app, self._keys, self._sessions = app, keys, sessions
        self._settings, self._public, self._page = settings, public, page
        self._names = HERE | {name.casefold() for name in settings.hosts}
        self._limiter = FixedWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it with what is wrong."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nothing here speaks anything else
        headers = Headers(scope=scope)
        try:
            self._from_where(scope, headers)
            self._size(headers)
            grant = self._grant(scope, headers)
            if grant is None and not self._public(scope["path"]):
                if self._page(scope["path"]) and scope["method"] in SAFE:
                    await _see_other(send, f"/login?next={quote(scope['path'])}")
                    return
                raise NoToken
            self._count(scope, grant)
        except SlowwaveError as error:
            await answer(send, error)
            return
        scope.setdefault("state", {})["grant"] = grant
        await self._app(scope, _Measured(receive, self._most).receive, send)

    @property
    def _most(self) -> int:
        return self._settings.body_mb * 1024 * 1024

    def _from_where(self, scope: Scope, headers: Headers) -> None:
        host = headers.get("host", "")
        name = host_name(host)
        bound = (scope.get("server") or ("", None))[0]
        if name not in self._names and (not self._keys.needed() or _loopback(bound)):
            hint = "call it localhost, or add the name to hosts in [server]"
            raise Refused(421, f"this server is not called {name[:80]!r}", hint)
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.casefold() != host.casefold():
            raise NotAllowed("another site's page may not call this server", "call it directly")
        if headers.get("sec-fetch-site") == "cross-site" and not _followed_link(scope, headers):
            raise NotAllowed("another site's page may not call this server", "call it directly")

    def _size(self, headers: Headers) -> None:
        told = headers.get("content-length", "0")
        if not told.isascii() or not told.isdigit() or len(told) > 18:
            raise Refused(400, "the Content-Length is no number", "send the request again")
        if int(told) > self._most:
            raise _too_large(self._most)

    def _grant(self, scope: Scope, headers: Headers) -> Grant | None:
        """Who asks; None for nobody. Raises Refused for a wrong token, and for too many."""
        if not self._keys.needed():
            return self._keys.grant(None)
        given = [token for token in (bearer(headers), headers.get(TOKEN_HEADER)) if token]
        for token in given:
            if (grant := self._keys.grant(token)) is not None:
                return grant
        digest = self._sessions.digest(cookie_of(headers))
        for one in self._keys.known():
            if digest is not None and one.digest == digest:
                return one.grant()
        if given and not self._public(scope["path"]):
            self._failed(scope)
            raise NoToken("this token opens nothing")
        return None

    def _failed(self, scope: Scope) -> None:
        limit = self._settings.failures_per_minute
        if limit and not self._limiter.hit(
            RateLimitItemPerMinute(limit), "failed", address_of(scope)
        ):
            raise Refused(429, "too many wrong tokens", "wait a minute")

    def _count(self, scope: Scope, grant: Grant | None) -> None:
        limit = self._settings.requests_per_minute
        who = grant.name if grant is not None and not grant.local else address_of(scope)
        if limit and not self._limiter.hit(RateLimitItemPerMinute(limit), "asked", who):
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


def bearer(headers: Mapping[str, str]) -> str:
    """The token of `Authorization: Bearer TOKEN`; empty without one."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == "bearer" else ""


def cookie_of(headers: Mapping[str, str]) -> str:
    """The cookie of a session in the browser; empty without one."""
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return morsel.value if morsel is not None else ""


def host_name(host: str) -> str:
    """The name in a Host header, without its port."""
    if host.startswith("["):
        return host.partition("]")[0].casefold() + "]"
    return host.partition(":")[0].casefold()


def address_of(scope: Scope) -> str:
    """Where a request comes from."""
    return (scope.get("client") or ("unknown", 0))[0]


def _loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def _followed_link(scope: Scope, headers: Headers) -> bool:
    """Whether a person followed a link on another site's page."""
    return scope["method"] in SAFE and headers.get("sec-fetch-mode") == "navigate"


def _too_large(most: int) -> Refused:
    return Refused(413, f"more than {most // 1024 // 1024} MB were sent",
                   "send less at once, or raise body_mb in [server]")  # fmt: skip


async def _see_other(send: Send, where: str) -> None:
    location = (b"location", where.encode("ascii"))
    await send({"type": "http.response.start", "status": 303, "headers": [location]})
    await send({"type": "http.response.body", "body": b""})


async def answer(send: Send, error: SlowwaveError) -> None:
    """Sends an error as problem+json."""
    body = encoded(problem_of(error))
    headers = [
        (b"content-type", MEDIA_TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if isinstance(error, NoToken):
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
