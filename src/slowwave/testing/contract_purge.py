"""The store contract: forgetting for good."""

# ruff: noqa: D102 - the name of a test says what it shows

from datetime import timedelta

import msgspec

from slowwave.erasure import Plan, Target, find_all
from slowwave.errors import StalePlan
from slowwave.model import Event, Injection, Memory, Rejected, Signal, WorkItem
from slowwave.ports import Store
from slowwave.testing.contract_base import Contract, refused
from slowwave.testing.samples import (
    MORNING,
    add,
    confirm,
    dream,
    event,
    memory,
    quoting,
    update,
    words,
)

FACT = "The studio door code is 4471"
BOTH = "The studio door code is 4471. Maren fires the kiln on Fridays"
LATER = MORNING + timedelta(days=1)
INJECTED = Injection(id="in1", ts=MORNING, query="what is the studio door code 4471")


def _told(store: Store, text: str = FACT, **fields: object) -> tuple[Event, Memory]:
    """An event, and a memory that says what it says."""
    source = store.append([event(text, **fields)]).stored[0]
    store.index_events(source.space, [words(source.id, text, text)])
    return source, quoting(source)


def _plan(store: Store, *memories: Memory, **target: object) -> Plan:
    ids = frozenset(one.id for one in memories)
    return find_all(store, "alder", Target(memory_ids=ids, **target), LATER)  # type: ignore[arg-type]


def _keep(store: Store, *memories: Memory, dream_id: str = "dr1") -> None:
    ids = tuple(span.event_id for one in memories for span in one.evidence)
    made = dream(*map(add, memories), dream_id=dream_id, event_ids=tuple(dict.fromkeys(ids)))
    store.commit(made, [words(one.id, one.text) for one in memories], MORNING)


def _all_texts(store: Store, space: str = "alder") -> str:
    return "\n".join(stored.text for stored in store.texts(space))


