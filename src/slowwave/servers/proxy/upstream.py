"""The server that answers: where it is, which key it gets, and which headers pass both ways."""

from collections.abc import Iterable
from functools import cached_property
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from secrets import token_hex
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx

from slowwave.errors import SettingsError
from slowwave.servers.proxy.answer import READABLE
from slowwave.servers.sessions import COOKIE
from slowwave.servers.tokens import PREFIX
from slowwave.settings import Settings, without_login

__all__ = ["OURS", "Header", "Line", "Upstream", "back", "upstream_of"]

OURS = "x-slowwave-"
"""What the headers begin with that are for us, and those that we add."""
SPACE = "space"
"""The field of a query that is for us."""
CONNECTING = 10.0
"""Seconds for a connection."""
IDLE, IDLE_SECONDS = 64, 2.0
"""Connections that are kept open, and how long: servers close theirs, mostly after five seconds,
and what is sent just then is lost."""
_PORTS = {"http": 80, "https": 443}
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_HINT = "write it as http://127.0.0.1:11434/v1, https://… or unix:/run/model.sock"

_HOP = frozenset({
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection",
    "te", "trailer", "transfer-encoding", "upgrade",
})  # fmt: skip
"""Headers that are for the next one on the way, not for the last."""
_NOT_UP = _HOP | {"host", "content-length", "authorization", "cookie", "origin", "referer",
                  "accept-encoding", "via", "expect"}  # fmt: skip
_NOT_BACK = _HOP | {"date"}
"""Our server dates what it sends itself."""

Header = tuple[bytes, bytes]


class Upstream(NamedTuple):
    """What to connect to: `url` is the base of all paths, `query` goes with every request.

    `shown` is the address without a login, `key` what we were given for it ("" for nothing), `uds`
    a Unix socket to speak through.
    """

    url: str
    key: str
    shown: str
    timeout: float
    local: bool
    query: tuple[tuple[str, str], ...] = ()
    uds: str = ""

    def __repr__(self) -> str:
        """Where it is, and nothing else."""
        return f"Upstream({self.shown})"

    def target(self, path: str, query: str) -> httpx.URL:
        """The address of a path below ours (`/chat/completions`). Raises httpx.InvalidURL."""
        given = [one for one in parse_qsl(query, keep_blank_values=True) if one[0] != SPACE]
        told = urlencode([*self.query, *given])
        return httpx.URL(f"{self.url}{path}{'?' if told else ''}{told}")


def upstream_of(settings: Settings) -> Upstream:
    """The upstream that the settings name. Raises SettingsError."""
    proxy, model = settings.server.proxy, settings.model
    base = proxy.base_url or model.base_url
    if not base.strip():
        raise SettingsError(
            "the proxy has no upstream",
            'set base_url = "https://…/v1" under [server.proxy] (or [model]) in slowwave.toml',
        )
    # The key of the model is for the model's server and for nobody else.
    key = proxy.api_key or ("" if proxy.base_url else model.api_key)
    text = base.strip()
    if text.startswith("unix:"):
        path = "/" + text.removeprefix("unix:").lstrip("/")
        return Upstream("http://localhost/v1", key, f"unix:{path}", proxy.timeout, True, uds=path)
    text = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise SettingsError(f"the proxy's base_url {without_login(text)!r} is no address", _HINT) \
            from None  # fmt: skip
    host = _ANY.get(parts.hostname or "", parts.hostname or "")
    if parts.scheme not in _PORTS or not host:
        raise SettingsError(f"the proxy's base_url {without_login(text)!r} is no address", _HINT)
    place = f"[{host}]" if ":" in host else host
    place = place if port is None else f"{place}:{port}"
    path = parts.path.rstrip("/") or "/v1"
    login = parts.netloc.rpartition("@")[0]
    url = f"{parts.scheme}://{login}{'@' if login else ''}{place}{path}"
    query = tuple(parse_qsl(parts.query, keep_blank_values=True))
    shown = f"{parts.scheme}://{place}{path}"
    return Upstream(url, key, shown, proxy.timeout, _loopback(host), query)


