"""Doing it: the transaction, then old bytes, copies, logs and files, then the receipt."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from slowwave.erasure.files import HomeFiles
from slowwave.erasure.search import ROUNDS, Plan, Target, find_all
from slowwave.model import Erased, Left, Receipt, Space, Span, Tombstone
from slowwave.ports import DreamLog, Store
from slowwave.text import lately
from slowwave.text.redaction import Places, find, merged
from slowwave.text.signature import Seal

__all__ = ["Finished", "Tools", "erase", "finish"]


def erase(store: Store, space: Space, plan: Plan, now: datetime) -> Erased:
    """Takes out what a plan tells, and what came with the same words while it was read.

    One transaction each; whoever reads sees all of it or nothing.
    """
    erased = store.erase(plan.purge)
    for _ in range(ROUNDS):
        literal = plan.purge.literals[0] if plan.purge.literals else ""
        target = Target(literal=literal, statements=plan.statements)
        again = find_all(store, space, target, now, erased)
        if again.empty:
            break
        erased = store.erase(again.purge)
    lately.forget()
    return erased


class Finished(NamedTuple):
    """A forgetting that is complete: its receipt, where that is kept, and what people wrote."""

    receipt: Receipt
    path: Path
    left: tuple[Left, ...]


class Tools(NamedTuple):
    """What the files of a forgetting need. `pages` brings the vault in step; how many went."""

    store: Store
    files: HomeFiles
    log: DreamLog
    pages: Callable[[Sequence[str]], int]


def finish(
    tools: Tools, erased: Erased, plan: Plan | None = None, *, by_hand: bool = False
) -> Finished:
    """Old bytes, copies, logs and files; then the receipt. Can be repeated, also after a kill.

    Without the plan the words are known by their signature only. Raises StoreError.
    """
    receipt = erased.receipt
    space = receipt.space
    files = _relog(tools, space)
    files += tools.pages(receipt.memory_ids)
    swept, left = tools.files.sweep(_places(receipt.tombstone, plan), by_hand=by_hand)
    files += swept + tools.store.compact()
    removed = msgspec.structs.replace(receipt.removed, files=receipt.removed.files + files)
    bare = msgspec.structs.replace(receipt.tombstone, terms=())
    receipt = msgspec.structs.replace(receipt, removed=removed, tombstone=bare)
    path = tools.files.keep_receipt(receipt)
    tools.store.settle(space, receipt.id, removed.files)
    lately.forget()  # the files were read with the words in mind
    return Finished(receipt, path, left)


def _relog(tools: Tools, space: Space) -> int:
    """Writes the logs of dreams as the dreams are now; how many changed.

    Logs of another space, of a failure, or of a plan that is gone are swept like other files.
    """
    changed = 0
    for dream_id, logged in tools.files.dream_logs():
        dream = tools.store.dream(space, dream_id)
        if dream is not None and dream != logged:
            tools.log.write(dream)
            changed += 1
    return changed


def _places(tombstone: Tombstone, plan: Plan | None) -> Places:
    """Finds the words in a file: by themselves while they are known, else by their signature."""
    seal = Seal(tombstone)

    def places(text: str) -> list[Span]:
        spans = seal.places(text)
        if plan is not None:
            spans += find(text, plan.purge.needles, words_only=True)
            spans += find(text, plan.purge.literals)
        return merged(text, spans)

    return places
