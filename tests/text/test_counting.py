"""Counted nouns: the number decides."""

import pytest

from slowwave.text.counting import plural


@pytest.mark.parametrize(
    ("number", "noun", "expected"),
    [
        (1, "quiet day", "1 quiet day"), (0, "quiet day", "0 quiet days"), (2, "day", "2 days"),
        (1, "memory", "1 memory"), (3, "current memory", "3 current memories"),
        (12, "key", "12 keys"), (2, "reply", "2 replies"), (1205, "event", "1205 events"),
    ],
)  # fmt: skip
def test_the_noun_follows_the_number(number: int, noun: str, expected: str) -> None:
    assert plural(number, noun) == expected
