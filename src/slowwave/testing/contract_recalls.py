"""The store contract: recall signals and the injection ledger, when several write at once."""

# ruff: noqa: D102 - the name of a test says what it shows

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from slowwave.model import InjectedItem, Injection, Signal, Verdict
from slowwave.ports import Amend, Store
from slowwave.testing.contract_base import Contract
from slowwave.testing.samples import MORNING, add, dream, memory


def _entry(name: str, *items: str) -> Injection:
    given = tuple(InjectedItem(id=one, score=0.5) for one in items)
    return Injection(id=name, ts=MORNING, query="where is it", items=given)


def _order(store: Store) -> list[str]:
    return [one.id for one in store.injections("alder")]


def _verdicts(store: Store) -> dict[str, str]:
    return {one.id: one.verdict for each in store.injections("alder") for one in each.items}


def judging(item_id: str, verdict: Verdict) -> Amend:
    """Gives one item a verdict."""
    return lambda entry: msgspec.structs.replace(
        entry,
        items=tuple(
            msgspec.structs.replace(one, verdict=verdict) if one.id == item_id else one
            for one in entry.items
        ),
    )


class RecallContract(Contract):
    """What is decided on what is stored is decided where nobody comes between."""

    def test_of_one_moment_what_was_recorded_last_comes_first(self) -> None:
        with self.store() as store:
            for name in ("inb", "ina", "inc"):
                store.record_injection("alder", _entry(name, "me1"))
            assert _order(store) == ["inc", "ina", "inb"]
            store.amend_injections("alder", ["inb"], judging("me1", "wrong"))
            assert _order(store) == ["inc", "ina", "inb"]
            store.record_injection("alder", _entry("ina", "me1"))
            assert _order(store) == ["ina", "inc", "inb"]

    def test_of_one_moment_every_answer_is_kept(self) -> None:
        with self.store() as store:
            ids = [store.add_injection("alder", _entry("ina", "me1")) for _ in range(3)]
            assert (ids[0], len(set(ids))) == ("ina", 3)
            store.record_injection("alder", _entry("ina", "me2"))
            assert sorted(_order(store)) == sorted(ids)
            # A replay elsewhere gives the same ids in the same order.
            assert [store.add_injection("birch", _entry("ina")) for _ in range(3)] == ids

    def test_what_was_recorded_last_is_told_whatever_the_clock_says(self) -> None:
        with self.store() as store:
            for name, days in (("in1", 0), ("in2", -3), ("in3", -1)):
                ts = MORNING + timedelta(days)
                store.add_injection("alder", msgspec.structs.replace(_entry(name), ts=ts))
            assert _order(store) == ["in1", "in3", "in2"]
            recorded = store.injections("alder", as_recorded=True)
            assert [one.id for one in recorded] == ["in3", "in2", "in1"]

    def test_a_verdict_is_put_where_it_belongs(self) -> None:
        with self.store() as store:
            store.record_injection("alder", _entry("in1", "me1", "me2"))
            store.record_injection("birch", _entry("in1", "me1"))
            store.amend_injections("alder", ["in1", "in9"], judging("me2", "wrong"))
            store.amend_injections("alder", [], judging("me1", "wrong"))
            assert _verdicts(store) == {"me1": "", "me2": "wrong"}
            assert store.injections("birch")[0].items[0].verdict == ""
            store.amend_injections("alder", ["in1"], judging("me2", ""))
            assert _verdicts(store) == {"me1": "", "me2": ""}

    def test_a_verdict_outlives_the_entry_that_replaces_its_own(self) -> None:
        with self.store() as store:
            store.record_injection("alder", _entry("in1", "me1", "me2"))
            store.amend_injections("alder", ["in1"], judging("me2", "wrong"))
            store.record_injection("alder", _entry("in1", "me2", "me3"))
            assert _verdicts(store) == {"me2": "wrong", "me3": ""}

    def test_signals_come_in_as_far_as_they_are_admitted(self) -> None:
        def signal(name: str) -> Signal:
            return Signal(memory_id=name, ts=MORNING, query_hash="q", score=0.5, caller="agent")

        seen: list[int] = []

        def once(known: Sequence[Signal], new: Sequence[Signal]) -> list[Signal]:
            seen.append(len(known))
            return [one for one in new if one.memory_id not in {old.memory_id for old in known}]

        with self.store() as store:
            store.commit(dream(add(memory("Sieve the glaze", id="me1"))), [], MORNING)
            assert store.record_signals("alder", [signal("me1")], once) == 1
            assert store.record_signals("alder", [signal("me1"), signal("no")], once) == 0
            assert store.record_signals("alder", [signal("me1")]) == 1
            assert store.record_signals("alder", [], once) == 0
            assert seen[:2] == [0, 1]
            assert len(store.signals("alder")) == store.memories("alder")[0].access_count == 2

    def test_an_allowance_hinders_nobody_who_need_not_wait(self) -> None:
        later = MORNING + timedelta(1)
        with self.store() as store:
            with store.within(0.0), store.within(5.0):
                store.record_injection("alder", _entry("in1"))
            store.record_injection("alder", msgspec.structs.replace(_entry("in2"), ts=later))
            assert _order(store) == ["in2", "in1"]
            assert store.trouble == ""