class PurgeContract(Contract):
    """What is forgotten is gone from every place, and does not come back by itself."""

    def test_a_forgotten_memory_leaves_nothing(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            _keep(store, fact)
            store.put_vectors("alder", "event", "e", [(source.id, b"\1\2")])
            store.put_vectors("alder", "memory", "e", [(fact.id, b"\1\2")])
            signal = Signal(memory_id=fact.id, ts=MORNING, query_hash="q", score=0.5)
            store.record_signals("alder", [signal])
            store.record_injection("alder", INJECTED)
            store.put_stage("alder", "dr2", "distill/0", FACT.encode())
            store.put_stage("alder", "", "trial", b"1")
            item = WorkItem(id="w1", text=FACT, state="open", opened=MORNING, touched=MORNING)
            store.put_working("alder", [item])
            erased = store.erase(_plan(store, fact).purge)
            removed = erased.receipt.removed
            assert (removed.events, removed.memories, removed.versions) == (1, 1, 1)
            assert removed.vectors == 2
            assert not erased.finished
            assert store.counts("alder").events == 0
            assert store.memories("alder") == []
            assert store.versions("alder", fact.id) == []
            assert store.signals("alder") == []
            assert store.working("alder") == []
            assert store.stages("alder", "dr2") == {}
            assert store.stages("alder", "") == {"trial": b"1"}
            assert store.match("alder", "event", "own", [("4471",)], mode="any", limit=9) == []
            assert store.match("alder", "memory", "own", [("4471",)], mode="any", limit=9) == []
            assert store.nearest("alder", "memory", "e", b"\1\2", 9) == []
            kept = store.dream("alder", "dr1")
            assert kept is not None
            assert (kept.changes, kept.event_ids) == ((), ())
            assert "4471" not in _all_texts(store)
            assert store.traces("alder", [source.id, fact.id]) == []

    def test_of_an_event_that_says_more_the_rest_stays_in_its_place(self) -> None:
        with self.store() as store:
            first, _ = _told(store, "We begin")
            source, _ = _told(store, BOTH)
            last, _ = _told(store, "We are done")
            code, kiln = quoting(source, 0, len(FACT)), quoting(source, len(FACT) + 2)
            _keep(store, code, kiln)
            store.put_vectors("alder", "event", "e", [(source.id, b"\1\2")])
            store.erase(_plan(store, code).purge)
            told = store.events_after("alder", 0, 9)
            assert [one.seq for one in told] == [first.seq, source.seq, last.seq]
            assert told[1].text == "[forgotten]. Maren fires the kiln on Fridays"
            assert told[1].id != source.id
            assert (told[1].ts, told[1].session) == (source.ts, source.session)
            [rest] = store.memories("alder")
            assert rest.id == kiln.id
            assert rest.evidence[0].event_id == told[1].id
            assert store.versions("alder", kiln.id)[0].memory.evidence == rest.evidence
            read = {one.id for one in store.undreamed("alder", None, None)}
            assert read == {first.id, last.id}
            assert told[1].id in {one.id for one in store.unindexed("alder", 9)}
            assert told[1].id in [one.id for one in store.unembedded("alder", "event", "e", 9)]
            assert "4471" not in _all_texts(store)

    def test_a_memory_without_a_quote_goes_too(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            other = msgspec.structs.replace(fact, id="me-other", text="Doors have codes")
            _keep(store, fact, other)
            plan = _plan(store, fact)
            assert [one.id for one in plan.also] == [other.id]
            erased = store.erase(plan.purge)
            assert set(erased.receipt.memory_ids) == {fact.id, other.id}
            assert store.memories("alder") == []
            assert erased.receipt.event_ids == (source.id,)

    def test_a_memory_with_other_quotes_keeps_those(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            elsewhere, other = _told(store, "Maren keeps the spare key")
            spans = (*fact.evidence, *other.evidence)
            other = msgspec.structs.replace(other, evidence=spans)
            _keep(store, fact, other)
            store.erase(_plan(store, fact).purge)
            [kept] = store.memories("alder")
            assert [span.event_id for span in kept.evidence] == [elsewhere.id]
            assert source.id not in store.events_by_id("alder", [source.id])

    def test_earlier_wordings_go_and_later_ones_that_hold_the_words(self) -> None:
        with self.store() as store:
            _, fact = _told(store)
            _keep(store, fact)
            richer = update(fact, text="The studio door code is 4471 since May")
            store.commit(dream(richer, dream_id="dr2"), [], MORNING)
            store.commit(dream(confirm(richer.after), dream_id="dr3"), [], MORNING)
            store.erase(_plan(store, fact).purge)
            assert "4471" not in _all_texts(store)
            assert store.memories("alder") == []

    def test_copies_in_other_events_go(self) -> None:
        with self.store() as store:
            _, fact = _told(store)
            _told(store, "THE STUDIO　DOOR CODE\n is 4471!", identity="copy")
            _told(store, "Noted: your studio door code, that is 4471.", identity="reply",
                  role="assistant", origin="agent")  # fmt: skip
            other, _ = _told(store, "The studio opens at nine")
            _keep(store, fact)
            store.erase(_plan(store, fact).purge)
            assert [one.id for one in store.events_after("alder", 0, 9)] == [other.id]

    def test_another_space_keeps_its_own(self) -> None:
        with self.store() as store:
            _, fact = _told(store)
            theirs, _ = _told(store, space="birch")
            _keep(store, fact)
            store.erase(_plan(store, fact).purge)
            assert store.events_by_id("birch", [theirs.id])
            assert store.match("birch", "event", "own", [("4471",)], mode="any", limit=9)
            assert store.erasures("birch") == []
            assert store.append([event(space="birch", identity="new")]).stored

    def test_the_same_record_does_not_come_back(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            _keep(store, fact)
            store.erase(_plan(store, fact).purge)
            again = store.append([msgspec.structs.replace(source, seq=0)])
            assert again.stored == ()
            assert again.duplicates == 1
            new_key = event("the studio door code is 4471.", identity="other log")
            assert store.append([new_key]).stored == ()
            longer = event("Hello there Tilda. The studio door code is 4471.", identity="third log")
            [kept] = store.append([longer]).stored
            assert "4471" not in kept.text
            assert store.append([longer]).stored == ()

    def test_a_later_statement_is_new(self) -> None:
        with self.store() as store:
            _, fact = _told(store)
            _keep(store, fact)
            store.erase(_plan(store, fact).purge)
            later = event(FACT, ts=LATER + timedelta(hours=1), identity="later")
            [new] = store.append([later]).stored
            assert new.text == FACT

    def test_plans_on_what_is_gone_are_dropped_or_refused(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            waiting = dream(add(fact), status="planned", event_ids=(source.id,))
            other = dream(add(memory("Glazes dry slowly")), dream_id="dr2", status="planned")
            store.save_dream(waiting)
            store.save_dream(other)
            plan = find_all(store, "alder", Target(event_ids=frozenset([source.id])), LATER)
            store.erase(plan.purge)
            assert store.dream("alder", "dr1") is None
            assert store.dream("alder", "dr2") == other
            with refused(StalePlan):
                store.save_dream(waiting)
            with refused(StalePlan):
                store.commit(dream(add(fact), event_ids=(source.id,)), [], LATER)
            store.put_stage("alder", "dr1", "distill/0", f'{{"event_id":"{source.id}"}}'.encode())
            assert store.stages("alder", "dr1") == {}

    def test_what_was_left_out_of_dreams_goes(self) -> None:
        with self.store() as store:
            source, fact = _told(store)
            left = (Rejected("verify", "too weak", "door code 4471?", source.id),
                    Rejected("verify", "blank", "kiln", "ev-other"))  # fmt: skip
            store.commit(dream(add(fact), rejections=left, event_ids=(source.id,)), [], MORNING)
            store.erase(_plan(store, fact).purge)
            kept = store.dream("alder", "dr1")
            assert kept is not None
            assert [item.text for item in kept.rejections] == ["kiln"]

    def test_a_text_is_forgotten_wherever_it_stands(self) -> None:
        with self.store() as store:
            _, one = _told(store, "门锁的密码写在青瓷碗底下")
            _, two = _told(store, "青瓷 碗要用软布擦")
            other, _ = _told(store, "窑温到一千二")
            _keep(store, one, two)
            plan = find_all(store, "alder", Target(literal="青瓷碗"), LATER)
            assert {found.id for found in plan.memories} == {one.id, two.id}
            store.erase(plan.purge)
            assert [found.id for found in store.events_after("alder", 0, 9)] == [other.id]

    def test_forgetting_more_adds_to_the_receipt(self) -> None:
        with self.store() as store:
            _, fact = _told(store)
            _keep(store, fact)
            first = store.erase(_plan(store, fact).purge)
            store.settle("alder", first.receipt.id, 3)
            [known] = store.erasures("alder")
            assert (known.finished, known.receipt.removed.files) == (True, 3)
            late, _ = _told(store, "The new code of the studio is 9120")
            target = Target(event_ids=frozenset([late.id]))
            second = store.erase(find_all(store, "alder", target, LATER, known).purge)
            assert second.receipt.id == first.receipt.id
            assert second.receipt.removed.events == 2
            assert set(second.receipt.event_ids) == {*first.receipt.event_ids, late.id}
            assert len(store.erasures("alder")) == 1
            assert store.compact() == 0
