"""Nights that had nothing to do: not dreamed again before something changes.

Such a night leaves no dream, so nothing else tells that it was there. What it was made of is kept
as one hash: the events it could have read, what the ledger held, and who was to read them.
"""

from collections.abc import Sequence
from datetime import date, tzinfo

from slowwave.model import Dream, day_bounds, text_hash
from slowwave.ports import Store

__all__ = ["mark_of", "marks", "note"]

LIST = "quiet"
"""The id under which the marks are kept, beside the stages of dreams."""
MOST = 62
"""So many nights are remembered, the latest."""


def marks(store: Store, space: str) -> dict[str, str]:
    """The nights that had nothing to do, each with what it was made of."""
    return {day: mark.decode() for day, mark in store.stages(space, LIST).items()}


def mark_of(
    store: Store, space: str, day: date, zone: tzinfo, dreams: Sequence[Dream], terms: str
) -> str:
    """What a night is made of now. `terms` stand for how it would be dreamed."""
    unread = store.undreamed(space, *day_bounds(day, zone))
    standing = (f"{dream.dream_id}:{dream.status}" for dream in dreams)
    return text_hash("\x1f".join((terms, *(event.id for event in unread), *standing)))


def note(store: Store, space: str, day: date, mark: str) -> None:
    """Remembers that a night had nothing to do."""
    known = {**marks(store, space), day.isoformat(): mark}
    if len(known) > MOST:
        store.drop_stages(space, LIST)
        for kept in sorted(known)[-MOST:]:
            store.put_stage(space, LIST, kept, known[kept].encode())
    else:
        store.put_stage(space, LIST, day.isoformat(), mark.encode())
