"""Undoing one dream: what it did is gone, what came after stays, what built on it is told."""

from datetime import datetime, timedelta

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave import health, ledger
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import AlreadyDecided, DreamError
from slowwave.model import (
    Add,
    Change,
    Confirm,
    Demote,
    Dream,
    Memory,
    Restore,
    Supersede,
    Update,
    short_id,
)
from slowwave.settings import zone_of
from slowwave.testing import samples

NOW = datetime(2031, 3, 20, 9, tzinfo=zone_of("Asia/Shanghai"))


class Nights:
    """A store, and one night after the other."""

    def __init__(self) -> None:
        self.store = InMemoryStore()
        self.number = 0

    def said(self, text: str) -> Memory:
        event = samples.event(text, ts=samples.MORNING + timedelta(days=self.number))
        self.store.append([event])
        return samples.quoting(event, first_seen=event.ts, last_seen=event.ts)

    def now(self, memory: Memory) -> Memory:
        return self.store.memories_by_id("alder", [memory.id])[memory.id]

    def dream(self, *changes: Change) -> Dream:
        self.number += 1
        dream_id = f"night{self.number}"
        owned = tuple(
            msgspec.structs.replace(
                change,
                id=short_id("ch", dream_id, change.memory_id, change.op),
                after=msgspec.structs.replace(change.after, dream_id=dream_id),
            )
            for change in changes
        )
        dream = samples.dream(*owned, dream_id=dream_id, status="planned")
        return ledger.apply(self.store, dream, NOW)

    def confirmed(self, memory: Memory, text: str) -> Confirm:
        again = self.said(text)
        before = self.now(memory)
        after = msgspec.structs.replace(
            before, evidence=(*before.evidence, *again.evidence), version=before.version + 1,
            mention_count=before.mention_count + 1,
        )  # fmt: skip
        return Confirm(id="", memory_id=memory.id, before=before, after=after, reason="again")

    def closed(self, memory: Memory, heir: Memory) -> Supersede:
        before = self.now(memory)
        after = msgspec.structs.replace(
            before, status="retired", superseded_by=heir.id, valid_to="2031-03-16",
            version=before.version + 1,
        )  # fmt: skip
        return Supersede(id="", memory_id=memory.id, before=before, after=after, reason="newer")

    def rewritten(self, memory: Memory, text: str) -> Update:
        """A person's own words, which come first."""
        own = self.said(text)
        before = self.now(memory)
        after = msgspec.structs.replace(
            before, text=text, title=text[:20], evidence=(*own.evidence, *before.evidence),
            version=before.version + 1,
        )  # fmt: skip
        return Update(id="", memory_id=memory.id, before=before, after=after, reason="by hand")

    def restored(self, memory: Memory) -> Restore:
        after = msgspec.structs.replace(
            memory, status="active", superseded_by=None, valid_to=None, version=memory.version + 1
        )
        return Restore(id="", memory_id=memory.id, before=memory, after=after, reason="by hand")

    def undo(self, dream: Dream) -> Dream:
        stored = self.store.dream("alder", dream.dream_id)
        assert stored is not None
        return ledger.rollback(self.store, stored, NOW)

    def alive(self) -> list[str]:
        return [m.text for m in self.store.memories("alder", ("active", "candidate"))]

    def content(self) -> list[Memory]:
        return [
            msgspec.structs.replace(memory, version=0, dream_id="")
            for memory in self.store.memories("alder")
            if not memory.undone
        ]


def test_the_second_of_three_is_undone_and_the_third_stays() -> None:
    nights = Nights()
    first, second, third = (
        nights.said(text) for text in ("Ovens hum", "Rye rests", "Salt is blue")
    )
    nights.dream(samples.add(first))
    middle = nights.dream(samples.add(second))
    nights.dream(samples.add(third))
    undone = nights.undo(middle)
    assert sorted(nights.alive()) == ["Ovens hum", "Salt is blue"]
    assert undone.built_on == ()
    assert undone.undoes == middle.dream_id
    assert [dream.status for dream in nights.store.dreams("alder")].count("rolled_back") == 1
    assert nights.now(second).undone
    assert health.diagnose(nights.store, "alder") == ()


def test_what_was_replaced_is_current_again() -> None:
    nights = Nights()
    old, new = nights.said("The till is left"), nights.said("The till is right")
    nights.dream(samples.add(old))
    replaced = nights.dream(samples.add(new), nights.closed(old, new))
    nights.undo(replaced)
    assert nights.alive() == ["The till is left"]
    assert nights.now(old).superseded_by is None
    assert nights.now(old).valid_to is None


def test_what_was_replaced_twice_does_not_come_back_beside_the_newest() -> None:
    nights = Nights()
    one, two, three = (nights.said(f"The port is {port}") for port in (22, 222, 2222))
    nights.dream(samples.add(one))
    middle = nights.dream(samples.add(two), nights.closed(one, two))
    nights.dream(samples.add(three), nights.closed(two, three))
    undone = nights.undo(middle)
    assert nights.alive() == ["The port is 2222"]
    assert nights.now(one).superseded_by == three.id
    assert [(item.memory_id, item.kept) for item in undone.built_on] == [(two.id, False)]


