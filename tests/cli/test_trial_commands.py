"""`slowwave trial`, and who asks: through the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from slowwave.cli import trial
from slowwave.cli.main import run

Call = Callable[..., tuple[int, Any, str]]

LINES = [
    {"ref": "t1", "ts": "2026-11-20T09:00:00+08:00", "session": "s1",
     "text": "I parked the tandem behind the observatory"},
    {"ref": "t2", "ts": "2026-11-21T09:00:00+08:00", "session": "s2",
     "text": "我把望远镜借给了老秦"},
    {"ref": "t3", "ts": "2026-11-28T09:00:00+08:00", "session": "s3",
     "text": "where did I park the tandem?"},
    {"ref": "t4", "ts": "2026-11-29T09:00:00+08:00", "session": "s4", "text": "望远镜借给谁了？"},
]  # fmt: skip


@pytest.fixture
def home(call: Call, tmp_path: Path) -> Path:
    code, _, _ = call("log", "--stdin", stdin="\n".join(json.dumps(line) for line in LINES))
    assert code == 0
    return tmp_path / "home"


@pytest.fixture
def shown(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Runs one command for a person; returns what stands on the terminal."""

    def caller(*arguments: str) -> str:
        head = ["--home", str(home), "--tz", "Asia/Shanghai", "--now", "2026-12-01T03:00:00+08:00"]
        code = run([*head, *arguments])
        printed = capsys.readouterr()
        return f"{code}\n{printed.out}{printed.err}"

    return caller


@pytest.mark.usefixtures("home")
def test_a_trial_from_start_to_stop(call: Call) -> None:
    code, state, _ = call("trial", "status")
    assert code == 0
    assert state == {"running": False, "started": None, "until": None, "questions": 0}
    _, begun, _ = call("trial", "start", "--days", "3")
    assert begun["running"] is True
    assert begun["until"] == "2026-12-04T03:00:00+08:00"
    _, block, _ = call("context", "where is the tandem parked", "--session", "s9")
    assert (block["text"], block["tokens"], block["items"]) == ("", 0, [])
    assert block["trial"]["would"]
    assert block["trial"]["tokens"] > 0
    _, state, _ = call("trial")
    assert state["questions"] == 1
    _, ended, _ = call("trial", "stop")
    assert (ended["stopped"], ended["running"]) == (True, False)
    _, block, _ = call("context", "where is the tandem parked")
    assert "tandem" in block["text"]
    assert "trial" not in block
    assert call("trial", "stop")[1]["stopped"] is False


@pytest.mark.usefixtures("home")
def test_replay_judge_report_apply(call: Call) -> None:
    code, done, _ = call("trial", "replay", "--days", "5")
    assert code == 0
    assert done["questions"] == 2
    _, waiting, _ = call("trial", "judge", "50")
    texts = {one["item"]["text"]: one for one in waiting}
    tandem = texts["I parked the tandem behind the observatory"]
    assert tandem["query"] == "where did I park the tandem?"
    assert tandem["item"]["refs"] == ["t1"]
    _, told, _ = call("trial", "judge", tandem["id"][:6], "--yes")
    assert told == {"id": tandem["id"], "verdict": "right"}
    assert tandem["id"] not in {one["id"] for one in call("trial", "judge", "50")[1]}
    _, made, _ = call("trial", "report")
    assert (made["questions"], made["replayed"], made["right"]) == (2, 2, 1)
    assert len(made["days"]) == 2
    assert made["suggestion"]["more_right"] == 9
    code, refused, _ = call("trial", "apply")
    assert code == 1
    assert "9 more right and 10 more wrong" in refused["error"]["hint"]


@pytest.mark.usefixtures("home")
def test_apply_prints_the_line_and_writes_nothing(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("slowwave.trial.threshold.LEAST", 0)
    call("trial", "replay", "--days", "5")
    for one in call("trial", "judge", "50")[1]:
        right = one["item"]["refs"][0] in {"t1", "t2"}
        call("trial", "judge", one["id"], "--yes" if right else "--no")
    before = sorted(path.name for path in home.iterdir())
    code, applied, _ = call("trial", "apply")
    assert code == 0
    assert applied["toml"] == f"[recall]\nmin_score = {applied['min_score']:g}"
    assert sorted(path.name for path in home.iterdir()) == before


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("judge", "jnone", "--yes"), 1),
        (("judge", "--yes"), 2),
        (("judge", "several"), 2),
        (("judge", "0"), 2),
        (("start", "--days", "0"), 2),
        (("report", "--since", "soon"), 2),
        (("report", "--false-recall", "1.5"), 2),
    ],
)
def test_what_cannot_be_understood_is_refused(
    call: Call, arguments: tuple[str, ...], code: int
) -> None:
    given, answer, _ = call("trial", *arguments)
    assert given == code
    assert answer["error"]["hint"]


