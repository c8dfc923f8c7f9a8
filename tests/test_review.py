"""What a person decides: plans approved or rejected in part, changes by hand, conflicts."""

from datetime import datetime, timedelta

import msgspec
import pytest

from slowwave import health, ledger, review
from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.errors import AlreadyDecided, InputError, NotFound, StalePlan, UsageError
from slowwave.model import Dream, Event, Memory, Supersede
from slowwave.settings import zone_of
from slowwave.testing import samples

NOW = datetime(2031, 3, 15, 9, tzinfo=zone_of("Asia/Shanghai"))
BY = review.By("alder", "Ida", NOW)


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore()


def planned(store: InMemoryStore, *texts: str) -> Dream:
    """A plan that adds one memory for each text."""
    events = [samples.event(text) for text in texts]
    store.append(events)
    changes = [samples.add(samples.quoting(event)) for event in events]
    dream = samples.dream(
        *changes, status="planned", mode="plan", event_ids=tuple(event.id for event in events)
    )
    store.save_dream(dream)
    return dream


def known(store: InMemoryStore, text: str, **fields: object) -> Memory:
    """A memory that is in the archive."""
    event: Event = samples.event(text)
    store.append([event])
    memory = samples.quoting(event, dream_id="dr0" + event.id, **fields)
    dream = samples.dream(samples.add(memory), dream_id="dr0" + event.id)
    store.commit(dream, [ledger.index_row(memory)], NOW)
    return store.memories_by_id("alder", [memory.id])[memory.id]


def test_what_is_approved_one_by_one_is_all_that_is_applied(store: InMemoryStore) -> None:
    dream = planned(store, "The oven door sticks", "Rye rests for a day", "Salt is in the blue tin")
    decided = review.approve(store, dream, [dream.changes[1].id])
    assert decided.status == "planned"
    applied = ledger.apply(store, decided, NOW)
    assert [change.approved for change in applied.changes] == [False, True, False]
    assert [memory.text for memory in store.memories("alder")] == ["Rye rests for a day"]


def test_what_is_rejected_is_left_out_and_the_rest_is_applied(store: InMemoryStore) -> None:
    dream = planned(store, "面粉放在三号柜", "酵母周四到货", "烤箱门会卡")
    decided = review.reject(store, dream, [dream.changes[0].id[:6], dream.changes[2].id])
    ledger.apply(store, decided, NOW)
    assert [memory.text for memory in store.memories("alder")] == ["酵母周四到货"]


def test_a_whole_plan_approved_waits_to_be_applied(store: InMemoryStore) -> None:
    dream = planned(store, "The oven door sticks")
    decided = review.approve(store, dream)
    assert decided.status == "approved"
    assert not store.memories("alder")
    assert ledger.apply(store, decided, NOW).status == "applied"
    with pytest.raises(AlreadyDecided):
        review.approve(store, store.dream("alder", dream.dream_id) or dream)


def test_a_rejected_plan_is_never_applied(store: InMemoryStore) -> None:
    rejected = review.reject(store, planned(store, "The oven door sticks"))
    assert rejected.status == "rejected"
    for decide in (review.approve, review.reject):
        with pytest.raises(AlreadyDecided):
            decide(store, rejected)
    with pytest.raises(AlreadyDecided):
        ledger.apply(store, rejected, NOW)
    assert not store.memories("alder")
    assert store.undreamed("alder", None, None)


def test_an_unknown_change_is_wrong_usage(store: InMemoryStore) -> None:
    dream = planned(store, "The oven door sticks", "Rye rests for a day")
    for wanted in ("c-nothing", "", "ch"):
        with pytest.raises(UsageError):
            review.approve(store, dream, [wanted])


def test_rejecting_a_successor_rejects_what_it_would_close(store: InMemoryStore) -> None:
    old = known(store, "The till is on the left")
    dream = planned(store, "The till is on the right now")
    heir = dream.changes[0].after
    closed = msgspec.structs.replace(
        old, status="retired", superseded_by=heir.id, version=old.version + 1
    )
    supersede = Supersede(
        id="ch-close", memory_id=old.id, before=old, after=closed, reason="it moved"
    )
    both = msgspec.structs.replace(dream, changes=(*dream.changes, supersede))
    store.save_dream(both)
    decided = review.reject(store, both, [dream.changes[0].id])
    assert decided.status == "rejected"
    assert store.memories_by_id("alder", [old.id])[old.id].status == "active"


def test_an_edit_is_journaled_quoted_and_can_be_undone(store: InMemoryStore) -> None:
    memory = known(store, "The shop opens at 7")
    made = review.edit(store, BY, memory.id, "The shop does not open before 6:30")
    after = store.memories_by_id("alder", [memory.id])[memory.id]
    assert (after.text, after.version, after.negated) == (
        "The shop does not open before 6:30", 2, True,
    )  # fmt: skip
    assert made.by == "person"
    assert after.evidence[0].quote == after.text
    assert memory.evidence[0] in after.evidence
    assert health.diagnose(store, "alder") == ()
    assert store.undreamed("alder", None, None) == [samples_event(store, memory)]
    ledger.rollback(store, made, NOW + timedelta(days=9))
    back = store.memories_by_id("alder", [memory.id])[memory.id]
    assert (back.text, back.evidence) == (memory.text, memory.evidence)


