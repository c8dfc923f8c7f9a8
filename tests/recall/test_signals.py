from typing import Any

import msgspec
import pytest

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


@pytest.mark.parametrize("text", ["[heartbeat] 09:00 all well", "hello there!", "好的", "  ", "?!"])
def test_what_asks_for_nothing_is_no_signal(world: Any, text: str) -> None:
    memory = world.learn(world.say("the spare key hangs behind the barometer"))
    hits = world.ask("barometer")
    assert signals.record(world.store, SPACE, text, hits, hits[0].ts) == 0
    assert world.store.memories_by_id(SPACE, [memory.id])[memory.id].access_count == 0


@pytest.mark.parametrize("text", ["barometer", "晴雨表在哪", "B2-117", "notes/keys.md", "42?"])
def test_a_short_question_is_a_question(world: Any, text: str) -> None:
    world.learn(world.say("the spare key hangs behind the barometer"))
    hits = world.ask("barometer")
    assert signals.record(world.store, SPACE, text, hits, hits[0].ts) == 1


def test_what_is_only_listed_below_the_best_was_not_found(world: Any) -> None:
    memory = world.learn(world.say("the spare key hangs behind the barometer"))
    (hit,) = [hit for hit in world.ask("barometer") if hit.id == memory.id]
    strong = msgspec.structs.replace(hit, id="other", type="event", score=1.0)
    for score, counted in ((0.59, 0), (0.61, 1)):
        weak = msgspec.structs.replace(hit, score=score)
        assert signals.record(world.store, SPACE, "barometer", [strong, weak], hit.ts) == counted
