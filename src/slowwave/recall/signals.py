"""Recall signals: that a memory was found is evidence that it matters (O9)."""

from collections.abc import Sequence
from datetime import datetime

from slowwave.model import Hit, Signal, text_hash
from slowwave.ports import Store
from slowwave.text.noise import noise_reason
from slowwave.text.segment import fold

NOT_ASKED = frozenset(
    {"blank", "no words", "recalled", "control word", "heartbeat", "greeting", "acknowledgement"}
)
"""Texts that ask for nothing: what they happen to find is no evidence. A timer that looks in every
hour would otherwise outvote whatever people ask for."""

BESIDE_THE_BEST = 0.6
"""Share of the best hit's score from which a hit was found, and not only listed below it. In a
small home every question lists everything."""


def record(store: Store, space: str, query: str, hits: Sequence[Hit], now: datetime) -> int:
    """Records one signal for each memory that was found; returns how many.

    Only what somebody asked for counts (`NOT_ASKED`), and of `hits` those that come near the best
    one (`BESIDE_THE_BEST`). Questions that differ only in case, width or
    spacing count as one query (O8, query diversity).
    """
    least = BESIDE_THE_BEST * max((hit.score for hit in hits), default=0.0)
    found = [hit for hit in hits if hit.type == "memory" and hit.score >= least]
    if not found or noise_reason(query) in NOT_ASKED:
        return 0
    query_hash = text_hash(" ".join(fold(query).split()))
    store.record_signals(
        space,
        [Signal(memory_id=hit.id, ts=now, query_hash=query_hash, score=hit.score) for hit in found],
    )
    return len(found)
