"""Each gate lets a sound plan pass and stops one that would do its damage; a refused dream
changes nothing, and says why."""

from datetime import datetime
from typing import Any

import msgspec
import pytest

from slowwave import ledger
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.plans import gates
from slowwave.dream.write import write
from slowwave.errors import DreamError
from slowwave.model import (
    Change,
    Collapse,
    Confirm,
    Demote,
    Dream,
    Evidence,
    Memory,
    Merge,
    Restore,
    Retire,
    Supersede,
    Update,
)
from slowwave.settings import DreamSettings, GateSettings, zone_of
from slowwave.testing import samples

NOW = datetime(2031, 3, 15, 3, tzinfo=zone_of("Asia/Shanghai"))
SETTINGS = DreamSettings()


def verdict(name: str, *changes: Change, known: tuple[Memory, ...] = (), **fields: Any) -> bool:
    plan = gates.Proposal(changes, known, fields.pop("settings", SETTINGS), **fields)
    return next(gate.ok for gate in gates.judge(plan) if gate.name == name)


def memories(count: int) -> tuple[Memory, ...]:
    return tuple(samples.memory(f"Shelf {number} holds flour") for number in range(count))


def changed(kind: type[Any], before: Memory, route: str = "", **fields: Any) -> Change:
    after = msgspec.structs.replace(before, version=before.version + 1, **fields)
    change: Change = kind(
        id=f"ch-{before.id}", memory_id=before.id, before=before, after=after, reason="r",
        route=route,
    )  # fmt: skip
    return change


def span(text: str) -> Evidence:
    return Evidence(event_id=f"ev-{text}", quote=text, start=0, end=len(text))


@pytest.mark.parametrize(("closed", "ok"), [(0, True), (5, True), (6, False), (20, False)])
def test_shrink(closed: int, ok: bool) -> None:
    known = memories(20)
    plan = [changed(Demote, memory, status="cold") for memory in known[:closed]]
    assert verdict("shrink", *plan, known=known) is ok


def test_shrink_counts_neither_what_ended_by_its_date_nor_what_was_replaced() -> None:
    known = memories(20)
    heirs = [samples.memory(f"Shelf {number} holds rye") for number in range(8)]
    over = [changed(Retire, memory, "expiry", status="retired") for memory in known[:8]]
    replaced = [
        changed(Supersede, memory, status="retired", superseded_by=heir.id)
        for memory, heir in zip(known[8:16], heirs, strict=True)
    ]
    adds = [samples.add(heir) for heir in heirs]
    assert verdict("shrink", *over, *replaced, *adds, known=known)
    gone = [changed(Retire, memory, "time", status="retired") for memory in known[:8]]
    assert not verdict("shrink", *gone, known=known)


def test_shrink_is_not_deceived_by_successors_that_are_not_there() -> None:
    known = memories(20)
    for heir in ("nobody", known[0].id):
        plan = [
            changed(Supersede, memory, status="retired", superseded_by=heir) for memory in known[:8]
        ]
        assert not verdict("shrink", *plan, known=known)
    candidate = samples.memory("All shelves hold rye", status="candidate")
    plan = [changed(Supersede, memory, status="retired", superseded_by=candidate.id)
            for memory in known[:8]]  # fmt: skip
    assert verdict("shrink", *plan, known=(*known, candidate))
    # What was over when it was learned is no loss, whatever the change is called.
    over = [changed(Update, memory, "expiry", status="retired") for memory in known[:8]]
    assert verdict("shrink", *over, known=known)


@pytest.mark.parametrize("kind", [Collapse, Confirm, Demote, Restore, Retire, Supersede])
def test_no_change_of_any_kind_makes_a_memory_say_something_else(kind: type[Any]) -> None:
    old = samples.memory("The oven reaches 1240 degrees")
    assert not verdict("numbers", changed(kind, old, text="It reaches 1250 degrees"), known=(old,))
    assert not verdict("negation", changed(kind, old, negated=True), known=(old,))
    assert verdict("numbers", changed(kind, old), known=(old,))


def test_shrink_leaves_a_small_memory_alone() -> None:
    known = memories(SETTINGS.gates.shrink_from - 1)
    plan = [changed(Demote, memory, status="cold") for memory in known]
    assert verdict("shrink", *plan, known=known)


