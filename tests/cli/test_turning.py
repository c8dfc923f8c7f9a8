"""`slowwave turn`: what it answers, what it refuses, and what it leaves for later."""

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run

TURN = ("turn", "--user", "I play the cello", "--assistant", "Lesson: ask for the tuning first")


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    monkeypatch.setenv("SLOWWAVE_TZ", "Asia/Shanghai")


def call(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    assert run([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def known(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return sorted(one["text"] for one in call(capsys, "memories", "list"))


def test_it_answers_when_logged_and_learns_then(capsys: pytest.CaptureFixture[str]) -> None:
    answer = call(capsys, *TURN)
    assert set(answer) == {"events", "duplicates", "skipped"}
    assert len(answer["events"]) == 2
    assert known(capsys) == ["I play the cello", "ask for the tuning first"]


def test_with_wait_it_tells_what_was_learned(capsys: pytest.CaptureFixture[str]) -> None:
    answer = call(capsys, *TURN, "--session", "a", "--wait")
    (dream,) = answer["dreams"]
    assert answer["left"] == []
    assert dream["events"] == [one["id"] for one in answer["events"]]
    told = {(one["decision"], one["scope"], one["kind"]) for one in dream["changes"]}
    assert told == {("INSERT", "personal", "profile"), ("INSERT", "lesson", "lesson")}
    (head,) = call(capsys, "dreams")
    assert (head["dream_id"], head["by"]) == (dream["dream_id"], "turn")
    call(capsys, "dreams", "rollback", dream["dream_id"])
    assert call(capsys, "turn", "--catch-up")["dreams"] == []
    assert known(capsys) == []


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TURN, "--wait"]) == 0
    out = capsys.readouterr().out
    assert "2 logged" in out
    assert "INSERT" in out
    assert "personal" in out
    assert run(["turn", "--catch-up"]) == 0
    assert "nothing new" in capsys.readouterr().out


def test_lines_that_are_no_turns_do_not_stop_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        b'{"user": "I play the cello", "assistant": "nice", "ts": "2026-11-30T09:00:00+08:00"}',
        b"{not json",
        b'{"user": "", "assistant": " "}',
        b'{"user": "hm", "ts": "yesterday"}',
        '{"user": "我对芒果过敏", "assistant": "记住了", "more": 1, "channel": "飞书"}'.encode(),
    ]

    class Stream:
        buffer = lines

        def isatty(self) -> bool:
            return False

    monkeypatch.setattr("sys.stdin", Stream())
    answer = call(capsys, "turn", "--stdin", "--wait", code=3)
    assert [one["line"] for one in answer["skipped"]] == [2, 3, 4]
    assert len(answer["events"]) == 4
    assert len(answer["dreams"]) == 2
    assert known(capsys) == ["I play the cello", "我对芒果过敏"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("turn",),
        ("turn", "--user", " "),
        ("turn", "--user", "hm", "--stdin"),
        ("turn", "--user", "hm", "--catch-up"),
        ("turn", "--user", "hm", "--ts", "yesterday"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert call(capsys, *arguments, code=2)["error"]["type"] == "UsageError"


def test_the_same_moment_is_the_same_turn(capsys: pytest.CaptureFixture[str]) -> None:
    given = (*TURN, "--ts", "2026-11-30T09:00:00")
    assert call(capsys, *given)["duplicates"] == 0
    assert call(capsys, *given)["duplicates"] == 2
    assert len(known(capsys)) == 2


def test_what_was_undone_is_told_as_set_aside(capsys: pytest.CaptureFixture[str]) -> None:
    (dream,) = call(capsys, *TURN, "--wait")["dreams"]
    assert run(["dreams", "show", dream["dream_id"]]) == 0
    assert "took" not in capsys.readouterr().out  # no table of stages where there are none
    call(capsys, "dreams", "rollback", dream["dream_id"])
    assert call(capsys, "status")["set_aside"] == 2
    assert run(["status"]) == 0
    assert "not dreamed yet: 2 events, all of them set aside" in capsys.readouterr().out
    assert run(["dream", "--date", "all"]) == 0
    assert "already dreamed, but 2 events of turns undone" in capsys.readouterr().out
