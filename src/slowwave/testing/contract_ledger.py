"""The store contract: memories, dreams, checkpoints, signals."""

# ruff: noqa: D102 - the name of a test says what it shows

from datetime import UTC, timedelta

import msgspec

from slowwave.errors import AlreadyDecided, DreamError, NotFound, StalePlan
from slowwave.model import (
    Counts,
    InjectedItem,
    Injection,
    Memory,
    ReasonCount,
    Rejected,
    Signal,
    Stage,
)
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


def _standing(store: Store, memory_id: str = "me1", space: str = "alder") -> Memory:
    return store.memories_by_id(space, [memory_id])[memory_id]


def _signal(memory_id: str, hours: int) -> Signal:
    ts = MORNING + timedelta(hours=hours)
    return Signal(memory_id=memory_id, ts=ts, query_hash="q1", score=0.5)


class LedgerContract(Contract):
    """The ledger: all of a plan or nothing of it, and every version kept."""

    def test_a_committed_memory_comes_back_as_it_was(self) -> None:
        with self.store() as store:
            said = store.append([event("Reduction starts at 1010 °C — 还原气氛")]).stored[0]
            kept = quoting(
                said,
                0,
                15,
                id="me1",
                entities=("1010 °C", "还原"),
                valid_from="2031-03-14",
                valid_to="2031-03-14T09:00:00+08:00",
                expires_at="2031-04-01",
                pinned=True,
                superseded_by="me9",
            )
            store.commit(dream(add(kept), event_ids=(said.id,)), [words("me1", "a")], MORNING)
            assert _standing(store) == kept
            assert store.memories("alder") == [kept]
            assert store.memories_by_id("birch", ["me1"]) == {}

    def test_memories_are_ordered_and_chosen_by_status(self) -> None:
        later = MORNING + timedelta(hours=2)
        early = (MORNING + timedelta(hours=1)).astimezone(UTC)
        kept = [
            memory("c", id="me3", first_seen=later, status="cold"),
            memory("b", id="me2", first_seen=early, status="active"),
            memory("a", id="me1", first_seen=later, status="candidate"),
        ]
        with self.store() as store:
            store.commit(dream(*map(add, kept)), [], MORNING)
            assert [found.id for found in store.memories("alder")] == ["me2", "me1", "me3"]
            chosen = store.memories("alder", ["cold", "active"])
            assert [found.id for found in chosen] == ["me2", "me3"]
            assert store.counts("alder").memories == {"cold": 1, "active": 1, "candidate": 1}

    def test_every_version_is_kept_with_its_change(self) -> None:
        first = memory("Bisque at 980", id="me1")
        change = update(first, text="Bisque at 1000")
        with self.store() as store:
            store.commit(dream(add(first)), [], MORNING)
            store.commit(dream(change, dream_id="dr2"), [], MORNING + timedelta(1))
            old, new = store.versions("alder", "me1")
            assert (old.memory, old.op, old.dream_id) == (first, "add", "dr1")
            assert (new.memory, new.op, new.dream_id) == (change.after, "update", "dr2")
            assert (new.change_id, new.reason) == (change.id, change.reason)
            assert new.recorded_at == MORNING + timedelta(1)
            assert _standing(store) == change.after
            assert store.versions("birch", "me1") == []

    def test_only_approved_changes_are_applied(self) -> None:
        plan = dream(
            add(memory("yes", id="me1"), approved=True),
            add(memory("no", id="me2"), approved=False),
            add(memory("undecided", id="me3")),
        )
        with self.store() as store:
            store.commit(plan, [words("me2", "no")], MORNING)
            assert [found.id for found in store.memories("alder")] == ["me1", "me3"]
            assert store.versions("alder", "me2") == []
            assert store.dream("alder", "dr1") == plan

    def test_a_stale_plan_changes_nothing(self) -> None:
        first = memory("Wedge clay before use", id="me1")
        with self.store() as store:
            said = store.append([event()]).stored[0]
            store.commit(dream(add(first)), [], MORNING)
            store.commit(dream(confirm(first), dream_id="dr2"), [], MORNING)
            stale = (
                update(first, text="Wedge twice"),
                add(memory("again", id="me1")),
                confirm(memory("never was", id="me7")),
            )
            for change in stale:
                plan = dream(
                    add(memory("new", id="me5")), change, dream_id="dr3", event_ids=(said.id,)
                )
                with refused(StalePlan):
                    store.commit(plan, [words("me5", "new"), words("me1", "new")], MORNING)
            assert [found.id for found in store.memories("alder")] == ["me1"]
            assert len(store.versions("alder", "me1")) == 2
            assert store.dream("alder", "dr3") is None
            assert store.undreamed("alder", None, None) == [said]
            assert store.match("alder", "memory", "own", [("new",)], mode="any", limit=9) == []

    def test_a_plan_may_change_one_memory_twice(self) -> None:
        first = memory("Trim at leather hard", id="me1")
        second = confirm(first)
        with self.store() as store:
            plan = dream(add(first), second, update(second.after, text="Trim when firm"))
            store.commit(plan, [], MORNING)
            assert [found.op for found in store.versions("alder", "me1")] == [
                "add",
                "confirm",
                "update",
            ]
            assert _standing(store).text == "Trim when firm"

    def test_a_plan_cannot_be_applied_twice(self) -> None:
        with self.store() as store:
            plan = dream(add(memory(id="me1")))
            store.commit(plan, [], MORNING)
            with refused(AlreadyDecided):
                store.commit(plan, [], MORNING)
            assert len(store.versions("alder", "me1")) == 1

    def test_a_slower_twin_does_not_take_an_applied_dream_back(self) -> None:
        with self.store() as store:
            said = store.append([event()]).stored[0]
            plan = dream(add(memory(id="me1")), status="planned", event_ids=(said.id,))
            done = msgspec.structs.replace(plan, status="applied")
            store.save_dream(plan)
            store.commit(done, [], MORNING)
            with refused(AlreadyDecided):
                store.save_dream(plan)
            assert store.dream("alder", "dr1") == done
            assert store.undreamed("alder", None, None) == []
            store.save_dream(msgspec.structs.replace(done, status="rolled_back"))
            with refused(AlreadyDecided):
                store.commit(done, [], MORNING)

    def test_what_somebody_decided_meanwhile_is_not_overwritten(self) -> None:
        plan = dream(add(memory(id="me1")), status="planned")
        marked = msgspec.structs.replace(plan.changes[0], approved=False)
        decided = msgspec.structs.replace(plan, changes=(marked,))
        with self.store() as store:
            store.save_dream(plan)
            store.save_dream(decided, was=plan)
            with refused(StalePlan):
                store.save_dream(msgspec.structs.replace(plan, status="approved"), was=plan)
            with refused(StalePlan):
                store.commit(msgspec.structs.replace(plan, status="applied"), [], MORNING, plan)
            assert store.dream("alder", "dr1") == decided
            store.save_dream(msgspec.structs.replace(decided, status="rejected"), was=decided)
            with refused(StalePlan):
                store.save_dream(decided, was=decided)

    def test_an_undoing_that_is_undone_gives_back_what_it_took(self) -> None:
        with self.store() as store:
            said = store.append([event()]).stored[0]
            store.commit(dream(add(memory(id="me1")), event_ids=(said.id,)), [], MORNING)
            for number in range(2, 6):
                undoing = dream(dream_id=f"dr{number}", undoes=f"dr{number - 1}")
                store.commit(undoing, [], MORNING)
                stands = {one.dream_id: one.status for one in store.dreams("alder")}
                assert stands["dr1"] == ("applied" if number % 2 else "rolled_back")
                assert [*stands.values()].count("applied") == 1 + number // 2 - (number % 2 == 0)
            # It was dreamed again meanwhile: it cannot be applied beside that one.
            store.commit(dream(dream_id="dr6", undoes="dr5"), [], MORNING)
            store.commit(dream(dream_id="twin", event_ids=(said.id,)), [], MORNING)
            with refused(DreamError):
                store.commit(dream(dream_id="dr7", undoes="dr6"), [], MORNING)
            assert store.dream("alder", "dr7") is None

    def test_events_go_into_one_dream_only(self) -> None:
        with self.store() as store:
            one, two = store.append([event("a"), event("b")]).stored
            store.commit(dream(add(memory(id="me1")), event_ids=(one.id,)), [], MORNING)
            wider = dream(add(memory(id="me2")), dream_id="dr2", event_ids=(one.id, two.id))
            with refused(StalePlan):
                store.commit(wider, [], MORNING)
            assert store.memories_by_id("alder", ["me2"]) == {}
            assert store.dream("alder", "dr2") is None

    def test_the_same_memory_id_in_two_spaces_is_two_memories(self) -> None:
        with self.store() as store:
            for space, text in (("alder", "ours"), ("birch", "theirs")):
                store.commit(dream(add(memory(text, id="me1")), space=space), [], MORNING)
            assert _standing(store).text == "ours"
            assert _standing(store, space="birch").text == "theirs"
            assert [found.space for found in store.dreams("birch")] == ["birch"]
            assert store.dream("cedar", "dr1") is None

    def test_a_saved_dream_comes_back_and_can_be_replaced(self) -> None:
        plan = dream(
            add(memory(id="me1"), scores={"novelty": 0.25}, route="salience"),
            confirm(memory("old", id="me2")),
            mode="plan",
            status="planned",
            rejected=(ReasonCount("greeting", 2),),
            rejections=(Rejected("distill", "greeting", "morning!", "ev1"),),
            stages=(Stage(name="collect", came_in=3, went_out=2, duration_sec=0.5),),
            event_ids=("ev1", "ev2"),
        )
        with self.store() as store:
            store.save_dream(plan)
            assert store.dream("alder", "dr1") == plan
            refused_plan = msgspec.structs.replace(plan, status="rejected", changes=())
            store.save_dream(refused_plan)
            assert store.dream("alder", "dr1") == refused_plan
            assert store.memories("alder") == []
            assert store.dream("alder", "dr9") is None

    def test_dreams_are_listed_newest_first_without_their_long_lists(self) -> None:
        with self.store() as store:
            for dream_id, hours in (("drB", 1), ("drC", 0), ("drA", 1)):
                store.save_dream(
                    dream(
                        add(memory(id="me1")),
                        dream_id=dream_id,
                        status="planned",
                        run_at=MORNING + timedelta(hours=hours),
                        event_ids=("ev1",),
                        rejections=(Rejected("verify", "why", "text"),),
                        new_entries=1,
                    )
                )
            listed = store.dreams("alder")
            # Of one moment, what was saved last comes first, whatever the ids.
            assert [found.dream_id for found in listed] == ["drA", "drB", "drC"]
            assert all(
                (found.changes, found.rejections, found.event_ids) == ((), (), ())
                for found in listed
            )
            assert listed[0].new_entries == 1
            store.save_dream(msgspec.structs.replace(listed[1], status="rejected"))
            listed = store.dreams("alder")
            assert [found.dream_id for found in listed] == ["drA", "drB", "drC"]

    def test_stages_are_kept_until_they_are_dropped(self) -> None:
        with self.store() as store:
            store.put_stage("alder", "dr1", "collect", b"one")
            store.put_stage("alder", "dr1", "distill", b"\x00\xff")
            store.put_stage("alder", "dr1", "collect", b"two")
            store.put_stage("alder", "dr2", "collect", b"")
            assert store.stages("alder", "dr1") == {"collect": b"two", "distill": b"\x00\xff"}
            assert store.stages("birch", "dr1") == {}
            store.drop_stages("alder", "dr1")
            assert store.stages("alder", "dr1") == {}
            assert store.stages("alder", "dr2") == {"collect": b""}

    def test_what_is_applied_leaves_no_checkpoints(self) -> None:
        with self.store() as store:
            for dream_id in ("dr1", "dr2"):
                store.put_stage("alder", dream_id, "distill/0", b"words of an event")
            store.commit(dream(dream_id="dr1"), [], MORNING)
            assert store.stages("alder", "dr1") == {}
            assert list(store.stages("alder", "dr2")) == ["distill/0"]

    def test_a_check_does_not_mistake_a_write_in_between_for_damage(self) -> None:
        with self.store() as store:
            for number in range(3):
                first = memory(f"Sieve {number}", id=f"me{number}")
                store.commit(
                    dream(add(first), dream_id=f"dr{number}"),
                    [words(first.id, f"sieve {number}")],
                    MORNING,
                )
                quotes = [problem for problem in store.check() if "quotes" not in problem]
                assert quotes == []

    def test_signals_raise_counters_but_no_version(self) -> None:
        first = memory("Sieve the glaze", id="me1")
        with self.store() as store:
            store.commit(dream(add(first)), [], MORNING)
            store.record_signals("alder", [_signal("me1", 5), _signal("me1", 2), _signal("no", 1)])
            store.record_signals("birch", [_signal("me1", 9)])
            seen = _standing(store)
            assert (seen.access_count, seen.version) == (2, 1)
            assert seen.last_access == MORNING + timedelta(hours=5)
            assert store.memories("alder") == [seen]
            # A plan made before the signals still holds, and does not take them back.
            store.commit(dream(update(first, importance=70), dream_id="dr2"), [], MORNING)
            after = _standing(store)
            assert (after.access_count, after.importance, after.version) == (2, 70, 2)
            assert after.last_access == seen.last_access

    def test_injections_can_be_recorded_again(self) -> None:
        with self.store() as store:
            first = Injection(id="in1", ts=MORNING, query="where is it", tokens=5)
            later = Injection(
                id="in2", ts=MORNING + timedelta(hours=1), query="and now", session="s2",
                caller="person", items=(InjectedItem(id="me1", score=0.5, verdict="wrong"),),
            )  # fmt: skip
            for entry in (first, later, msgspec.structs.replace(first, tokens=6)):
                store.record_injection("alder", entry)
            assert store.injections("alder") == [later, msgspec.structs.replace(first, tokens=6)]
            assert store.injections("alder", MORNING + timedelta(minutes=1)) == [later]
            assert store.injections("birch") == []
            assert store.resolve("alder", "injection", "in2") == "in2"

    def test_injections_are_dropped_when_they_are_old(self) -> None:
        with self.store() as store:
            store.record_injection("birch", Injection(id="in0", ts=MORNING, query="whose is it"))
            for day in range(4):
                ts = MORNING + timedelta(days=day)
                entry = Injection(id=f"in{day}", ts=ts, query="where is it")
                store.record_injection("alder", entry, days=2)
            assert [entry.id for entry in store.injections("alder")] == ["in3", "in2", "in1"]
            store.record_injection("alder", Injection(id="in9", ts=ts, query="and it"), days=0)
            assert len(store.injections("alder")) == 4
            assert len(store.injections("birch")) == 1

    def test_counts_add_up(self) -> None:
        with self.store() as store:
            nothing = Counts(
                events=0,
                sessions=0,
                memories={},
                dreams=0,
                undreamed_events=0,
                unindexed_events=0,
                vectors=0,
                first_event=None,
                last_event=None,
            )
            assert store.counts("alder") == nothing
            store.append(
                [
                    event("a", session="s1"),
                    event("b", session="s2", ts=MORNING + timedelta(1)),
                    event("c", session="s2"),
                    event("d"),
                ]
            )
            store.save_dream(dream(status="planned"))
            counts = store.counts("alder")
            assert (counts.events, counts.sessions, counts.dreams) == (4, 2, 1)
            assert (counts.undreamed_events, counts.unindexed_events) == (4, 4)
            assert (counts.first_event, counts.last_event) == (MORNING, MORNING + timedelta(1))

    def test_check_finds_a_quote_that_is_not_in_the_journal(self) -> None:
        store = self.open_store()
        try:
            said = store.append([event("The lid warped")]).stored[0]
            told = quoting(said, 0, 7, id="me1")
            forged = msgspec.structs.replace(told.evidence[0], quote="The jug")
            store.commit(dream(add(told)), [], MORNING)
            assert store.check() == []
            bad = msgspec.structs.replace(told, id="me2", evidence=(forged,))
            store.commit(dream(add(bad), dream_id="dr2"), [], MORNING)
            assert any("me2" in problem for problem in store.check())
        finally:
            store.close()

    def test_text_that_is_hard_to_store_does_not_break_the_ledger(self) -> None:
        hard = memory("nul \x00 and half \ud83d", id="me1", title="\udfff", entities=("\ud83d",))
        with self.store() as store:
            store.commit(dream(add(hard, reason="\ud83d")), [words("me1", "half \ud83d")], MORNING)
            assert _standing(store).text.startswith("nul \x00 and half")
            assert store.dream("alder", "dr1") is not None
            with refused(NotFound):
                store.resolve("alder", "memory", "\ud83d")
