"""Options of `slowwave dream` that would not count: refused, with what to do instead."""

from pathlib import Path

import pytest

from slowwave.cli.main import run


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--due", "--date", "today"), "--due finds the nights itself"),
        (("--due", "--preset", "nightly"), "without --preset"),
        (("--due", "--again"), "without --again"),
        (("--refine", "week", "--date", "today"), "--refine names the day itself"),
        (("--model", "other"), "add --distiller llm"),
        (("--model", "other", "--refine", "week", "--distiller", "rules"), "leave --model out"),
    ],
)
def test_what_would_not_count_is_refused(call, options: tuple[str, ...], word: str) -> None:
    code, told, _ = call("dream", *options)
    assert code == 2
    assert word in told["error"]["hint"] or word in told["error"]["message"]


def test_what_would_not_count_makes_no_home(call, tmp_path: Path) -> None:
    assert call("dream", "--model", "other")[0] == 2
    assert not (tmp_path / "home").exists()


def test_a_day_to_read_again_is_asked_for_by_its_own_names(call) -> None:
    call("log", "I keep the oars behind the stove")
    code, told, _ = call("dream", "--refine", "soon", "--distiller", "rules")
    assert (code, told["error"]["hint"]) == (
        2,
        "use yesterday, today, a day such as 2026-11-30, or week",
    )


def test_why_no_night_is_due(call, made_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    due = ["--home", str(made_home), "--now", "2026-12-01T03:00:00+08:00", "dream", "--due"]
    assert run(due) == 0
    assert "no night is due: every event was already dreamed" in capsys.readouterr().out
    call("log", "I keep the oars behind the stove", "--ts", "2026-11-30T10:00:00+08:00")
    _, dream, _ = call("dream", "--date", "2026-11-30", "--apply")
    call("dreams", "rollback", dream["dream_id"])
    assert run(due) == 0
    told = capsys.readouterr().out
    assert "no night is due: 1 event not dreamed yet" in told
    assert "slowwave dream --date all" in told
