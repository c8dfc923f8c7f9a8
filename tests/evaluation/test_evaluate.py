"""Small invented files in the shape of each data set, through the whole measurement."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from slowwave.errors import InputError, UsageError
from slowwave.evaluation import beam, locomo, memorybank, qa, rooms
from slowwave.evaluation import run as running
from slowwave.evaluation import table as tables
from slowwave.evaluation.baselines import FullText, fused
from slowwave.evaluation.rooms import Plan
from slowwave.evaluation.run import evaluate
from slowwave.evaluation.table import Table
from slowwave.model import Event
from slowwave.testing.embedder import HashingEmbedder

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
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"))
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
    plan = Plan(embedder=HashingEmbedder())
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"), plan)
    names = list(dict.fromkeys(row.pipeline for row in table.table))
    assert names == ["fts5", "vectors", "rrf", "slowwave, words only", "slowwave"]
    assert _rows(table, "vectors")["all"].r5 > 0
    assert {gain.over for gain in table.gains} == set(names) - {"slowwave"}
    assert table.setting.embedder == "hashing-1/256"


def test_baselines_are_chosen(tmp_path: Path) -> None:
    path = _locomo(tmp_path / "locomo.json")
    table = evaluate("locomo", path, Plan(embedder=HashingEmbedder(), baselines=("rrf",)))
    names = list(dict.fromkeys(row.pipeline for row in table.table))
    assert names == ["rrf", "slowwave, words only", "slowwave"]
    alone = evaluate("locomo", path, Plan(baselines=()))
    assert {row.pipeline for row in alone.table} == {"slowwave"}
    assert alone.gains == ()
    with pytest.raises(UsageError):
        evaluate("locomo", path, Plan(baselines=("colbert",)))
    with pytest.raises(UsageError):
        evaluate("locomo", path, Plan(baselines=("vector",)))


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
    table = evaluate("beam", tmp_path)
    assert (table.n, table.skipped, table.malformed) == (1, 1, 1)
    assert _rows(table, "slowwave")["knowledge_update"].r5 == 100.0
    nothing = [row for row in table.injection if not row.answerable]
    assert [(row.kind, row.n) for row in nothing] == [("all", 1)]
    assert "abstention" not in _rows(table, "slowwave")


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
    table = evaluate("memorybank", tmp_path)
    assert (table.n, table.skipped, table.malformed) == (2, 1, 1)
    assert _rows(table, "slowwave")["zh"].r5 == 100.0
    assert _rows(table, "fts5")["zh fact"].n == 2


def test_the_number_of_conversations_can_be_limited(tmp_path: Path) -> None:
    table = evaluate("locomo", _locomo(tmp_path / "l.json"), Plan(limit=1))
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


def test_what_goes_into_a_prompt(tmp_path: Path) -> None:
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"))
    rows = {(row.answerable, row.kind): row for row in table.injection}
    assert rows[True, "all"].n == 3
    assert rows[True, "all"].right == 100.0
    assert rows[True, "all"].evidence == 100.0
    assert (rows[False, "all"].n, rows[False, "all"].evidence) == (1, None)
    # the only kind of the unanswerable would say the same again
    assert (False, "adversarial") not in rows


def test_dreamed_conversations_are_asked_as_well(tmp_path: Path) -> None:
    table = evaluate("locomo", _locomo(tmp_path / "locomo.json"), Plan(dreamed="none"))
    over = {(row.over, row.answerable): row for row in table.injection if row.kind == "all"}
    assert set(over) == {(o, a) for o in ("events", "dreamed") for a in (True, False)}
    assert over["dreamed", True].n == 3


def test_tuned_and_untuned_conversations_stand_apart(tmp_path: Path) -> None:
    path = _locomo(tmp_path / "locomo.json")
    sample = json.loads(path.read_text(encoding="utf-8"))[0]
    tuned = sorted(locomo.TUNED)[0]
    both = [{**sample, "sample_id": tuned}, {**sample, "sample_id": "other"}]
    path.write_text(json.dumps(both), encoding="utf-8")
    table = evaluate("locomo", path, Plan(split=True, by_talk=True))
    parts = {part.part: part for part in table.split}
    assert parts["tuned"].conversations == (tuned,)
    assert parts["untuned"].conversations == ("other",)
    assert table.n == 6
    for part in parts.values():
        total = next(row for row in part.table if row.kind == "all" and row.pipeline == "slowwave")
        assert (total.n, total.ci10) == (3, None)  # one conversation: nothing to draw from
        assert {row.kind for row in part.injection} >= {"all"}
    assert "by conversation" in table.setting.interval
    # what is not measured is not counted either
    assert (table.skipped, evaluate("locomo", path, Plan(limit=1)).skipped) == (4, 2)


def test_ctrl_c_leaves_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _locomo(tmp_path / "locomo.json")
    sample = json.loads(path.read_text(encoding="utf-8"))[0]
    both = [{**sample, "sample_id": name} for name in ("first", "second")]
    path.write_text(json.dumps(both), encoding="utf-8")
    plain = running.opened

    def stops(talk: Any, *rest: Any) -> Any:
        if talk.name == "second":
            raise KeyboardInterrupt
        return plain(talk, *rest)

    monkeypatch.setattr(running, "opened", stops)
    table = evaluate("locomo", path)
    assert (table.n, table.setting.stopped) == (3, True)
    assert (table.setting.conversations, table.setting.of) == (1, 2)


QA = """\
{"ref": "e1", "ts": "2024-03-03T09:00:00Z", "session": "a", "text": "The gramophone needs a belt"}
{"ref": "e2", "ts": "2024-03-04T09:00:00Z", "session": "b", "text": "The ferry leaves at pier nine"}
{"ref": "e3", "ts": "2024-03-05T09:00:00Z", "session": "c", "text": "Biscuit ate a whole herring"}

