"""`slowwave demo` shows the whole line, and touches nothing of the user's."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from slowwave.cli.extras import show_story
from slowwave.cli.main import run
from slowwave.demo import DAYS, QUESTIONS, Story, play
from slowwave.errors import UsageError

ANSWERS = {
    QUESTIONS[0]: "花生",
    QUESTIONS[1]: "49222",
    QUESTIONS[2]: "PDF",
    QUESTIONS[3]: "2026-03-10",
}


class Played:
    """One demo for all tests: it dreams a fortnight."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.steps: list[tuple[str, int, int]] = []
        self.story: Story = play(folder / "kept", lambda *step: self.steps.append(step))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    return Played(tmp_path_factory.mktemp("demo"))


def test_every_question_is_answered_by_the_owners_words(played: Played) -> None:
    origins = {event.id: event.origin for event in played.story.quoted}
    for answer in played.story.answers:
        assert answer.hit is not None, answer.question
        assert ANSWERS[answer.question] in answer.hit.text, answer.question
        assert answer.evidence
        assert {origins[span.event_id] for span in answer.evidence} == {"owner"}, answer.question


def test_the_shown_night_replaces_a_memory(played: Played) -> None:
    assert "supersede" in {change.op for change in played.story.shown.changes}


def test_it_plays_every_night_and_says_so(played: Played) -> None:
    assert len(played.story.nights) == DAYS
    assert {night.status for night in played.story.nights} == {"applied"}
    assert ("dream", DAYS, DAYS) in played.steps
    assert played.story.kept < played.story.characters


def test_all_quotes_are_exact(played: Played) -> None:
    texts = {event.id: event.text for event in played.story.quoted}
    spans = [span for change in played.story.shown.changes for span in change.after.evidence]
    for span in (*spans, *(span for answer in played.story.answers for span in answer.evidence)):
        assert texts[span.event_id][span.start : span.end] == span.quote


def test_a_person_can_read_it(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    show_story(played.story)
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    for question in QUESTIONS:
        assert f"? {question}\n" in shown
    assert "— you, 2026-" in shown
    assert "· about " in shown
    assert f"--home {played.folder / 'kept'} memories" in shown


def test_what_is_kept_can_be_used(
    played: Played, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The demo's home is the user's now; a second model in one process would only take time.
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    home = ["--home", str(played.folder / "kept"), "--json"]
    assert run([*home, "recall", "ssh port kiln"]) == 0
    assert "49222" in json.loads(capsys.readouterr().out)["results"][0]["text"]
    assert run([*home, "status"]) == 0
    assert json.loads(capsys.readouterr().out)["tz"] == "Asia/Shanghai"
    assert run([*home, "doctor"]) == 0


def test_it_never_plays_in_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear reader")
    for taken in (tmp_path, tmp_path / "letter.txt"):
        with pytest.raises(UsageError):
            play(taken, lambda *_: None)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


@pytest.mark.slow
def test_it_leaves_the_user_alone(tmp_path: Path) -> None:
    home, scratch = tmp_path / "me", tmp_path / "scratch"
    home.mkdir()
    scratch.mkdir()
    (home / ".slowwave").mkdir()
    (home / ".slowwave/slowwave.toml").write_text('embedder = "none"\ntz = "Asia/Tokyo"\n')
    environment = {**os.environ, "HOME": str(home), "TMPDIR": str(scratch)}
    # None of these may reach the demo: with them it would answer something else, or nothing.
    environment |= {"SLOWWAVE_HOME": str(home / ".slowwave"), "SLOWWAVE_EMBEDDER": "none",
                    "SLOWWAVE_TZ": "America/Lima", "SLOWWAVE_SPACE": "other"}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "slowwave", "demo", "--json"],
        env=environment, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    story: dict[str, Any] = json.loads(done.stdout)
    assert [answer["question"] for answer in story["answers"]] == list(QUESTIONS)
    assert story["home"] == ""
    assert [path.name for path in (home / ".slowwave").iterdir()] == ["slowwave.toml"]
    assert list(scratch.iterdir()) == []
