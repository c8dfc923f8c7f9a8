"""What the product is compared with: plain full text, plain vectors over the raw turns, and both.

Each is made as well as it is usually made: stemmed words without stop words, the speaker beside
the turn, and reciprocal rank fusion as published.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import apsw

from slowwave.model import Event, Vector
from slowwave.ports import Embedder, Progress
from slowwave.text.stopwords import ENGLISH

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Tokenizer = Literal["porter unicode61", "trigram"]

BATCH = 32
FUSED = 200
"""Ranks of each list that are fused."""
RRF_K = 60
"""Cormack, Clarke and Büttcher 2009."""
_WORD = re.compile(r"\w+")


class Vectors:
    """Cosine of the question and each raw turn, and nothing else.

    Who speaks is part of the turn, as in the full text beside it: without it a question that names
    somebody is lost, and the comparison would not be fair.
    """

    def __init__(self, events: Sequence[Event], embedder: Embedder, progress: Progress) -> None:
        self._embedder = embedder
        self._events: list[Event] = []
        found: list[Vector] = []
        for start in range(0, len(events), BATCH):
            batch = events[start : start + BATCH]
            vectors = embedder.passages([_said(event) for event in batch])
            for event, vector in zip(batch, vectors, strict=True):
                if vector is not None:
                    self._events.append(event)
                    found.append(vector)
            progress("embed raw turns", start + len(batch), len(events))
        self._matrix = _unit_rows(found)

    def search(self, question: str, k: int) -> list[Event]:
        """The best k events."""
        vector = self._embedder.query(question)
        if vector is None or not self._events:
            return []
        cosines = self._matrix @ _unit_rows([vector])[0]
        return [self._events[place] for place in (-cosines).argsort(kind="stable")[:k]]


def _unit_rows(vectors: Sequence[Vector]) -> "npt.NDArray[np.float32]":
    # Only a run with an embedder needs numpy.
    import numpy as np  # noqa: PLC0415

    table = np.frombuffer(b"".join(vectors), dtype=np.int8).astype(np.float32)
    table = table.reshape(len(vectors), -1) if vectors else table.reshape(0, 1)
    lengths = np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    scaled: npt.NDArray[np.float32] = table / lengths
    return scaled


class FullText:
    """SQLite FTS5: raw turns, a tokenizer of its own, BM25, any word of the question.

    English stop words are left out of a question, unless it has no others.
    """

    def __init__(self, events: Sequence[Event], tokenizer: Tokenizer) -> None:
        self._events = list(events)
        self._tokenizer = tokenizer
        self._db = apsw.Connection(":memory:")
        self._db.execute(f"CREATE VIRTUAL TABLE turns USING fts5(text, tokenize='{tokenizer}')")
        self._db.executemany(
            "INSERT INTO turns (rowid, text) VALUES (?, ?)",
            ((place, _said(event)) for place, event in enumerate(self._events)),
        )

    def search(self, question: str, k: int) -> list[Event]:
        """The best k events."""
        pieces = self._pieces(question)
        if not pieces:
            return []
        asked = " OR ".join(f'"{piece}"' for piece in pieces)
        sql = "SELECT rowid FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT ?"
        return [self._events[row[0]] for row in self._db.execute(sql, (asked, k))]

    def _pieces(self, question: str) -> list[str]:
        words = _WORD.findall(question)
        if self._tokenizer == "trigram":
            words = [word[at : at + 3] for word in words for at in range(max(0, len(word) - 2))]
        words = [word for word in words if word.lower() not in ENGLISH] or words
        return list(dict.fromkeys(words))


def fused(*lists: Sequence[Event]) -> list[Event]:
    """Reciprocal rank fusion: who stands high in several lists is first."""
    events = {event.id: event for ranked in lists for event in ranked}
    sums = dict.fromkeys(events, 0.0)
    for ranked in lists:
        for rank, event in enumerate(ranked[:FUSED], start=1):
            sums[event.id] += 1 / (RRF_K + rank)
    return [events[key] for key in sorted(sums, key=lambda key: (-sums[key], events[key].seq))]


def _said(event: Event) -> str:
    return f"{event.speaker}: {event.text}" if event.speaker else event.text
