"""`slowwave forget`: what it asks, shows, answers and refuses."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from slowwave.cli import erasing
from slowwave.cli.erasing import show_plan
from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]

ROWS = (
    {"ref": "a", "ts": "2026-11-30T09:00:00+08:00", "text": "My landlord is Bertil Krans."},
    {"ref": "b", "ts": "2026-11-30T09:01:00+08:00", "text": "我对榛子过敏。"},
    {"ref": "c", "ts": "2026-11-30T09:02:00+08:00", "text": "Bertil Krans plays the cello."},
)


@pytest.fixture
def told(call: Call) -> Call:
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS)
    assert call("log", "--stdin", stdin=lines)[0] == 0
    assert call("dream", "--date", "all", "--apply")[0] == 0
    return call


def memory(call: Call, word: str) -> str:
    return next(one["id"] for one in call("memories", "list")[1] if word in one["text"])


def test_without_a_terminal_yes_is_needed_and_nothing_happens(told: Call) -> None:
    code, answer, said = told("forget", memory(told, "榛子"))
    assert code == 2
    assert "--yes" in said
    assert answer["error"]["type"] == "UsageError"
    assert memory(told, "榛子")


@pytest.mark.parametrize("arguments", [(), ("m1", "--match", "x"), ("--verify", "r1", "m1")])
def test_one_thing_at_a_time(told: Call, arguments: tuple[str, ...]) -> None:
    assert told("forget", "--yes", *arguments)[0] == 2


def test_a_preview_tells_and_changes_nothing(told: Call) -> None:
    code, plan, _ = told("forget", "--match", "bertil krans", "--dry-run")
    assert code == 0
    assert len(plan["events"]) == 2
    assert len(plan["memories"]) >= 1
    assert told("forget", "--match", "bertil krans", "--dry-run")[1]["events"] == plan["events"]


def test_the_preview_lists_other_texts(told: Call, capsys: pytest.CaptureFixture[str]) -> None:
    plan = told("forget", memory(told, "榛子"), "--dry-run")[1]
    assert plan["others"] == len(plan["other_texts"]) > 0
    assert {"where", "id", "text", "said"} <= set(plan["other_texts"][0])
    many = SimpleNamespace(
        events=(), memories=(), also=(), names=0,
        others=[SimpleNamespace(where="plans", text=f"glaze {n}") for n in range(9)],
    )  # fmt: skip
    show_plan(many)  # type: ignore[arg-type]
    short = capsys.readouterr().out
    assert "glaze 4" in short
    assert "glaze 5" not in short
    assert "… and 4 more: --show" in short
    show_plan(many, full=True)  # type: ignore[arg-type]
    assert "glaze 8" in capsys.readouterr().out


def test_forgetting_answers_with_a_receipt_that_can_be_checked(told: Call) -> None:
    code, answer, _ = told("forget", memory(told, "榛子"), "--yes")
    assert code == 0
    assert answer["removed"]["events"] == answer["removed"]["memories"] == 1
    assert set(answer["removed"]) == {"events", "memories", "versions", "vectors", "files"}
    assert told("forget", "--verify", answer["receipt"])[1]["ok"]
    assert told("forget", "--verify", answer["file"])[0] == 0
    with open(answer["file"], encoding="utf-8") as stream:
        receipt = stream.read()
    assert "榛" not in receipt
    assert json.loads(receipt)["tombstone"]["terms"] == []
    assert told("doctor")[1]["ok"]


def test_an_event_goes_with_what_it_alone_supports(told: Call) -> None:
    event = told("forget", "--match", "landlord", "--dry-run")[1]["events"][0]["id"]
    assert told("forget", event[:8], "--yes")[0] == 0
    assert not [one for one in told("memories", "list")[1] if "landlord" in one["text"]]
    assert told("forget", event, "--yes")[0] == 1


def test_what_is_not_there_is_told(told: Call) -> None:
    for arguments in (("mzzzz",), ("ezzzz",), ("--match", "zeppelin")):
        code, answer, _ = told("forget", *arguments, "--yes")
        assert (code, answer["error"]["type"]) == (1, "NotFound")
    assert told("forget", "--verify", "rzzzz")[0] == 1


def test_a_check_finds_what_was_put_back(told: Call, tmp_path: Any) -> None:
    answer = told("forget", memory(told, "榛子"), "--yes")[1]
    note = tmp_path / "home" / "vault" / "mine.md"
    note.write_text("# note\n我对榛子过敏\n", encoding="utf-8")
    code, proof, _ = told("forget", "--verify", answer["receipt"])
    assert code == 1
    assert any("mine.md, line 2" in finding for finding in proof["findings"])
    assert "榛子" in note.read_text("utf-8")


@pytest.mark.parametrize("answer", ["", "n\n"])
def test_a_question_left_open_or_denied_forgets_nothing(
    told: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, answer: str,
) -> None:  # fmt: skip
    memory_id = memory(told, "榛子")
    monkeypatch.setattr(erasing, "_asks", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert run(["--home", str(tmp_path / "home"), "forget", memory_id]) == 130
    assert capsys.readouterr().err.endswith("nothing was forgotten\n")
    assert memory(told, "榛子") == memory_id
