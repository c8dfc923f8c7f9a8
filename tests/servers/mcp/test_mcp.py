"""The Model Context Protocol, by the official SDK's own client."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from slowwave.model import Record
from slowwave.servers.doors import Doors
from slowwave.servers.mcp.server import Here, server_of
from slowwave.servers.mcp.tools import TOOLS, schema_of
from slowwave.servers.tokens import Keys, add
from slowwave.spaces import Spaces
from slowwave.wiring import Options

NOW = "2031-05-06T20:00:00+02:00"
SAID = "I am allergic to walnuts. 我住在枫林路。"


@pytest.fixture
def spaces(tmp_path: Path) -> Iterator[Spaces]:
    made = Spaces(Options(home=str(tmp_path / "home"), now=NOW, tz="Europe/Paris"),
                  {"SLOWWAVE_EMBEDDER": "none"})  # fmt: skip
    made.first.log([Record(text=SAID, source="talk", key="1")])
    made.first.dream("today", apply=True)
    yield made
    made.close()


def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(work())


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


def first_id(text: str) -> str:
    """The id that the first line with one begins with."""
    found = re.search(r"^\[(\w+)\]", text, re.MULTILINE)
    assert found
    return found[1]


async def called(client: Client, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, text_of(result)
    return text_of(result)


def test_tools_are_told_in_few_tokens(spaces: Spaces) -> None:
    whole = json.dumps(
        [{"n": one.name, "d": one.says, "s": schema_of(one)} for one in TOOLS.values()]
    )
    assert len(whole) < 4 * 1_100, "about 1,100 tokens for all eight"
    for tool in TOOLS.values():
        schema = schema_of(tool)
        assert "$ref" not in json.dumps(schema)
        assert schema["additionalProperties"] is False

    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            listed = (await client.list_tools()).tools
            assert [one.name for one in listed] == list(TOOLS)
            destroys = [
                one.name for one in listed if one.annotations and one.annotations.destructive_hint
            ]
            assert destroys == ["memory_forget"]

    run(work)


def test_an_agent_logs_remembers_searches_and_gets(spaces: Spaces) -> None:
    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            kept = await called(
                client, "memory_log", text="我的护照十月到期", session="s1", ref="a-1"
            )
            assert kept.startswith("Kept as e")
            assert await called(
                client, "memory_log", text="我的护照十月到期", session="s1", ref="a-1"
            ) == ("It was kept before.")
            await called(client, "memory_remember", text="My locker code word is heron")
            found = await called(client, "memory_search", query="allergic")
            assert "walnuts" in found
            first = first_id(found)
            assert "“I am allergic to walnuts" in await called(
                client, "memory_get", id=first, history=True
            )
            assert "护照" in await called(client, "memory_search", query="护照什么时候到期")
            assert "walnuts" in await called(
                client, "memory_context", query="am I allergic to walnuts?"
            )
            assert await called(client, "memory_context", query="weather in Oslo?") == ""

    run(work)


def test_a_dream_is_run_reviewed_applied_and_undone(spaces: Spaces) -> None:
    spaces.first.log([Record(text="I work as a potter in Nantes.", source="talk", key="2")])
    seen: list[float] = []

    async def progress(done: float, _total: float | None, _message: str | None) -> None:
        seen.append(done)

    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            result = await client.call_tool(
                "dream_run", {"date": "today"}, progress_callback=progress
            )
            assert ": planned;" in text_of(result)
            shown = await called(client, "dream_review")
            assert "“I work as a potter in Nantes” — the user" in shown
            assert ": applied;" in await called(client, "dream_review", do="apply")
            assert "potter" in await called(
                client, "memory_search", query="potter", scope="memories"
            )
            await called(client, "dream_review", do="rollback", id=shown.split()[1])
            after = await called(client, "memory_search", query="potter", scope="memories")
            assert "potter" not in after

    run(work)
    assert seen


def test_a_second_dream_at_once_is_refused(spaces: Spaces) -> None:
    here = Here(spaces)

    async def work() -> None:
        async with Client(server_of(here)) as client:
            with here.nights.holding("default"):
                refused = await client.call_tool("dream_run", {"date": "today"})
                assert refused.is_error
                assert "dreaming already" in text_of(refused)
            assert "nothing to do" in await called(client, "dream_run", date="today")

    run(work)


def test_what_goes_wrong_is_told_to_the_agent(spaces: Spaces) -> None:
    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            for name, arguments, why in (
                ("memory_search", {}, "query"),
                ("memory_search", {"query": "x", "colour": "blue"}, "colour"),
                ("memory_search", {"query": "x", "since": "Tuesday"}, "no day"),
                ("memory_get", {"id": "zzz"}, "names nothing"),
                ("memory_log", {"text": "   "}, "not kept"),
                ("memory_forget", {}, "name one thing"),
                ("dream_review", {"id": "d404"}, "d404"),
                ("dream_run", {"date": "someday"}, "someday"),
            ):
                result = await client.call_tool(name, arguments)
                assert result.is_error
                assert why in text_of(result), (name, text_of(result))

    run(work)


async def _yes(_ctx: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    assert "walnuts" in params.message
    return types.ElicitResult(action="accept", content={"yes": True})


async def _no(_ctx: Any, _params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"yes": False})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_forgetting_asks_the_person(spaces: Spaces, mode: Any) -> None:
    async def work() -> None:
        server = server_of(Here(spaces))
        async with Client(server, mode=mode, elicitation_callback=_no) as client:
            assert "said no" in await called(client, "memory_forget", match="walnuts")
            assert "walnuts" in await called(client, "memory_search", query="walnuts")
        async with Client(server, mode=mode, elicitation_callback=_yes) as client:
            assert "Forgotten. Receipt" in await called(client, "memory_forget", match="walnuts")
            assert "walnuts" not in await called(client, "memory_search", query="allergic walnuts")

    run(work)


def test_a_client_that_cannot_ask_gets_a_code_for_exactly_that(spaces: Spaces) -> None:
    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            told = await called(client, "memory_forget", match="walnuts")
            assert "Nothing was erased yet" in told
            code = told.rpartition('confirm: "')[2].partition('"')[0]
            assert "Nothing was erased" in await called(
                client, "memory_forget", match="walnuts", confirm="0" * 12
            )
            spaces.first.log([Record(text="Walnuts again.", source="talk", key="9")])
            assert "Nothing was erased" in await called(
                client, "memory_forget", match="walnuts", confirm=code
            ), "more would go now than the user was shown"
            told = await called(client, "memory_forget", match="walnuts")
            code = told.rpartition('confirm: "')[2].partition('"')[0]
            assert "Forgotten" in await called(
                client, "memory_forget", match="walnuts", confirm=code
            )

    run(work)


def test_resources_and_prompts(spaces: Spaces) -> None:
    async def work() -> None:
        async with Client(server_of(Here(spaces))) as client:
            listed = {str(one.uri) for one in (await client.list_resources()).resources}
            assert listed == {"slowwave://memories", "slowwave://dreams", "slowwave://diary"}
            texts = {uri: _page(await client.read_resource(uri)) for uri in listed}
            assert "walnuts" in texts["slowwave://memories"]
            assert "applied" in texts["slowwave://dreams"]
            assert "2031-05-06" in texts["slowwave://diary"]
            memory_id = first_id(texts["slowwave://memories"])
            assert "“" in _page(await client.read_resource(f"slowwave://memories/{memory_id}"))
            with pytest.raises(Exception, match="no page"):
                await client.read_resource("slowwave://secrets")
            names = [one.name for one in (await client.list_prompts()).prompts]
            assert names == ["review_dream", "hand_over"]
            for name in names:
                prompt = await client.get_prompt(name)
                assert prompt.messages[0].role == "user"

    run(work)


def _page(result: types.ReadResourceResult) -> str:
    (content,) = result.contents
    assert isinstance(content, types.TextResourceContents)
    return content.text


@asynccontextmanager
async def over_http(doors: Doors, token: str = "", space: str = "") -> AsyncIterator[Client]:
    """The SDK's client over the whole server, guard included."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    if space:
        headers["x-slowwave-space"] = space
    from slowwave.servers.app import build

    app = build(doors)
    async with _lifespan(app), httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=app), base_url="http://localhost", headers=headers
    ) as http, Client(
        streamable_http_client("http://localhost/mcp", http_client=http)
    ) as client:  # fmt: skip
        yield client


