from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from slowwave.model import Caller, Hit, Memory
from slowwave.recall.signals import Recalled, recalled, record

SPACE = "test"


def note(text: str, hits: list[Hit], ts: datetime, **given: Any) -> Recalled:
    return recalled(text, hits, ts, **given)


@pytest.fixture
def known(world: Any) -> Memory:
    memory: Memory = world.learn(world.say("the spare key hangs behind the barometer"))
    return memory


def test_memories_that_were_found_are_recorded(world: Any) -> None:
    event = world.say("the spare key hangs behind the barometer")
    memory = world.learn(event)
    other = world.say("the barometer was a gift")
    hits = world.ask("barometer")
    assert {hit.id for hit in hits} == {memory.id, other.id}
    now = hits[0].ts
    assert record(world.store, SPACE, [note("Barometer ", hits, now, session="s7")]) == 1
    assert record(world.store, SPACE, [note("barometer", hits, now)]) == 1
    kept = world.store.memories_by_id(SPACE, [memory.id])[memory.id]
    assert kept.access_count == 2
    first, second = world.store.signals(SPACE)
    assert first.query_hash == second.query_hash
    score = {hit.id: hit.score for hit in hits}[memory.id]
    assert (first.session, first.caller, first.score) == ("s7", "person", score)
    assert record(world.store, SPACE, [note("x", [], now)]) == 0
    assert record(world.store, SPACE, []) == 0


@pytest.mark.parametrize("text", ["[heartbeat] 09:00 all well", "hello there!", "好的", "  ", "?!"])
def test_what_asks_for_nothing_is_no_signal(world: Any, known: Memory, text: str) -> None:
    hits = world.ask("barometer")
    assert record(world.store, SPACE, [note(text, hits, hits[0].ts)]) == 0
    assert world.store.memories_by_id(SPACE, [known.id])[known.id].access_count == 0


@pytest.mark.parametrize("text", ["barometer", "晴雨表在哪", "B2-117", "notes/keys.md", "42?"])
@pytest.mark.usefixtures("known")
def test_a_short_question_is_a_question(world: Any, text: str) -> None:
    hits = world.ask("barometer")
    assert record(world.store, SPACE, [note(text, hits, hits[0].ts)]) == 1


def test_what_is_only_listed_below_the_best_was_not_found(world: Any, known: Memory) -> None:
    (hit,) = [hit for hit in world.ask("barometer") if hit.id == known.id]
    strong = msgspec.structs.replace(hit, id="other", type="event", score=1.0)
    for score, counted in ((0.59, 0), (0.61, 1)):
        weak = msgspec.structs.replace(hit, score=score)
        asked = [note("barometer", [strong, weak], hit.ts)]
        assert record(world.store, SPACE, asked) == counted


@pytest.mark.parametrize(
    ("caller", "counted"), [("person", 1), ("agent", 1), ("job", 0), ("evaluation", 0)]
)
@pytest.mark.usefixtures("known")
def test_only_who_uses_what_he_finds_counts(world: Any, caller: Caller, counted: int) -> None:
    hits = world.ask("barometer")
    asked = [note("barometer", hits, hits[0].ts, caller=caller)]
    assert record(world.store, SPACE, asked) == counted
    assert [signal.caller for signal in world.store.signals(SPACE)] == [caller] * counted


@pytest.mark.usefixtures("known")
def test_an_agent_finds_a_memory_once_a_day_in_a_session(world: Any) -> None:
    hits = world.ask("barometer")
    morning = hits[0].ts.replace(hour=8)
    turns = [
        note(text, hits, morning + timedelta(minutes=minute), session=session, caller="agent")
        for minute, (text, session) in enumerate(
            [("where is the key", "s1"), ("where is the key", "s1"), ("the key, where?", "s1"),
             ("where is the key", "s2")]
        )
    ]  # fmt: skip
    assert record(world.store, SPACE, turns[:1]) == 1
    assert record(world.store, SPACE, turns) == 1
    assert [signal.session for signal in world.store.signals(SPACE)] == ["s1", "s2"]
    tomorrow = msgspec.structs.replace(turns[0], ts=morning + timedelta(days=1))
    assert record(world.store, SPACE, [tomorrow, tomorrow]) == 1


@pytest.mark.usefixtures("known")
def test_an_agent_without_a_session_asks_each_question_once_a_day(world: Any) -> None:
    hits = world.ask("barometer")
    one = note("where is the key", hits, hits[0].ts, caller="agent")
    other = note("钥匙在哪里", hits, hits[0].ts, caller="agent")
    assert record(world.store, SPACE, [one, other, one]) == 2


@pytest.mark.usefixtures("known")
def test_a_person_may_ask_again(world: Any) -> None:
    hits = world.ask("barometer")
    one = note("where is the key", hits, hits[0].ts, session="s1")
    assert record(world.store, SPACE, [one, one]) == 2


def test_processes_that_ask_at_once_count_once(world: Any, known: Memory) -> None:
    """Each looks and writes in one step: between them no other can come."""
    asked = [
        Recalled(
            text=f"spare key, please, number {number}", ts=datetime.fromisoformat(MORNING),
            found=((known.id, 0.9),), session="talk", caller="agent",
        )
        for number in range(8)
    ]  # fmt: skip
    inner = world.store.record_signals
    written: list[bool] = []

    def record_signals(space: str, new: Any, admit: Any = None) -> int:
        if not written:
            written.append(True)
            assert record(world.store, SPACE, asked[1:]) == 1  # somebody is quicker
        done: int = inner(space, new, admit)
        return done

    world.store.record_signals = record_signals
    assert record(world.store, SPACE, asked[:1]) == 0
    assert len(world.store.signals(SPACE)) == 1


MORNING = "2026-05-04T09:00:00+02:00"
