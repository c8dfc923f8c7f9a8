"""A sketch of many directions: one bit per dimension, for a quick scan before the exact scores.

A bit says on which side of the middle of all directions a component lies: vectors of text lean to
one side, and bare signs would be nearly the same for all of them. Two directions are near when few
bits differ. Rows of bits are kept by columns of 64, so that a scan reads memory straight on.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CHUNK = 8_192
"""Directions that are turned into bits at once: each needs its numbers in single precision."""

OUTGROWN = 2
"""A middle is found anew when there are so many times more directions than it was made of."""

_SET_BITS = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)


class Sketch(NamedTuple):
    """The bits of directions: `columns` is one row of 64 dimensions per word, `seen` says of how
    many directions `middle` is the mean."""

    middle: NDArray[np.float32]
    seen: int
    columns: NDArray[np.uint64]

    def nearest(self, query: NDArray[np.int8], wanted: int) -> NDArray[np.int64]:
        """The rows of at least the `wanted` directions from which the fewest bits differ."""
        square = query.astype(np.float64) @ query.astype(np.float64)
        own = _bits(query[None, :], np.sqrt(np.array([square])), self.middle)
        differing = np.zeros(self.columns.shape[1], np.uint16)
        for column, word in zip(self.columns, own[:, 0], strict=True):
            differing += _count_bits(column ^ word)
        # How many rows have so many bits or fewer, until that is enough: no row need be sorted.
        reach = np.searchsorted(np.cumsum(np.bincount(differing)), wanted)
        return np.flatnonzero(differing <= reach)


def drawn(vectors: NDArray[np.int8], squares: NDArray[np.float64], old: Sketch | None) -> Sketch:
    """The sketch of these directions, given the squares of their lengths; `old` is that of the
    first of them."""
    count = len(vectors)
    lengths = np.sqrt(squares)
    if old is not None and count < OUTGROWN * old.seen:
        first = old.columns.shape[1]
        fresh = _bits(vectors[first:], lengths[first:], old.middle)
        return Sketch(old.middle, old.seen, np.concatenate((old.columns, fresh), axis=1))
    middle = np.zeros(vectors.shape[1], np.float32)
    for start in range(0, count, CHUNK):
        part = slice(start, start + CHUNK)
        middle += (1 / lengths[part]).astype(np.float32) @ vectors[part].astype(np.float32)
    middle /= count
    return Sketch(middle, count, _bits(vectors, lengths, middle))


def _bits(
    vectors: NDArray[np.int8], lengths: NDArray[np.float64], middle: NDArray[np.float32]
) -> NDArray[np.uint64]:
    """(words, directions): whether each component is above the middle."""
    count, size = vectors.shape
    words = -(-size // 64)
    packed = np.zeros((count, words * 8), np.uint8)
    for start in range(0, count, CHUNK):
        part = slice(start, start + CHUNK)
        above = vectors[part] > lengths[part, None] * middle
        packed[part, : -(-size // 8)] = np.packbits(above, axis=1)
    return np.ascontiguousarray(packed.view(np.uint64).T)


def _count_bits(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits of each word are set."""
    if hasattr(np, "bitwise_count"):  # since NumPy 2
        counts: NDArray[np.uint8] = np.bitwise_count(words)
    else:
        counts = _SET_BITS[words.view(np.uint8)].reshape(-1, 8).sum(axis=1, dtype=np.uint8)
    return counts
