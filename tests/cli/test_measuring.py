"""`slowwave eval` as it is called: what it prints, writes, and refuses."""

import json
from pathlib import Path

import pytest

from slowwave.cli.main import run
from slowwave.evaluation import run as running

LINES = [
    {"ref": "e1", "ts": "2024-03-03T09:00:00Z", "session": "a", "text": "The sluice opens at six"},
    {"ref": "e2", "ts": "2024-03-04T09:00:00Z", "session": "b", "text": "Otters live by the weir"},
    {"question": "When does the sluice open?", "evidence": ["e1"], "kind": "time"},
    {"question": "Who lives by the weir?", "evidence": ["e2"]},
    {"question": "What did the bridge cost?", "evidence": []},
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "weir.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    return str(path)


def test_json_has_the_contracts_fields(call, file: str) -> None:
    code, table, _ = call("eval", "qa", file, "--split")
    assert code == 0
    assert (table["dataset"], table["n"], table["skipped"]) == ("qa", 2, 1)
    rows = {(row["pipeline"], row["kind"]): row for row in table["table"]}
    assert set(rows) == {(p, k) for p in ("fts5", "slowwave") for k in ("all", "time", "other")}
    assert rows["slowwave", "all"]["r5"] == 100.0
    assert {"r10", "r20", "tokens10", "ci10"} <= set(rows["slowwave", "all"])
    assert table["setting"]["embedder"] == "none"
    assert [part["part"] for part in table["split"]] == ["tuned", "untuned"]


def test_a_terminal_gets_tables_and_a_file_the_page(
    file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLOWWAVE_HOME", str(tmp_path / "home"))
    page = tmp_path / "page.md"
    arguments = ["eval", "qa", file, "--no-embedder", "--baseline", "none", "--markdown", str(page)]
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("qa: 2 questions of 1 conversation")
    assert "unanswerable: nothing" in shown
    assert "fts5 " not in shown.split("Recall")[1].split("Injection")[0].replace("fts5: ", "")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# slowwave eval qa\n")
    assert "| slowwave | all | 2 | 100.0 |" in text
    assert not (tmp_path / "home").exists()


def test_the_homes_recall_settings_are_measured(call, file: str, made_home: Path) -> None:
    (made_home / "slowwave.toml").write_text("[recall]\nmin_score = 0.99\n", encoding="utf-8")
    _, table, _ = call("eval", "qa", file)
    assert table["setting"]["min_score"] == 0.99
    assert table["setting"]["changed"] == {"min_score": 0.99}
    given = {row["answerable"]: row for row in table["injection"] if row["kind"] == "all"}
    assert given[False]["right"] == 100.0


def test_ablate(call, file: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    code, table, _ = call("eval", "qa", file, "--ablate", "--markdown", str(page))
    assert code == 0
    names = [row["without"] for row in table["table"] if row["kind"] == "all"]
    assert names[0] == "everything"
    assert {"neighbours' words", "own words", "speaker", "dates"} <= set(names)
    assert "## Ablation" in page.read_text(encoding="utf-8")


def test_stopping_prints_what_there_is(call, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "opened", stops)
    code, table, _ = call("eval", "qa", file)
    assert code == 130
    assert (table["n"], table["setting"]["stopped"], table["table"]) == (0, True, [])


@pytest.mark.parametrize(
    "options",
    [
        ("--baseline", "fts,colbert"),
        ("--baseline", "vector"),
        ("--quality", "--ablate"),
        ("--markdown", "/no/such/folder/page.md"),
    ],
)
def test_what_cannot_be_measured_is_refused_before(call, file: str, options) -> None:
    code, answer, message = call("eval", "qa", file, *options)
    assert code == 2
    assert answer["error"]["hint"]
    assert message.startswith("slowwave: ")


def test_longmemeval_measures_retrieval_only(call, file: str) -> None:
    assert call("eval", "longmemeval", file, "--ablate")[0] == 2


def test_banks_have_their_old_name(call, file: str) -> None:
    code, answer, _ = call("eval", "memorybank", file)
    assert code == 1
    assert answer["error"]["type"] == "InputError"
