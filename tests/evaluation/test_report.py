"""The Markdown page, byte for byte (`GOLDEN_UPDATE=1` writes it anew)."""

import os
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from slowwave.evaluation import report, table
from slowwave.evaluation.ablation import AblationRow, AblationTable
from slowwave.evaluation.injection import InjectionRow
from slowwave.evaluation.metrics import Gain, Row
from slowwave.evaluation.rooms import Plan
from slowwave.evaluation.table import Cut, Official, Split, Table, setting_of
from slowwave.settings import RecallSettings
from slowwave.testing.embedder import HashingEmbedder

GOLDEN = Path(__file__).parent / "golden"
PLAN = Plan(day=date(2026, 4, 2), embedder=HashingEmbedder(), settings=RecallSettings(own=0.4))
ROWS = (
    Row("fts5", "all", 40, 50.0, 57.5, 65.0, 421.3, None, None, (35.0, 65.0), (42.5, 72.5), None),
    Row("slowwave", "all", 40, 70.0, 80.0, 85.0, 430.0, 66.0, 90.0, None, (67.5, 92.5), None),
    Row("slowwave", "odd|kind_*", 1, 100.0, 100.0, 100.0, 12.0),
)
INJECTION = (
    InjectionRow("slowwave", "events", True, "all", 40, 97.5, (92.5, 100.0), 80.0),
    InjectionRow("slowwave", "events", False, "all", 12, 75.0, None, None),
)
CUTS = tuple(Cut(k, 90.0, 80.0, 85.5, (70.0, 88.0)) for k in (1, 3, 5, 10, 30, 50))


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "__version__", "9.9.9")
    monkeypatch.setattr(table, "_commit", lambda: "abc1234")


def same(text: str, name: str) -> None:
    path = GOLDEN / name
    if os.environ.get("GOLDEN_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), "GOLDEN_UPDATE=1 writes it anew"


def test_a_measurement_as_a_page() -> None:
    measured = Table(
        "locomo", 40, 2, 1, setting_of(replace(PLAN, by_talk=True), 3, 7, stopped=True), ROWS,
        (Gain("fts5", "all", 40, 22.5, (10.0, 35.0)), Gain("fts5", "temporal", 4, -5.0, None)),
        INJECTION,
        (Split("tuned", ("conv-1", "conv-2"), ROWS[:1], INJECTION[:1]),
         Split("untuned", (), (), ())),
        (Official("slowwave", "turn", "official", "all", 30, CUTS),
         Official("slowwave", "turn", "official", "multi-session", 9, CUTS)),
    )  # fmt: skip
    same(report.markdown(measured), "measured.md")


def test_an_ablation_as_a_page() -> None:
    rows = (
        AblationRow("everything", "all", 40, 80.0, None, None, 6.25, 1.0),
        AblationRow("vectors", "all", 40, 77.5, 2.5, (0.0, 5.0), 3.1, 0.5),
    )
    setting = setting_of(replace(PLAN, settings=RecallSettings()), 7, 7, stopped=False)
    same(report.markdown(AblationTable("locomo", 40, 0, 0, setting, rows)), "ablation.md")


def test_sections_have_as_many_cells_as_columns() -> None:
    setting = setting_of(PLAN, 1, None, stopped=False)
    official = tuple(Official("slowwave", "turn", "every", kind, 3, CUTS) for kind in ("all", "k"))
    measured = Table("d", 1, 0, 0, setting, ROWS, (), INJECTION, (), official)
    for section in report.sections(measured):
        assert {len(row) for row in section.rows} == {len(section.columns)}
