"""BM25 and cosine in plain Python, for the store that has no engine.

BM25 uses the formula and constants of SQLite's FTS5, so that both stores rank alike.
"""

import math

from slowwave.model import Vector
from slowwave.ports import Match

BM25_K1 = 1.2
BM25_B = 0.75
LEAST_IDF = 1e-6
"""FTS5 gives this to words that are in more than half of all rows."""

Words = dict[str, list[str]]
"""The terms of each unit, in their order."""


def bm25(words: Words, phrases: list[list[str]], mode: Match) -> dict[str, float]:
    """Score of each row that holds any (or all) of the phrases, by FTS5's formula."""
    if not phrases:
        return {}
    average = sum(map(len, words.values())) / max(1, len(words))
    hits = [
        {id: n for id, terms in words.items() if (n := _occurrences(terms, phrase))}
        for phrase in phrases
    ]
    found = set(hits[0]).union(*hits) if mode == "any" else set(hits[0]).intersection(*hits)
    scores = dict.fromkeys(found, 0.0)
    for frequencies in hits:
        rows = len(frequencies)
        idf = max(LEAST_IDF, math.log((len(words) - rows + 0.5) / (rows + 0.5)))
        for unit_id in found & frequencies.keys():
            n = frequencies[unit_id]
            norm = BM25_K1 * (1 - BM25_B + BM25_B * len(words[unit_id]) / average)
            scores[unit_id] += idf * n * (BM25_K1 + 1) / (n + norm)
    return scores


def _occurrences(terms: list[str], phrase: list[str]) -> int:
    size = len(phrase)
    return sum(terms[at : at + size] == phrase for at in range(len(terms) - size + 1))


def nearness(question: Vector, stored: Vector) -> float | None:
    """Cosine of a question and the nearest direction of a stored vector; None when sizes differ."""
    size = len(question)
    if not size or not stored or len(stored) % size:
        return None
    return max(cosine(question, stored[at : at + size]) for at in range(0, len(stored), size))


def cosine(a: Vector, b: Vector) -> float:
    """Cosine of two vectors of the same size; 0 when one of them is nothing but zeros."""
    signed_a, signed_b = memoryview(a).cast("b"), memoryview(b).cast("b")
    dot = sum(x * y for x, y in zip(signed_a, signed_b, strict=True))
    norm = math.sqrt(sum(x * x for x in signed_a)) * math.sqrt(sum(x * x for x in signed_b))
    return dot / norm if norm else 0.0
