"""Items follow what a person changes by hand and what is undone."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest

from slowwave.memory import SlowMemory
from slowwave.model import Record, WorkItem
from slowwave.wiring import Options, open_memory

NOW = "2031-03-15T03:00:00+01:00"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SlowMemory]:
    options = Options(home=str(tmp_path / "home"), now=NOW, tz="Europe/Brussels")
    with closing(open_memory(options, {"SLOWWAVE_EMBEDDER": "none"})) as opened:
        yield opened


def say(memory: SlowMemory, *texts: str, day: int = 14) -> None:
    memory.log(
        Record(text=text, source="t", ts=datetime.fromisoformat(f"2031-03-{day}T10:0{at}:00+01:00"))
        for at, text in enumerate(texts)
    )


def item(memory: SlowMemory, word: str) -> WorkItem:
    [found] = [one for one in memory.working() if word in one.text]
    return found


PLAN = "I plan to fly to Oslo on 20 March 2031"


def plan_of(memory: SlowMemory) -> str:
    say(memory, PLAN)
    memory.dream("all", apply=True)
    [found] = [one for one in memory.memories() if one.kind == "plan"]
    assert item(memory, "Oslo").state == "open"
    return found.id


def test_an_item_is_closed_with_its_memory_and_opens_again_with_it(memory: SlowMemory) -> None:
    memory_id = plan_of(memory)
    memory.by_hand("demote", memory_id)
    assert item(memory, "Oslo").state == "stalled"
    memory.by_hand("restore", memory_id)
    assert item(memory, "Oslo").state == "open"
    made = memory.wrong(memory_id, apply=True).correction
    assert made is not None
    assert item(memory, "Oslo").state == "done"
    memory.rollback(made.dream_id)
    assert item(memory, "Oslo").state == "open"


def test_a_plan_that_waited_is_followed_when_it_is_applied(memory: SlowMemory) -> None:
    memory_id = plan_of(memory)
    made = memory.wrong(memory_id, "I plan to sail to Bergen on 21 March 2031").correction
    assert made is not None
    assert item(memory, "Oslo").state == "open"
    memory.apply(made.dream_id)
    assert item(memory, "Oslo").state == "done"
    assert item(memory, "Bergen").state == "open"


def test_what_is_left_out_of_a_plan_opens_nothing(memory: SlowMemory) -> None:
    say(memory, "Remind me to renew the passport on 21 March 2031", PLAN, "I play the cello")
    plan = memory.dream("all")
    kept = [change.id for change in plan.changes if "passport" not in change.after.text]
    assert len(kept) < len(plan.changes)
    memory.apply(plan.dream_id, kept)
    assert [one for one in memory.working() if "passport" in one.text] == []
    assert item(memory, "Oslo").state == "open"


def test_an_item_says_what_its_memory_says(memory: SlowMemory) -> None:
    memory_id = plan_of(memory)
    memory.by_hand("edit", memory_id, text="I plan to fly to Bergen on 20 March 2031")
    assert item(memory, "Bergen").state == "open"


def test_what_a_person_closed_stays_closed(memory: SlowMemory) -> None:
    memory_id = plan_of(memory)
    memory.working_mark(item(memory, "Oslo").id, "done")
    memory.by_hand("pin", memory_id)
    memory.by_hand("edit", memory_id, text="I plan to fly to Bergen on 20 March 2031")
    assert [one.state for one in memory.working()] == ["done"]


def test_undoing_a_night_takes_back_what_it_opened(memory: SlowMemory) -> None:
    say(memory, PLAN, "I still have to ring the chimney sweep")
    night = memory.dream("all", apply=True)
    undone = memory.rollback(night.dream_id)
    assert {one.state for one in memory.working()} == {"stalled"}
    again = memory.rollback(undone.dream_id)
    assert {one.state for one in memory.working()} == {"open"}
    memory.rollback(again.dream_id)
    memory.dream("all", apply=True)
    assert item(memory, "sweep").state == "open"


def test_undoing_a_night_opens_what_it_closed(memory: SlowMemory) -> None:
    say(memory, "I still have to ring the chimney sweep", day=13)
    memory.dream("all", apply=True)
    say(memory, "I rang the chimney sweep this morning")
    night = memory.dream("all", apply=True)
    assert item(memory, "still have").state == "done"
    undone = memory.rollback(night.dream_id)
    assert item(memory, "still have").state == "open"
    memory.rollback(undone.dream_id)
    assert item(memory, "still have").state == "done"


def test_what_is_forgotten_is_nothing_to_do(memory: SlowMemory) -> None:
    memory_id = plan_of(memory)
    memory.forget(memory.forget_plan(memory_id))
    assert memory.working() == []
