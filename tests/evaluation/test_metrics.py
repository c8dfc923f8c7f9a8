import pytest

from slowwave.evaluation.metrics import Answer, Question, recall_at, rows


def _answer(*refs: str) -> Answer:
    return Answer(tuple((ref,) for ref in refs), tuple("four words are here" for _ in refs))


def test_recall_is_the_share_of_the_evidence() -> None:
    question = Question("?", ("k",), (("a", "b"),))
    answer = _answer("a", "x", "b")
    assert recall_at(question, answer, 2, whole=False) == 0.5
    assert recall_at(question, answer, 3, whole=False) == 1.0
    assert recall_at(question, answer, 2, whole=True) == 0.0


def test_the_best_alternative_counts() -> None:
    question = Question("?", ("k",), (("a", "b"), ("c",)))
    assert recall_at(question, _answer("c"), 5, whole=True) == 1.0


def test_a_hit_counts_for_all_its_references() -> None:
    answer = Answer((("a", "b"),), ("one memory of two turns",))
    assert recall_at(Question("?", (), (("a", "b"),)), answer, 1, whole=True) == 1.0


def test_rows_by_kind_and_in_total() -> None:
    asked = [
        (Question("?", ("easy",), (("a",),)), _answer("a")),
        (Question("?", ("hard",), (("a",),)), _answer("b")),
        (Question("?", ("trap",), (("a",),), counts=False), _answer("a")),
    ]
    table = {row.kind: row for row in rows("p", asked, whole=False)}
    assert list(table) == ["all", "easy", "hard", "trap"]
    assert (table["all"].n, table["all"].r5) == (2, 50.0)
    assert table["trap"].r10 == 100.0
    assert table["easy"].tokens10 == pytest.approx(4.0)


def test_nothing_asked_gives_no_rows() -> None:
    assert rows("p", [], whole=False) == ()
