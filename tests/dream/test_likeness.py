"""Likeness: cosine from the embedder or the store's cache, None without."""

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.likeness import Likeness, cosine
from slowwave.model import Vector


class Counting:
    """An embedder that counts its calls."""

    name = "counting/1"

    def __init__(self) -> None:
        self.calls = 0

    def passages(self, texts) -> list[Vector | None]:
        self.calls += len(texts)
        return [bytes([len(text), 127]) if text else None for text in texts]

    def query(self, text: str) -> Vector | None:
        return self.passages([text])[0]


def test_cosine() -> None:
    assert cosine(bytes([127, 0]), bytes([127, 0])) == pytest.approx(1)
    assert cosine(bytes([127, 0]), bytes([0, 127])) == 0
    assert cosine(bytes([127, 0]), bytes([129, 0])) == pytest.approx(-1)
    assert cosine(bytes([0, 0]), bytes([1, 0])) == 0


def test_no_embedder_no_opinion() -> None:
    assert Likeness(InMemoryStore(), None)("a", "b") is None


def test_each_text_is_embedded_once() -> None:
    embedder = Counting()
    likeness = Likeness(InMemoryStore(), embedder)
    assert likeness("aa", "bb") == pytest.approx(1)
    likeness("aa", "cc")
    assert embedder.calls == 3
    assert likeness("aa", "") is None
