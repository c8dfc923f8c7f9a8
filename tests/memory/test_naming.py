"""A name is an id, the beginning of one, or a reference of the caller's own."""

from collections.abc import Callable
from datetime import datetime

import pytest

from slowwave.errors import NotFound, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Record

SAID = (
    ("r-1", "I live in Ghent, near the canal", "a"),
    ("r-2", "My sister Wanda is allergic to walnuts. I am a vegetarian.", "a"),
    ("r-3", "提醒我周五之前交房租", "a"),
    ("r-4", "What a day, nothing to report", "a"),
    ("r-5", "The first of two talks with this number", "a"),
    ("r-5", "The second of two talks with this number", "b"),
    ("m", "I own a red canoe", "a"),
    ("talk:8e2b7d14-0b1c-4c0e-9f61-30d3b4dd3b1a#L7", "I work at the tidal bakery", "a"),
)


@pytest.fixture
def memory(open_at: Callable[..., SlowMemory]) -> SlowMemory:
    memory = open_at()
    memory.log(
        Record(text=text, source=source, ref=ref,
               ts=datetime.fromisoformat(f"2026-11-28T10:{n:02}:00+08:00"))
        for n, (ref, text, source) in enumerate(SAID)
    )  # fmt: skip
    memory.dream("all", apply=True)
    return memory


def of(memory: SlowMemory, words: str) -> str:
    return next(one.id for one in memory.memories() if words in one.text)


def event_of(memory: SlowMemory, words: str) -> str:
    return next(event.id for event in memory.events_since(0) if words in event.text)


def test_a_memory_is_named_by_its_id_its_event_and_the_callers_reference(
    memory: SlowMemory,
) -> None:
    home = of(memory, "Ghent")
    for name in (home, home[:8], f"  {home} ", event_of(memory, "Ghent"), "r-1"):
        assert memory.why(name).memory.id == home, name
    assert memory.why("talk:8e2b7d14…#L7").memory.id == of(memory, "bakery")
    memory.by_hand("pin", "r-1")
    assert memory.why("r-1").memory.pinned
    assert memory.by_hand("demote", event_of(memory, "Ghent")).changes[0].memory_id == home
    # A reference is whole: it comes before the beginnings of ids.
    assert memory.why("m").memory.id == of(memory, "canoe")


def test_what_has_no_memory_or_several_is_told(memory: SlowMemory) -> None:
    with pytest.raises(NotFound, match=r"no memory rests on event e\w+ “What a day") as none:
        memory.why("r-4")
    assert "slowwave dream" in none.value.hint
    for name in ("r-2", event_of(memory, "Wanda")):
        with pytest.raises(NotFound, match=r"may be memory m.*, memory m") as many:
            memory.by_hand("pin", name)
        assert "Wanda" in many.value.message
        assert "vegetarian" in many.value.message
    for name in ("zz", "r-", "R-1", "R-9"):
        with pytest.raises(NotFound, match="names nothing here"):
            memory.why(name)
    for name in ("", " "):
        with pytest.raises(UsageError, match="no id"):
            memory.why(name)


def test_beginnings_that_are_shared_are_told(memory: SlowMemory) -> None:
    with pytest.raises(NotFound, match="'e' may be event e"):
        memory.why("e")
    with pytest.raises(NotFound, match=r"and \d+ others?"):
        memory.wrong("e")
    with pytest.raises(NotFound, match=r"'r-5' may be event .*first.* event .*second"):
        memory.wrong("r-5")


def test_what_was_wrong_is_the_memory_else_the_event(memory: SlowMemory) -> None:
    assert memory.wrong("r-1").origin.id == of(memory, "Ghent")
    assert memory.right("r-1").origin.id == of(memory, "Ghent")
    assert memory.wrong("r-4").origin.type == "event"
    assert memory.wrong(event_of(memory, "Ghent")).origin.type == "event"


def test_the_ledger_is_searched_by_a_reference(memory: SlowMemory) -> None:
    memory.context("where do I live", 300)
    [entry] = memory.injections(memory="r-1")
    assert entry == memory.injection("last")
    assert memory.injections(memory="r-4") == []


def test_an_open_item_is_named_by_the_words_that_opened_it(memory: SlowMemory) -> None:
    assert memory.working_mark("r-3", "done").state == "done"
    with pytest.raises(NotFound, match="opened no item"):
        memory.working_mark("r-1", "done")


def test_what_a_reference_stands_for_is_forgotten(memory: SlowMemory) -> None:
    memory.forget(memory.forget_plan("r-1"))
    assert not [event for event in memory.events_since(0) if "Ghent" in event.text]
    assert not [one for one in memory.memories() if "Ghent" in one.text]
    with pytest.raises(NotFound, match="r-5"):
        memory.forget_plan("r-5")
    with pytest.raises(UsageError):
        memory.forget_plan()
