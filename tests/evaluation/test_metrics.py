import pytest

from slowwave.evaluation.metrics import (
    Answer,
    Asked,
    Question,
    gains,
    recall_at,
    rows,
    score,
    session_recall_at,
)

SESSIONS = {"a": "s1", "b": "s2", "x": "s1", "y": "s3"}


def _answer(*refs: str) -> Answer:
    return Answer(tuple((ref,) for ref in refs), tuple("four words are here" for _ in refs))


def _asked(question: Question, *refs: str, other: tuple[str, ...] = ()) -> Asked:
    scores = {
        name: score(question, _answer(*found), SESSIONS, whole=False)
        for name, found in (("base", other), ("p", refs))
    }
    return Asked("talk", question, scores)


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


def test_sessions_are_ranked_by_their_best_turn() -> None:
    question = Question("?", (), (("a", "b"),))
    answer = _answer("y", "x", "a", "b")  # sessions: s3, s1, s2
    at = [session_recall_at(question, answer, SESSIONS, k, whole=False) for k in (1, 2, 3)]
    assert at == [0.0, 0.5, 1.0]
    assert session_recall_at(question, answer, SESSIONS, 2, whole=True) == 0.0


def test_one_session_gives_no_recall_of_sessions() -> None:
    found = score(Question("?", (), (("a",),)), _answer("a"), {"a": "s1"}, whole=False)
    assert (found.r5, found.s1, found.s5) == (1.0, None, None)


def test_rows_by_kind_and_in_total() -> None:
    asked = [
        _asked(Question("?", ("easy",), (("a",),)), "a"),
        _asked(Question("?", ("hard",), (("a",),)), "b"),
        _asked(Question("?", ("trap",), (("a",),), counts=False), "a"),
        _asked(Question("?", ("trap",), (), counts=False, answerable=False), "a"),
    ]
    found = [row for row in rows(asked) if row.pipeline == "p"]
    table = {row.kind: row for row in found}
    assert list(table) == ["all", "easy", "hard", "trap"]
    assert (table["all"].n, table["all"].r5, table["all"].s1) == (2, 50.0, 50.0)
    assert (table["trap"].n, table["trap"].r10) == (1, 100.0)
    assert table["easy"].tokens10 == pytest.approx(4.0)
    assert table["all"].ci10 == (0.0, 100.0)
    assert table["easy"].ci10 is None


def test_pipelines_come_one_after_the_other() -> None:
    asked = [_asked(Question("?", ("easy",), (("a",),)), "a")]
    assert [(row.pipeline, row.kind) for row in rows(asked)] == [
        ("base", "all"), ("base", "easy"), ("p", "all"), ("p", "easy"),
    ]  # fmt: skip


def test_a_gain_is_of_the_same_questions() -> None:
    question = Question("?", ("k",), (("a", "b"),))
    asked = [_asked(question, "a", "b", other=("a",)), _asked(question, "a", other=("a",))]
    total = gains(asked, "p")[0]
    assert (total.over, total.kind, total.n, total.points) == ("base", "all", 2, 25.0)
    assert total.ci == (0.0, 50.0)


def test_nothing_asked_gives_no_rows() -> None:
    assert rows([]) == ()
    assert gains([], "p") == ()
