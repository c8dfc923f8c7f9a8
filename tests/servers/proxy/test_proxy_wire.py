"""The proxy on a real socket: streams, many at once, and connections that break."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from slowwave.servers.proxy.talks import CUT_OFF
from slowwave.testing.scripted_model import ScriptedModel, breaking, calling, cut_off, slowly

LONG = "The heron stands in the reeds and waits for what the water brings. " * 3


def body(text: str = "hello", **more: Any) -> dict[str, Any]:
    return {"model": "m", "messages": [{"role": "user", "content": text}], "stream": True, **more}


def raw(base: str, given: Any, path: str = "/chat/completions") -> tuple[int, bytes]:
    with httpx.Client(timeout=20, verify=False) as client, client.stream(
        "POST", f"{base}{path}", json=given, headers={"accept-encoding": "identity"}
    ) as answer:  # fmt: skip
        return answer.status_code, b"".join(answer.iter_raw())


def until(done: Any) -> None:
    for _ in range(400):
        if done():
            return
        time.sleep(0.01)
    raise AssertionError("it never came")


@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
@pytest.mark.parametrize("turn", [LONG, calling(("f", {"a": "b" * 50}), ("g", {}), text="so:")])
def test_a_stream_is_the_same_bytes(house: Any, model: ScriptedModel, turn: Any, path: str) -> None:
    model._script = lambda _: turn
    given = body() if path == "/chat/completions" else {"model": "m", "input": "x", "stream": True}
    with house.listening() as base:
        model.requests.clear()  # answers are numbered
        through = raw(f"{base}/v1", given, path)
        model.requests.clear()
        assert raw(model.base_url, given, path) == through
    assert through[0] == 200
    assert [one.kind for one in house.logged()][:2] == ["message", "message"]


def test_a_stream_comes_as_it_is_made(house: Any, model: ScriptedModel) -> None:
    """The first words are here while the last are not said yet."""
    model._script = lambda _: slowly(LONG, 0.02)
    with house.listening() as base, httpx.Client(verify=False) as client, client.stream(
        "POST", f"{base}/v1/chat/completions", json=body()
    ) as answer:  # fmt: skip
        assert answer.headers["x-slowwave-logged"] == "1"
        # What is acknowledged is durable, long before the answer is whole.
        assert house.said() == [("user", "hello")]
        pieces = list(answer.iter_raw())
    assert len(pieces) > 5
    until(lambda: house.said() == [("user", "hello"), ("assistant", LONG)])


@pytest.mark.slow
def test_fifty_conversations_at_once(house: Any, model: ScriptedModel) -> None:
    model._script = lambda request: f"You are {request.prompt.split()[-1]}."

    async def talk(client: openai.AsyncOpenAI, number: int) -> None:
        said: list[Any] = [{"role": "user", "content": f"turn 0: I am n{number}"}]
        whole = await client.chat.completions.create(model="m", messages=said)
        text = whole.choices[0].message.content or ""
        said += [{"role": "assistant", "content": text},
                 {"role": "user", "content": f"turn 1: I am n{number}"}]  # fmt: skip
        stream = await client.chat.completions.create(model="m", messages=said, stream=True)
        again = "".join([one.choices[0].delta.content or "" async for one in stream])
        assert text == again == f"You are n{number}."

    async def all_of_them(base: str) -> None:
        async with openai.AsyncOpenAI(base_url=f"{base}/v1", api_key="k", max_retries=0) as client:
            await asyncio.gather(*[talk(client, number) for number in range(50)])

    with house.listening() as base:
        asyncio.run(all_of_them(base))
        until(lambda: len(house.said()) >= 200)
    sessions: dict[str, list[tuple[str, str]]] = {}
    for one in house.logged():
        sessions.setdefault(one.session, []).append((one.role, one.text))
    assert sorted(sessions.values()) == sorted(
        [
            ("user", f"turn 0: I am n{number}"), ("assistant", f"You are n{number}."),
            ("user", f"turn 1: I am n{number}"), ("assistant", f"You are n{number}."),
        ]
        for number in range(50)
    )  # fmt: skip
    assert house.last.requests == 100
    assert house.last.unlogged == house.last.failed == 0


def test_a_stream_that_breaks_tells_so(house: Any, model: ScriptedModel) -> None:
    model._script = lambda _: breaking(LONG, after=3)
    with house.listening() as base:
        status, through = raw(f"{base}/v1", body())
        events = [one for one in through.split(b"\n\n") if one]
        assert status == 200
        assert len(events) == 4
        assert json.loads(events[-1][6:])["error"]["code"] == "stream_broken"
        with (
            openai.OpenAI(base_url=f"{base}/v1", api_key="k", max_retries=0) as client,
            pytest.raises(openai.APIError, match="broke off"),
        ):
            for _ in client.chat.completions.create(**body("again")):
                pass
        until(lambda: len(house.said()) == 4)
    assert house.said()[1][1] == LONG[:36]
    assert house.logged()[1].meta == {CUT_OFF: "stream broken"}
    assert house.last.broken == 2


def test_an_answer_that_breaks_is_seen_to_break(house: Any, model: ScriptedModel) -> None:
    model._script = lambda _: cut_off()
    with house.listening() as base, pytest.raises(httpx.RemoteProtocolError):
        raw(f"{base}/v1", body(stream=False))
    assert house.said() == [("user", "hello")]


def test_a_client_that_goes_away_ends_the_upstream(house: Any, model: ScriptedModel) -> None:
    model._script = lambda _: slowly(LONG * 20, 0.02)
    with house.listening() as base:
        with httpx.Client(verify=False) as client, client.stream(
            "POST", f"{base}/v1/chat/completions", json=body()
        ) as answer:  # fmt: skip
            next(answer.iter_raw(1))
        until(lambda: model.gone == 1)
        until(lambda: len(house.said()) == 2)
    assert LONG.startswith(house.said()[1][1][:12])
    assert len(house.said()[1][1]) < len(LONG) * 20
    assert house.logged()[1].meta == {CUT_OFF: "client gone"}
    assert house.last.gone == 1


def test_a_client_that_goes_away_before_the_answer(house: Any, model: ScriptedModel) -> None:
    arrived, free = threading.Event(), threading.Event()

    def script(_: Any) -> str:
        arrived.set()
        free.wait(10)
        return "too late"

    model._script = script
    with house.listening() as base:
        host, port = base.removeprefix("http://").split(":")
        payload = json.dumps(body()).encode()
        with socket.create_connection((host, int(port))) as connection:
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: {host}\r\nContent-Length: "
            connection.sendall(f"{head}{len(payload)}\r\n\r\n".encode() + payload)
            assert arrived.wait(10)
        until(lambda: house.totals().gone == 1)
        free.set()
    assert house.said() == [("user", "hello")]


def test_what_is_acknowledged_is_on_the_disk(house: Any, model: ScriptedModel) -> None:
    """Nothing waits in the process for what a header has told."""
    from slowwave.adapters.store.sqlite.store import SqliteStore

    model._script = lambda _: slowly("yes, that is so", 0.05)
    with house.listening() as base, httpx.Client(verify=False) as client, client.stream(
        "POST", f"{base}/v1/chat/completions", json=body("is it so?")
    ) as answer:  # fmt: skip
        assert answer.headers["x-slowwave-logged"] == "1"
        other = SqliteStore(house.home / "slowwave.db")
        assert [one.text for one in other.events_after("default", 0, 9)] == ["is it so?"]
        other.close()


@pytest.mark.slow
def test_what_is_acknowledged_survives_a_kill(house: Any, model: ScriptedModel) -> None:
    """The server is killed in the middle of an answer; the next one goes on where it was."""
    house.close()
    model._script = lambda _: slowly("yes, that is so, as far as anybody knows", 0.1)
    said: list[Any] = [{"role": "user", "content": "is it so?"}]
    for turn in range(2):
        with (
            _served(house.home) as (process, base),
            httpx.stream("POST", f"{base}/v1/chat/completions", timeout=20,
                         json={**body(), "messages": said}) as answer,
        ):  # fmt: skip
            assert answer.headers["x-slowwave-logged"] == str(turn + 1)
            process.kill()
            process.wait(10)
        said += [{"role": "assistant", "content": f"half an answer {turn}"},
                 {"role": "user", "content": f"and {turn}?"}]  # fmt: skip
    house.open()
    assert [text for _, text in house.said()] == ["is it so?", "half an answer 0", "and 0?"]


@contextmanager
def _served(home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "slowwave", "--home", str(home), "serve", "--port", "0",
               "--no-dreams"]  # fmt: skip
    environment = {**os.environ, "SLOWWAVE_EMBEDDER": "none"}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            line = next((one for one in process.stderr if " serves " in one), "")
            yield process, line.split()[-1]
        finally:
            process.kill()
