"""Vector search over large sets: a scan of signs, then exact scores."""

import random
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from slowwave.adapters.store.scoring import nearness
from slowwave.adapters.store.sqlite import SqliteStore, matrix, sketch
from slowwave.model import Vector
from slowwave.testing.samples import event

SIZE = 72  # no whole number of words of bits


def near_to(dice: random.Random, topic: Vector) -> Vector:
    """A direction near another one; all of them lean to one side, as vectors of texts do."""
    return bytes(
        min(127, max(-127, part + dice.randint(-25, 25) + 10)) % 256
        for part in memoryview(topic).cast("b")
    )


def topics(dice: random.Random, count: int) -> list[Vector]:
    return [bytes(dice.randint(-80, 80) % 256 for _ in range(SIZE)) for _ in range(count)]


@pytest.fixture
def scanning(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets of some hundred directions are scanned, and little of them is scored."""
    monkeypatch.setattr(matrix, "SCORED_WHOLE", 50)
    monkeypatch.setattr(matrix, "DRAWN_AT_LEAST", 60)


@pytest.mark.usefixtures("scanning")
def test_a_scan_finds_the_nearest_and_scores_them_exactly(tmp_path: Path) -> None:
    dice = random.Random(5)
    subjects = topics(dice, 20)
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        vectors: dict[str, Vector] = {}
        for round_ in range(4):  # the sketch grows with the set, and is made anew when outgrown
            said = store.append([event(f"{round_} {n}") for n in range(150)]).stored
            new = [
                (each.id, b"".join(near_to(dice, dice.choice(subjects)) for _ in range(parts)))
                for each, parts in zip(said, [1 if round_ % 2 else 2] * len(said), strict=True)
            ]
            store.put_vectors("alder", "event", "compass", new)
            vectors.update(new)
            for subject in subjects:
                question = near_to(dice, subject)
                exact = {one: nearness(question, other) or 0 for one, other in vectors.items()}
                best = sorted(exact.values(), reverse=True)[:5]
                hits = store.nearest("alder", "event", "compass", question, 5)
                assert [hit.score for hit in hits] == pytest.approx(best)
                assert all(hit.score == pytest.approx(exact[hit.id]) for hit in hits)
        kept = next(iter(store._matrices._kept.values()))
        assert kept.sketch is not None
        assert kept.sketch.columns.shape == (2, len(kept.vectors))


def test_bits_are_counted_alike_with_an_older_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    found = np.random.default_rng(3).integers(0, 2**63, 100, dtype=np.uint64)
    new = sketch._count_bits(found).tolist()
    assert new == [bin(word).count("1") for word in found.tolist()]
    monkeypatch.delattr(np, "bitwise_count", raising=False)
    assert sketch._count_bits(found).tolist() == new
