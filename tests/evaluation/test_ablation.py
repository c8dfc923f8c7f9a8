"""Each component off on its own, on an invented talk."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from slowwave.evaluation import ablation
from slowwave.evaluation.ablation import COMPONENTS, NOT_COMPONENTS, ablate, components
from slowwave.evaluation.rooms import Plan
from slowwave.settings import RecallSettings
from slowwave.testing.embedder import HashingEmbedder

EVENTS = [
    ("e1", "Ilka", "The weaver from Ostheim brought her loom"),
    ("e2", "Jory", "Does it still work?"),
    ("e3", "Ilka", "She wove a blue shawl on it in one night"),
    ("e4", "Jory", "I would rather build a kayak"),
]
QUESTIONS = [
    {"question": "What did Ilka say about the shawl?", "evidence": ["e3"]},
    {"question": "Does the loom work?", "evidence": ["e2"]},
    {"question": "What did it cost?", "evidence": []},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    lines: list[dict[str, Any]] = [
        {"ref": ref, "speaker": who, "session": "s", "text": text} for ref, who, text in EVENTS
    ]
    path = tmp_path / "loom.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines + QUESTIONS), encoding="utf-8")
    return path


def test_every_component_is_switched_off_by_settings_there_are() -> None:
    known = set(RecallSettings.__struct_fields__)
    for component in COMPONENTS:
        assert known.issuperset(component.off), component
        assert component.off or component.vectors


def test_a_new_weight_is_a_component_without_being_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    class More(RecallSettings, frozen=True, kw_only=True):
        echo_bonus: float = 0.1
        echo_bonus_zh: float = 0.2
        asleep: float = 0.0
        rerank: bool = True

    monkeypatch.setattr(ablation, "RecallSettings", More)
    found = {component.name: component.off for component in components()}
    assert found["echo"] == {"echo_bonus": 0.0, "echo_bonus_zh": 0.0}
    assert found["rerank"] == {"rerank": 0.0}
    assert "asleep" not in found
    assert not set(found) & NOT_COMPONENTS


def test_the_difference_is_of_the_same_questions(file: Path) -> None:
    table = ablate("qa", file, Plan(embedder=HashingEmbedder()))
    total = {row.without: row for row in table.table if row.kind == "all"}
    assert next(iter(total)) == "everything"
    assert {component.name for component in components()} == set(total) - {"everything"}
    full = total.pop("everything")
    assert (table.n, full.n, full.brings, full.ratio) == (2, 2, None, 1.0)
    for row in total.values():
        assert row.brings == pytest.approx(full.r10 - row.r10)
        assert row.ms > 0


def test_without_an_embedder_there_are_no_vectors_to_switch_off(file: Path) -> None:
    table = ablate("qa", file, Plan())
    assert "vectors" not in {row.without for row in table.table}
    assert msgspec.json.decode(msgspec.json.encode(table))["table"][0]["without"] == "everything"
