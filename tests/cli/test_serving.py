"""`serve`, `mcp` and `token` from outside: as processes."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from slowwave.cli.main import run
from slowwave.errors import UsageError
from slowwave.servers.serve import refuse_open
from slowwave.servers.tokens import Keys

PYTHON = (sys.executable, "-P", "-m", "slowwave")


def test_tokens_are_made_listed_and_taken_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = ["--home", str(tmp_path)]
    assert run([*home, "token", "list"]) == 0
    assert "open to this machine" in capsys.readouterr().out
    assert run([*home, "token", "add", "agent", "--scope", "read", "--only", "ada", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["token"].startswith("slw_")
    assert (made["scopes"], made["spaces"]) == (["read"], ["ada"])
    assert run([*home, "token", "add", "agent", "--scope", "log"]) == 2
    assert run([*home, "token", "add", "other", "--scope", "everything"]) == 2
    capsys.readouterr()
    assert run([*home, "token", "list"]) == 0
    listed = capsys.readouterr().out
    assert "agent" in listed
    assert made["token"] not in listed
    assert run([*home, "token", "remove", "agent"]) == 0
    assert run([*home, "token", "remove", "agent"]) == 1


def test_others_than_this_machine_need_a_token(tmp_path: Path) -> None:
    for here in ("127.0.0.1", "127.9.9.9", "::1", "localhost"):
        refuse_open(here, Keys(tmp_path, ""))
    for elsewhere in ("0.0.0.0", "::", "192.0.2.7", "memory.example"):
        with pytest.raises(UsageError):
            refuse_open(elsewhere, Keys(tmp_path, ""))
        refuse_open(elsewhere, Keys(tmp_path, "a token"))


@contextmanager
def serving(home: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and its address."""
    environment = {**os.environ, "SLOWWAVE_EMBEDDER": "none"}
    process = subprocess.Popen(
        [*PYTHON, "--home", str(home), "serve", "--port", "0", *more],
        stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if found := re.search(r"http://\S+", line):
                yield process, found[0]
                break
    finally:
        process.kill()
        process.communicate()


def asked(url: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_server_answers_and_ends_well(tmp_path: Path, stop: signal.Signals) -> None:
    with serving(tmp_path, "--no-dreams") as (process, address):
        assert asked(f"{address}/healthz")[0] == 200
        status, kept = asked(f"{address}/v1/events", {"text": "The kiln fires at nine."})
        assert status in (200, 201)
        assert len(kept["events"]) == 1
        status, found = asked(f"{address}/v1/recall", {"query": "when does the kiln fire"})
        assert status == 200
        assert found["results"][0]["text"] == "The kiln fires at nine."
        process.send_signal(stop)
        assert process.wait(20) == 0
    with serving(tmp_path, "--no-dreams") as (process, address):
        status, found = asked(f"{address}/v1/recall", {"query": "when does the kiln fire"})
        assert found["results"][0]["text"] == "The kiln fires at nine."
        process.kill()


@pytest.mark.slow
def test_an_address_that_is_taken_is_told(tmp_path: Path) -> None:
    with serving(tmp_path, "--no-dreams") as (_, address):
        port = address.rpartition(":")[2]
        second = subprocess.run(
            [*PYTHON, "--home", str(tmp_path), "serve", "--port", port],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert second.returncode == 1
    assert "cannot listen" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.slow
def test_an_agent_starts_the_tools_by_itself(tmp_path: Path) -> None:
    server = StdioServerParameters(
        command=PYTHON[0], args=[*PYTHON[1:], "--home", str(tmp_path), "--space", "work", "mcp"],
        env={**os.environ, "SLOWWAVE_EMBEDDER": "none"},
    )  # fmt: skip

    async def work() -> None:
        async with Client(server) as client:
            names = [one.name for one in (await client.list_tools()).tools]
            assert "memory_search" in names
            await client.call_tool("memory_log", {"text": "陶窑九点点火"})
            found = await client.call_tool("memory_search", {"query": "陶窑几点点火"})
            (content,) = found.content
            assert isinstance(content, types.TextContent)
            assert "陶窑九点点火" in content.text

    asyncio.run(work())
