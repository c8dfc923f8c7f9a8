from datetime import UTC, datetime
from typing import Any

import msgspec

from slowwave import health
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.model import Add, Dream, Event, Evidence, Memory, Signal, Update

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
TEXT = "I keep three hives behind the barn"
SPAN = Evidence(event_id="e1", quote="three hives", start=7, end=18)


def memory(memory_id: str = "m1", **fields: Any) -> Memory:
    given = {
        "id": memory_id, "kind": "fact", "subject": "user", "title": "hives", "text": TEXT,
        "entities": (), "importance": 60, "confidence": 0.9, "status": "active",
        "standing": "standing", "negated": False, "evidence": (SPAN,), "dream_id": "d1",
        "first_seen": NOW, "last_seen": NOW,
    }  # fmt: skip
    return Memory(**{**given, **fields})


def dream(
    *changes: Any, dream_id: str = "d1", status: Any = "applied", event_ids: Any = ("e1",)
) -> Dream:
    return Dream(
        dream_id=dream_id, space="home", mode="apply", date="2026-05-04", run_at=NOW,
        status=status, changes=changes, event_ids=event_ids,
    )  # fmt: skip


def add(after: Memory, change_id: str = "c1") -> Add:
    return Add(id=change_id, memory_id=after.id, after=after, reason="new", approved=True)


EVENT = Event(
    id="e1", space="home", identity="1", ts=NOW, role="user", kind="message", origin="owner",
    text=TEXT, source="test",
)  # fmt: skip


def store_with(*memories: Memory) -> InMemoryStore:
    store = InMemoryStore()
    store.append([EVENT])
    changes = [add(item, f"c{n}") for n, item in enumerate(memories)]
    store.commit(dream(*changes), [], NOW)
    return store


def found(store: InMemoryStore) -> set[str]:
    problems = health.diagnose(store, "home")
    assert all(problem.detail and problem.hint for problem in problems)
    return {problem.check for problem in problems}


def test_a_sound_space_has_no_problems() -> None:
    store = store_with(memory(), memory("m2", superseded_by="m1"))
    before = store.memories_by_id("home", ["m1"])["m1"]
    after = msgspec.structs.replace(before, importance=70, version=2)
    update = Update(
        id="c9", memory_id="m1", before=before, after=after, reason="more", approved=True
    )
    store.commit(dream(update, dream_id="d2", event_ids=()), [], NOW)
    store.record_signals("home", [Signal(memory_id="m1", ts=NOW, query_hash="q", score=0.5)])
    store.save_dream(dream(add(memory("m3")), dream_id="d3", status="planned"))
    assert health.diagnose(store, "home") == ()


def test_an_empty_space_is_sound() -> None:
    assert health.diagnose(InMemoryStore(), "home") == ()


def test_a_quote_that_is_not_in_the_journal_is_found() -> None:
    moved = msgspec.structs.replace(SPAN, start=8, end=19)
    lost = msgspec.structs.replace(SPAN, event_id="e404")
    for span in (moved, lost):
        assert "quotes" in found(store_with(memory(evidence=(span,))))


def test_a_memory_without_evidence_is_found() -> None:
    assert found(store_with(memory(evidence=()))) == {"evidence"}


def test_a_version_gap_is_found() -> None:
    assert found(store_with(memory(version=3))) == {"versions"}


def test_a_successor_that_is_not_there_is_found() -> None:
    assert found(store_with(memory(superseded_by="m404"))) == {"successors"}


def test_a_circle_of_successors_is_found() -> None:
    store = store_with(memory(superseded_by="m2"), memory("m2", superseded_by="m1"))
    assert found(store) == {"successors"}


def test_a_half_applied_dream_is_found() -> None:
    store = store_with(memory())
    store.save_dream(dream(add(memory(), "c0"), add(memory("m2"), "c8")))
    assert found(store) == {"dreams"}


def test_changes_of_a_dream_that_was_not_applied_are_found() -> None:
    store = InMemoryStore()
    store.append([EVENT])
    store.commit(dream(add(memory(), "c0"), status="planned"), [], NOW)
    assert found(store) == {"dreams"}


def test_another_space_is_not_looked_at() -> None:
    assert health.diagnose(store_with(memory(superseded_by="m404")), "elsewhere") == ()
