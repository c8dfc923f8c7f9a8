"""The journal: an append-only record of what happened, read since a cursor, never edited.

What it reports as stored is durable. A stream is taken in by batches, so memory stays bounded;
when reading stops short (Ctrl-C, a damaged file), what was read before is stored first.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import msgspec

from slowwave.model import Appended, Event
from slowwave.ports import Store

__all__ = ["BATCH", "Journaled", "append_all", "since"]

BATCH = 2000


class Journaled(msgspec.Struct, frozen=True):
    """How many events are new, and how many the journal knew."""

    events: int
    duplicates: int


def append_all(
    store: Store,
    events: Iterable[Event],
    *,
    batch: int = BATCH,
    on_batch: Callable[[Appended], None] | None = None,
) -> Journaled:
    """Appends a stream of events in batches; each batch is durable before the next is read.

    `on_batch` is told of every stored batch. What the stream raises passes on, after all events
    that it gave until then are stored.
    """
    stored = duplicates = 0
    stream = iter(events)
    more = True
    while more:
        chunk: list[Event] = []
        try:
            for event in islice(stream, batch):
                chunk.append(event)  # noqa: PERF402 - what came before an interruption must be kept
            more = len(chunk) == batch
        finally:
            done = store.append(chunk) if chunk else Appended((), 0)
            stored += len(done.stored)
            duplicates += done.duplicates
            if chunk and on_batch is not None:
                on_batch(done)
    return Journaled(stored, duplicates)


def since(store: Store, space: str, cursor: int = 0, *, batch: int = BATCH) -> Iterator[Event]:
    """All events with a larger `seq` than the cursor, in journal order, read in batches."""
    while True:
        events = store.events_after(space, cursor, batch)
        if not events:
            return
        yield from events
        cursor = events[-1].seq
