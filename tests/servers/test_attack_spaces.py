"""A token of one space at every door: nothing of another one comes out, whatever is asked."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from slowwave.memory import SlowMemory
from slowwave.model import Record
from slowwave.servers.access import SCOPES, Scope
from slowwave.servers.app import build
from slowwave.servers.dashboard.pages import ALL
from slowwave.servers.doors import Doors
from slowwave.servers.mcp.pages import PAGES, PROMPTS, TEMPLATES
from slowwave.servers.mcp.tools import TOOLS
from slowwave.servers.tokens import Keys, add
from slowwave.spaces import Spaces
from slowwave.wiring import Options

NOW = "2032-03-04T21:00:00+01:00"
OWN, OTHER = "harbour", "orchard"
MARKS = {OWN: "tamariskengasse", OTHER: "quittenbaumweg"}
"""A word that stands in everything that a space holds, and is asked for."""
HUSH = {OWN: "windlicht", OTHER: "perlmuttknopf"}
"""A word that stands beside it, and that nobody asks for: wherever it comes out, it was read."""
SECRET = MARKS[OTHER]
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def fill(memory: SlowMemory, mark: str, hush: str) -> None:
    """A little of everything, each with the words."""
    memory.log([
        Record(text=f"I live at {mark} {hush}", source="talk", ref=f"{hush}-1", session=hush),
        Record(text=f"我对{mark} {hush}的花粉过敏", source="talk", session=hush),
        Record(text=f"My aunt Pernille works at {mark} {hush}", source="talk", session=mark,
               speaker=f"{hush} bot", channel=hush, origin="other"),
    ])  # fmt: skip
    memory.dream("all", apply=True)
    memory.working_add(f"visit {mark} {hush}")
    memory.context(f"where is {mark} {hush}", 600, hush)
    memory.log([Record(text=f"I prefer bread from {mark} {hush}", source="talk", session=hush)])
    memory.dream("all")
    memory.forget(memory.forget_plan(text="Pernille"))


@dataclass
class Town:
    """A server of two spaces, and a token of each scope for one of them."""

    home: Path
    spaces: Spaces
    client: TestClient
    tokens: dict[str, str]
    ids: list[str]
    """Of all that the other space holds."""
    mcp: dict[str, str]

    def headers(self, who: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[who]}"}

    def call(self, who: str, method: str, **more: Any) -> str:
        """What MCP answers; the session of each token is opened once."""
        if who not in self.mcp:
            self.mcp[who] = opened(self.client, self.headers(who))
        space = more.pop("space", "")
        asked = {"jsonrpc": "2.0", "id": 7, "method": method, "params": more}
        headers = {**HEADERS, **self.headers(who), "mcp-session-id": self.mcp[who]}
        if space:
            headers["x-slowwave-space"] = space
        return self.client.post("/mcp", json=asked, headers=headers).text


def opened(client: TestClient, headers: dict[str, str]) -> str:
    """The id of a new session."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {},
              "clientInfo": {"name": "c", "version": "1"}}  # fmt: skip
    asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
    answer = client.post("/mcp", json=asked, headers=HEADERS | headers)
    assert answer.status_code == 200, answer.text
    session = answer.headers["mcp-session-id"]
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    client.post("/mcp", json=told, headers=HEADERS | headers | {"mcp-session-id": session})
    return str(session)


def ids_of(memory: SlowMemory, home: Path) -> list[str]:
    found = [one.id for one in memory.memories()] + [one.dream_id for one in memory.dreams()]
    found += [event.id for event in memory.events_since(0)]
    found += [one.id for one in memory.working()] + [one.id for one in memory.injections()]
    receipts = [json.loads(path.read_text()) for path in (home / "receipts").glob("*.json")]
    return found + [one["id"] for one in receipts if one["space"] == memory.space]


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    home = tmp_path_factory.mktemp("town") / "home"
    options = Options(home=str(home), space=OWN, now=NOW, tz="Europe/Berlin")
    environment = {"SLOWWAVE_EMBEDDER": "none"}
    spaces = Spaces(options, environment)
    for name, mark in MARKS.items():
        fill(spaces.memory(name), mark, HUSH[name])
    spaces.memory(OTHER).vault_sync()
    wanted: dict[str, tuple[tuple[Scope, ...], tuple[str, ...]]] = {
        **{scope: ((scope,), (OWN,)) for scope in SCOPES}, "other": (("admin",), (OTHER,)),
    }  # fmt: skip
    now = spaces.first.now()
    tokens = {name: add(home, name, scopes, only, now) for name, (scopes, only) in wanted.items()}
    app = build(Doors(spaces, Keys(home, "")))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield Town(home, spaces, client, tokens, ids_of(spaces.memory(OTHER), home), {})
    spaces.close()


