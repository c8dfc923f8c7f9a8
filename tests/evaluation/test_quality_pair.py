"""Dream quality by the rules and with a model beside them, on an invented day."""

import json
from pathlib import Path

import pytest

from slowwave.cli.main import run
from slowwave.evaluation.quality_nights import Setting
from slowwave.evaluation.quality_pair import dream_quality_pair
from slowwave.settings import ModelSettings
from slowwave.testing.scripted_model import ScriptedModel
from slowwave.testing.scripted_reader import Note, ScriptedReader

HARBOUR = "Rasmus who mends my nets has his workshop behind the old smokehouse"
FERRY = "I always take the ferry at six"
WRONG = "I always take the ferry at nine"


@pytest.fixture
def day(tmp_path: Path) -> Path:
    file = tmp_path / "day.jsonl"
    lines = [
        {"ref": "a1", "ts": "2031-03-03T09:00:00+01:00", "session": "s", "text": HARBOUR},
        {"ref": "a2", "ts": "2031-03-03T09:05:00+01:00", "session": "s", "text": FERRY},
        {"question": "When does the user take the ferry?", "evidence": ["a2"]},
        {"question": "Where is the workshop of Rasmus?", "evidence": ["a1"]},
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.fixture
def reader() -> ScriptedReader:
    return ScriptedReader([
        Note(HARBOUR, ({"subject": "Rasmus", "quote": HARBOUR},)),
        Note(FERRY, ({"kind": "preference"}, {"kind": "preference", "text": WRONG})),
    ])  # fmt: skip


def test_both_are_measured_on_the_same_nights(day: Path, reader: ScriptedReader) -> None:
    with ScriptedModel(reader) as server:
        model = ModelSettings(base_url=server.base_url, name="scripted")
        pair = dream_quality_pair("qa", day, model, plain=Setting(segment_chars=80))
    lines = {line.measure: line for line in pair.table}
    assert lines["coverage"].n_rules == lines["coverage"].n_model == 2
    assert lines["coverage"].model >= lines["coverage"].rules
    assert lines["faults"].model == 0
    assert lines["determinism"].model == 100
    assert lines["refused"].model > lines["refused"].rules
    assert "details lost" in lines["refused"].detail
    assert "rules" in pair.rules.setting
    assert "scripted" in pair.model.setting
    assert "scripted 1" in lines["nights"].detail


def test_the_door(
    day: Path, reader: ScriptedReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    for name in ("BASE_URL", "NAME"):
        monkeypatch.delenv(f"SLOWWAVE_MODEL_{name}", raising=False)
    asked = ["--home", str(tmp_path / "home"), "eval", "qa", str(day), "--no-embedder"]
    assert run([*asked, "--distiller", "llm"]) == 2
    assert "--quality" in capsys.readouterr().err
    assert run([*asked, "--quality", "--distiller", "llm"]) == 2
    assert "no model is set" in capsys.readouterr().err
    with ScriptedModel(reader) as server:
        monkeypatch.setenv("SLOWWAVE_MODEL_BASE_URL", server.base_url)
        monkeypatch.setenv("SLOWWAVE_MODEL_NAME", "scripted")
        assert run([*asked, "--quality", "--distiller", "llm"]) == 0
    told = capsys.readouterr().out
    assert "with model" in told
    assert "coverage" in told
    assert not (tmp_path / "home").exists()
