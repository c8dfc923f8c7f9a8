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


class TakenIn(msgspec.Struct, frozen=True):
    """What taking in did. `ids` is filled only when asked for."""

    events: int
    duplicates: int
    skipped: tuple[Skipped, ...]
    ids: tuple[Logged, ...] = ()


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
    one short key per record without a foreign id, the skipped ones, and the ids if wanted.
    """
    skipped: list[Skipped] = []
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
    return TakenIn(journaled.events, journaled.duplicates, tuple(skipped), tuple(ids))


def _admitted(
    items: Iterable[Record | Skipped], intake: Intake, skipped: list[Skipped]
) -> Iterator[Event]:
    seen: Counter[str] = Counter()
    for item in items:
        result = item if isinstance(item, Skipped) else admit(item, intake, seen)
        if isinstance(result, Skipped):
            skipped.append(result)
        else:
            yield result
