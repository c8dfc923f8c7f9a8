"""Working memory: opened by hand or by a dream, closed by what was said, stalled by silence."""

from datetime import datetime, timedelta

import pytest

from slowwave import working
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import InputError, NotFound
from slowwave.model import WorkItem
from slowwave.settings import zone_of
from slowwave.testing import samples

NOW = datetime(2031, 3, 15, 9, tzinfo=zone_of("Asia/Shanghai"))


def item(text: str, days_ago: int = 3) -> WorkItem:
    when = NOW - timedelta(days=days_ago)
    return WorkItem(id="w1", text=text, state="open", opened=when, touched=when)


def state(text: str, *said: str, days_ago: int = 3, origin: str = "owner") -> str:
    """The state of an item after these words of today."""
    events = [samples.event(words, ts=NOW, origin=origin) for words in said]
    changed = working.scan([item(text, days_ago)], [], events, NOW)
    return changed[0].state if changed else "open"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("写季度总结", "季度总结终于写完了"),
        ("写季度总结", "上午开会。季度总结交了，下午补觉"),
        ("把报名表交给学校", "报名表已经交给学校了"),
        ("续保车险", "车险续保办好了"),
        ("Finish the kiln manual", "I finished the kiln manual last night"),
        ("submit the tax return", "Tax return submitted, finally"),
        ("Book the venue for the reunion", "The reunion venue is booked"),
    ],
)
def test_what_was_said_to_be_finished_is_done(text: str, said: str) -> None:
    assert state(text, said) == "done"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("写季度总结", "季度总结还没写完"),
        ("写季度总结", "季度总结快写完了"),
        ("写季度总结", "季度总结写完了吗？"),
        ("写季度总结", "年度预算写完了"),
        ("Finish the kiln manual", "I haven't finished the kiln manual"),
        ("Finish the kiln manual", "the kiln manual is almost finished"),
        ("Finish the kiln manual", "Is the kiln manual finished?"),
        ("Finish the kiln manual", "When the kiln manual is finished I will rest"),
        ("Finish the kiln manual", "I finished the crossword"),
    ],
)
def test_what_is_not_finished_stays_open(text: str, said: str) -> None:
    assert state(text, said) == "open"


def test_only_the_owner_can_say_so() -> None:
    assert state("写季度总结", "季度总结写完了", origin="agent") == "open"


def test_two_weeks_of_silence_stall_an_item_and_a_word_wakes_it() -> None:
    assert state("Finish the kiln manual", days_ago=14) == "open"
    assert state("Finish the kiln manual", days_ago=15) == "stalled"
    assert state("Finish the kiln manual", "back to the kiln manual today", days_ago=40) == "open"


def test_a_dream_opens_projects_and_undated_plans_once() -> None:
    kinds = {"project": None, "plan": None, "fact": None}
    memories = [samples.memory(f"The {kind} of the week", kind=kind) for kind in kinds]
    dated = samples.memory("Fly to Oslo", kind="plan", valid_from="2031-03-18")
    over = samples.memory("Old kiln", kind="project", status="retired")
    opened = working.scan([], [*memories, dated, over], [], NOW)
    assert sorted(one.text for one in opened) == ["The plan of the week", "The project of the week"]
    assert working.scan(opened, memories, [], NOW) == []


def test_by_hand() -> None:
    store = InMemoryStore()
    first = working.add(store, "s", "call  the bank", NOW)
    assert working.add(store, "s", "call the bank", NOW + timedelta(1)).id == first.id
    assert working.mark(store, "s", first.id[:5], "done", NOW).state == "done"
    assert working.add(store, "s", "call the bank", NOW + timedelta(1)).id != first.id
    assert not store.working("other")
    for prefix in ("", "zz"):
        with pytest.raises(NotFound):
            working.mark(store, "s", prefix, "done", NOW)
    with pytest.raises(InputError):
        working.add(store, "s", " \n", NOW)


def test_an_item_is_one_line_of_a_reasonable_length() -> None:
    store = InMemoryStore()
    with pytest.raises(InputError, match="more than 1000"):
        working.add(store, "alder", "ring the bell " * 100, NOW)
    assert store.working("alder") == []
