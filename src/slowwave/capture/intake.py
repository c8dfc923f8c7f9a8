"""Records → journal: admits each one, appends in batches, and tells what became of them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import NamedTuple

import msgspec

from slowwave import journal
from slowwave.capture.envelope import Intake, admit
from slowwave.model import Appended, Event, Record, Skipped
from slowwave.ports import Progress, Store, no_progress

__all__ = ["Logged", "TakenIn", "take_in"]


class Logged(NamedTuple):
    """One event that is new and durable now."""

    id: str
    ts: datetime


MOST_LISTED = 10_000
"""Skipped records that are told one by one; of a file that is all damage the rest are counted."""


class TakenIn(msgspec.Struct, frozen=True):
    """What taking in did. `ids` is filled only when asked for; `unlisted` were skipped as well."""

    events: int
    duplicates: int
    skipped: tuple[Skipped, ...]
    ids: tuple[Logged, ...] = ()
    unlisted: int = 0


def take_in(
    store: Store,
    items: Iterable[Record | Skipped],
    intake: Intake,
    *,
    batch: int = journal.BATCH,
    want_ids: bool = False,
    progress: Progress = no_progress,
) -> TakenIn:
    """Takes a stream of records into the journal of `intake.space`; safe to repeat.

    Bad records are skipped and counted with their line. Memory is bounded by `batch`, apart from
    one short key per record without a foreign id, and the ids if wanted.
    """
    skipped = _Skips()
    ids: list[Logged] = []
    done = 0

    def stored(batch_done: Appended) -> None:
        nonlocal done
        done += len(batch_done.stored) + batch_done.duplicates
        progress("events", done, 0)
        if want_ids:
            ids.extend(Logged(event.id, event.ts) for event in batch_done.stored)

    events = _admitted(items, intake, skipped)
    journaled = journal.append_all(store, events, batch=batch, on_batch=stored)
    return TakenIn(
        journaled.events, journaled.duplicates, tuple(skipped.listed), tuple(ids), skipped.unlisted
    )


class _Skips:
    """The first skipped records, and how many came after them."""

    def __init__(self) -> None:
        self.listed: list[Skipped] = []
        self.unlisted = 0

    def add(self, item: Skipped) -> None:
        if len(self.listed) < MOST_LISTED:
            self.listed.append(item)
        else:
            self.unlisted += 1


def _admitted(
    items: Iterable[Record | Skipped], intake: Intake, skipped: _Skips
) -> Iterator[Event]:
    seen: Counter[str] = Counter()
    for item in items:
        result = item if isinstance(item, Skipped) else admit(item, intake, seen)
        if isinstance(result, Skipped):
            skipped.add(result)
        else:
            yield result
