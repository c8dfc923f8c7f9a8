"""REST answers what the command line prints with --json, field for field."""

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from slowwave.cli.main import run

Served = Any
NOW = "2026-12-01T03:00:00+08:00"
Call = Callable[..., Any]


@pytest.fixture
def call(
    served: Served, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Runs a command on the home that is served."""
    monkeypatch.setitem(os.environ, "SLOWWAVE_EMBEDDER", "none")

    def caller(*arguments: str) -> Any:
        head = ["--home", str(served.home), "--space", "ana", "--now", NOW]
        run([*head, "--tz", "Asia/Shanghai", "--json", *arguments])
        return json.loads(capsys.readouterr().out)

    return caller


SAME: tuple[tuple[tuple[str, ...], str], ...] = (
    (("memories",), "/v1/memories"),
    (
        ("memories", "list", "--status", "active", "--kind", "profile"),
        "/v1/memories?status=active&kind=profile",
    ),
    (("memories", "list", "--subject", "you"), "/v1/memories?subject=you"),
    (("memories", "show", "{m}"), "/v1/memories/{m}"),
    (("memories", "show", "quincenuevo-1"), "/v1/memories/quincenuevo-1"),
    (("history", "{m}"), "/v1/memories/{m}/history"),
    (("why", "{m}"), "/v1/memories/{m}/why"),
    (("conflicts",), "/v1/conflicts"),
    (("working",), "/v1/working"),
    (("working", "list"), "/v1/working?state=all"),
    (("dreams",), "/v1/dreams"),
    (("dreams", "--waiting"), "/v1/dreams?waiting=true"),
    (("dreams", "show", "last"), "/v1/dreams/last"),
    (("dreams", "diff", "{d}"), "/v1/dreams/{d}"),
    (("injections", "list"), "/v1/injections"),
    (("injections", "list", "--session", "quincenuevo"), "/v1/injections?session=quincenuevo"),
    (("injections", "show", "last"), "/v1/injections/last"),
    (("trial",), "/v1/trial"),
    (("trial", "report"), "/v1/trial/report"),
    (("trial", "judge", "--list"), "/v1/trial/waiting"),
    (("model", "calls"), "/v1/model/calls"),
    (("status",), "/v1/status"),
    (("stats",), "/v1/stats"),
    (("doctor",), "/v1/doctor"),
    (("vault", "check"), "/v1/vault"),
)


@pytest.mark.parametrize(("command", "path"), SAME, ids=[path for _, path in SAME])
def test_what_is_looked_at(served: Served, call: Call, command: tuple[str, ...], path: str) -> None:
    memory = served.spaces.memory("ana")
    names = {"m": memory.memories()[0].id, "d": memory.dreams()[-1].dream_id}
    told = call(*[part.format(**names) for part in command])
    answer = served.client.get(path.format(**names), headers=served.headers("read"))
    assert answer.status_code == 200
    assert answer.json() == told
    assert list(told) == list(answer.json())


ASKED: tuple[tuple[tuple[str, ...], str, dict[str, Any]], ...] = (
    (("recall", "where do I live", "--explain"), "/v1/recall",
     {"query": "where do I live", "explain": True}),
    (("recall", "tea", "-k", "1", "--scope", "events", "--since", "2026-11-01", "--no-signal"),
     "/v1/recall",
     {"query": "tea", "k": 1, "scope": "events", "since": "2026-11-01", "signal": False}),
    (("inspect", "distill", "I love tea", "--date", "2026-11-30"), "/v1/inspect/distill",
     {"text": "I love tea", "date": "2026-11-30"}),
    (("inspect", "compare", "port 22", "port 49222"), "/v1/inspect/compare",
     {"a": {"text": "port 22"}, "b": {"text": "port 49222"}}),
    (("inspect", "when", "下周二飞杭州"), "/v1/inspect/when", {"text": "下周二飞杭州"}),
    (("privacy", "preview", "--text", "call Ana, 138 0013 8077"), "/v1/privacy/preview",
     {"text": "call Ana, 138 0013 8077"}),
    (("forget", "--match", "quincenuevo", "--dry-run"), "/v1/forget", {"match": "quincenuevo"}),
    (("dream", "--date", "all", "--dry-run"), "/v1/dreams", {"date": "all", "dry_run": True}),
)  # fmt: skip
SHAKY = ("took_ms", "duration_sec", "ledger_id", "stages")


@pytest.mark.parametrize(("command", "path", "body"), ASKED)
def test_what_is_asked(
    served: Served, call: Call, command: tuple[str, ...], path: str, body: dict[str, Any]
) -> None:
    told = call(*command)
    answer = served.client.post(path, json=body, headers=served.headers("admin"))
    assert answer.status_code == 200
    assert _steady(answer.json()) == _steady(told)


def test_the_block_for_a_prompt(served: Served, call: Call) -> None:
    told = call("context", "where do I live", "--caller", "job")
    answer = served.client.post("/v1/context", json={"query": "where do I live", "caller": "job"},
                                headers=served.headers("read"))  # fmt: skip
    assert _steady(answer.json()) == _steady(told)
    by_query = served.client.get("/v1/context?query=where do I live&caller=job",
                                 headers=served.headers("read"))  # fmt: skip
    assert _steady(by_query.json()) == _steady(told)


def _steady(told: dict[str, Any]) -> dict[str, Any]:
    """What does not change from one call to the next."""
    return {name: value for name, value in told.items() if name not in SHAKY}
