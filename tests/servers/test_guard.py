"""Who comes in."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.servers.guard import Guard, bearer, cookie_of, host_name
from slowwave.servers.paths import page, public
from slowwave.servers.sessions import COOKIE, Sessions
from slowwave.servers.tokens import Keys, add
from slowwave.settings import ServerSettings

NOW = datetime(2031, 5, 6, tzinfo=UTC)


class House:
    """A guard before an application that says who came in."""

    def __init__(self, home: Path, **given: Any) -> None:
        self.home = home
        self.sessions = Sessions()
        self.came: list[str] = []
        self.guard = Guard(
            self._app, keys=Keys(home, ""), sessions=self.sessions,
            settings=ServerSettings(**given), public=public, page=page,
        )  # fmt: skip

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        grant = scope["state"]["grant"]
        self.came.append(grant.name if grant else "nobody")
        size = 0
        while True:
            message = await receive()
            size += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(size).encode()})

    def ask(
        self, path: str = "/v1/recall", method: str = "GET", bodies: Iterable[bytes] = (b"",),
        server: str = "127.0.0.1", client: str = "127.0.0.1", **headers: str,
    ) -> tuple[int, dict[str, str], bytes]:  # fmt: skip
        headers = {"host": "localhost:8377"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        sent: list[dict[str, Any]] = []
        left = list(bodies)

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        scope = {
            "type": "http", "method": method, "path": path, "server": (server, 8377),
            "client": (client, 5), "query_string": b"",
            "headers": [(key.encode(), text.encode("latin-1")) for key, text in headers.items()],
        }  # fmt: skip
        asyncio.run(self.guard(scope, receive, send))
        told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], told, b"".join(one.get("body", b"") for one in sent[1:])


def test_without_tokens_this_machine_comes_in(tmp_path: Path) -> None:
    house = House(tmp_path)
    for host in ("localhost:8377", "127.0.0.1:8377", "[::1]:8377", "LOCALHOST"):
        assert house.ask(host=host)[0] == 200
    assert set(house.came) == {"local"}


def test_a_name_that_is_not_this_machines_is_refused(tmp_path: Path) -> None:
    house = House(tmp_path)
    for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""):
        status, told, body = house.ask(host=host)
        assert status == 421
        assert told["content-type"] == "application/problem+json"
        assert msgspec.json.decode(body)["hint"]
    token = add(tmp_path, "one", ("read",), (), NOW)
    assert house.ask(host="evil.example", authorization=f"Bearer {token}")[0] == 421
    elsewhere = house.ask(host="memory.example", server="10.0.0.7", authorization=f"Bearer {token}")
    assert elsewhere[0] == 200
    assert House(tmp_path, hosts=("Memory.example",)).ask(
        host="memory.example", authorization=f"Bearer {token}"
    )[0] == 200  # fmt: skip


def test_another_sites_page_is_refused(tmp_path: Path) -> None:
    house = House(tmp_path)
    for origin in ("https://evil.example", "null", "http://localhost:9999", "http://localhost"):
        assert house.ask(method="POST", origin=origin)[0] == 403
        assert house.ask(origin=origin)[0] == 403
    assert house.ask(method="POST", origin="http://localhost:8377")[0] == 200
    assert house.ask(sec_fetch_site="cross-site", sec_fetch_mode="no-cors")[0] == 403
    assert house.ask("/", sec_fetch_site="cross-site", sec_fetch_mode="navigate")[0] == 200
    assert (
        house.ask(method="POST", sec_fetch_site="cross-site", sec_fetch_mode="navigate")[0] == 403
    )


def test_once_there_is_a_token_nobody_comes_in_without(tmp_path: Path) -> None:
    house = House(tmp_path)
    token = add(tmp_path, "one", ("read",), (), NOW)
    for path in (
        "/v1/recall",
        "/mcp",
        "/metrics",
        "/openapi.json",
        "/v1/chat/completions",
        "/v1/x",
    ):
        status, told, _ = house.ask(path)
        assert (status, told["www-authenticate"]) == (401, "Bearer")
    assert house.came == []
    for path in ("/", "/memories", "/dreams/x"):
        status, told, _ = house.ask(path)
        assert (status, told["location"]) == (303, f"/login?next={path}")
        assert house.ask(path, method="POST")[0] == 401
        status, told, _ = house.ask(path, method="POST", accept="text/html,*/*")
        assert (status, told["location"]) == (303, "/login"), "a form of a session that ended"
    for path in ("/healthz", "/login", "/static/style.css"):
        assert house.ask(path)[0] == 200
    assert house.came == ["nobody"] * 3
    assert house.ask(authorization=f"bearer {token}")[0] == 200
    assert house.ask(authorization="Bearer sk-of-somebody-else", x_slowwave_token=token)[0] == 200
    assert house.ask(cookie=f"{COOKIE}={house.sessions.begin(token)}")[0] == 200
    assert house.ask(cookie=f"{COOKIE}={token}")[0] == 401
    assert house.came[3:] == ["one"] * 3


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=255), max_size=60))
def test_nothing_else_opens(wrong: str) -> None:
    house = HOUSE
    for name, value in (
        ("authorization", wrong), ("authorization", f"Bearer {wrong}"),
        ("x_slowwave_token", wrong), ("cookie", wrong), ("cookie", f"{COOKIE}={wrong}"),
    ):  # fmt: skip
        headers = {name: value}
        assert house.ask(**headers)[0] in (401, 429)
    assert house.came == []


@pytest.fixture(scope="module", autouse=True)
def _closed_house(tmp_path_factory: pytest.TempPathFactory) -> None:
    global HOUSE
    home = tmp_path_factory.mktemp("house")
    add(home, "one", ("read",), (), NOW)
    HOUSE = House(home)


HOUSE: House


def test_a_session_ends_with_its_token(tmp_path: Path) -> None:
    from slowwave.servers.tokens import remove

    house = House(tmp_path)
    token = add(tmp_path, "one", ("read",), (), NOW)
    add(tmp_path, "two", ("read",), (), NOW)
    cookie = f"{COOKIE}={house.sessions.begin(token)}"
    assert house.ask(cookie=cookie)[0] == 200
    remove(tmp_path, "one")
    assert house.ask(cookie=cookie)[0] == 401


def test_too_much_is_refused_told_or_not(tmp_path: Path) -> None:
    house = House(tmp_path, body_mb=1)
    big = 1024 * 1024 + 1
    assert house.ask(method="POST", content_length=str(big))[0] == 413
    assert house.ask(method="POST", content_length="-1")[0] == 400
    assert house.ask(method="POST", bodies=[b"x" * 1000, b"y" * 24])[2] == b"1024"
    from slowwave.servers.problems import Refused

    with pytest.raises(Refused) as refused:
        house.ask(method="POST", bodies=[b"x" * (big // 2)] * 3)
    assert refused.value.status == 413


def test_limits_are_each_ones_own(tmp_path: Path) -> None:
    house = House(tmp_path, requests_per_minute=3, failures_per_minute=2)
    one, two = (add(tmp_path, name, ("read",), (), NOW) for name in ("one", "two"))
    assert [house.ask(authorization=f"Bearer {one}")[0] for _ in range(5)] == [200] * 3 + [429] * 2
    assert house.ask(authorization=f"Bearer {two}")[0] == 200
    assert [house.ask(authorization="Bearer no")[0] for _ in range(4)] == [401, 401, 429, 429]
    assert house.ask(authorization="Bearer no", client="127.0.0.9")[0] == 401


def test_headers_are_read_whatever_they_hold() -> None:
    assert bearer({"authorization": "Basic eA=="}) == ""
    assert bearer({"authorization": "BEARER   x y "}) == "x y"
    assert cookie_of({"cookie": f"a=b; {COOKIE}=c"}) == "c"
    assert cookie_of({"cookie": "\x00=;;;=\"'"}) == ""
    assert host_name("[::1]:8377") == "[::1]"
    assert host_name("LocalHost:1") == "localhost"
