"""An embedder without a model: texts that share characters are near each other. Deterministic."""

import unicodedata
from collections.abc import Sequence
from zlib import crc32

from slowwave.model import Vector

LONGEST_GRAM = 3
LARGEST = 127


class HashingEmbedder:
    """`ports.Embedder` that counts hashed character n-grams (1 to 3) in signed buckets."""

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions

    @property
    def name(self) -> str:
        """Identity of the vectors."""
        return f"hashing-1/{self.dimensions}"

    def passages(self, texts: Sequence[str]) -> list[Vector | None]:
        """Vectors of texts; None for a text of nothing but blanks."""
        return [self.query(text) for text in texts]

    def query(self, text: str) -> Vector | None:
        """The vector of a question: the same as that of a passage."""
        folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        if not folded:
            return None
        buckets = [0] * self.dimensions
        for size in range(1, LONGEST_GRAM + 1):
            for start in range(len(folded) - size + 1):
                hashed = crc32(folded[start : start + size].encode("utf-8", "surrogatepass"))
                buckets[hashed % self.dimensions] += size if hashed >> 31 else -size
        top = max(map(abs, buckets)) or 1
        return bytes(round(count * LARGEST / top) & 0xFF for count in buckets)
