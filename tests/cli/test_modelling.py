"""`slowwave model` and what `status` says of a model, against a scripted server."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.cli.main import run
from slowwave.model import ModelCall, RawAnswer
from slowwave.testing.scripted_model import ScriptedModel, failing
from slowwave.wiring import Options, open_memory

READY = '{"items": [{"word": "ready"}]}'
NOW = datetime(2031, 1, 2, 3, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    monkeypatch.setenv("SLOWWAVE_TZ", "UTC")
    return tmp_path / "home"


def settings(home: Path, base_url: str, *lines: str) -> None:
    home.mkdir(exist_ok=True)
    told = ["[model]", f'base_url = "{base_url}"', 'name = "scripted"', 'api_key = "k-secret-1"']
    (home / "slowwave.toml").write_text("\n".join([*told, *lines]), "utf-8")


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict, str]:
    code = run([*arguments, "--json"])
    shown = capsys.readouterr()
    return code, json.loads(shown.out), shown.err


def test_a_model_that_answers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel([READY, READY], models=("scripted", "large")) as server:
        settings(home, server.base_url)
        code, found, _ = answer(capsys, "model", "check")
        assert code == 0
        assert (found["ok"], found["local"], found["listed"]) == (True, True, True)
        assert found["models"] == ["scripted", "large"]
        assert found["format"] == "json_schema"
        assert found["privacy"] == "local-only"
        assert run(["model", "check"]) == 0
        shown = capsys.readouterr().out
        assert "on this machine" in shown
        assert "held to a schema" in shown
        assert "k-secret-1" not in shown
        assert not (home / "slowwave.db").exists()


def test_a_server_that_can_less(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel(["Ready!", "Sure: " + READY], models=("other",), formats=()) as server:
        settings(home, server.base_url)
        code, found, _ = answer(capsys, "model", "check")
        assert code == 1
        assert not found["ok"]
        assert found["problem"] == "no JSON in the answer"
        assert run(["model", "check"]) == 0
        shown = capsys.readouterr().out
        assert "asked for in words only" in shown
        assert "does not list scripted" in shown


def test_what_goes_wrong_says_what_to_do(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedModel([failing(401, "bad key k-secret-1")]) as server:
        settings(home, server.base_url)
        code, found, shown = answer(capsys, "model", "check")
        assert code == 1
        assert found["error"]["type"] == "ModelRefused"
        assert "api_key" in found["error"]["hint"]
        assert "k-secret-1" not in shown
    code, found, _ = answer(capsys, "model", "check")
    assert (code, found["error"]["type"]) == (1, "ModelUnreachable")
    assert "start the model" in found["error"]["hint"]


@pytest.mark.usefixtures("home")
def test_without_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    code, found, _ = answer(capsys, "model", "check")
    assert code == 2
    assert "base_url" in found["error"]["hint"]


def test_nothing_is_sent_elsewhere(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr("socket.socket.connect", never)
    settings(home, "http://me:pw@192.0.2.1:8000/v1")
    code, found, _ = answer(capsys, "model", "check")
    assert (code, found["error"]["type"]) == (1, "ModelRefused")
    assert "local-only" in found["error"]["message"]
    assert "pw" not in json.dumps(found)


def test_status_names_the_model_and_where_it_is(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init"]) == 0
    capsys.readouterr()
    _, found, _ = answer(capsys, "status")
    assert found["model"] == ""
    settings(home, "http://127.0.0.1:9/v1")
    assert run(["status"]) == 0
    shown = capsys.readouterr().out
    assert "scripted (on this machine)" in shown
    assert "k-secret-1" not in shown
    settings(home, "http://192.0.2.1/v1")
    _, found, _ = answer(capsys, "status")
    assert found["model"] == "scripted (elsewhere, local-only: not asked)"


def test_calls_and_answers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init"]) == 0
    for command in ("calls", "answers"):
        assert run(["model", command]) == 0
    memory = open_memory(Options(home=str(home)), {"SLOWWAVE_EMBEDDER": "none"})
    call = ModelCall(ts=NOW, purpose="distill", prompt="p1", model="m", outcome="unusable",
                     tokens_in=900, tokens_out=30, ms=1_500, cost=0.5, dream_id="dr1")  # fmt: skip
    raw = RawAnswer(id="ra1", ts=NOW, purpose="distill", prompt="p1", model="m",
                    text="the kiln, mostly", reason="no JSON in the answer")  # fmt: skip
    memory.parts.store.record_calls("default", [call], [raw])
    memory.close()
    capsys.readouterr()
    _, calls, _ = answer(capsys, "model", "calls")
    assert calls[0]["tokens_in"] == 900
    assert answer(capsys, "model", "calls", "--since", "2032-01-01")[1] == []
    assert answer(capsys, "model", "answers")[1][0]["text"] == "the kiln, mostly"
    assert run(["model", "calls"]) == 0
    assert "1 call, 930 tokens, cost 0.5000" in capsys.readouterr().out
    assert run(["model", "answers"]) == 0
    assert "no JSON in the answer" in capsys.readouterr().out
