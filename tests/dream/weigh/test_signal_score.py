"""The formulas of O8 and O6 against values computed by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.weigh import score
from slowwave.dream.weigh.score import Score


@pytest.mark.parametrize(
    ("signals", "expected"),
    [(0, 0.0), (1, 0.289065), (3, 0.578130), (6, 0.811508), (10, 1.0), (500, 1.0), (-1, 0.0)],
)
def test_frequency(signals: int, expected: float) -> None:
    assert score.frequency(signals) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("total", "signals", "expected"),
    [(0, 0, 0), (1.86, 3, 0.62), (4.5, 5, 0.9), (9, 3, 1), (-1, 1, 0)],
)
def test_relevance(total: float, signals: int, expected: float) -> None:
    assert score.relevance(total, signals) == pytest.approx(expected)


@pytest.mark.parametrize(("queries", "expected"), [(0, 0), (1, 0.2), (3, 0.6), (5, 1), (32, 1)])
def test_diversity(queries: int, expected: float) -> None:
    assert score.diversity(queries) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("age", "expected"), [(0, 1), (7, 0.707107), (14, 0.5), (28, 0.25), (-3, 1)]
)
def test_recency_halves_in_fourteen_days(age: float, expected: float) -> None:
    assert score.recency(age) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("days", "span", "grounded", "expected"),
    [
        (0, 0, 0, 0.0),
        (1, 0, 0, 0.2),
        (2, 1, 0, 0.301158),  # 0.55·ln2/ln5 + 0.45/7
        (2, 7, 0, 0.686872),
        (3, 2, 0, 0.504007),  # 0.55·ln3/ln5 + 0.45·2/7
        (5, 7, 0, 1.0),
        (9, 90, 0, 1.0),
        (1, 0, 1, 1 / 3),
        (1, 0, 2, 2 / 3),
        (0, 0, 9, 1.0),
        (3, 2, 1, 0.504007),
    ],
)
def test_consolidation(days: int, span: float, grounded: int, expected: float) -> None:
    assert score.consolidation(days, span, grounded) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(("tags", "expected"), [(0, 0), (3, 0.5), (6, 1), (8, 1)])
def test_conceptual(tags: int, expected: float) -> None:
    assert score.conceptual(tags) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("hits", "age", "weight", "expected"),
    [
        (0, 0, 0.06, 0.0),
        (1, 0, 0.06, 0.021372),  # 0.06·ln2/ln7
        (1, 14, 0.06, 0.010686),
        (6, 0, 0.06, 0.06),
        (60, 0, 0.06, 0.06),
        (3, 0, 0.09, 0.064117),  # 0.09·ln4/ln7
        (6, 28, 0.09, 0.0225),
    ],
)
def test_phase_boost(hits: int, age: float, weight: float, expected: float) -> None:
    assert score.boost(hits, age, weight) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("average", "recalls", "days", "tags", "expected"),
    [(0, 0, 0, 0, 0), (1, 6, 3, 6, 1), (0.8, 1, 1, 3, 0.565719), (0.6, 0, 2, 6, 0.503333)],
)
def test_confidence_of_a_truth(
    average: float, recalls: int, days: int, tags: int, expected: float
) -> None:
    assert score.truth(average, recalls, days, tags) == pytest.approx(expected, abs=1e-5)


def test_the_weights_add_up_to_one() -> None:
    full = Score(relevance=1, frequency=1, diversity=1, recency=1, consolidation=1, conceptual=1)
    assert full.total == pytest.approx(1.0)


def test_the_total_is_clamped_only_where_it_is_shown() -> None:
    full = Score(
        relevance=1, frequency=1, diversity=1, recency=1, consolidation=1, conceptual=1,
        light=0.06, rem=0.09,
    )  # fmt: skip
    assert full.total == pytest.approx(1.15)
    assert full.as_dict()["total"] == 1.0


def test_a_whole_score_by_hand() -> None:
    # Three days of notes (0.62), three recalls (0.9) by three questions, today, two concepts.
    made = Score(
        relevance=score.relevance(3 * 0.62 + 3 * 0.9, 6),
        frequency=score.frequency(6),
        diversity=score.diversity(3),
        recency=score.recency(0),
        consolidation=score.consolidation(3, 2, 0),
        conceptual=score.conceptual(2),
    )
    assert made.total == pytest.approx(0.733163, abs=1e-5)


@settings(max_examples=100, deadline=None)
@given(
    st.integers(-5, 10_000), st.floats(0, 1e4), st.integers(0, 400), st.floats(-10, 5000),
    st.integers(0, 50),
)  # fmt: skip
def test_every_component_lies_between_zero_and_one(
    signals: int, total: float, days: int, age: float, few: int
) -> None:
    parts = (
        score.frequency(signals), score.relevance(total, max(0, signals)), score.diversity(few),
        score.recency(age), score.consolidation(days, age, few), score.conceptual(few),
        score.boost(few, age, 1.0),
    )  # fmt: skip
    assert all(0 <= part <= 1 for part in parts)