def hidden(text: str, space: str = OTHER) -> bool:
    """Whether nothing of a space stands in an answer."""
    return HUSH[space] not in text.casefold()


# --- MCP ------------------------------------------------------------------------------------------


def arguments(tool: str, name: str) -> dict[str, Any]:
    """Arguments of a tool that mean something of another space."""
    meant: dict[str, dict[str, Any]] = {
        "memory_search": {"query": f"{SECRET} {name}", "k": 20},
        "memory_get": {"id": name, "history": True},
        "memory_context": {"query": f"where is {SECRET}", "session": SECRET},
        "memory_log": {"text": "nothing", "ref": name},
        "memory_remember": {"text": "I like rain", "session": name},
        "memory_forget": {"id": name},
        "dream_run": {"date": "all"},
        "dream_review": {"id": name, "do": "show"},
    }
    return meant[tool]


@pytest.mark.parametrize("tool", list(TOOLS))
def test_no_tool_tells_of_another_space(town: Town, tool: str) -> None:
    names = [*town.ids, town.ids[0][:4]] if "id" in arguments(tool, "x") else ["x"]
    for who in ("admin", TOOLS[tool].scope):
        for name in names:
            asked = arguments(tool, name)
            assert hidden(town.call(who, "tools/call", name=tool, arguments=asked)), (who, name)
    text = town.call("admin", "tools/call", name=tool, arguments=arguments(tool, "x"), space=OTHER)
    assert "does not see that space" in text


def test_what_changes_a_dream_cannot_be_done_to_another_spaces(town: Town) -> None:
    memory = town.spaces.memory(OTHER)
    before = [(one.dream_id, one.status) for one in memory.dreams()]
    for one in memory.dreams():
        for deed in ("approve", "reject", "apply", "rollback"):
            text = town.call("admin", "tools/call", name="dream_review",
                             arguments={"id": one.dream_id, "do": deed})  # fmt: skip
            assert '"isError":true' in text
            assert hidden(text)
    assert [(one.dream_id, one.status) for one in memory.dreams()] == before


@pytest.mark.parametrize("tool", list(TOOLS))
def test_a_narrower_token_calls_no_tool_of_another_scope(town: Town, tool: str) -> None:
    for who in SCOPES:
        fits = who in ("admin", TOOLS[tool].scope) or (who, TOOLS[tool].scope) == ("review", "read")
        shown = town.call(who, "tools/list")
        assert (f'"{tool}"' in shown) == fits
        if not fits:
            asked = arguments(tool, town.ids[0])
            text = town.call(who, "tools/call", name=tool, arguments=asked)
            assert "may not" in text
            assert hidden(text, OWN)


def test_no_page_and_no_prompt_tells_of_another_space(town: Town) -> None:
    uris = [page.uri for page in PAGES]
    uris += [page.uri.replace("{id}", name) for page in TEMPLATES for name in town.ids]
    uris += [f"slowwave://memories/{OTHER}/{town.ids[0]}", "slowwave://memories/../memories"]
    for uri in uris:
        assert hidden(town.call("admin", "resources/read", uri=uri))
        for who, space in (("log", ""), ("admin", OTHER)):
            text = town.call(who, "resources/read", uri=uri, space=space)
            assert '"error"' in text
            assert hidden(text, OWN)
    for prompt in PROMPTS:
        assert hidden(town.call("read", "prompts/get", name=prompt.name))
        assert '"error"' in town.call("log", "prompts/get", name=prompt.name)


def test_a_session_is_for_the_token_that_opened_it(town: Town) -> None:
    town.call("other", "tools/list")
    session = town.mcp["other"]
    asked = {"jsonrpc": "2.0", "id": 9, "method": "tools/call",
             "params": {"name": "memory_search", "arguments": {"query": SECRET}}}  # fmt: skip
    for who in ("read", "admin"):
        headers = HEADERS | town.headers(who) | {"mcp-session-id": session}
        assert town.client.post("/mcp", json=asked, headers=headers).status_code == 404
        assert town.client.delete("/mcp", headers=headers).status_code == 404
        assert town.client.get("/mcp", headers=headers).status_code == 404
    assert not hidden(town.call("other", "tools/call", **asked["params"]))  # type: ignore[arg-type]


def test_a_token_taken_away_and_made_again_goes_on_with_nothing(town: Town) -> None:
    from slowwave.servers.tokens import remove

    first = add(town.home, "passing", ("read",), (OWN,), town.spaces.first.now())
    session = opened(town.client, {"authorization": f"Bearer {first}"})
    remove(town.home, "passing")
    again = add(town.home, "passing", ("admin",), (OTHER,), town.spaces.first.now())
    asked = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    for token, status in ((first, 401), (again, 404)):
        headers = {"authorization": f"Bearer {token}", "mcp-session-id": session}
        assert town.client.post("/mcp", json=asked, headers=HEADERS | headers).status_code == status
    remove(town.home, "passing")


