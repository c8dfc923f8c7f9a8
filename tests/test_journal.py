from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import DiskFull
from slowwave.journal import Journaled, append_all, since
from slowwave.model import Appended, Event

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def events(count: int) -> Iterator[Event]:
    for n in range(count):
        yield Event(
            id=f"e{n}", space="home", identity=str(n), ts=NOW, role="user", kind="message",
            origin="owner", text=f"note {n}", source="test",
        )  # fmt: skip


def test_a_stream_is_stored_in_batches_and_read_back_in_order() -> None:
    store, batches = InMemoryStore(), list[int]()
    done = append_all(
        store, events(10), batch=4, on_batch=lambda told: batches.append(len(told.stored))
    )
    assert done == Journaled(10, 0)
    assert batches == [4, 4, 2]
    assert [event.text for event in since(store, "home", batch=3)] == [
        f"note {n}" for n in range(10)
    ]


def test_reading_goes_on_behind_the_cursor() -> None:
    store = InMemoryStore()
    append_all(store, events(3))
    cursor = list(since(store, "home"))[-1].seq
    append_all(store, events(5))
    assert [event.id for event in since(store, "home", cursor)] == ["e3", "e4"]
    assert list(since(store, "elsewhere")) == []


def test_an_empty_stream_stores_nothing() -> None:
    assert append_all(InMemoryStore(), []) == Journaled(0, 0)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, ValueError])
def test_what_came_before_an_interruption_is_kept(raised: type[BaseException]) -> None:
    def stream() -> Iterator[Event]:
        yield from events(6)
        raise raised

    store = InMemoryStore()
    with pytest.raises(raised):
        append_all(store, stream(), batch=4)
    assert len(list(since(store, "home"))) == 6


def test_a_full_disk_is_told_and_earlier_batches_stand() -> None:
    class Full(InMemoryStore):
        def append(self, events: Sequence[Event]) -> Appended:
            if self.counts("home").events >= 4:
                raise DiskFull("no room")
            return super().append(events)

    store = Full()
    with pytest.raises(DiskFull):
        append_all(store, events(6), batch=4)
    assert store.counts("home").events == 4