def test_later_evidence_keeps_a_memory_in_its_own_words() -> None:
    nights = Nights()
    memory = nights.said("Flour is kept in cupboard 3")
    added = nights.dream(samples.add(memory))
    nights.dream(nights.confirmed(memory, "cupboard 3 is where the flour is"))
    undone = nights.undo(added)
    after = nights.now(memory)
    assert not after.undone
    assert [span.quote for span in after.evidence] == ["cupboard 3 is where the flour is"]
    assert after.text == "cupboard 3 is where the flour is"
    assert [item.kept for item in undone.built_on] == [True]


def test_an_edit_that_came_later_is_kept_while_the_rest_goes_back() -> None:
    nights = Nights()
    memory = nights.said("Rye rests for a day")
    nights.dream(samples.add(memory))
    raised = nights.dream(samples.update(nights.now(memory), importance=90, kind="rule"))
    nights.dream(samples.update(nights.now(memory), importance=70))
    nights.undo(raised)
    after = nights.now(memory)
    assert (after.importance, after.kind) == (70, "fact")


def test_only_an_applied_dream_can_be_undone_and_only_once() -> None:
    nights = Nights()
    made = nights.dream(samples.add(nights.said("Ovens hum")))
    waiting = samples.dream(dream_id="later", status="planned")
    nights.store.save_dream(waiting)
    with pytest.raises(AlreadyDecided):
        nights.undo(waiting)
    nights.undo(made)
    with pytest.raises(AlreadyDecided):
        nights.undo(made)
    with pytest.raises(AlreadyDecided):
        # Somebody was quicker: his undoing stands, ours changes nothing.
        ledger.rollback(nights.store, made, NOW + timedelta(hours=1))


def test_events_of_an_undone_dream_can_be_dreamed_again() -> None:
    nights = Nights()
    memory = nights.said("Ovens hum")
    dream = samples.dream(
        samples.add(memory), dream_id="night9", status="planned",
        event_ids=(memory.evidence[0].event_id,),
    )  # fmt: skip
    made = ledger.apply(nights.store, dream, NOW)
    assert not nights.store.undreamed("alder", None, None)
    redo = nights.undo(made)
    assert len(nights.store.undreamed("alder", None, None)) == 1
    nights.undo(redo)
    assert nights.alive() == ["Ovens hum"]
    assert not nights.store.undreamed("alder", None, None)


WHAT = st.sampled_from(
    ["add", "confirm", "supersede", "give_way", "rewrite", "restore", "demote", "weigh"]
)
STEPS = st.lists(st.tuples(WHAT, st.integers(0, 9)), min_size=1, max_size=9)


def _by_hand(nights: Nights, what: str, pick: int, number: int) -> Change:
    alive = nights.store.memories("alder", ("active",))
    ended = [m for m in nights.store.memories("alder", ("retired", "cold")) if not m.undone]
    if what == "restore" and ended:
        return nights.restored(ended[pick % len(ended)])
    text = f"By hand loaf {number} weighs {number} stone"
    return nights.rewritten(alive[pick % len(alive)], text)


def _step(nights: Nights, what: str, pick: int, number: int) -> list[Change]:
    alive = nights.store.memories("alder", ("active",))
    if what == "add" or not alive:
        return [samples.add(nights.said(f"Loaf {number} weighs {number * 7} grams"))]
    memory = alive[pick % len(alive)]
    if what == "give_way" and len(alive) > 1:
        return [nights.closed(memory, alive[(pick + 1) % len(alive)])]
    if what in ("rewrite", "restore"):
        return [_by_hand(nights, what, pick, number)]
    if what == "confirm":
        return [nights.confirmed(memory, f"loaf again, the {number}th time")]
    if what == "supersede":
        heir = nights.said(f"Loaf {number} weighs {number * 9} grams now")
        return [samples.add(heir), nights.closed(memory, heir)]
    changed = {"status": "cold"} if what == "demote" else {"importance": 50 + number}
    after = msgspec.structs.replace(memory, version=memory.version + 1, **changed)
    kind = Demote if what == "demote" else Update
    return [kind(id="", memory_id=memory.id, before=memory, after=after, reason=what)]


