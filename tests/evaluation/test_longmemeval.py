"""LongMemEval's protocol: measures computed by hand, and an invented file through the whole run."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from slowwave.errors import InputError
from slowwave.evaluation import longmemeval_run
from slowwave.evaluation.longmemeval import Item, dcg, items, marks, marks_of_sessions
from slowwave.evaluation.rooms import Plan
from slowwave.evaluation.run import evaluate
from slowwave.evaluation.table import Cut, Table
from slowwave.model import Skipped
from slowwave.testing.embedder import HashingEmbedder


def test_dcg_does_not_discount_the_second_place() -> None:
    assert dcg([]) == 0.0
    assert dcg([1.0, 1.0]) == 2.0
    assert dcg([0.0, 1.0, 1.0, 1.0]) == pytest.approx(1 + 1 / math.log2(3) + 0.5)


def test_marks_of_a_ranking() -> None:
    ranked, right = ["x", "a", "y", "b"], frozenset({"a", "b"})
    assert marks(ranked, right, 1) == (0.0, 0.0, 0.0)
    assert marks(ranked, right, 3) == (1.0, 0.0, 0.5)
    assert marks(ranked, right, 5) == (1.0, 1.0, pytest.approx((1 + 0.5) / 2))
    assert marks(["a", "b"], right, 1) == (1.0, 0.0, 1.0)
    assert marks(ranked, frozenset(), 5) == (0.0, 0.0, 0.0)


def test_marks_of_sessions_take_turns_until_there_are_k_sessions() -> None:
    session_of = {"s1_1": "s1", "s1_3": "s1", "s2_1": "s2", "s3_1": "s3", "s3_3": "s3"}
    ranked, right = ["s1_1", "s1_3", "s2_1", "s3_1"], frozenset({"s3_1"})
    # two turns of s1 are one session: k=2 takes three turns, and s3 is not among them
    assert marks_of_sessions(ranked, right, session_of, 2) == (0.0, 0.0, 0.0)
    # k=3 takes four: the right turn stands at place four
    assert marks_of_sessions(ranked, right, session_of, 3) == (1.0, 1.0, pytest.approx(0.5))
    # the other turn of the right session is no hit, and counts as a session
    assert marks_of_sessions(["s3_3", "s3_1"], right, session_of, 1) == (0.0, 0.0, 0.0)
    assert marks_of_sessions(["s3_3", "s3_1"], right, session_of, 2)[1] == 1.0
    assert marks_of_sessions(ranked, frozenset(), session_of, 2) == (0.0, 0.0, 0.0)


def turn(role: str, text: str, **more: bool) -> dict[str, Any]:
    return {"role": role, "content": text, **more}


def question(name: str, kind: str, text: str, sessions: dict[str, Any], *right: str) -> Any:
    return {
        "question_id": name,
        "question_type": kind,
        "question": text,
        "answer": "-",
        "question_date": "2024/05/20 (Mon) 17:50",
        "haystack_session_ids": list(sessions),
        "haystack_dates": [f"2024/05/{10 + n:02} (Fri) 09:00" for n in range(len(sessions))],
        "haystack_sessions": list(sessions.values()),
        "answer_session_ids": list(right),
    }


KILN = {
    "filler_1": [turn("user", "How do I prune a quince?"), turn("assistant", "In late winter.")],
    "answer_kiln": [
        turn("user", "Good morning, the glaze arrived", has_answer=False),
        turn("assistant", "Lovely. Which one?", has_answer=False),
        turn("user", "My kiln reaches 1240 degrees now", has_answer=True),
    ],
    "filler_2": [turn("user", "Recommend a book about lighthouses")],
}
BOAT = {
    "filler_3": [turn("user", "Name three herons")],
    "answer_boat": [
        turn("user", "Suggest a name for my boat", has_answer=False),
        turn("assistant", "Call it Osprey", has_answer=True),
    ],
}
FILE = [
    question("q1", "single-session-user", "How hot does my kiln get?", KILN, "answer_kiln"),
    question("q2", "single-session-assistant", "Which boat name did you suggest?", BOAT,
             "answer_boat"),
    question("q3_abs", "single-session-user", "How hot does my oven get?", KILN, "answer_kiln"),
    {"question_id": "torn"},
]  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "longmemeval_tiny.json"
    path.write_text(json.dumps(FILE), encoding="utf-8")
    return path


def test_documents_are_what_the_user_said(file: Path) -> None:
    first, second, third, torn = items(file)
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    assert isinstance(third, Item)
    assert isinstance(torn, Skipped)
    refs = [record.ref for record in first.turns.records]
    assert refs == ["filler_1_1", "answer_kiln_1", "answer_kiln_3", "filler_2_1"]
    whole = {record.ref: record.text for record in first.sessions.records}
    assert list(whole) == ["filler_1", "answer_kiln", "filler_2"]
    assert whole["answer_kiln"].endswith("arrived My kiln reaches 1240 degrees now")
    assert first.right_turns == {"answer_kiln_3"}
    assert first.right_sessions == first.named_sessions == {"answer_kiln"}
    assert first.now is not None
    assert first.now.isoformat() == "2024-05-20T17:50:00+00:00"
    assert first.turns.records[0].ts is not None
    assert first.turns.records[0].ts.isoformat() == "2024-05-10T09:00:01+00:00"
    assert (second.right_turns, second.right_sessions) == (frozenset(), frozenset())
    assert second.named_sessions == {"answer_boat"}
    assert [each.question.counts for each in (first, second, third)] == [True, False, False]
    assert not third.question.answerable
    assert third.question.kinds == ("abstention",)


def _cut(table: Table, level: str, convention: str, k: int, kind: str = "all") -> tuple[int, Cut]:
    for row in table.official:
        same = (row.pipeline, row.level, row.convention, row.kind)
        if same == ("slowwave", level, convention, kind):
            return row.n, next(cut for cut in row.at if cut.k == k)
    raise AssertionError((level, convention, kind))


@pytest.mark.parametrize("level", ["turn", "session by turn", "session"])
def test_both_conventions_state_their_n(level: str, file: Path) -> None:
    table = evaluate("longmemeval", file)
    assert (table.dataset, table.n, table.skipped, table.malformed) == ("longmemeval", 1, 2, 1)
    n, at = _cut(table, level, "official", 3)
    assert (n, at.recall_any, at.recall_all) == (1, 100.0, 100.0)
    assert _cut(table, level, "every", 50)[0] == 3
    assert _cut(table, level, "every", 50, "single-session-assistant")[0] == 1


def test_what_no_user_turn_answers_is_not_found_among_turns(file: Path) -> None:
    table = evaluate("longmemeval", file)
    kind = "single-session-assistant"
    assert _cut(table, "turn", "every", 50, kind)[1].recall_all == 0.0
    assert _cut(table, "session", "every", 50, kind)[1].recall_all == 100.0


def test_it_has_the_table_of_every_data_set(file: Path) -> None:
    table = evaluate("longmemeval", file, Plan(embedder=HashingEmbedder(), limit=2))
    total = {row.pipeline: row for row in table.table if row.kind == "all"}
    assert list(total) == ["fts5", "vectors", "rrf", "slowwave, words only", "slowwave"]
    assert (total["slowwave"].n, total["slowwave"].r5) == (1, 100.0)
    answerable = [row for row in table.injection if row.answerable and row.kind == "all"]
    assert {row.n for row in answerable} == {2}
    assert table.setting.conversations == 2


def test_ctrl_c_leaves_the_questions_that_were_measured(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = longmemeval_run.opened

    def stops(talk: Any, *rest: Any) -> Any:
        if talk.name == "q2":
            raise KeyboardInterrupt
        return plain(talk, *rest)

    monkeypatch.setattr(longmemeval_run, "opened", stops)
    table = evaluate("longmemeval", file)
    assert (table.setting.stopped, table.setting.conversations, table.n) == (True, 1, 1)


def test_a_file_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        evaluate("longmemeval", tmp_path / "nowhere.json")