def test_a_person_is_asked(
    shown: Callable[..., str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "nothing waits" in shown("trial", "judge", "--list")
    assert "nobody to ask" in shown("trial", "judge")
    shown("trial", "replay", "--days", "5")
    monkeypatch.setattr(trial.sys, "stdin", _Terminal())
    given = iter(["perhaps", "是", "s", "q"])
    asked: list[str] = []

    def prompt(text: str, **_: Any) -> str:
        asked.append(text)
        return next(given, "q")

    monkeypatch.setattr(click, "prompt", prompt)
    printed = shown("trial", "judge", "9")
    assert "1 verdict kept" in printed
    assert "where did I park the tandem?" in printed or "望远镜借给谁了" in printed
    assert "2026-11-2" in printed
    assert len(asked) >= 3
    assert call("trial", "report")[1]["right"] == 1


def test_ctrl_c_while_judging_keeps_what_was_said(
    shown: Callable[..., str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown("trial", "replay", "--days", "5")
    monkeypatch.setattr(trial.sys, "stdin", _Terminal())
    given = iter(["n"])

    def prompt(_text: str, **_: Any) -> str:
        answer = next(given, None)
        if answer is None:
            raise click.Abort
        return answer

    monkeypatch.setattr(click, "prompt", prompt)
    assert "1 verdict kept" in shown("trial", "judge")
    assert call("trial", "report")[1]["wrong"] == 1


class _Terminal:
    def isatty(self) -> bool:
        return True


def test_the_report_for_people(shown: Callable[..., str]) -> None:
    assert "nothing was asked yet" in shown("trial", "report")
    assert "no trial: prompts get their memories" in shown("trial")
    assert "2 questions replayed" in shown("trial", "replay", "--days", "5")
    printed = shown("trial", "report")
    assert "2 (0 asked live, 2 replayed)" in printed
    assert "not known yet" in printed
    assert "a trial runs until 2026-12-08 03:00" in shown("trial", "start")
    assert "on trial: nothing is injected" in shown("context", "where is the tandem")
    assert "the trial is over" in shown("trial", "stop")


# who asks


def uses(call: Call) -> int:
    return sum(one["access_count"] for one in call("memories")[1])


@pytest.fixture
def dreamt(home: Path, call: Call) -> Call:
    del home
    assert call("dream", "--date", "all", "--apply")[0] == 0
    return call


@pytest.mark.parametrize(
    ("arguments", "counted"),
    [
        ((), True),
        (("--caller", "agent", "--session", "s5"), True),
        (("--caller", "job"), False),
        (("--caller", "evaluation"), False),
        (("--no-signal",), False),
        (("--explain",), False),
    ],
)
def test_who_asks_decides_what_counts(
    dreamt: Call, arguments: tuple[str, ...], counted: bool
) -> None:
    code, found, _ = dreamt("recall", "tandem", *arguments)
    assert code == 0
    assert any(hit["type"] == "memory" for hit in found["results"])
    assert (uses(dreamt) > 0) is counted


def test_a_wrapper_says_who_asks(dreamt: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_CALLER", "job")
    dreamt("recall", "tandem")
    assert uses(dreamt) == 0
    dreamt("recall", "tandem", "--caller", "person")
    assert uses(dreamt) > 0
    monkeypatch.setenv("SLOWWAVE_CALLER", "nobody")
    assert dreamt("recall", "tandem")[0] == 2
    monkeypatch.setenv("SLOWWAVE_CALLER", "")
    assert dreamt("recall", "tandem")[0] == 0


def test_an_agent_that_asks_each_turn_is_one_question(dreamt: Call) -> None:
    for text in ("tandem", "the tandem", "tandem", "where is the tandem"):
        dreamt("recall", text, "--caller", "agent", "--session", "s5")
    assert max(one["access_count"] for one in dreamt("memories")[1]) == 1


def test_what_could_not_be_counted_is_told(dreamt: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from slowwave.adapters.store.sqlite.store import SqliteStore
    from slowwave.errors import DiskFull

    def full(*_: Any) -> None:
        raise DiskFull("no room left")

    monkeypatch.setattr(SqliteStore, "record_signals", full)
    code, found, told = dreamt("recall", "tandem")
    assert code == 0
    assert found["results"]
    assert "1 recall could not be counted: no room left" in told
