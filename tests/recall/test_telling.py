import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.recall.telling import traits, wanted


@pytest.mark.parametrize(
    ("text", "sign", "there"),
    [
        ("I sold the canoe", "me", True),
        ("she sold the canoe", "me", False),
        ("我把独木舟卖了", "me", True),
        ("the roof was fixed last Tuesday", "time", True),
        ("屋顶是上周修好的", "time", True),
        ("the roof was fixed", "time", False),
        ("we rowed over to Marbeck with the dogs", "name", True),
        ("Rowing is fun", "name", False),
        ("最近在读《雾港》", "name", True),
        ("it took four tries", "number", True),
        ("一共买了三本", "number", True),
        ("so it goes", "number", False),
    ],
)
def test_signs_of_a_text(text: str, sign: str, there: bool) -> None:
    assert bool(getattr(traits(text), sign)) is there


@pytest.mark.parametrize(
    "text", ["Did the ferry run?", "渡轮开了吗", "渡轮开了吗？", "And then? [shared image: a pier]"]
)
def test_a_question_is_no_statement(text: str) -> None:
    assert not traits(text).statement


@pytest.mark.parametrize("text", ["Did it? It did.", "渡轮开了。", "the pier [shared image: eh?]"])
def test_a_statement_may_hold_a_question(text: str) -> None:
    assert traits(text).statement


def test_length_is_told_in_words_of_either_script() -> None:
    assert traits("").long == 0
    assert traits("word " * 20).long == pytest.approx(0.45, abs=0.1)
    assert traits("词语" * 20).long == pytest.approx(0.5, abs=0.1)
    assert traits("word " * 400).long == 1


@pytest.mark.parametrize(
    ("question", "sorts"),
    [
        ("When did Olga move?", {"time"}),
        ("What year was the barn built?", {"time"}),
        ("奥尔加什么时候搬的家", {"time"}),
        ("Who fixed the barn, and where?", {"name"}),
        ("谁修的谷仓", {"name"}),
        ("How many goats are there?", {"number"}),
        ("有几只山羊", {"number"}),
        ("What does Olga like?", set()),
    ],
)
def test_what_a_question_wants(question: str, sorts: set[str]) -> None:
    found = wanted(question)
    assert {name for name in found._fields if getattr(found, name)} == sorts


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_signs_are_shares_for_any_text(text: str) -> None:
    assert all(0 <= value <= 1 for value in traits(text))