@asynccontextmanager
async def _lifespan(app: Any) -> AsyncIterator[None]:
    """Starts and stops an ASGI application."""
    inbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outbox: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    task = asyncio.create_task(app({"type": "lifespan"}, inbox.get, outbox.put))
    await inbox.put({"type": "lifespan.startup"})
    assert (await outbox.get())["type"] == "lifespan.startup.complete"
    try:
        yield
    finally:
        await inbox.put({"type": "lifespan.shutdown"})
        await outbox.get()
        await task


def test_over_http_a_token_opens_its_tools_and_its_space(spaces: Spaces) -> None:
    home = spaces.first.parts.home
    reader = add(home, "reader", ("read",), ("default",), spaces.first.now())
    other = add(home, "other", ("read", "log"), ("birch",), spaces.first.now())
    doors = Doors(spaces, Keys(home, ""))

    async def work() -> None:
        async with over_http(doors, reader) as client:
            listed = [one.name for one in (await client.list_tools()).tools]
            assert listed == ["memory_search", "memory_get", "memory_context"]
            assert "walnuts" in await called(client, "memory_search", query="walnuts")
            refused = await client.call_tool("memory_log", {"text": "in by the window"})
            assert refused.is_error
            assert "may not log" in text_of(refused)
        async with over_http(doors, other) as client:
            assert await called(client, "memory_search", query="walnuts") == "Nothing found."
            assert "walnuts" not in _page(await client.read_resource("slowwave://memories"))
        async with over_http(doors, other, space="default") as client:
            for name, arguments in (
                ("memory_search", {"query": "walnuts"}),
                ("memory_log", {"text": "x"}),
            ):
                refused = await client.call_tool(name, arguments)
                assert refused.is_error
                assert "walnuts" not in text_of(refused)
        for wrong in ("", "slw_wrong"):
            with pytest.raises(BaseException):  # noqa: B017 - an exception group of the SDK's
                async with over_http(doors, wrong) as client:
                    await client.list_tools()

    run(work)
