"""Taking out single events: these go with all that rests on them alone, and nothing else does."""

from collections.abc import Callable
from typing import Any

import pytest

from slowwave.erasure.exact import take_out
from slowwave.memory import SlowMemory
from slowwave.model import Record

Opener = Callable[..., SlowMemory]


@pytest.fixture
def memory(open_at: Opener) -> SlowMemory:
    return open_at("2026-12-01T21:00:00+08:00")


def said(memory: SlowMemory, *texts: str, **more: Any) -> list[str]:
    records = [Record(text=text, source="here", **more) for text in texts]
    return [one.id for one in memory.log(records).ids]


def store_of(memory: SlowMemory) -> Any:
    return memory.parts.store


def test_only_the_named_events_go(memory: SlowMemory) -> None:
    first, second, other = said(memory, "我在常州教陶艺", "我在常州教陶艺", "I restore barometers")
    erased = memory.take_out([first])
    assert erased is not None
    assert erased.receipt.event_ids == (first,)
    assert set(memory.events([first, second, other])) == {second, other}
    assert [hit.id for hit in memory.recall(memory.query("陶艺", scope="events"))][:1] == [second]
    assert memory.verify_receipt(erased.receipt.id).ok
    assert memory.diagnose() == ()


def test_a_memory_stays_as_long_as_other_words_bear_it(memory: SlowMemory) -> None:
    first, second = said(memory, "I restore barometers", "I restore barometers")
    memory.dream("today", apply=True)
    memory.take_out([first])
    [kept] = memory.memories()
    assert [span.event_id for span in kept.evidence] == [second]
    memory.take_out([second])
    assert memory.memories() == []
    assert memory.diagnose() == ()


def test_a_plan_that_read_it_is_made_anew(memory: SlowMemory) -> None:
    [first] = said(memory, "I restore barometers")
    said(memory, "I keep bees in Leuven")
    plan = memory.dream("today")
    assert len(plan.changes) == 2
    memory.take_out([first])
    done = memory.dream("today", apply=True)
    assert [change.after.text for change in done.changes] == ["I keep bees in Leuven"]


def test_several_in_a_row_are_one_forgetting(memory: SlowMemory) -> None:
    ids = said(memory, *(f"note {number} of the garden" for number in range(5)))
    receipts = set()
    for event_id in ids[:3]:
        erased = memory.take_out([event_id], finish=False)
        assert erased is not None
        receipts.add(erased.receipt.id)
    assert len(receipts) == 1
    [left] = store_of(memory).erasures(memory.space)
    assert (len(left.receipt.event_ids), len(left.identities), left.finished) == (3, 3, False)
    memory.finish_forgetting()
    [done] = store_of(memory).erasures(memory.space)
    assert done.finished
    memory.take_out(ids[3:], finish=False)
    assert len(store_of(memory).erasures(memory.space)) == 2


def test_what_was_left_is_finished_by_closing_or_opening(open_at: Opener) -> None:
    memory = open_at()
    [event_id] = said(memory, "I restore barometers")
    memory.take_out([event_id], finish=False)
    home = memory.parts.home
    open_at()  # closes the first
    assert b"barometers" not in b"".join(path.read_bytes() for path in home.glob("slowwave.db*"))

    memory = open_at()
    [event_id] = said(memory, "I keep bees in Leuven")
    take_out(store_of(memory), memory.space, [event_id], memory.now())  # and the process is killed
    again = open_at()
    assert [one.finished for one in store_of(again).erasures(again.space)] == [True, True]
    assert b"Leuven" not in b"".join(path.read_bytes() for path in home.glob("slowwave.db*"))


def test_the_same_record_stays_away(memory: SlowMemory) -> None:
    [event_id] = said(memory, "I restore barometers", key="1")
    memory.take_out([event_id])
    assert said(memory, "I restore barometers", key="1") == []
    assert len(said(memory, "I restore barometers", key="2")) == 1


def test_what_is_not_there_is_nothing(memory: SlowMemory) -> None:
    assert memory.take_out([]) is None
    assert memory.take_out(["e234567abcdef"]) is None
    assert store_of(memory).erasures(memory.space) == []
