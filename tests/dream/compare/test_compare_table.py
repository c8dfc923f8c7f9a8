"""The shipped table of `compare` and the pairs it is fitted on."""

import json
import math
from pathlib import Path
from typing import get_args

import pytest

from slowwave.dream.compare import relation as product
from slowwave.dream.compare.reading.lexicon import MARKS
from slowwave.dream.compare.reading.statement import read
from slowwave.dream.compare.signals import pair_up, signals
from slowwave.model import Relation

REPOSITORY = Path(__file__).parents[3]
TABLE = Path(product.__file__).with_name("table.json")
PAIRS = REPOSITORY / "bench" / "pairs.txt"
HELD_OUT = REPOSITORY / "tests" / "dream" / "compare" / "test_compare.py"

Pair = tuple[str, str, str]


def pairs() -> list[Pair]:
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [(relation, a, b) for relation, a, b in rows]


def plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def known_signals() -> set[str]:
    """A name for each mark of either side, and all that the signals give among the pairs."""
    found = {
        name
        for _, a, b in pairs()
        for one, other in ((a, b), (b, a))
        for cosine in (None, 0.8, 0.95)
        for name in signals(pair_up(read(one), read(other), cosine))
    }
    return found | {f"{side}_{mark}" for side in "ab" for mark in MARKS}


def test_the_table_has_a_finite_weight_for_every_relation() -> None:
    table = product._table()
    relations = get_args(Relation)
    assert set(product._RELATIONS) == set(relations)
    for weights in (table.bias, *table.weights.values()):
        assert len(weights) == len(relations)
        assert all(math.isfinite(weight) for weight in weights)


def test_every_weight_is_for_a_signal_that_exists() -> None:
    # A signal that was renamed would leave its weights behind, unused and unnoticed.
    assert set(product._table().weights) - known_signals() == set()


def test_the_table_holds_numbers_and_names_of_signals_and_no_text() -> None:
    stored = json.loads(TABLE.read_bytes())
    assert set(stored) == {"bias", "weights"}
    assert all(name.isascii() and name.isidentifier() for name in stored["weights"])
    numbers = [value for line in (stored["bias"], *stored["weights"].values()) for value in line]
    assert all(isinstance(value, int | float) for value in numbers)


@pytest.mark.parametrize("relation", product._RELATIONS)
def test_the_pairs_show_every_relation_in_both_languages(relation: str) -> None:
    chosen = [a + b for name, a, b in pairs() if name == relation]
    assert sum(text.isascii() for text in chosen) >= 5
    assert sum(not text.isascii() for text in chosen) >= 5


def test_no_pair_stands_twice() -> None:
    sides = [frozenset((plain(a), plain(b))) for _, a, b in pairs()]
    assert len(sides) == len(set(sides))


def test_what_the_comparison_is_tested_on_was_not_learnt() -> None:
    lines = HELD_OUT.read_text(encoding="utf-8").splitlines()
    tested = {frozenset(map(plain, line.split(" | "))) for line in lines if line.count(" | ") == 1}
    assert len(tested) > 50
    learnt = {frozenset((plain(a), plain(b))) for _, a, b in pairs()}
    assert tested & learnt == set()