{"question": "Which pier does the ferry leave from?", "evidence": ["e2"], "kind": "place"}
{"question": "Who ate a herring?", "evidence": [["e1", "e3"], ["e3"]]}
{"question": "What did the lighthouse cost?", "evidence": []}
{"question": "Where is the lighthouse?", "evidence": ["e99"]}
{"ref": "x1", "conversation": "other", "text": "The lighthouse was sold"}
{"question": "What was sold?", "evidence": "x1", "conversation": "other"}
[1, 2]
"""


def test_questions_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text(QA, encoding="utf-8")
    data = qa.read(path)
    first, other = data.conversations
    assert (first.name, other.name) == ("mine", "other")
    assert [question.evidence for question in first.questions] == [
        (("e2",),), (("e1", "e3"), ("e3",)), (),
    ]  # fmt: skip
    assert [question.answerable for question in first.questions] == [True, True, False]
    assert (data.skipped, data.malformed) == (2, 2)
    table = evaluate("qa", path)
    assert (table.dataset, table.n) == ("qa", 3)
    assert _rows(table, "slowwave")["place"].r5 == 100.0
    assert _rows(table, "slowwave")["all"].s1 is not None


def test_a_folder_of_question_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text(QA, encoding="utf-8")
    names = [talk.name for talk in qa.read(tmp_path).conversations]
    assert names == ["one", "one/other", "two", "two/other"]


def test_qa_without_questions_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"text": "nothing is asked"}\n', encoding="utf-8")
    with pytest.raises(InputError):
        qa.read(path)


@pytest.mark.parametrize("name", ["", "zh_bank.json", "zh_gold.jsonl"])
def test_qa_reads_banks(name: str, tmp_path: Path) -> None:
    users = {
        user: {"history": {"someday": [{"query": "我养了一只鹭", "response": "好"}]}}
        for user in ("甲", "乙", "丙")
    }
    line = {
        "user": "乙",
        "question": "我养了什么？",
        "evidence": [["someday#0:query"], ["x#1:query"]],
    }
    (tmp_path / "zh_bank.json").write_text(json.dumps(users), encoding="utf-8")
    (tmp_path / "zh_gold.jsonl").write_text(json.dumps(line), encoding="utf-8")
    data = qa.read(tmp_path / name)
    assert (data.name, data.malformed) == ("qa", 1)
    assert data.tuned == {"zh/甲", "zh/丙"}
    assert data.conversations[1].questions[0].evidence == (("someday#0:query",),)
    assert data.conversations[1].records[0].ts is None


def test_trigrams_come_in_for_chinese_questions_only() -> None:
    assert rooms.pipelines(Plan(), ["Where?"]) == ("fts5", "slowwave")
    assert rooms.pipelines(Plan(), ["Where?", "在哪里？"])[1] == "fts5 trigram"


def test_vectors_are_computed_once() -> None:
    class Counting(HashingEmbedder):
        seen = 0

        def passages(self, texts: Any) -> Any:
            self.seen += len(texts)
            return super().passages(texts)

    inner = Counting()
    shared = rooms.Shared(inner)
    first = shared.passages(["a pier", "a boat", "a pier"])
    assert shared.passages(["a boat", "a pier"]) == [first[1], first[0]]
    assert inner.seen == 2


def test_an_adversarial_question_needs_no_evidence(tmp_path: Path) -> None:
    path = _locomo(tmp_path / "locomo.json")
    sample = json.loads(path.read_text(encoding="utf-8"))[0]
    sample["qa"].append({"question": "What did Ines steal?", "evidence": [], "category": 5})
    path.write_text(json.dumps([sample]), encoding="utf-8")
    table = evaluate("locomo", path)
    assert table.skipped == 3
    assert _rows(table, "slowwave")["adversarial"].n == 1
    assert [row.n for row in table.injection if not row.answerable] == [2]


def test_fusion_adds_reciprocal_ranks() -> None:
    pier, boat, owl = (
        Event(
            id=name, seq=seq, space="s", identity=name, ts=datetime(2024, 3, 3, tzinfo=UTC),
            role="user", kind="message", origin="owner", text=name, source="t",
        )
        for seq, name in enumerate(("pier", "boat", "owl"))
    )  # fmt: skip
    # 1/61 + 1/62 for both of the first two, 1/63 + 1/63 for the third, which is less
    assert fused([pier, boat, owl], [boat, pier, owl]) == [pier, boat, owl]
    # only in one list, but first: 1/61 against 1/62 + 1/62
    assert fused([owl, boat], [pier, boat]) == [boat, pier, owl]


def test_full_text_leaves_out_stop_words_unless_there_are_no_others() -> None:
    said = ["who was it", "the heron nests", "a boat"]
    events = [
        Event(
            id=text, seq=seq, space="s", identity=text, ts=datetime(2024, 3, 3, tzinfo=UTC),
            role="user", kind="message", origin="owner", text=text, source="t",
        )
        for seq, text in enumerate(said)
    ]  # fmt: skip
    words = FullText(events, "porter unicode61")
    assert [event.text for event in words.search("Who was the nesting heron?", 5)] == [said[1]]
    assert [event.text for event in words.search("Who was it?", 5)] == [said[0]]
    assert words.search("?!", 5) == []


def test_the_commit_is_what_the_installer_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed:
        said: str | None = '{"vcs_info": {"commit_id": "0badc0de"}}'

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return self.said

    installed = Installed()
    monkeypatch.setattr(tables.metadata, "distribution", lambda _: installed)

    def commit() -> str:
        return tables.setting_of(Plan(), 1, None, stopped=False).commit

    assert commit() == "0badc0de"
    for said in (None, "{torn", '{"dir_info": {}}', "[]"):
        installed.said = said
        assert commit() == ""
