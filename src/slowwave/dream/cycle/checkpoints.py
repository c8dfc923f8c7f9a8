"""Which nights left checkpoints, so that those of plans that are never applied do not stay.

A dream's checkpoints go when it is applied. A night that was killed, or planned again under another
id (more events, other settings), would leave its own for ever: one list in the store names them.
"""

from collections.abc import Mapping

from slowwave.model import DreamStatus
from slowwave.ports import Store

__all__ = ["note", "tidy"]

LIST = "checkpoints"
"""The id under which the list itself is kept, beside those of dreams."""
LABELS = 7
"""Nights whose checkpoints are kept until they are dreamed: the latest so many labels."""


def note(store: Store, space: str, label: str, dream_id: str) -> None:
    """Remembers that the dream of this night leaves checkpoints."""
    store.put_stage(space, LIST, f"{label}/{dream_id}", b"")


def tidy(
    store: Store, space: str, label: str, dream_id: str, statuses: Mapping[str, DreamStatus]
) -> None:
    """After a night's plan was saved: drops the checkpoints that nobody will need.

    Those of other plans of the same night, of dreams that are decided, and of nights long past.
    """
    entries = sorted(name.rpartition("/") for name in store.stages(space, LIST))
    latest = sorted({night for night, _, _ in entries})[-LABELS:]
    stale = [
        (night, other)
        for night, _, other in entries
        if other != dream_id
        and (
            night == label
            or night not in latest
            or statuses.get(other, "planned") not in ("planned", "approved")
        )
    ]
    if not stale:
        return
    for _, other in stale:
        store.drop_stages(space, other)
    store.drop_stages(space, LIST)
    dropped = {other for _, other in stale}
    for night, _, other in entries:
        if other not in dropped:
            note(store, space, night, other)
