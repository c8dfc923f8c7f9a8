"""How alike two texts are by their vectors: a proposal for `reconcile`, never a decision."""

from math import sqrt
from operator import mul

from slowwave.model import Vector, text_hash
from slowwave.ports import Embedder, Store
from slowwave.text.passages import passage_chars


class Likeness:
    """Cosine of two texts, −1 to 1, or None without an embedder.

    Vectors come from the store's cache where a text was embedded before, and are kept for the
    length of one dream. Nothing is stored, so that a dry run may use it.
    """

    def __init__(self, store: Store | None, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._known: dict[str, Vector | None] = {}

    @property
    def name(self) -> str:
        """The embedder's name; "" without one."""
        return self._embedder.name if self._embedder else ""

    def __call__(self, first: str, second: str) -> float | None:
        """The cosine of two texts, or None where one of them has no vector."""
        one, other = self._vector(first), self._vector(second)
        return None if one is None or other is None else cosine(one, other)

    def near(self, space: str, text: str, limit: int) -> list[str]:
        """The ids of the memories whose vectors are nearest to a text, best first."""
        vector = self._vector(text)
        if vector is None or self._store is None or self._embedder is None:
            return []
        found = self._store.nearest(space, "memory", self._embedder.name, vector, limit)
        return [one.id for one in found]

    def _vector(self, text: str) -> Vector | None:
        if self._embedder is None:
            return None
        if text not in self._known:
            self._known[text] = self._cached(text) or self._embedder.passages([text])[0]
        return self._known[text]

    def _cached(self, text: str) -> Vector | None:
        # What the store keeps of a long text are the directions of its passages.
        if self._store is None or self._embedder is None or len(text) > passage_chars(text):
            return None
        key = text_hash(text)
        return self._store.cached_vectors(self._embedder.name, [key]).get(key)


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of two vectors of signed bytes; 0 when one of them is all zero."""
    first, second = memoryview(one).cast("b"), memoryview(other).cast("b")
    length = sqrt(sum(map(mul, first, first)) * sum(map(mul, second, second)))
    return sum(map(mul, first, second)) / length if length else 0.0
