"""The guard under attack: other sites, other names, odd paths, guessed tokens, much of everything.

The application behind it answers every path that comes through, so that nothing is safe only
because a router did not know it.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from slowwave.servers.counting import Attempts, Windows, from_where, is_elsewhere
from slowwave.servers.guard import OPEN_BYTES, Guard, cookie_of, host_name
from slowwave.servers.paths import page, public
from slowwave.servers.problems import Refused
from slowwave.servers.sessions import COOKIE, Sessions
from slowwave.servers.tokens import FILE, Keys, add, guessable, remove
from slowwave.settings import ServerSettings

NOW = datetime(2032, 3, 4, tzinfo=UTC)
HERE = "localhost:8377"
Header = tuple[str, str]


class Gate:
    """A guard before an application that takes whatever comes."""

    def __init__(self, home: Path, main: str = "", **given: Any) -> None:
        self.home, self.sessions = home, Sessions()
        self.came: list[str] = []
        self.guard = Guard(
            self._app, keys=Keys(home, main), sessions=self.sessions,
            settings=ServerSettings(**given), public=public, page=page,
        )  # fmt: skip

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        grant = scope["state"]["grant"]
        self.came.append(f"{grant.name if grant else 'nobody'} {scope['path']}")
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"secret"})

    def ask(
        self, path: str = "/v1/recall", *headers: Header, method: str = "GET", host: str = HERE,
        server: str = "127.0.0.1", client: str = "127.0.0.1", bodies: Iterable[bytes] = (b"",),
        token: str = "",
    ) -> int:  # fmt: skip
        self.told: dict[str, str] = {}
        sent: list[dict[str, Any]] = []
        left = list(bodies)
        given = [("host", host)] if host else []
        given += [("authorization", f"Bearer {token}")] if token else []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": method, "path": path, "server": (server, 8377),
            "client": (client, 5), "query_string": b"",
            "headers": [(name.encode(), text.encode("latin-1", "replace"))
                        for name, text in (*given, *headers)],
        }  # fmt: skip
        asyncio.run(self.guard(scope, receive, send))
        self.told = {name.decode(): text.decode() for name, text in sent[0]["headers"]}
        status = sent[0]["status"]
        assert isinstance(status, int)
        return status


@pytest.fixture
def gate(tmp_path: Path) -> Callable[..., Gate]:
    return lambda **given: Gate(tmp_path, **given)


# --- other sites and other names ------------------------------------------------------------------

ORIGINS = (
    "null", "", "http://localhost.:8377", "http://localhost", "http://localhost:8378",
    "http://localhost:8377.evil.example", "http://evil.example/localhost:8377", "http://[::1",
    "http://[::1]:8377", "http://user@localhost:8377", "http://localhost:8377@evil.example",
    "http://localhost:8377/", "http://localhost:8377#", "http://localhost:8377 ",
    "//localhost:8377",
    "localhost:8377", "file://localhost:8377", "chrome-extension://localhost:8377", "data:x",
    "http://localhost:8377, http://evil.example", "http://localhost%3A8377", "http://127.0.0.1:8377",
    "http://localhost\\:8377", "https://evil.example", "http://ｌocalhost:8377",
)  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS)
def test_no_other_origin_comes_in(gate: Callable[..., Gate], origin: str) -> None:
    made = gate()
    for path in ("/v1/recall", "/mcp", "/", "/login", "/healthz"):
        for method in ("GET", "POST", "OPTIONS", "DELETE", "HEAD"):
            assert made.ask(path, ("origin", origin), method=method) == 403
    twice = (("origin", f"http://{HERE}"), ("origin", origin))
    assert made.ask("/v1/recall", *twice) == 403
    assert made.came == []


def test_our_own_origin_does_however_it_is_written(gate: Callable[..., Gate]) -> None:
    made = gate(hosts=(" Memory.Example ",))
    for host, origin in (
        (HERE, "http://localhost:8377"), (HERE, "HTTP://LOCALHOST:8377"),
        ("LOCALHOST:8377", "http://localhost:8377"), ("[::1]:8377", "http://[::1]:8377"),
        ("memory.example", "https://memory.example"),
    ):  # fmt: skip
        assert made.ask("/v1/recall", ("origin", origin), host=host, method="POST") == 200


@pytest.mark.parametrize("host", [
    "localhost:8377@evil.example", "evil.example:8377", "localhost.", "localhost.evil.example",
    "evil@localhost:8377", "localhost:8377:8377", "localhost:x", "localhost/", "http://localhost",
    "localhost,evil.example", "127.1", "2130706433", "0x7f.1", "0.0.0.0:8377", "[::1", "[::1]x",
    "::1", "[::ffff:127.0.0.1]", "loca\u017fhost", "", " localhost", "localhost\t",
])  # fmt: skip
def test_no_other_name_is_ours(gate: Callable[..., Gate], host: str) -> None:
    made = gate()
    assert made.ask(host=host) == 421
    assert made.ask("/v1/recall", ("host", "evil.example")) == 421, "two names are none"
    token = add(made.home, "one", ("admin",), (), NOW)
    assert made.ask(host=host, token=token) == 421
    assert made.came == []


@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "none, cross-site", "other"])
def test_another_sites_page_may_only_link_to_pages(gate: Callable[..., Gate], site: str) -> None:
    made = gate()
    link = (("sec-fetch-site", site), ("sec-fetch-mode", "navigate"))
    document = (*link, ("sec-fetch-dest", "document"))
    assert made.ask("/memories", *document) == 200
    # What an address does when it is only looked at is still not for others to do.
    for path in ("/v1/recall", "/v1/context", "/v1/models", "/mcp", "/metrics", "/openapi.json"):
        assert made.ask(path, *document) == 403
    for dest in ("iframe", "frame", "object", "embed", "image", "script", "empty", "worker"):
        assert made.ask("/memories", *link, ("sec-fetch-dest", dest)) == 403
    assert made.ask("/memories", *document, method="POST") == 403
    assert made.ask("/memories", ("sec-fetch-site", site), ("sec-fetch-mode", "no-cors")) == 403
    own = (("sec-fetch-site", "none"), ("sec-fetch-site", site))
    assert made.ask("/v1/recall", *own) == 403


def test_answers_for_machines_are_nothing_to_a_browser(gate: Callable[..., Gate]) -> None:
    made = gate()
    for path in ("/v1/models", "/mcp", "/openapi.json", "/metrics"):
        assert made.ask(path) == 200
        assert made.told["x-content-type-options"] == "nosniff"
        assert "sandbox" in made.told["content-security-policy"]
        assert made.told["cross-origin-resource-policy"] == "same-origin"
        assert not [name for name in made.told if name.startswith("access-control")]


# --- paths ----------------------------------------------------------------------------------------

TRICKS = (
    "//v1/recall", "/static/../v1/recall", "/static/..", "/static/.", "/static/", "/static",
    "/static/a/../../v1/recall", "/static/a/b", "/static//v1/recall", "/static/..%2fv1/recall",
    "/static/%2e%2e/v1/recall", "/static/a\\..\\v1", "/static/a;/../v1", "/static/a\x00",
    "/static/a\n",
    "/healthz/", "/healthz/../v1/recall", "/healthz;a", "/healthz%00", "/healthz\x00", "/healthz\n",
    "/HEALTHZ", "/healthz.", "/login/", "/login/../v1/recall", "/login/x", "/LOGIN", "/login;x=1",
    "/./login", "/login?x", "/mcp/", "/MCP", "/mcp;", "/v1", "/V1/recall", "/v1/../static/app.css",
    "/v1/recall/../../healthz", "/favicon.ico/", "/favicon.ico/../v1/recall", "/ static/a", "/",
    "/static/é", "/ｓtatic/a", "/v1/login", "/v1/healthz", "/metrics/", "/openapi.json/",
)  # fmt: skip


@pytest.mark.parametrize("path", TRICKS)
def test_no_trick_with_a_path_opens_anything(gate: Callable[..., Gate], path: str) -> None:
    made = gate()
    add(made.home, "one", ("admin",), (), NOW)
    for method in ("GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"):
        assert made.ask(path, method=method) in (303, 401)
        if made.told.get("location"):
            assert made.told["location"].startswith("/login?next=/")
            assert made.told["location"].isprintable()
    assert made.came == []


ODD = st.text(st.sampled_from("/.%2ef\\;?#\x00 \nstaticv1loghenrz\u202e\ud800"), max_size=30)


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from(["/static/", "/healthz", "/login", "/favicon.ico", "/v1/", "/mcp", "/"]), ODD
)
def test_only_the_public_paths_are_public(begin: str, rest: str) -> None:
    path = begin + rest
    if public(path):
        asset = path.removeprefix("/static/")
        assert path in ("/healthz", "/login", "/favicon.ico") or (
            asset != path and asset.isascii() and not set(asset) & set("/\\%;?#\x00 \n")
            and not asset.startswith(".")
        )  # fmt: skip


def test_what_is_no_path_is_no_request(gate: Callable[..., Gate]) -> None:
    made = gate()
    for path in ("*", "", "http://evil.example/v1/recall", "localhost:8377", "v1/recall"):
        assert made.ask(path) == 400
    for method in ("TRACE", "CONNECT", "TRACK", "PROPFIND", "get", "X" * 500):
        assert made.ask(method=method) == 405
        assert "POST" in made.told["allow"]
    assert made.came == []


# --- tokens ---------------------------------------------------------------------------------------


def test_the_last_token_taken_away_closes_the_server(gate: Callable[..., Gate]) -> None:
    made = gate()
    token = add(made.home, "one", ("admin",), (), NOW)
    assert made.ask(token=token) == 200
    remove(made.home, "one")
    (made.home / FILE).unlink()
    for one in ("", token):
        assert made.ask(token=one) == 401
    again = add(made.home, "two", ("read",), (), NOW)
    assert made.ask(token=again) == 200


def test_without_tokens_only_this_machine_comes_in(gate: Callable[..., Gate]) -> None:
    made = gate(hosts=("memory.example",))
    for server, client in (
        ("10.0.0.7", "10.0.0.8"), ("10.0.0.7", "127.0.0.1"), ("127.0.0.1", "203.0.113.9"),
        ("::", "fe80::1%eth0"), ("127.0.0.1", "::ffff:203.0.113.9"),
    ):  # fmt: skip
        assert made.ask(server=server, client=client) == 401, (server, client)
        assert made.ask(host="memory.example", server=server, client=client) == 401
    for server, client in (("::1", "::1"), ("127.0.0.1", "127.8.9.1"), ("::ffff:127.0.0.1", "::1")):
        assert made.ask(server=server, client=client) == 200


def test_a_token_that_a_person_thought_of_cannot_be_guessed_on(tmp_path: Path) -> None:
    made = Gate(tmp_path, main="correct horse", failures_per_minute=3)
    long = add(tmp_path, "one", ("read",), (), NOW)
    assert [made.ask(token=f"guess {n}") for n in range(5)] == [401] * 3 + [429] * 2
    assert made.ask(token="correct horse") == 429, "whether it is right is not told any more"
    assert made.ask(token=long) == 200, "nobody guesses this one, and nobody is shut out"
    assert made.ask(token="correct horse", client="127.0.0.9") == 200
    assert guessable("slw_short")
    assert not guessable(long)


def test_nothing_tells_a_right_guess_apart_beside_a_token_that_opens(tmp_path: Path) -> None:
    made = Gate(tmp_path, main="correct horse", failures_per_minute=3)
    narrow = add(tmp_path, "narrow", ("log",), (), NOW)
    cookie = ("cookie", f"{COOKIE}={made.sessions.begin(narrow)}")
    for guess in ("wrong", "correct horse"):
        assert made.ask("/v1/recall", ("x-slowwave-token", narrow), token=guess) == 200
        assert made.came.pop().startswith("narrow"), "the guess was not looked at"
        assert made.ask("/login", token=guess) == 200
        assert made.came.pop().startswith("nobody")
    assert [made.ask("/", cookie, token="wrong") for _ in range(4)] == [401] * 3 + [429]


def test_what_cannot_be_read_lets_nobody_in_and_tells_nothing(tmp_path: Path) -> None:
    made = Gate(tmp_path, main="correct horse")
    for odd in (b"[{", b"\xff\xfe", b'{"a":1}', b"[" * 100_000, b'[{"name":"x"}]', b"null",
                b'[{"name":"a","digest":"0","scopes":["admin"],"space":["ada"]}]',
                b'[{"name":"a","digest":"0","scopes":["root"]}]',
                b'[{"name":"a","digest":"0","scopes":["admin"],"spaces":[""]}]'):  # fmt: skip
        (tmp_path / FILE).write_bytes(odd)
        for path in ("/v1/recall", "/", "/mcp"):
            assert made.ask(path, token="correct horse") == 503, odd
    (tmp_path / FILE).unlink()
    (tmp_path / FILE).mkdir()
    assert made.ask(token="correct horse") == 503
    (tmp_path / FILE).rmdir()
    (tmp_path / FILE).symlink_to(tmp_path / "nowhere")
    assert made.ask(token="wrong") in (401, 503)
    assert made.came == []


# --- much of everything ---------------------------------------------------------------------------


def test_who_is_not_known_sends_little(gate: Callable[..., Gate]) -> None:
    made = gate()
    add(made.home, "one", ("admin",), (), NOW)
    assert made.ask("/login", ("content-length", str(OPEN_BYTES + 1)), method="POST") == 413
    with pytest.raises(Refused):
        made.ask("/login", method="POST", bodies=[b"x" * OPEN_BYTES, b"y"])
    assert made.ask("/login", ("content-length", "7"), ("content-length", "99999999999")) == 413
    assert made.ask("/login", ("content-length", "+7")) == 400
    twice = (("content-length", "7"), ("transfer-encoding", "chunked"))
    assert made.ask("/login", *twice, method="POST") == 400
    assert made.told["connection"] == "close"


def test_however_many_call_little_is_kept() -> None:
    clock = [0.0]
    windows = Windows(2, most=50, clock=lambda: clock[0])
    for number in range(1_000):
        windows.hit(f"10.0.{number // 256}.{number % 256}")
    assert len(windows) == 50
    assert windows.full("10.0.3.231") is False
    windows.hit("10.0.3.231")
    assert windows.full("10.0.3.231")
    clock[0] = 61.0
    assert not windows.full("10.0.3.231")
    attempts = Attempts(2, guessable)
    for number in range(20):
        attempts.wrong(f"2001:db8::{number:x}")
    assert attempts.barred("2001:db8::ffff", "guess"), "one network is one caller"
    assert not attempts.barred("2001:db8:0:1::1", "guess")
    assert from_where("fe80::1%eth0") == "fe80::/64"
    assert len(from_where("x" * 10_000)) <= 60
    assert not is_elsewhere("testclient")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(["host", "origin", "authorization", "cookie", "content-length",
                     "x-slowwave-token", "sec-fetch-site", "x-forwarded-for", "x-original-url",
                     "x-rewrite-url",
                     "x-http-method-override", "forwarded"]),
    st.text(st.characters(min_codepoint=0, max_codepoint=255), max_size=80),
)  # fmt: skip
def test_no_header_whatever_it_holds_opens_or_breaks_anything(
    tmp_path_factory: pytest.TempPathFactory, name: str, text: str
) -> None:
    made = _CLOSED or _close(tmp_path_factory)
    assert made.ask("/v1/recall", (name, text)) in (400, 401, 403, 413, 421, 429)
    assert made.came == []


_CLOSED: Gate | None = None


def _close(factory: pytest.TempPathFactory) -> Gate:
    global _CLOSED
    home = factory.mktemp("closed")
    add(home, "one", ("admin",), (), NOW)
    _CLOSED = Gate(home)
    return _CLOSED


def test_cookies_of_others_on_this_machine_do_not_hide_ours() -> None:
    for others in ('a="x; b', "a b=c", "{json}=1", "a=\x01", "=;", "é=ü", 'q="\\"'):
        assert cookie_of({"cookie": f"{others}; {COOKIE}=mine"}) == "mine"
    assert host_name("LocalHost:1") == "localhost"
