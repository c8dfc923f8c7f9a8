from typing import Any

from slowwave.recall import signals

SPACE = "test"


def test_memories_that_were_found_are_recorded(world: Any) -> None:
    event = world.say("the spare key hangs behind the barometer")
    memory = world.learn(event)
    other = world.say("the barometer was a gift")
    hits = world.ask("barometer")
    assert {hit.id for hit in hits} == {memory.id, other.id}
    now = hits[0].ts
    assert signals.record(world.store, SPACE, "Barometer ", hits, now) == 1
    assert signals.record(world.store, SPACE, "barometer", hits, now) == 1
    kept = world.store.memories_by_id(SPACE, [memory.id])[memory.id]
    assert kept.access_count == 2
    assert signals.record(world.store, SPACE, "x", [], now) == 0
