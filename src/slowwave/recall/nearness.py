"""How near texts come to a question by meaning alone: candidates, and texts of no index."""

import math
from collections.abc import Mapping, Sequence

from slowwave.model import Vector, text_hash
from slowwave.ports import Embedder, Store
from slowwave.recall import centred, rank
from slowwave.recall.found import Found
from slowwave.recall.question import Asked
from slowwave.text.segment import cjk_share

EMBEDDED_AT_ONCE = 8
"""Texts without a vector that one question waits for; the newest of them."""

NEAREST, BEST = 40, 24
"""Candidates that are measured: those of the nearest vectors, and those of the best scores."""


def of_texts(
    store: Store, embedder: Embedder | None, question: str, texts: Sequence[str]
) -> Mapping[str, float]:
    """Likeness of each text, 0-1 in the embedder's range; those without a vector are missing."""
    if embedder is None or not texts:
        return {}
    asked = embedder.query(question)
    if asked is None:
        return {}
    kept = store.cached_vectors(embedder.name, [text_hash(text) for text in texts])
    known = {text: kept[text_hash(text)] for text in texts if text_hash(text) in kept}
    missing = [text for text in dict.fromkeys(texts) if text not in known][-EMBEDDED_AT_ONCE:]
    fresh = zip(missing, embedder.passages(missing), strict=True)
    known |= {text: vector for text, vector in fresh if vector is not None}
    scale = rank.calibration(embedder.name, cjk_share(question))
    return {
        text: max(0.0, rank.likeness(cosine(asked, vector), scale))
        for text, vector in known.items()
    }


def measure(store: Store, turns: Sequence[Found], found: Sequence[Found], asked: Asked) -> None:
    """Fills `meaning` of the nearest and of the best; nothing for an embedder without means.

    Reads some dozens of vectors by their texts. One that is not embedded yet has no meaning.
    """
    centre = centred.of(asked.embedder) if asked.vector is not None else None
    if centre is None or asked.vector is None:
        return
    every = {id(each): each for each in (*turns, *found)}.values()
    near = sorted(every, key=lambda each: -each.part.cosine)[:NEAREST]
    chosen = list({id(each): each for each in (*near, *found[:BEST])}.values())
    keys = [text_hash(each.unit.text) for each in chosen]
    kept = store.cached_vectors(asked.embedder, list(dict.fromkeys(keys)))
    known = [(each, kept[key]) for each, key in zip(chosen, keys, strict=True) if kept.get(key)]
    if known:
        texts = [(vector, centred.share(each.unit.text)) for each, vector in known]
        values = centred.likeness(centre, asked.vector, asked.share, texts)
        for (each, _), value in zip(known, values, strict=True):
            each.meaning = value


def cosine(one: Vector, other: Vector) -> float:
    """Cosine of a vector and the nearest direction of another one; 0 for other lengths."""
    size = len(one)
    if not size or len(other) % size:
        return 0.0
    parts = (other[at : at + size] for at in range(0, len(other), size))
    return max((_cosine(one, part) for part in parts), default=0.0)


def _cosine(one: Vector, other: Vector) -> float:
    first, second = memoryview(one).cast("b"), memoryview(other).cast("b")
    dot = sum(a * b for a, b in zip(first, second, strict=True))
    norm = math.sqrt(sum(a * a for a in first) * sum(b * b for b in second))
    return dot / norm if norm else 0.0
