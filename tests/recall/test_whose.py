"""Whose a sentence is, by its grammar."""

import pytest

from slowwave.recall import whose


@pytest.mark.parametrize(
    ("text", "speaker_more"),
    [
        ("I sold my kayak to a neighbour.", True),
        ("Planted three pear trees behind the barn.", True),
        ("我把独木舟卖了。", True),
        ("You sold your kayak already.", False),
        ("What did you plant behind the barn?", False),
        ("你把独木舟卖给谁了？", False),
        ("Was the barn cold?", False),
    ],
)
def test_who_a_sentence_is_about(text: str, speaker_more: bool) -> None:
    ((_, speaker, hearer),) = whose.given(text)
    assert (speaker > hearer) is speaker_more


def test_each_sentence_is_judged_by_itself() -> None:
    first, second = whose.given("I planted pear trees. Did yours survive?")
    assert first[1] > first[2]
    assert second[1] < second[2]


@pytest.mark.parametrize(
    ("sentence", "name", "told"),
    [
        ("Runa teaches pottery on Thursdays", "Runa", True),
        ("I met Runa, who teaches pottery", "Runa", False),
        ("Hi Runa!", "Runa", False),
        ("Well done, Runa, that is a fine vase", "Runa", False),
        ("Runa's vase is blue", "Runa", True),
        ("阿澈下午四点放学，我去接", "阿澈", True),
        ("阿澈，快来看", "阿澈", False),
        ("the vase is blue", "Runa", False),
    ],
)
def test_a_name_tells_of_somebody_unless_it_calls_him(sentence: str, name: str, told: bool) -> None:
    assert whose.tells_of(sentence, name) is told


def test_what_somebody_says_he_is_called() -> None:
    said = [
        "My name is Orla Quist",
        "This is Priya from billing",
        "call me Bo",
        "我叫陶然，做设计的",
    ]
    assert {name.strip() for name in whose.called(said)} == {"Orla Quist", "Priya", "Bo", "陶然"}
    assert whose.called(["Morning, I'm Edda Marsh, I keep the maps"]) == {"Edda Marsh"}
    assert not whose.called(["I'm late for the ferry", "I am at home"])
    assert not whose.called(["My name is on the list", "this is Friday's plan"])