def _loopback(host: str) -> bool:
    try:
        return ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"


class Line:
    """The connections to an upstream, and the name by which this server knows itself again."""

    def __init__(self, upstream: Upstream) -> None:
        self.upstream = upstream
        self.name = f"slowwave-{token_hex(6)}"

    @cached_property
    def client(self) -> httpx.AsyncClient:
        """For the running event loop. Keeps no cookies: those are of one client, not of all."""
        upstream = self.upstream
        limits = httpx.Limits(
            max_connections=None, max_keepalive_connections=IDLE, keepalive_expiry=IDLE_SECONDS
        )
        transport = None
        if upstream.uds:
            transport = httpx.AsyncHTTPTransport(uds=upstream.uds, limits=limits)
        # Certificates take a while to load, and no redirect leads to where they are needed.
        plain = upstream.url.startswith("http:")
        return httpx.AsyncClient(
            verify=not plain,
            timeout=httpx.Timeout(upstream.timeout, connect=min(CONNECTING, upstream.timeout)),
            limits=limits, follow_redirects=False, trust_env=not upstream.local,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())), transport=transport,
        )  # fmt: skip

    async def close(self) -> None:
        """Ends the connections."""
        if "client" in self.__dict__:
            await self.client.aclose()

    def loops(self, headers: Iterable[Header]) -> bool:
        """Whether this server sent the request itself."""
        name = self.name.encode()
        return any(key == b"via" and name in value for key, value in headers)

    def up(
        self, headers: Iterable[Header], authorization: str, *, readable: bool
    ) -> list[Header]:  # fmt: skip
        """The headers that go up. `readable`: only codings in which we can read the answer."""
        given = list(headers)
        dropped = {name.encode() for name in _NOT_UP} | _named_in_connection(given)
        kept = [
            (key, value) for key, value in given
            if key not in dropped and not key.startswith(OURS.encode())
            and PREFIX.encode() not in value  # a token of ours, wherever a client puts it
        ]  # fmt: skip
        codings = b", ".join(value for key, value in given if key == b"accept-encoding")
        kept.append((b"accept-encoding", _codings(codings, readable=readable)))
        kept += [(b"cookie", own) for key, value in given if key == b"cookie"
                 if (own := _cookies(value))]  # fmt: skip
        if authorization:
            kept.append((b"authorization", authorization.encode("latin-1", "replace")))
        via = [value for key, value in given if key == b"via"]
        kept.append((b"via", b", ".join([*via, f"1.1 {self.name}".encode()])))
        return kept


def back(headers: Iterable[Header]) -> list[Header]:
    """The headers that go back to the client."""
    given = [(key.lower(), value) for key, value in headers]
    dropped = {name.encode() for name in _NOT_BACK} | _named_in_connection(given)
    return [
        (key, value) for key, value in given
        if key not in dropped and not key.startswith(OURS.encode())
    ]  # fmt: skip


def _named_in_connection(headers: Iterable[Header]) -> set[bytes]:
    """Headers that a Connection header says are for the next one only."""
    return {
        name.strip().lower()
        for key, value in headers if key == b"connection"
        for name in value.split(b",") if name.strip()
    }  # fmt: skip


def _codings(given: bytes, *, readable: bool) -> bytes:
    """The codings that may come back: without any named, none, as the client would get it."""
    if not given.strip():
        return b"identity"
    if not readable:
        return given
    kept = [
        one.strip() for one in given.split(b",")
        if one.partition(b";")[0].strip().lower().decode("latin-1") in READABLE
    ]  # fmt: skip
    return b", ".join(kept) or b"identity"


def _cookies(given: bytes) -> bytes:
    """Cookies without the one that opens our pages."""
    own = f"{COOKIE}=".encode()
    return b"; ".join(
        one.strip() for one in given.split(b";") if one.strip() and not one.strip().startswith(own)
    )