@pytest.mark.parametrize(
    ("before", "after", "ok"),
    [
        ("The oven reaches 1,240 degrees", "The oven reaches 1240 degrees at noon", True),
        ("The oven reaches 1240 degrees", "The oven reaches 1250 degrees", False),
        ("The oven reaches 1240 degrees", "The oven gets hot", False),
        ("面包卖 12 元", "面包卖 12 元，周二打折", True),
        ("面包卖 12 元", "面包卖 15 元", False),
        ("升级到 v2.4.1", "已经升级到 v2.4.2", False),
        ("The door sticks", "The door of the oven sticks at 3", True),
    ],
)
@pytest.mark.parametrize("kind", [Update, Merge])
def test_numbers(kind: type[Any], before: str, after: str, ok: bool) -> None:
    old = samples.memory(before)
    assert verdict("numbers", changed(kind, old, text=after), known=(old,)) is ok
    assert verdict("numbers", changed(kind, old, "person", text=after), known=(old,))


def test_negation() -> None:
    old = samples.memory("Deliveries come on Monday")
    new = "No deliveries on Monday"
    assert not verdict("negation", changed(Update, old, text=new, negated=True), known=(old,))
    assert verdict("negation", changed(Update, old, text="They come on Monday"), known=(old,))


def test_last_evidence() -> None:
    old = samples.memory("Rye rests", evidence=(span("one"), span("two")))
    dropped = changed(Update, old, evidence=(span("two"),))
    assert not verdict("last_evidence", dropped, known=(old,))
    heir = samples.memory("Rye rests a day", evidence=(span("one"),))
    assert verdict("last_evidence", dropped, samples.add(heir), known=(old,))
    assert verdict("last_evidence", changed(Update, old, importance=9), known=(old,))


def test_loaded_size() -> None:
    small = msgspec.structs.replace(SETTINGS, loaded_tokens=40)
    pinned = tuple(
        samples.memory(f"Shelf {number} holds flour for the week", pinned=True)
        for number in range(9)
    )
    more = samples.add(samples.memory("The flour came on Monday", pinned=True))
    assert not verdict("loaded_size", more, known=pinned, settings=small)
    assert verdict("loaded_size", more, known=pinned)
    # A person pinned too much: his nights go on, as long as they do not add to it.
    plan = changed(Update, pinned[0], importance=3)
    assert verdict("loaded_size", plan, known=pinned, settings=small)
    let_go = changed(Demote, pinned[1], status="cold")
    assert verdict("loaded_size", let_go, plan, known=pinned, settings=small)
    cold = tuple(msgspec.structs.replace(memory, status="cold") for memory in pinned)
    assert verdict("loaded_size", known=cold, settings=small)


def test_runaway_counts_for_each_day_that_is_dreamed() -> None:
    few = msgspec.structs.replace(SETTINGS, gates=GateSettings(changes_per_day=5))
    plan = [samples.add(memory) for memory in memories(11)]
    assert not verdict("runaway", *plan, settings=few, days=2)
    assert verdict("runaway", *plan, settings=few, days=3)


class Log:
    """A dream log nobody reads."""

    def write(self, dream: Dream) -> None:
        """Keeps nothing."""


def test_a_refused_dream_changes_nothing_and_its_sound_part_can_be_applied() -> None:
    store = InMemoryStore()
    events = [samples.event("The oven reaches 1240 degrees"), samples.event("Rye rests")]
    store.append(events)
    hot = samples.quoting(events[0])
    store.commit(samples.dream(samples.add(hot), dream_id="first"), [], NOW)
    wrong = msgspec.structs.replace(
        changed(Update, hot, text="The oven reaches 1250 degrees"), id="ch-wrong"
    )
    right = samples.add(samples.quoting(events[1]))
    plan = samples.dream(wrong, right, dream_id="second", status="refused", mode="plan")
    store.save_dream(plan)
    with pytest.raises(DreamError, match="gate numbers: change ch-wrong loses 1240"):
        write(store, Log(), plan, NOW, SETTINGS)
    assert [memory.text for memory in store.memories("alder")] == ["The oven reaches 1240 degrees"]
    applied = write(store, Log(), plan, NOW, SETTINGS, [right.id])
    assert applied.status == "applied"
    assert {memory.text for memory in store.memories("alder")} == {
        "The oven reaches 1240 degrees", "Rye rests",
    }  # fmt: skip
    assert ledger.why(store, "alder", hot.id).memory.version == 1
