"""A night that is planned again keeps what a person decided; one that is outdated is refused."""

from collections.abc import Callable

import pytest

from slowwave.errors import StalePlan
from slowwave.memory import SlowMemory
from slowwave.model import Dream, Record

Opener = Callable[..., SlowMemory]


def say(memory: SlowMemory, day: str, *texts: str) -> None:
    for number, text in enumerate(texts):
        ts = memory.now().fromisoformat(f"{day}T10:{number:02d}:00+08:00")
        memory.log([Record(text=text, source="me", ts=ts)])


def alive(memory: SlowMemory) -> list[str]:
    return sorted(one.text for one in memory.memories(("active", "candidate")))


def marks(dream: Dream) -> list[bool | None]:
    return [change.approved for change in dream.changes]


def test_what_was_decided_stays_decided_when_the_night_is_planned_again(open_at: Opener) -> None:
    memory = open_at()
    say(memory, "2026-11-30", "我对榛子过敏", "My brother is called Oswin", "以后周报一律用英文写")
    plan = memory.dream()
    first, second, *_ = plan.changes
    memory.reject(plan.dream_id, [first.id])
    memory.approve(plan.dream_id, [second.id])
    again = memory.dream()
    assert (again.dream_id, again.status) == (plan.dream_id, "planned")
    assert marks(again) == [False, True, None]
    memory.approve(plan.dream_id)
    applied = memory.dream(apply=True)
    assert (applied.status, marks(applied)) == ("applied", [False, True, True])
    assert first.after.text not in alive(memory)


def waiting(open_at: Opener, first: str, second: str) -> tuple[SlowMemory, str, str]:
    """Two nights that were planned before either was applied."""
    memory = open_at("2026-12-02T03:00:00+08:00")
    say(memory, "2026-12-01", first)
    one = memory.dream().dream_id
    memory = open_at("2026-12-03T03:00:00+08:00")
    say(memory, "2026-12-02", second)
    return memory, one, memory.dream().dream_id


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I am allergic to hazelnuts", "I am allergic to hazelnuts"),
        ("I live in Tampere", "I moved to Bergen, I live in Bergen now"),
        ("我对榛子过敏", "我对榛子过敏"),
    ],
)
def test_a_plan_that_another_night_made_outdated_is_planned_again(
    open_at: Opener, first: str, second: str
) -> None:
    memory, one, two = waiting(open_at, first, second)
    memory.apply(one)
    change = memory.dream_by_id(two).changes[0]
    for only in ((), (change.id,)):
        with pytest.raises(StalePlan, match="planned before other changes were applied") as caught:
            memory.apply(two, only)
        assert "slowwave dream --date 2026-12-02" in caught.value.hint
    memory.dream("2026-12-02", apply=True)
    assert len(alive(memory)) == 1
    assert not memory.diagnose()


def test_nights_that_have_nothing_to_do_with_each_other_are_applied_in_any_order(
    open_at: Opener,
) -> None:
    memory, one, two = waiting(open_at, "My brother is called Oswin", "我对榛子过敏")
    memory.apply(two)
    memory.by_hand("pin", memory.memories()[0].id)
    memory.apply(one)
    assert len(alive(memory)) == 2
