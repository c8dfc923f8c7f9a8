"""Write: the only stage that changes anything. The ledger first, in one transaction, then the log.

A kill or a full disk between the two loses no memory: the log is derived from the ledger.
"""

from collections.abc import Sequence
from datetime import datetime

from slowwave import ledger
from slowwave.errors import StoreError
from slowwave.model import Dream
from slowwave.ports import DreamLog, Store


def write(
    store: Store, log: DreamLog, dream: Dream, now: datetime, only: Sequence[str] = ()
) -> Dream:
    """Applies a plan (or the chosen changes of it) and writes its log.

    Errors as `ledger.apply`, where nothing has changed; a StoreError that says so when the dream
    is applied but could not be tidied up or logged.
    """
    applied = ledger.apply(store, dream, now, only)
    try:
        store.drop_stages(dream.space, dream.dream_id)
        log.write(applied)
    except StoreError as error:
        raise type(error)(
            f"dream {dream.dream_id} is applied, but its log was not written: {error.message}",
            f"nothing is lost: `slowwave dreams show {dream.dream_id}` tells the same",
        ) from error
    return applied
