"""The store contract: what a night asks for, so that it need not read all that ever was."""

# ruff: noqa: D102 - the name of a test says what it shows

from datetime import timedelta
from typing import Any

from slowwave.erasure.search import Target, find_all
from slowwave.model import PhaseHit, Signal
from slowwave.ports import Store
from slowwave.testing.contract_base import Contract
from slowwave.testing.samples import MORNING, add, confirm, dream, event, memory, quoting, update


def _ids(found: list[str] | None) -> list[str] | None:
    return None if found is None else sorted(found)


def _retired(store: Store, since: str, *event_ids: str, space: str = "alder") -> list[str]:
    return [found.id for found in store.retired(space, since, event_ids)]


class ReadingContract(Contract):
    """Reading a part gives what reading all and choosing would give."""

    def test_retired_memories_by_the_day_they_ended(self) -> None:
        past = [
            memory("a", id="mea", status="retired", valid_to="2031-03-10"),
            memory("b", id="meb", status="retired", valid_to="2031-03-11T09:00:00+08:00"),
            memory("c", id="mec", status="retired", valid_to="2031-03-12",
                   first_seen=MORNING - timedelta(1)),
            memory("d", id="med", status="retired"),
            memory("e", id="mee", valid_to="2031-03-19"),
        ]  # fmt: skip
        with self.store() as store:
            store.commit(dream(*map(add, past)), [], MORNING)
            assert _retired(store, "2031-03-10") == ["mec", "meb"]
            assert _retired(store, "2031-03-11") == ["mec"]
            assert _retired(store, "2031-03-12") == []
            assert _retired(store, "2031-01-01", space="birch") == []

    def test_retired_memories_of_dreams_that_read_these_events(self) -> None:
        with self.store() as store:
            one, two = store.append([event("one"), event("two")]).stored
            ended = quoting(one, id="mea", status="retired")
            undone = quoting(two, id="mec", status="retired", undone=True)
            changes = (add(ended), add(quoting(one, id="meb")))
            store.commit(dream(*changes, dream_id="dr1", event_ids=(one.id,)), [], MORNING)
            store.commit(dream(add(undone), dream_id="dr2", event_ids=(two.id,)), [], MORNING)
            assert _retired(store, "2031-12-31", one.id) == ["mea"]
            assert _retired(store, "2031-12-31", two.id) == ["mec"]
            assert _retired(store, "2031-12-31", one.id, two.id, "gone") == ["mea", "mec"]
            assert _retired(store, "2031-12-31", one.id, space="birch") == []

    def test_what_changed_since_a_mark(self) -> None:
        first, second = memory("Sieve", id="me1"), memory("Fire", id="me2")
        with self.store() as store:
            assert store.changed_since("alder", "")[1] is None
            store.commit(dream(add(first)), [], MORNING)
            mark, found = store.changed_since("alder", "")
            assert found is None
            assert store.changed_since("alder", mark) == (mark, [])
            store.commit(
                dream(add(second), update(first, importance=9), dream_id="dr2"), [], MORNING
            )
            later, found = store.changed_since("alder", mark)
            assert _ids(found) == ["me1", "me2"]
            assert store.changed_since("alder", later) == (later, [])
            after = store.memories_by_id("alder", ["me2"])["me2"]
            store.commit(dream(confirm(after), dream_id="dr3"), [], MORNING)
            assert store.changed_since("alder", later)[1] == ["me2"]
            assert _ids(store.changed_since("alder", mark)[1]) == ["me1", "me2"]
            assert store.changed_since("alder", "nonsense")[1] is None

    def test_of_another_space_nothing_changed(self) -> None:
        with self.store() as store:
            store.commit(dream(add(memory("Sieve", id="me1")), space="birch"), [], MORNING)
            store.commit(dream(add(memory("Fire", id="me2"))), [], MORNING)
            mark, _ = store.changed_since("birch", "")
            store.commit(dream(add(memory("Throw", id="me3")), dream_id="dr2"), [], MORNING)
            assert store.changed_since("birch", mark)[1] == []

    def test_after_a_forgetting_anything_may_have_changed(self) -> None:
        with self.store() as store:
            said, other = store.append([event("The code is 4471"), event("Fire on Fridays")]).stored
            code, kiln = quoting(said, id="me1"), quoting(other, id="me2")
            store.commit(dream(add(code), add(kiln), event_ids=(said.id, other.id)), [], MORNING)
            mark, _ = store.changed_since("alder", "")
            target = Target(memory_ids=frozenset({"me1"}))
            store.erase(find_all(store, "alder", target, MORNING).purge)
            later, found = store.changed_since("alder", mark)
            assert found is None
            assert store.changed_since("alder", later)[1] == []

    def test_memories_read_again_are_as_they_stand_now(self) -> None:
        first, second = memory("Sieve", id="me1"), memory("Fire", id="me2")
        with self.store() as store:
            store.commit(dream(add(first), add(second)), [], MORNING)
            assert store.memories("alder") == [first, second]
            changed = update(first, text="Sieve twice", status="cold")
            store.commit(dream(changed, dream_id="dr2"), [], MORNING)
            assert store.memories("alder") == [changed.after, second]
            assert store.memories("alder", ["active"]) == [second]
            assert store.memories("alder", ["cold", "retired"]) == [changed.after]
            store.record_signals(
                "alder", [Signal(memory_id="me2", ts=MORNING, query_hash="q", score=0.5)]
            )
            [again] = store.memories("alder", ["active"])
            assert (again.access_count, again.last_access) == (1, MORNING)
            assert store.memories("alder", ["active"]) == [again]
            assert store.memories("birch") == []

    def test_the_latest_versions_of_a_memory(self) -> None:
        first = memory("Sieve", id="me1")
        second = update(first, importance=61).after
        third = update(second, importance=62).after
        with self.store() as store:
            store.commit(dream(add(first)), [], MORNING)
            store.commit(dream(update(first, importance=61), dream_id="dr2"), [], MORNING)
            store.commit(dream(update(second, importance=62), dream_id="dr3"), [], MORNING)
            every = [first, second, third]
            for latest, wanted in ((None, every), (9, every), (2, every[1:]), (0, [])):
                found = [one.memory for one in store.versions("alder", "me1", latest)]
                assert found == wanted
            assert store.versions("alder", "none", 2) == []

    def test_dreams_read_again_are_as_they_stand_now(self) -> None:
        with self.store() as store:
            store.save_dream(dream(status="planned"))
            assert [one.status for one in store.dreams("alder")] == ["planned"]
            store.save_dream(dream(status="rejected"))
            assert [one.status for one in store.dreams("alder")] == ["rejected"]
            assert store.dreams("birch") == []

    def test_dreams_of_some_statuses_and_the_latest(self) -> None:
        statuses = ("applied", "rejected", "planned", "applied", "rolled_back")
        with self.store() as store:
            for number, status in enumerate(statuses):
                run_at = MORNING + timedelta(hours=number)
                store.save_dream(dream(dream_id=f"dr{number}", status=status, run_at=run_at))

            def ids(*asked: Any) -> list[str]:
                return [one.dream_id for one in store.dreams("alder", *asked)]

            assert ids() == ["dr4", "dr3", "dr2", "dr1", "dr0"]
            assert ids(("applied",)) == ["dr3", "dr0"]
            assert ids(("planned", "rolled_back")) == ["dr4", "dr2"]
            assert ids((), 2) == ["dr4", "dr3"]
            assert ids(("applied",), 1) == ["dr3"]
            assert ids(("refused",)) == ids((), 0) == []

    def test_signals_and_hits_of_some_memories(self) -> None:
        known = [memory(text, id=f"me{text}") for text in "abc"]
        given = [
            Signal(memory_id=f"me{text}", ts=MORNING + timedelta(hours=hours), query_hash="q",
                   score=0.5)
            for hours, text in enumerate("cabb")
        ]  # fmt: skip
        hits = tuple(PhaseHit(one.id, "light", MORNING) for one in known)
        with self.store() as store:
            store.commit(dream(*map(add, known), phases=hits), [], MORNING)
            store.record_signals("alder", given)
            asked = ["meb", "mec", "none"]
            wanted = [one for one in store.signals("alder") if one.memory_id in asked]
            assert store.signals("alder", asked) == wanted
            assert [one.memory_id for one in wanted] == ["mec", "meb", "meb"]
            assert store.signals("alder", []) == []
            assert store.signals("birch", asked) == []
            assert [hit.memory_id for hit in store.phase_hits("alder")] == ["mea", "meb", "mec"]
            assert [hit.memory_id for hit in store.phase_hits("alder", asked)] == ["meb", "mec"]
            assert store.phase_hits("alder", []) == []
