"""What is told in other words than it is asked for."""

import pytest

from slowwave.text.related import related


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("We've just moved to Tartu", "live"), ("我们上个月搬到了贵阳", "住哪"),
        ("My new address is 9 Quay Row", "address"), ("新家在柳荫巷 6 号", "地址"),
        ("I started at Hallam Ceramics", "work"), ("我下周入职青瓦设计", "工作"),
    ],
)  # fmt: skip
def test_a_relation_lends_the_words_it_is_asked_by(text: str, word: str) -> None:
    assert word in related(text).split()


@pytest.mark.parametrize(
    "text", ["I moved the kiln", "We moved on", "釉料快用完了", "I read a novel"]
)
def test_other_statements_lend_nothing(text: str) -> None:
    assert related(text) == ""
