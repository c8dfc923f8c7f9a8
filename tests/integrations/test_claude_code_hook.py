"""Claude Code's hooks: what they answer, what they take in, and that they never fail their host."""

import io
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.main import run
from slowwave.integrations.claude_code import hook, transcript
from slowwave.wiring import Options, open_memory

NOW = "2026-12-01T03:00:00+08:00"
SESSION = "5d2f0a4e-0000-4000-8000-00000000c0de"


class Talk:
    """A transcript as the host writes it, row by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    def row(self, **fields: Any) -> None:
        self.rows += 1
        fields.setdefault("uuid", f"00000000-0000-4000-8000-{self.rows:012d}")
        fields.setdefault("timestamp", f"2026-11-30T10:{self.rows // 60:02d}:{self.rows % 60:02d}Z")
        fields.setdefault("sessionId", SESSION)
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(fields, separators=(",", ":")) + "\n")

    def user(self, text: str, **fields: Any) -> None:
        self.row(type="user", message={"role": "user", "content": text}, **fields)

    def agent(self, *blocks: dict[str, Any], name: str = "") -> None:
        message = {"role": "assistant", "id": name or f"msg{self.rows}", "content": list(blocks)}
        self.row(type="assistant", message=message)

    def result(self, call: str, text: str) -> None:
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        self.row(type="user", message={"role": "user", "content": [block]})


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


Fire = Callable[..., tuple[Any, str]]


@pytest.fixture
def fire(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Fire:
    """Fires one event; returns the answer and what stands on stderr. The exit code must be 0."""
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")

    def fired(name: str | bytes, *, home: str = "home", **fields: Any) -> tuple[Any, str]:
        event = {"session_id": SESSION, "hook_event_name": name, **fields}
        raw = name if isinstance(name, bytes) else json.dumps(event).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        head = ["--home", str(tmp_path / home), "--tz", "Asia/Shanghai", "--now", NOW]
        assert run([*head, "hook", "claude-code"]) == 0
        captured = capsys.readouterr()
        return json.loads(captured.out) if captured.out else None, captured.err

    return fired


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path / "projects" / "-srv-app" / f"{SESSION}.jsonl")


def events(tmp_path: Path) -> list[Any]:
    memory = open_memory(Options(home=str(tmp_path / "home"), tz="Asia/Shanghai", now=NOW), {})
    try:
        return list(memory.events_since(0))
    finally:
        memory.close()


def dreamt(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home"), "--tz", "Asia/Shanghai", "--now", NOW]
    assert run([*home, "dream", "--date", "all", "--apply"]) == 0


def test_what_was_said_comes_back_in_the_next_session(fire, talk, tmp_path, capsys) -> None:
    talk.user("I am allergic to walnuts, please never put any into a recipe.")
    talk.agent(words("I will leave walnuts out."))
    assert fire("Stop", transcript_path=str(talk.path)) == (None, "")
    dreamt(tmp_path)
    capsys.readouterr()
    answer, said = fire("SessionStart", source="startup", session_id="another")
    inner = answer["hookSpecificOutput"]
    assert inner["hookEventName"] == "SessionStart"
    assert "walnuts" in inner["additionalContext"]
    assert "untrusted" in inner["additionalContext"]
    assert said == ""
    answer, _ = fire("UserPromptSubmit", prompt="Can I eat walnuts?", session_id="another")
    assert "allergic to walnuts" in answer["hookSpecificOutput"]["additionalContext"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"


def test_nothing_relevant_says_nothing(fire, talk, tmp_path, capsys) -> None:
    talk.user("My sister Odile lives in Rennes.")
    fire("Stop", transcript_path=str(talk.path))
    dreamt(tmp_path)
    capsys.readouterr()
    for prompt in ("What is 17 times 23?", "  ", "/compact keep the plan", ""):
        assert fire("UserPromptSubmit", prompt=prompt, session_id="x") == (None, "")


def test_a_resumed_session_is_not_opened_twice(fire, talk, tmp_path, capsys) -> None:
    talk.user("I always want answers in metric units.")
    fire("Stop", transcript_path=str(talk.path))
    dreamt(tmp_path)
    capsys.readouterr()
    assert fire("SessionStart", source="startup")[0] is not None
    assert fire("SessionStart", source="resume")[0] is None
    assert fire("SessionStart", source="compact")[0] is not None
    assert fire("SessionStart", source="resume", session_id="unknown")[0] is not None


def test_every_row_is_taken_once_however_often_it_is_asked(fire, talk, tmp_path) -> None:
    for turn in range(6):
        talk.user(f"Remark number {turn} about the lighthouse.")
        talk.agent(words(f"Noted remark {turn}."))
        for name in ("Stop", "PreCompact", "SessionEnd"):
            assert fire(name, transcript_path=str(talk.path), trigger="auto") == (None, "")
    said = [event.text for event in events(tmp_path)]
    assert len(said) == len(set(said)) == 12


def test_an_answer_that_comes_late_is_taken_by_the_next_hook(fire, talk, tmp_path) -> None:
    talk.user("Which bay is the ferry in?")
    fire("Stop", transcript_path=str(talk.path))
    talk.agent(words("The ferry is in bay four."))
    other = Talk(tmp_path / "projects" / "-srv-app" / "other.jsonl")
    other.user("An unrelated question about bolts.", sessionId="other", uuid="u-other")
    fire("Stop", transcript_path=str(other.path), session_id="other")
    assert "The ferry is in bay four." not in [event.text for event in events(tmp_path)]
    os.utime(talk.path, (0, 0))
    fire("Stop", transcript_path=str(other.path), session_id="other")
    assert "The ferry is in bay four." in [event.text for event in events(tmp_path)]


def test_a_half_written_row_waits_for_its_end(fire, talk, tmp_path) -> None:
    talk.user("The boiler is serviced in October.")
    whole = talk.path.read_bytes()
    talk.user("And the chimney in May.")
    rest = talk.path.read_bytes()
    talk.path.write_bytes(rest[: len(whole) + 30])
    assert fire("Stop", transcript_path=str(talk.path)) == (None, "")
    talk.path.write_bytes(rest)
    fire("Stop", transcript_path=str(talk.path))
    assert [event.text for event in events(tmp_path)] == [
        "The boiler is serviced in October.", "And the chimney in May.",
    ]  # fmt: skip


def test_a_transcript_that_was_written_anew_is_read_from_its_beginning(
    fire, talk, tmp_path
) -> None:
    talk.user("First version of the story.")
    fire("Stop", transcript_path=str(talk.path))
    talk.path.unlink()
    again = Talk(talk.path)
    again.rows = 100
    again.user("Second version, quite another story, and a longer one at that.")
    fire("Stop", transcript_path=str(talk.path))
    assert len(events(tmp_path)) == 2


def test_lines_keep_their_numbers(fire, talk, tmp_path) -> None:
    for turn in range(5):
        talk.user(f"Point {turn} of the list.")
        fire("Stop", transcript_path=str(talk.path))
    # A prompt that is typed ahead has no id of its own: its line is its reference.
    talk.row(type="queue-operation", operation="enqueue", content="Wait, also the sixth.", uuid="")
    fire("Stop", transcript_path=str(talk.path))
    refs = {event.text: event.ref for event in events(tmp_path)}
    assert refs["Wait, also the sixth."] == f"{SESSION}#L6"


def test_a_long_transcript_is_taken_in_slices(fire, talk, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(transcript, "SLICE", 2_000)
    monkeypatch.setattr(transcript, "OVERLAP", 1_000)
    for turn in range(20):
        talk.user(f"Question {turn} about the harbour.")
        talk.agent({"type": "tool_use", "id": f"t{turn}", "name": "WebFetch",
                    "input": {"page": turn}})  # fmt: skip
        talk.result(f"t{turn}", f"Page {turn} of the harbour office.")
        talk.agent(words(f"Answer {turn}."), name=f"m{turn}")
    assert fire("Stop", transcript_path=str(talk.path)) == (None, "")
    taken = events(tmp_path)
    assert len(taken) == len({event.text for event in taken}) == 4 * 20
    pages = [event for event in taken if event.text.startswith("Page")]
    assert {event.origin for event in pages} == {"external"}


def session_of(dice: random.Random, path: Path) -> None:
    """A transcript of some prompts, answers in several rows, tools and rows of other sorts."""
    talk = Talk(path)
    for turn in range(dice.randint(5, 30)):
        talk.user(f"Prompt {turn} {'x' * dice.randint(0, 300)}")
        for step in range(dice.randint(0, 3)):
            calls = []
            for part in range(dice.randint(1, 3)):
                name = f"{turn}.{step}.{part}"
                if dice.random() < 0.5:
                    block = words(f"Answer {name} {'y' * dice.randint(0, 200)}")
                else:
                    tool = dice.choice(["Bash", "WebFetch", "memory_search"])
                    block = {"type": "tool_use", "id": name, "name": tool, "input": {"q": name}}
                    calls.append(name)
                talk.agent(block, name=f"m{turn}.{step}")
            for name in calls:
                talk.result(name, f"Result {name}")
        if dice.random() < 0.2:
            talk.row(type="queue-operation", operation="enqueue", content=f"Ahead {turn}", uuid="")
        if dice.random() < 0.2:
            talk.row(type="system", subtype="turn_duration")


@pytest.mark.parametrize("seed", range(2))
def test_read_in_pieces_it_gives_what_it_gives_at_once(
    open_at, tmp_path, monkeypatch, seed
) -> None:
    dice = random.Random(seed)
    monkeypatch.setattr(transcript, "SLICE", dice.choice([300, 1_500, 5_000]))
    monkeypatch.setattr(transcript, "OVERLAP", dice.choice([2_000, 8_000]))
    session_of(dice, tmp_path / "whole" / "s1.jsonl")
    body = (tmp_path / "whole" / "s1.jsonl").read_bytes()
    growing = tmp_path / "s1.jsonl"
    marks = transcript.Marks(tmp_path / "marks")
    memory = open_at()

    def take(rows: Path) -> int:
        return int(memory.import_paths([rows], "claude-code").events)

    at = 0
    while at < len(body):
        at = min(len(body), at + dice.choice([200, 900, 4_000, 100_000]))
        growing.write_bytes(body[:at])
        transcript.take_on(growing, marks, take, until=time.monotonic() + 60,
                           settled=at == len(body))  # fmt: skip
    with closing(open_memory(Options(home=str(tmp_path / "other"), tz="Asia/Shanghai"))) as other:
        other.import_paths([tmp_path / "whole" / "s1.jsonl"], "claude-code")
        wanted = sorted((one.text, one.origin, one.ref) for one in other.events_since(0))
    assert sorted((one.text, one.origin, one.ref) for one in memory.events_since(0)) == wanted


def test_rows_longer_than_a_slice_are_passed(fire, talk, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(transcript, "SLICE", 500)
    monkeypatch.setattr(transcript, "OVERLAP", 1_000)
    monkeypatch.setattr(transcript, "LONGEST", 4_000)
    for size in (300, 2_000, 90_000, 700):
        picture = {"type": "image", "source": {"type": "base64", "data": "A" * size}}
        talk.row(type="user", message={"content": [picture, words(f"A picture of {size}.")]})
        talk.user(f"What is on the one of {size}?")
        assert fire("Stop", transcript_path=str(talk.path)) == (None, "")
    said = [event.text for event in events(tmp_path)]
    assert said == [
        "A picture of 300.", "What is on the one of 300?", "A picture of 2000.",
        "What is on the one of 2000?", "What is on the one of 90000?", "A picture of 700.",
        "What is on the one of 700?",
    ]  # fmt: skip


def test_where_time_ends_the_rest_is_left_to_the_next_turn(
    fire, talk, tmp_path, monkeypatch
) -> None:
    talk.user("A short remark.")
    monkeypatch.setitem(hook.WORK, "Stop", 0.0)
    answer, said = fire("Stop", transcript_path=str(talk.path))
    assert answer is None
    assert "the rest is taken in at the next turn" in said
    assert events(tmp_path) == []
    monkeypatch.setitem(hook.WORK, "Stop", 5.0)
    fire("Stop", transcript_path=str(talk.path))
    assert len(events(tmp_path)) == 1


def test_it_does_not_learn_from_what_it_put_in(fire, talk, tmp_path, capsys) -> None:
    talk.user("My locker at the pool is number 318.")
    fire("Stop", transcript_path=str(talk.path))
    dreamt(tmp_path)
    capsys.readouterr()
    answer, _ = fire("UserPromptSubmit", prompt="Which locker is mine?", session_id="x")
    block = answer["hookSpecificOutput"]["additionalContext"]
    added = {"type": "hook_additional_context", "content": [block]}
    talk.row(type="attachment", attachment=added)
    reminder = (
        f"<system-reminder>UserPromptSubmit hook additional context: {block}</system-reminder>"
    )
    talk.user(reminder, isMeta=True)
    talk.user(f"<user-prompt-submit-hook>{block}</user-prompt-submit-hook>")
    talk.user(f"{block}\nWhich locker is mine?")
    talk.agent(
        {"type": "tool_use", "id": "t1", "name": "mcp__slowwave__memory_search", "input": {}}
    )
    talk.result("t1", "[m1] 2026-11-30 (fact) the pool locker is number 318")
    fire("Stop", transcript_path=str(talk.path))
    new = events(tmp_path)[1:]
    assert {event.origin for event in new if "318" in event.text} <= {"recalled", "system"}
    assert [event.text for event in new if event.origin == "owner"] == ["Which locker is mine?"]


@pytest.mark.parametrize("raw", [
    b"[" * 100_000,
    b"", b"no json", b"[]", b"42", b"null", b'{"hook_event_name": 7}', b'{"session_id": "s"}',
    b'{"hook_event_name": "PostToolUse"}', b'{"hook_event_name": "Stop"}', b"\xff\xfe\x00",
    b'{"hook_event_name": "Stop", "transcript_path": "/nowhere/at/all.jsonl"}',
    b'{"hook_event_name": "SessionEnd", "transcript_path": "/"}',
])  # fmt: skip
def test_whatever_comes_the_host_goes_on(fire, raw) -> None:
    answer, said = fire(raw)
    assert answer is None
    assert said.startswith("slowwave: ")
    assert "Traceback" not in said


def test_a_home_that_cannot_be_used_is_a_remark(fire, tmp_path, talk) -> None:
    (tmp_path / "file").write_text("no folder")
    talk.user("Hello.")
    for name in ("SessionStart", "UserPromptSubmit", "Stop"):
        answer, said = fire(name, home="file", prompt="x", transcript_path=str(talk.path))
        assert answer is None
        assert "slowwave: " in said
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "slowwave.toml").write_text("preset = 'none such'")
    assert "slowwave: " in fire("SessionStart", home="bad")[1]


def test_a_fault_of_ours_is_a_remark(fire, monkeypatch) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(hook, "_opening", broken)
    assert fire("SessionStart") == (None, "slowwave: ZeroDivisionError: oh\n")


def test_odd_fields_count_as_not_there(fire, talk, tmp_path, capsys) -> None:
    talk.user("I keep bees on the roof.")
    fire("Stop", transcript_path=str(talk.path), session_id=7, source=["x"], prompt={"a": 1})
    dreamt(tmp_path)
    capsys.readouterr()
    pasted = "2026-11-30 12:00:01 pump 7 restarted\n" * 20_000
    prompt = f"Where do I keep my bees? \ud83d\n{pasted}"
    answer, said = fire("UserPromptSubmit", prompt=prompt, session_id=None)
    assert "bees on the roof" in answer["hookSpecificOutput"]["additionalContext"]
    assert said == ""


def test_the_installer_can_ask_whether_it_is_there(fire) -> None:
    assert set(fire("SlowwaveCheck")[0]) == {"slowwave"}


def test_a_call_that_takes_too_long_leaves() -> None:
    left = threading.Event()
    codes: list[int] = []

    def leave(code: int) -> None:
        codes.append(code)
        left.set()

    hook.limited(0.01, leave)
    assert left.wait(5)
    assert codes == [0]


@pytest.fixture(autouse=True)
def _no_part_stays(tmp_path: Path) -> Iterator[None]:
    yield
    assert not [path for path in tmp_path.rglob("part-*") if path.is_dir()]
