"""`slowwave dream --distiller llm`: what people and scripts are told, against a scripted server."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from slowwave.cli.main import run
from slowwave.testing.scripted_model import ScriptedModel, busy

SAID = "I keep the ladder in the shed of Agneta Palm"
ITEM = {
    "evidence": [{"event_id": "e1", "quote": SAID}], "kind": "environment", "subject": "user",
    "text": SAID, "importance": 83, "confidence": 0.9, "standing": "standing",
}  # fmt: skip


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    monkeypatch.setattr("slowwave.modelling.asking.PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    with ScriptedModel(lambda _request: {"items": [ITEM]}) as scripted:
        monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", scripted.base_url)
        monkeypatch.setenv("SLOWWAVE_MODEL_NAME", "scripted")
        yield scripted


def test_a_dream_by_the_model(call, server: ScriptedModel) -> None:
    call("log", SAID)
    code, dream, _ = call("dream", "--date", "all", "--distiller", "llm", "--apply")
    assert (code, dream["model_used"], dream["pending"]) == (0, "scripted", [])
    _, calls, _ = call("model", "calls")
    assert {one["dream_id"] for one in calls} == {dream["dream_id"]}
    assert [one["purpose"] for one in calls] == ["distill", "diary"]
    _, found, _ = call("memories")
    assert [(one["text"], one["importance"]) for one in found] == [(SAID, 83)]
    assert len(server.asked) == 2


def test_a_part_that_waits_is_told(call, server: ScriptedModel) -> None:
    server._script = lambda _request: "I found a ladder."
    call("log", SAID)
    code, dream, _ = call("dream", "--date", "all", "--distiller", "llm", "--apply")
    assert (code, dream["status"], dream["event_ids"]) == (0, "nothing_to_do", [])
    (pending,) = dream["pending"]
    assert (pending["events"], pending["attempts"], pending["given_up"]) == (1, 1, False)
    assert "0 of 1 chunk done" in dream["warnings"][0]
    _, status, _ = call("status")
    assert status["parts_waiting"] == 1


def test_people_are_told_as_well(
    call, server: ScriptedModel, made_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call("log", SAID)
    server._script = lambda _request: "I found a ladder."
    assert run(["--home", str(made_home), "dream", "--date", "all", "--distiller", "llm"]) == 0
    shown = capsys.readouterr().out
    assert "warning: 0 of 1 chunk done" in shown
    assert run(["--home", str(made_home), "status"]) == 0
    assert "waits for a model: 1 part" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("url", "error", "word"),
    [("", "SettingsError", "base_url"), ("http://192.0.2.7:1/v1", "ModelRefused", "masked")],
)
def test_a_model_that_may_not_be_asked(
    call, server: ScriptedModel, monkeypatch: pytest.MonkeyPatch, url: str, error: str, word: str
) -> None:
    call("log", SAID)
    monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", url)
    code, told, _ = call("dream", "--date", "all", "--distiller", "llm", "--apply")
    assert code != 0
    assert told["error"]["type"] == error
    assert word in told["error"]["hint"]
    assert server.requests == []
    _, status, _ = call("status")
    assert status["counts"]["undreamed_events"] == 1


def test_a_pause_is_told_on_stderr(call, server: ScriptedModel) -> None:
    turns = [busy(), {"items": [ITEM]}]
    server._script = lambda _request: turns.pop(0) if turns else {"items": []}
    call("log", SAID)
    code, _, told = call("dream", "--date", "all", "--distiller", "llm")
    assert code == 0
    assert "the model has no time now: trying again in 0 s (1 of 3); Ctrl-C stops" in told


@pytest.mark.usefixtures("server")
def test_where_nothing_listens_nobody_waits(call, monkeypatch: pytest.MonkeyPatch) -> None:
    def pause(_seconds: float) -> None:
        pytest.fail("nothing listens: there is nothing to wait for")

    monkeypatch.setattr("slowwave.memory.thinking.sleep", pause)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", f"http://127.0.0.1:{port}")
    call("log", SAID)
    code, told, _ = call("dream", "--date", "all", "--distiller", "llm")
    assert (code, told["error"]["type"]) == (1, "ModelUnreachable")
    assert "nothing listens there" in told["error"]["hint"]
    _, calls, _ = call("model", "calls")
    assert len(calls) == 1
    _, status, _ = call("status")
    assert (status["parts_waiting"], status["counts"]["undreamed_events"]) == (1, 1)


def test_the_scheduler_follows_the_settings(call, server: ScriptedModel, made_home: Path) -> None:
    (made_home / "slowwave.toml").write_text('[model]\ndistiller = "llm"\n', encoding="utf-8")
    call("log", SAID, "--ts", "2026-11-20T12:00:00+08:00")
    code, nights, _ = call("dream", "--due")
    assert code == 0
    assert [night["model_used"] for night in nights] == ["scripted"]
    assert len(server.asked) == 2


def test_what_the_rules_read_meanwhile_waits_no_more(
    call, server: ScriptedModel, made_home: Path
) -> None:
    (made_home / "slowwave.toml").write_text('[model]\nfallback = "fail"\n', encoding="utf-8")
    server._script = lambda _request: "I found a ladder."
    call("log", SAID)
    for _ in range(3):
        call("dream", "--date", "all", "--distiller", "llm", "--apply")
    code, told, _ = call("doctor")
    assert (code, [one["check"] for one in told["problems"]]) == (1, ["model"])
    _, dream, _ = call("dream", "--date", "all", "--distiller", "rules", "--apply")
    assert dream["status"] == "applied"
    assert call("status")[1]["parts_waiting"] == 0
    assert call("doctor")[0] == 0
