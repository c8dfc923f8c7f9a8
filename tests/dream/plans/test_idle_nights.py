"""A night that had nothing to do is not dreamed again before something changes."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.plans import idle_nights
from slowwave.memory import SlowMemory
from slowwave.testing.samples import MORNING, dream, event

Opener = Callable[..., SlowMemory]

ZONE = MORNING.tzinfo
DAY = date(2031, 3, 14)


def test_what_a_night_is_made_of() -> None:
    assert ZONE is not None
    store = InMemoryStore()
    store.append([event("one")])

    def mark(*dreams: object, terms: str = "rules") -> str:
        return idle_nights.mark_of(store, "alder", DAY, ZONE, dreams, terms)  # type: ignore[arg-type]

    first = mark()
    assert mark() == first
    assert mark(terms="a model") != first
    assert mark(dream()) != first
    assert mark(dream(status="applied")) != mark(dream(status="rolled_back"))
    store.append([event("another day", ts=MORNING + timedelta(days=1))])
    assert mark() == first
    store.append([event("two", ts=MORNING + timedelta(hours=1))])
    assert mark() != first


def test_so_many_are_kept() -> None:
    store = InMemoryStore()
    days = [DAY + timedelta(days=number) for number in range(idle_nights.MOST + 5)]
    for day in days:
        idle_nights.note(store, "alder", day, f"mark of {day}")
    kept = idle_nights.marks(store, "alder")
    assert sorted(kept) == [day.isoformat() for day in days[-idle_nights.MOST :]]
    assert kept[days[-1].isoformat()] == f"mark of {days[-1]}"


@pytest.fixture
def undone(open_at: Opener) -> Callable[[str], SlowMemory]:
    """A day of which all that was learned by turns was undone: nothing is left for its night."""
    memory = open_at("2026-12-01T10:00:00+08:00")
    memory.log_turn("I live in Bergen", "ok", session="s", ts=memory.now())
    (learned,) = memory.catch_up_turns().dreams
    undoing = memory.rollback(learned.dream_id)
    memory.log_turn("I work at the harbour", "ok", session="s", ts=memory.now())
    (learned,) = memory.catch_up_turns().dreams
    assert undoing.dream_id != learned.dream_id
    return lambda now: open_at(now)


def test_it_is_dreamed_once(undone: Callable[[str], SlowMemory]) -> None:
    memory = undone("2026-12-02T03:00:00+08:00")
    nights = memory.dream_due()
    assert [night.date for night in nights] == ["2026-12-01"]
    assert nights[0].status == "nothing_to_do"
    assert memory.dream_due() == []
    assert memory.due() == ()
    later = undone("2026-12-03T03:00:00+08:00")
    assert later.due() == ()


def test_it_is_due_again_when_something_changes(undone: Callable[[str], SlowMemory]) -> None:
    memory = undone("2026-12-02T03:00:00+08:00")
    memory.dream_due()
    memory.log_turn("I keep bees", "ok", session="s2", ts=memory.now() - timedelta(days=1))
    assert [day.isoformat() for day in memory.due()] == ["2026-12-01"]