def test_one_token_does_not_fill_the_room_for_sessions(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slowwave.servers.mcp.owned.MOST_OF_ONE", 3)
    others = opened(town.client, town.headers("other"))
    mine = [opened(town.client, town.headers("log")) for _ in range(6)]
    asked = {"jsonrpc": "2.0", "id": 5, "method": "ping"}

    def status(session: str, who: str) -> int:
        headers = HEADERS | town.headers(who) | {"mcp-session-id": session}
        return town.client.post("/mcp", json=asked, headers=headers).status_code

    assert [status(one, "log") for one in mine] == [404] * 3 + [200] * 3
    assert status(others, "other") == 200


# --- pages ----------------------------------------------------------------------------------------


@pytest.fixture
def visitor(town: Town) -> TestClient:
    """Somebody who signed in with the token of one space."""
    client = TestClient(town.client.app, base_url="http://localhost", raise_server_exceptions=False)
    page = client.get("/login").text
    sent = {"form_token": form_token(page), "token": town.tokens["admin"]}
    assert client.post("/login", data=sent).status_code == 200
    return client


def form_token(page: str) -> str:
    found = re.search(r'name="form_token" value="([0-9a-f]+)"', page)
    assert found, page[:300]
    return found[1]


def test_no_page_shows_another_space(town: Town, visitor: TestClient) -> None:
    ways = [page.path for page in ALL if page.method == "GET"]
    for way in ways:
        names = town.ids[::2] + town.ids[-1:] if "{" in way else ["x"]
        for name in names:
            answer = visitor.get(re.sub(r"\{\w+\}", name, way))
            assert answer.status_code < 500, way
            assert hidden(answer.text), (way, name)
            if "{" in way:
                assert answer.status_code in (404, 422), (way, name)
        asked = visitor.get(re.sub(r"\{\w+\}", "x", way), params={"space": OTHER})
        assert hidden(asked.text), way
    searched = visitor.get("/search", params={"q": SECRET, "cold": "1", "k": "50"})
    assert hidden(searched.text)


def test_no_form_reaches_another_space(town: Town, visitor: TestClient) -> None:
    memory = town.spaces.memory(OTHER)
    before = memory.status()
    token = form_token(visitor.get("/working").text)
    for page in (page for page in ALL if page.method == "POST" and page.path != "/logout"):
        for name in town.ids[::3] if "{" in page.path else ["x"]:
            for do in ("apply", "reject", "demote", "edit") if "{" in page.path else ("apply",):
                fields = {"form_token": token, "do": do, "text": SECRET, "space": OTHER,
                          "state": "done", "keep": name, "id": name, "mark": "x"}  # fmt: skip
                if page.path in ("/working", "/dreams", "/search"):
                    fields["text"] = "nothing"
                way = re.sub(r"\{\w+\}", name, page.path)
                answer = visitor.post(way, data=fields, follow_redirects=False)
                assert answer.status_code < 500, way
    after = memory.status()
    assert (after.counts, after.waiting) == (before.counts, before.waiting)


def test_a_chosen_space_in_a_cookie_opens_nothing(visitor: TestClient) -> None:
    visitor.cookies.set("slowwave_space", OTHER)
    for way in ("/", "/memories?status=all", "/working", "/injections", "/timeline"):
        assert hidden(visitor.get(way).text)


# --- all of them ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_however_the_space_is_named(data: Any, town: Town) -> None:
    name = data.draw(st.sampled_from([
        OTHER, OTHER.upper(), f" {OTHER}", f"{OTHER}\u200b", f"{OWN},{OTHER}", f"{OWN}\x00{OTHER}",
        "*", "", f"../{OTHER}", f"{OWN}/../{OTHER}", OTHER.encode().hex(),
    ]))  # fmt: skip
    who = data.draw(st.sampled_from(list(SCOPES)))
    given: dict[str, Any] = {"headers": town.headers(who), "params": {}}
    if data.draw(st.booleans()):
        given["params"]["space"] = name
    else:
        given["headers"] |= {"x-slowwave-space": name.encode("utf-8", "replace").decode("latin-1")}
    way = data.draw(st.sampled_from([
        "/v1/memories", "/v1/events", "/v1/dreams", "/v1/export", "/v1/status", "/v1/working",
        "/v1/injections", "/v1/conflicts", "/v1/vault", "/v1/doctor", "/metrics", "/v1/spaces",
        f"/v1/recall?query={SECRET}", f"/v1/events/{HUSH[OTHER][:5]}", "/", "/memories?status=all",
    ]))  # fmt: skip
    try:
        answer = town.client.get(way, **given)
    except ValueError:
        return  # a null byte in a header is sent by nobody
    assert answer.status_code < 500
    assert hidden(answer.text)
    assert all(map(hidden, answer.headers.values()))
