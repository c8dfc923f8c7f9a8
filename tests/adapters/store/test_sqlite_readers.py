"""Readers beside a dream that is being written: no error, and all of it or nothing."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.adapters.store.sqlite import SqliteStore, ledger
from slowwave.model import Change, Dream, Memory
from slowwave.recall.retrieve import Query, recall
from slowwave.settings import RecallSettings
from slowwave.testing import HashingEmbedder
from slowwave.testing.samples import MORNING, add, dream, event, memory, update, words

THINGS = ("anvil", "bellows", "chisel", "drill", "easel", "file")
EMBEDDER = HashingEmbedder()
RECALLED = 2
"""Where in `seen` the recall stands, which is made of several queries."""


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """The store that writes, and that of another process."""
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as other:
        yield one, other


def tool(name: str, **fields: Any) -> Memory:
    return memory(f"The {name} hangs in the workshop", id=f"me-{name}", **fields)


def seen(store: SqliteStore) -> tuple[object, ...]:
    """Everything a reader can see of the dream."""
    query = Query(text="what hangs in the workshop or barn", space="alder", k=20,
                  now=MORNING + timedelta(days=1), scope="memories")  # fmt: skip
    found = store.match("alder", "memory", "own", [("barn",)], mode="any", limit=99)
    vector = EMBEDDER.query("barn")
    assert vector is not None
    return (
        sorted((each.id, each.version, each.text) for each in store.memories("alder")),
        sorted(hit.id for hit in found),
        sorted(hit.text for hit in recall(store, None, query, RecallSettings())),
        sorted(hit.id for hit in store.nearest("alder", "memory", EMBEDDER.name, vector, 99)),
        [each.status for each in store.dreams("alder")],
        len(store.undreamed("alder", None, None)),
        store.counts("alder").memories,
    )


def from_threads(store: SqliteStore, count: int) -> list[tuple[object, ...]]:
    """What several readers see at once; a reader that fails is missed."""
    found: list[tuple[object, ...]] = []
    threads = [threading.Thread(target=lambda: found.append(seen(store))) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def morning_after(store: SqliteStore) -> Callable[[], None]:
    """A home with one dream, and what commits the next: three changed memories, three new ones."""
    said = store.append([event("The bellows went to the barn"), event("So did the rest")]).stored
    old = [tool(name) for name in THINGS[:3]]
    rows = [words(each.id, "hang workshop") for each in old]
    first = dream(*(add(each) for each in old), event_ids=(said[0].id,))
    store.commit(first, rows, MORNING)
    vectors = EMBEDDER.passages([each.text for each in old])
    pairs = [(each.id, vector) for each, vector in zip(old, vectors, strict=True) if vector]
    store.put_vectors("alder", "memory", EMBEDDER.name, pairs)
    moved = [update(each, text=each.text.replace("workshop", "barn")) for each in old]
    new = [add(tool(name)) for name in THINGS[3:]]
    second = dream(*moved, *new, dream_id="dr2", event_ids=(said[1].id,))
    rows = [words(each.memory_id, "hang barn") for each in second.changes]
    return lambda: store.commit(second, rows, MORNING)


def test_readers_see_all_of_a_dream_or_nothing(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, elsewhere = stores
    commit = morning_after(writing)
    before = seen(elsewhere)
    meanwhile: list[list[tuple[object, ...]]] = []
    apply = ledger._apply

    def observed(connection: Any, plan: Dream, change: Change, recorded: Any) -> None:
        apply(connection, plan, change, recorded)
        meanwhile.append([*from_threads(writing, 2), *from_threads(elsewhere, 2)])

    monkeypatch.setattr(ledger, "_apply", observed)
    commit()
    assert meanwhile == [[before] * 4] * len(THINGS)
    after = [*from_threads(writing, 4), *from_threads(elsewhere, 4)]
    assert after == [after[0]] * 8
    memories, found, *_ = after[0]
    assert isinstance(memories, list)
    assert [(unit_id, version) for unit_id, version, _ in memories] == [
        (f"me-{name}", 1 + (place < 3)) for place, name in enumerate(THINGS)
    ]
    assert found == [f"me-{name}" for name in THINGS]


def test_a_dream_that_fails_half_way_was_never_there(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    writing, elsewhere = stores
    commit = morning_after(writing)
    before = seen(elsewhere)
    apply = ledger._apply

    def failing(connection: Any, plan: Dream, change: Change, recorded: Any) -> None:
        if change.memory_id == "me-easel":
            raise ValueError("the lamp went out")
        apply(connection, plan, change, recorded)

    monkeypatch.setattr(ledger, "_apply", failing)
    with pytest.raises(ValueError, match="lamp"):
        commit()
    assert [*from_threads(writing, 2), *from_threads(elsewhere, 2)] == [before] * 4


def test_eight_readers_ask_while_dreams_are_committed(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    writing, elsewhere = stores
    commit = morning_after(writing)
    states = [seen(elsewhere)]
    ready, stop = threading.Barrier(9), threading.Event()
    found: list[list[tuple[object, ...]]] = []

    def ask(store: SqliteStore) -> None:
        ready.wait()
        answers = [seen(store)]
        while not stop.is_set():
            answers.append(seen(store))
        found.append([*answers, seen(store)])

    threads = [
        threading.Thread(target=ask, args=(store,))
        for store in (writing, elsewhere)
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    ready.wait()
    commit()
    stop.set()
    for thread in threads:
        thread.join()
    states.append(seen(elsewhere))
    assert len(found) == len(threads)
    for answers in found:
        assert answers[-1] == states[1]
        # Each query is of one moment; the dream may be committed between two of them, so also
        # between those that a recall is made of.
        for answer in answers:
            assert all(
                part in (states[0][at], states[1][at])
                for at, part in enumerate(answer)
                if at != RECALLED
            )
