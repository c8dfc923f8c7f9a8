"""The store contract: all of a space is put back in another one as it was."""

# ruff: noqa: D102 - the name of a test says what it shows

from datetime import timedelta

import msgspec

from slowwave.errors import InputError
from slowwave.model import (
    Dream,
    InjectedItem,
    Injection,
    ModelCall,
    PhaseHit,
    RawAnswer,
    Signal,
    Snapshot,
    WorkItem,
)
from slowwave.ports import Store
from slowwave.testing.contract_base import Contract, refused
from slowwave.testing.samples import MORNING, add, dream, event, quoting, update, words
from slowwave.transfer.send import kept_of

LATER = MORNING + timedelta(hours=1)


def lived(store: Store) -> None:
    """A space with something of everything."""
    said = store.append([event("The pump hums", id="ev1"), event("It is loud", id="ev2")]).stored
    pump = quoting(said[0], 0, 8, id="me1")
    first = dream(add(pump), event_ids=("ev1",), phases=(PhaseHit("me1", "light", MORNING),))
    store.commit(first, [words("me1", "pump")], MORNING)
    store.commit(dream(update(pump, importance=70), dream_id="dr2"), [], LATER)
    plan = dream(add(quoting(said[1], 0, 2, id="me2")), dream_id="dr3", status="planned")
    store.save_dream(plan)
    store.record_signals("alder", [Signal(memory_id="me1", ts=LATER, query_hash="q", score=0.5)])
    item = WorkItem(id="w1", text="oil it", state="open", opened=MORNING, touched=LATER)
    store.put_working("alder", [item])
    for name in ("in2", "in1"):
        given = (InjectedItem(id="me1", score=0.5, verdict="wrong"),)
        store.record_injection("alder", Injection(id=name, ts=MORNING, query="hm", items=given))
    call = ModelCall(ts=MORNING, purpose="distill", prompt="p", model="m", outcome="ok")
    answer = RawAnswer(
        id="ra1", ts=MORNING, purpose="distill", prompt="p", model="m", text="…", reason="torn"
    )
    store.record_calls("alder", [call], [answer])
    store.put_stage("alder", "", "trial", b'{"on": true}')


class RestoreContract(Contract):
    """Nothing is lost on the way to another home."""

    def test_what_is_put_back_is_what_it_was(self) -> None:
        with self.store() as store:
            lived(store)
            kept = kept_of(store, "alder")
            store.append([msgspec.structs.replace(one, space="birch", seq=0)
                          for one in store.events_after("alder", 0, 9)])  # fmt: skip
            rows = [words("me1", "pump")]
            store.restore("birch", kept, rows)
            there = kept_of(store, "birch")
            moved = tuple(msgspec.structs.replace(one, space="birch") for one in kept.dreams)
            assert there == msgspec.structs.replace(kept, dreams=moved)
            assert store.memories("birch")[0].access_count == 1
            assert store.phase_hits("birch") == store.phase_hits("alder") != []
            assert [one.id for one in store.undreamed("birch", None, None)] == ["ev2"]
            found = store.match("birch", "memory", "own", [("pump",)], mode="any", limit=3)
            assert [hit.id for hit in found] == ["me1"]
            assert store.check() == []
            # It goes on living: a later dream stands on what was put back.
            standing = store.memories("birch")[0]
            later: Dream = dream(update(standing, importance=80), dream_id="dr4")
            store.commit(msgspec.structs.replace(later, space="birch"), [], LATER)
            assert store.memories("birch")[0].importance == 80

    def test_a_space_with_a_ledger_of_its_own_takes_no_other(self) -> None:
        with self.store() as store:
            lived(store)
            before = kept_of(store, "alder")
            with refused(InputError):
                store.restore("alder", before, [])
            assert kept_of(store, "alder") == before
            store.restore("birch", Snapshot(), [])
            assert kept_of(store, "birch") == Snapshot()
