"""A number that names a thing tells two things apart; one that is said of a thing may change."""

import pytest

from slowwave.dream.compare.reading.label import labels_apart
from slowwave.dream.compare.relation import Statement, compare

TWO_THINGS = [
    ("Greenhouse 3 has aphids", "Greenhouse 5 has aphids"),
    ("The sluice number 2 is stuck", "The sluice number 4 is stuck"),
    ("Tram 11 stops at the brewery", "Tram 14 stops at the brewery"),
    ("Our silo 7 needs a new ladder", "Our silo 8 needs a new ladder"),
    ("第三批瓷砖有裂纹", "第四批瓷砖有裂纹"),
    ("二楼在漏水", "六楼在漏水"),
    ("7号线周末停运", "9号线周末停运"),
]
ONE_THING = [
    ("The greenhouse has 3 fans", "The greenhouse has 5 fans"),
    ("My desk is 114", "My desk is 207"),
    ("Ilse keeps 2 goats", "Ilse keeps 5 goats"),
    ("Order 12 crates for Monday", "Order 20 crates for Monday"),
    ("我住二楼", "我住六楼"),
    ("水费是 38 元", "水费是 45 元"),
]


@pytest.mark.parametrize(("one", "other"), TWO_THINGS)
def test_a_number_that_names_tells_two_things_apart(one: str, other: str) -> None:
    assert labels_apart(one, other)
    assert compare(Statement(one), Statement(other)).relation == "different_subject"


@pytest.mark.parametrize(("one", "other"), ONE_THING)
def test_a_number_that_is_said_of_a_thing_may_change(one: str, other: str) -> None:
    assert not labels_apart(one, other)


def test_the_same_number_names_the_same_thing() -> None:
    assert not labels_apart("Greenhouse 3 has aphids", "Greenhouse 3 has snails")