def _sound(nights: Nights) -> None:
    """The doctor finds nothing, and nobody gives way to a memory that is not there any more."""
    assert health.diagnose(nights.store, "alder") == ()
    for memory in nights.store.memories("alder"):
        if not memory.undone:
            heirs = nights.store.memories_by_id("alder", [memory.superseded_by or ""])
            assert not any(heir.undone for heir in heirs.values())


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, which=st.integers(0, 8))
def test_any_dream_can_be_undone_and_brought_back(steps: list[tuple[str, int]], which: int) -> None:
    nights = Nights()
    dreams = [
        nights.dream(*_step(nights, what, pick, number))
        for number, (what, pick) in enumerate(steps)
    ]
    before = nights.content()
    chosen = dreams[which % len(dreams)]
    undone = nights.undo(chosen)
    _sound(nights)
    brought = {c.memory_id for c in chosen.changes if isinstance(c, Add)}
    quoted = {span for c in chosen.changes if isinstance(c, Add) for span in c.after.evidence}
    for memory in nights.store.memories("alder"):
        assert memory.undone or not quoted & set(memory.evidence)
    assert all(memory_id in brought for memory_id in
               (m.id for m in nights.store.memories("alder") if m.undone))  # fmt: skip
    nights.undo(undone)
    assert nights.content() == before
    _sound(nights)


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, order=st.permutations(range(9)), number=st.integers(1, 9))
def test_the_order_in_which_dreams_are_undone_does_not_matter(
    steps: list[tuple[str, int]], order: list[int], number: int
) -> None:
    def after(chosen: list[int], *, brought_back: bool) -> list[Memory]:
        nights = Nights()
        dreams = [
            nights.dream(*_step(nights, what, pick, place))
            for place, (what, pick) in enumerate(steps)
        ]
        undoings = []
        for place in chosen:
            undoings.append(nights.undo(dreams[place]))
            _sound(nights)
        for undoing in undoings if brought_back else ():
            nights.undo(undoing)
            _sound(nights)
        return nights.content()

    chosen = [place for place in order if place < len(steps)][:number]
    assert after(chosen, brought_back=False) == after(sorted(chosen), brought_back=False)
    assert after(chosen, brought_back=True) == after([], brought_back=False)


@settings(max_examples=60, deadline=None)
@given(steps=st.lists(st.tuples(st.one_of(WHAT, st.just("undo")), st.integers(0, 9)), max_size=16))
def test_life_goes_on_between_undoings(steps: list[tuple[str, int]]) -> None:
    nights = Nights()
    for number, (what, pick) in enumerate(steps):
        applied = [one for one in nights.store.dreams("alder") if one.status == "applied"]
        if what == "undo" and applied:
            nights.undo(applied[pick % len(applied)])
        else:
            nights.dream(*_step(nights, what, pick, number))
        _sound(nights)


def test_undoing_the_words_a_memory_was_left_with_takes_the_memory_out() -> None:
    nights = Nights()
    memory = nights.said("Flour is kept in cupboard 3")
    added = nights.dream(samples.add(memory))
    edited = nights.dream(nights.rewritten(memory, "Flour is kept in the loft"))
    first = nights.undo(added)
    second = nights.undo(edited)
    assert nights.now(memory).undone
    nights.undo(first)
    assert nights.alive() == ["Flour is kept in cupboard 3"]
    nights.undo(second)
    assert nights.alive() == ["Flour is kept in the loft"]
    assert len(nights.now(memory).evidence) == 2


def test_what_gave_way_to_a_memory_of_an_undone_dream_is_current_again() -> None:
    nights = Nights()
    old, new = nights.said("The till is left"), nights.said("The till is right")
    nights.dream(samples.add(old))
    added = nights.dream(samples.add(new))
    nights.dream(nights.closed(old, new))
    undone = nights.undo(added)
    assert nights.alive() == ["The till is left"]
    nights.undo(undone)
    assert nights.alive() == ["The till is right"]


def test_what_took_over_words_of_an_undone_dream_is_told() -> None:
    nights = Nights()
    one, two = nights.said("Ovens hum"), nights.said("The ovens hum")
    added = nights.dream(samples.add(one))
    nights.dream(samples.add(two))
    both = samples.update(nights.now(two), evidence=(*two.evidence, *one.evidence))
    nights.dream(both)
    undone = nights.undo(added)
    assert [(item.memory_id, item.kept) for item in undone.built_on] == [(two.id, True)]


def test_an_undoing_of_an_undoing_of_an_undoing_stands_for_itself() -> None:
    nights = Nights()
    made = nights.dream(samples.add(nights.said("Ovens hum")))
    chain = [made]
    for turn in range(1, 7):
        chain.append(nights.undo(chain[-1]))
        assert nights.alive() == ([] if turn % 2 else ["Ovens hum"])
        stored = nights.store.dream("alder", made.dream_id)
        assert stored is not None
        assert stored.status == ("rolled_back" if turn % 2 else "applied")
    again = nights.undo(made)
    assert nights.alive() == []
    assert again.built_on == ()


def test_what_was_dreamed_again_meanwhile_is_not_brought_back_beside_it() -> None:
    nights = Nights()
    memory = nights.said("Ovens hum")
    event_ids = (memory.evidence[0].event_id,)
    plan = samples.dream(samples.add(memory), status="planned", event_ids=event_ids)
    made = ledger.apply(nights.store, plan, NOW)
    undone = nights.undo(made)
    twin = msgspec.structs.replace(memory, id="me-twin")
    plan = samples.dream(
        samples.add(twin, id="ch-twin"), dream_id="dr2", status="planned", event_ids=event_ids
    )
    second = ledger.apply(nights.store, plan, NOW)
    with pytest.raises(DreamError, match="has read the events"):
        nights.undo(undone)
    nights.undo(second)
    nights.undo(undone)
    assert nights.alive() == ["Ovens hum"]
