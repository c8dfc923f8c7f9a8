"""Recall signals: that a memory was found is evidence that it matters (O9)."""

from collections.abc import Sequence
from datetime import datetime

from slowwave.model import Hit, Signal, text_hash
from slowwave.ports import Store
from slowwave.text.segment import fold


def record(store: Store, space: str, query: str, hits: Sequence[Hit], now: datetime) -> int:
    """Records one signal for each memory among `hits`; returns how many.

    Questions that differ only in case, width or spacing count as one query (O8, query diversity).
    """
    query_hash = text_hash(" ".join(fold(query).split()))
    signals = [
        Signal(memory_id=hit.id, ts=now, query_hash=query_hash, score=hit.score)
        for hit in hits
        if hit.type == "memory"
    ]
    if signals:
        store.record_signals(space, signals)
    return len(signals)
