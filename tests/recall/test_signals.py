import os
import threading
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from slowwave.errors import DiskFull
from slowwave.model import Caller, Hit, Memory, Signal
from slowwave.recall import signals
from slowwave.recall.signals import Recalled, Recorder, recalled, record

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


class Recording:
    """A store of signals that can be held up, and that can fail."""

    def __init__(self) -> None:
        self.kept: list[Signal] = []
        self.free = threading.Event()
        self.free.set()
        self.full = False

    def signals(self, _space: str, ids: Any = None) -> list[Signal]:
        return [one for one in self.kept if ids is None or one.memory_id in ids]

    def record_signals(self, _space: str, found: list[Signal]) -> None:
        assert self.free.wait(20)
        if self.full:
            raise DiskFull("no room")
        self.kept.extend(found)


NOW = datetime.fromisoformat("2026-05-04T09:00:00+02:00")


def asked(number: int) -> Recalled:
    return Recalled(text=f"which shelf holds box {number}", ts=NOW, found=((f"m{number}", 0.9),))


def workers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "signals"]


def test_nobody_waits_for_a_recall_to_be_counted() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.free.clear()
    for number in range(50):
        recorder.note(asked(number))
    assert store.kept == []
    store.free.set()
    recorder.close()
    assert [one.memory_id for one in store.kept] == [f"m{number}" for number in range(50)]
    assert recorder.lost == 0


def test_there_is_a_thread_only_while_something_waits() -> None:
    before = len(workers())
    recorder = Recorder(Recording(), SPACE)  # type: ignore[arg-type]
    recorder.flush()
    recorder.close()
    assert len(workers()) == before
    recorder.note(asked(1))
    recorder.flush()
    for thread in workers():
        thread.join(20)
    assert len(workers()) == 0


def test_several_threads_lose_nothing() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)

    def work(start: int) -> None:
        for number in range(start, start + 100):
            recorder.note(asked(number))
            if number % 10 == 0:
                recorder.flush()

    threads = [threading.Thread(target=work, args=(100 * place,)) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.close()
    assert len(store.kept) == len({one.memory_id for one in store.kept}) == 600


def test_what_cannot_be_written_is_told_and_the_next_is_written() -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.full = True
    recorder.note(asked(1))
    recorder.flush()
    store.full = False
    recorder.note(asked(2))
    recorder.close()
    assert (recorder.lost, recorder.trouble) == (1, "no room")
    assert [one.memory_id for one in store.kept] == ["m2"]


def test_the_queue_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "MOST_WAITING", 3)
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    store.free.clear()
    recorder.note(asked(0))
    while recorder._waiting:
        threading.Event().wait(0.001)
    for number in range(1, 6):
        recorder.note(asked(number))
    store.free.set()
    recorder.close()
    assert recorder.lost == 2
    assert len(store.kept) == 4


def test_a_child_of_a_fork_leaves_its_parents_recalls_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    # As the child finds it: something waits, for a thread that only the parent has.
    recorder._waiting.append(asked(1))
    recorder._at_work = True
    monkeypatch.setattr(os, "getpid", lambda: -1)
    recorder.flush()
    recorder.note(asked(2))
    recorder.close()
    assert [one.memory_id for one in store.kept] == ["m2"]


def test_without_threads_it_is_counted_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    store: Any = Recording()
    recorder = Recorder(store, SPACE)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        recorder.note(asked(1))
        assert store.kept == []
        recorder.close()
    assert [one.memory_id for one in store.kept] == ["m1"]
