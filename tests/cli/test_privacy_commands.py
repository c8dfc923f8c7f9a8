"""`slowwave privacy preview`: what would leave, and that it says when nothing does."""

import json
from pathlib import Path

import pytest

from slowwave.cli.main import run

EVENT = {
    "ref": "r1", "ts": "2026-11-30T09:12:00+08:00", "speaker": "Quorra Flynn",
    "text": "My son Theo is allergic to peanuts, call 138 0013 8077",
}  # fmt: skip


def test_a_text_is_shown_with_its_legend(call) -> None:
    code, found, _ = call("privacy", "preview", "--text", "我老婆叫陈雨薇，手机138 0013 8077")
    assert code == 0
    (line,) = found["segments"][0]["lines"]
    assert line["text"] == "我老婆叫[PERSON-1]，手机[PHONE-1]"
    assert line["values"] == [
        {"placeholder": "[PERSON-1]", "kind": "PERSON", "text": "陈雨薇"},
        {"placeholder": "[PHONE-1]", "kind": "PHONE", "text": "138 0013 8077"},
    ]
    assert found["counts"] == {"PHONE": 1, "PERSON": 1}
    assert (found["leaves"], found["reason"]) == (False, "no model is set: nothing leaves")


def test_a_night_is_shown_with_its_speakers_masked(call) -> None:
    call("log", "--stdin", stdin=json.dumps(EVENT))
    code, found, _ = call("privacy", "preview")
    assert (code, found["date"]) == (0, "2026-11-30")
    (asked,) = found["segments"]
    assert "\n".join(line["text"] for line in asked["lines"]) == asked["question"]
    for value in ("Theo", "peanuts", "Quorra", "8077"):
        assert value not in asked["question"]
    legend = [value["text"] for line in asked["lines"] for value in line["values"]]
    assert {"Theo", "peanuts", "Quorra Flynn", "138 0013 8077"} <= set(legend)
    assert found["instructions"].startswith("You read a part of the log")
    assert call("privacy", "preview", "--date", "2026-11-01")[1]["segments"] == []


@pytest.mark.parametrize(
    ("address", "policy", "leaves", "shown"),
    [
        ("http://203.0.113.9:8000/v1", "local-only", False, "My wife [PERSON-1]"),
        ("http://203.0.113.9:8000/v1", "masked", True, "My wife [PERSON-1]"),
        ("http://203.0.113.9:8000/v1", "open", True, "My wife Ana"),
        ("http://127.0.0.1:11434/v1", "open", False, "My wife [PERSON-1]"),
    ],
)
def test_it_tells_what_the_settings_let_out(
    call, made_home: Path, address: str, policy: str, leaves: bool, shown: str
) -> None:
    lines = ("[model]", f'base_url = "{address}"', 'name = "tiny"', f'privacy = "{policy}"')
    (made_home / "slowwave.toml").write_text("\n".join(lines), encoding="utf-8")
    code, found, _ = call("privacy", "preview", "--text", "My wife Ana")
    assert (code, found["leaves"], found["model"]) == (0, leaves, "tiny")
    assert found["segments"][0]["lines"][0]["text"] == shown
    assert ("nothing leaves" in found["reason"]) is not leaves


def test_stdin_is_read_and_excludes_a_text(call) -> None:
    code, found, _ = call("privacy", "preview", "--stdin", stdin="a@example.com\nb@example.com\n")
    assert code == 0
    assert found["segments"][0]["question"] == "[MAIL-1]\n[MAIL-2]"
    assert call("privacy", "preview", "--stdin", "--text", "x", stdin="y")[0] == 2


def test_people_read_it_too(
    made_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    assert (
        run(["--home", str(made_home), "privacy", "preview", "--text", "ring a@example.com"]) == 0
    )
    shown = capsys.readouterr().out
    assert "no model is set: nothing leaves" in shown
    assert "ring [MAIL-1]" in shown
    assert "[MAIL-1] = a@example.com" in shown
    assert run(["--home", str(made_home), "privacy", "preview", "--text", "nothing here"]) == 0
    assert "nothing private was found" in capsys.readouterr().out
    assert run(["--home", str(made_home), "privacy", "preview"]) == 0
    assert "waits to be dreamed" in capsys.readouterr().out
    assert run(["--home", str(made_home), "privacy", "preview", "--date", "all"]) == 0
    assert "nothing waits to be dreamed: a model would be asked nothing" in capsys.readouterr().out
