"""Intervals on columns whose distribution is known."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.evaluation.bootstrap import intervals


def test_the_same_scores_give_the_same_interval() -> None:
    column = [float(place % 3 == 0) for place in range(90)]
    assert intervals([column]) == intervals([column])


def test_a_share_has_the_interval_of_its_standard_error() -> None:
    column = [1.0] * 200 + [0.0] * 200
    (ends,) = intervals([column])
    assert ends is not None
    half = 1.96 * math.sqrt(0.25 / 400)
    assert abs(ends[0] - (0.5 - half)) < 0.006
    assert abs(ends[1] - (0.5 + half)) < 0.006


def test_what_never_varies_has_no_width() -> None:
    assert intervals([[0.25] * 8, [1.0] * 8]) == [(0.25, 0.25), (1.0, 1.0)]


def test_too_little_to_draw_from_gives_none() -> None:
    assert intervals([]) == []
    assert intervals([[]]) == [None]
    assert intervals([[1.0]]) == [None]
    assert intervals([[1.0, 0.0]], ["one", "one"]) == [None]


def test_drawing_conversations_widens_what_they_share() -> None:
    column = [1.0] * 50 + [0.0] * 50
    talks = [f"talk {place // 10}" for place in range(100)]
    (alone,), (together,) = intervals([column]), intervals([column], talks)
    assert alone is not None
    assert together is not None
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_two_groups_are_drawn_as_wholes() -> None:
    (ends,) = intervals([[1.0, 1.0, 1.0, 0.0]], ["a", "a", "a", "b"])
    assert ends == (0.0, 1.0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_an_interval_lies_within_the_scores(column: list[float]) -> None:
    (ends,) = intervals([column], resamples=1_000)
    assert ends is not None
    assert min(column) - 1e-9 <= ends[0] <= ends[1] <= max(column) + 1e-9
