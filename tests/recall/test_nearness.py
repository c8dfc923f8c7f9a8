"""Texts outside the indexes are as near to a question as their vectors say."""

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.recall import nearness
from slowwave.recall.nearness import cosine
from slowwave.testing.embedder import HashingEmbedder


def test_a_text_is_nearer_to_its_own_words_than_to_others() -> None:
    texts = ["oil the garden gate", "ring the chimney sweep"]
    found = nearness.of_texts(InMemoryStore(), HashingEmbedder(), "oil the garden gate", texts)
    assert found["oil the garden gate"] > found["ring the chimney sweep"] >= 0


def test_only_so_many_texts_are_embedded_at_once_the_newest() -> None:
    texts = [f"thing number {number}" for number in range(20)]
    found = nearness.of_texts(InMemoryStore(), HashingEmbedder(), "thing", texts)
    assert set(found) == set(texts[-nearness.EMBEDDED_AT_ONCE :])


def test_without_an_embedder_or_texts_nothing_is_told() -> None:
    assert nearness.of_texts(InMemoryStore(), None, "thing", ["thing"]) == {}
    assert nearness.of_texts(InMemoryStore(), HashingEmbedder(), "thing", []) == {}


@pytest.mark.parametrize(
    ("other", "likeness"),
    [
        (b"\x7f\x00", 1.0), (b"\x00\x7f", 0.0), (b"\x00\x7f\x7f\x00", 1.0), (b"\x7f", 0.0),
        (b"", 0.0),
    ],
)  # fmt: skip
def test_of_several_directions_the_nearest_counts(other: bytes, likeness: float) -> None:
    assert cosine(b"\x7f\x00", other) == pytest.approx(likeness)
