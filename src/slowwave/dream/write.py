"""Write: the only stage that changes anything. The ledger first, in one transaction, then the log.

A kill between the two loses no memory: the log is derived and is written again from the ledger.
"""

from collections.abc import Sequence
from datetime import datetime

from slowwave import ledger
from slowwave.model import Dream
from slowwave.ports import DreamLog, Store


def write(
    store: Store, log: DreamLog, dream: Dream, now: datetime, only: Sequence[str] = ()
) -> Dream:
    """Applies a plan (or the chosen changes of it) and writes its log. Errors as `ledger.apply`."""
    applied = ledger.apply(store, dream, now, only)
    store.drop_stages(dream.space, dream.dream_id)
    log.write(applied)
    return applied
