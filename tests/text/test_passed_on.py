"""What a message passes on: told from its sender's own words, and in linear time."""

import pytest

from slowwave.text.passed_on import LONGEST, is_passed_on, own_spans


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("I fixed the gate", "I fixed the gate"),
        ("what is this?\n> TODO: sell it\nno idea", "what is this?|no idea"),
        ("看看\n＞ 待办：卖掉\n好吗", "看看|好吗"),
        ("Proofread this: I must sell the mill", "Proofread this:"),
        ("帮我翻译：我要卖掉磨坊", "帮我翻译："),
        ("I will translate the letter today", "I will translate the letter today"),
        ("mine\n----- Forwarded message -----\ntheirs", "mine"),
        ("mine <page>theirs</page> mine too", "mine|mine too"),
    ],
)
def test_only_the_senders_own_words_are_left(text: str, own: str) -> None:
    kept = [text[start:end].strip() for start, end in own_spans(text)]
    assert "|".join(part for part in kept if part) == own


@pytest.mark.parametrize(
    "unit",
    ["<ab>", "> a\n", " \t", "-" * 40 + " ", "forwarded message ", "From: a\n", "\n", "【附件"],
)
def test_a_hostile_page_is_read_to_a_limit(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    assert all(end <= LONGEST for _, end in own_spans(text))
    assert is_passed_on(text) in (True, False)