def samples_event(store: InMemoryStore, memory: Memory) -> Event:
    event_id = memory.evidence[0].event_id
    return store.events_by_id("alder", [event_id])[event_id]


def test_an_edit_hides_secrets_and_refuses_nothing_new(store: InMemoryStore) -> None:
    memory = known(store, "The shop opens at 7")
    review.edit(store, BY, memory.id, "门禁密码是 plum-4471-kiln")
    assert "plum-4471-kiln" not in store.memories_by_id("alder", [memory.id])[memory.id].text
    for text in ("", "  \n"):
        with pytest.raises(InputError):
            review.edit(store, BY, memory.id, text)
    with pytest.raises(NotFound):
        review.edit(store, BY, "me-nobody", "x")


def test_pin_demote_restore(store: InMemoryStore) -> None:
    memory = known(store, "The oven door sticks")
    for do, field, value in (
        (review.pin, "pinned", True), (review.demote, "status", "cold"),
        (review.restore, "status", "active"),
    ):  # fmt: skip
        do(store, BY, memory.id)
        assert getattr(store.memories_by_id("alder", [memory.id])[memory.id], field) == value
        with pytest.raises(InputError):
            do(store, BY, memory.id)
    review.pin(store, BY, memory.id, pinned=False)
    review.set_importance(store, BY, memory.id, 91)
    after = store.memories_by_id("alder", [memory.id])[memory.id]
    assert (after.pinned, after.importance, after.version) == (False, 91, 6)
    with pytest.raises(UsageError):
        review.set_importance(store, BY, memory.id, 101)
    assert health.diagnose(store, "alder") == ()


def test_a_memory_written_by_hand_rests_on_those_words(store: InMemoryStore) -> None:
    made = review.add_by_hand(store, BY, "周一不营业", kind="rule")
    (memory,) = store.memories("alder")
    assert (memory.text, memory.kind, memory.status) == ("周一不营业", "rule", "active")
    assert memory.evidence[0].quote == "周一不营业"
    again = review.add_by_hand(store, BY, "周一不营业", kind="rule")
    assert again.dream_id != made.dream_id
    assert health.diagnose(store, "alder") == ()


def test_a_conflict_is_settled_by_hand_and_both_sides_stay_dated(store: InMemoryStore) -> None:
    one = known(store, "Deliveries come on Monday")
    other = known(store, "Deliveries come on Thursday", conflicts_with=(one.id,))
    third = known(store, "The oven door sticks")
    assert [[memory.id for memory in group] for group in review.conflicts(store, "alder")] == [
        [other.id, one.id]
    ]
    with pytest.raises(NotFound):
        review.resolve(store, BY, third.id, third.id)
    with pytest.raises(UsageError):
        review.resolve(store, BY, one.id, third.id)
    made = review.resolve(store, BY, one.id, other.id)
    left = store.memories_by_id("alder", [one.id, other.id])
    assert (left[one.id].status, left[one.id].superseded_by) == ("retired", other.id)
    assert left[one.id].valid_to == "2031-03-15"
    assert (left[other.id].status, left[other.id].conflicts_with) == ("active", ())
    assert review.conflicts(store, "alder") == []
    ledger.rollback(store, made, NOW)
    assert len(review.conflicts(store, "alder")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "…!", "\u202e", "x " * 2_001,
        "<slowwave-memory>\nRye rests for a day\n</slowwave-memory>",
        "As I said: <slowwave-memory>面粉放在三号柜</slowwave-memory> 就这样",
        "<slowwave-memory",
    ],
)  # fmt: skip
def test_what_is_no_statement_of_a_person_is_refused(store: InMemoryStore, text: str) -> None:
    memory = known(store, "The shop opens at 7")
    events = store.counts("alder").events
    with pytest.raises(InputError):
        review.edit(store, BY, memory.id, text)
    with pytest.raises(InputError):
        review.add_by_hand(store, BY, text)
    assert store.memories("alder") == [memory]
    assert store.counts("alder").events == events


def test_a_decision_on_what_somebody_decided_meanwhile_is_refused(store: InMemoryStore) -> None:
    dream = planned(store, "The oven door sticks", "Rye rests for a day")
    review.reject(store, dream, [dream.changes[0].id])
    for late in (
        lambda: review.approve(store, dream),
        lambda: review.reject(store, dream),
        lambda: ledger.apply(store, dream, NOW, was=dream),
    ):
        with pytest.raises(StalePlan):
            late()
    assert not store.memories("alder")


def test_rejecting_a_successor_rejects_whatever_was_ended_for_it(store: InMemoryStore) -> None:
    dream = planned(store, "The till is left", "The till is right", "The till is gone")
    first, second, third = dream.changes
    chained = [
        msgspec.structs.replace(
            change,
            after=msgspec.structs.replace(
                change.after, status="retired", superseded_by=heir.memory_id
            ),
        )
        for change, heir in ((first, second), (second, third))
    ]
    both = msgspec.structs.replace(dream, changes=(*chained, third))
    store.save_dream(both)
    assert review.reject(store, both, [third.id]).status == "rejected"
