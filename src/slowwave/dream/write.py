"""Write: the only stage that changes anything. The ledger first, in one transaction, then the log.

A kill or a full disk between the two loses no memory: the log is derived from the ledger.
"""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from slowwave import ledger
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.errors import DreamError, StoreError
from slowwave.model import Dream
from slowwave.ports import DreamLog, Store
from slowwave.settings import DreamSettings


def write(
    store: Store,
    log: DreamLog,
    dream: Dream,
    now: datetime,
    settings: DreamSettings,
    only: Sequence[str] = (),
) -> Dream:
    """Applies a plan (or the chosen changes of it) and writes its log.

    The gates look at what was chosen: of a refused dream a harmless part can still be applied.
    Errors as `ledger.apply`, and DreamError when a gate refuses, where nothing has changed; a
    StoreError that says so when the dream is applied but could not be tidied up or logged.
    """
    applied = ledger.apply(store, _judged(store, dream, settings, only), now, was=dream)
    try:
        log.write(applied)
        standing = store.dream(dream.space, dream.dream_id)
        if standing is not None and len(standing.changes) != len(applied.changes):
            log.write(standing)  # something was forgotten while the log was written
    except StoreError as error:
        raise type(error)(
            f"dream {dream.dream_id} is applied, but its log was not written: {error.message}",
            f"nothing is lost: `slowwave dreams show {dream.dream_id}` tells the same",
        ) from error
    return applied


def _judged(store: Store, dream: Dream, settings: DreamSettings, only: Sequence[str]) -> Dream:
    """The dream with its choice made and the gates' verdict on just that. DreamError if refused."""
    ledger.refuse_decided(dream)
    chosen = ledger.choose(dream.changes, only)
    taken = tuple(change for change in chosen if change.approved)
    known = store.memories(dream.space, ("candidate", "active", "cold"))
    days = len({span.ts.date() for change in taken for span in change.evidence if span.ts})
    gates = judge(Proposal(taken, known, settings, days))
    stopped = refused(gates)
    if stopped is not None:
        raise DreamError(
            f"dream {dream.dream_id} was refused by the gate {stopped.name}: {stopped.detail}",
            f"nothing was changed; read it with `slowwave dreams diff {dream.dream_id}` and apply "
            "what is right with `--only`, or change [dream.gates] in the settings",
        )
    return msgspec.structs.replace(dream, changes=tuple(chosen), gates=gates)
