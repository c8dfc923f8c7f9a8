"""The store contract: the journal."""

# ruff: noqa: D102 - the name of a test says what it shows

import threading
from datetime import UTC, datetime, timedelta, timezone

from slowwave.errors import NotFound
from slowwave.ports import Store
from slowwave.testing.contract_base import Contract, refused
from slowwave.testing.samples import MORNING, add, dream, event, memory


class JournalContract(Contract):
    """Events: added once, read in order, kept apart by space."""

    def test_an_appended_event_comes_back_as_it_was(self) -> None:
        original = event(
            "窑温到了 1240 度 🔥 — ça chauffe",
            speaker="Ruth",
            channel="studio",
            ref="pottery.md#4",
            session="s1",
            meta={"batch": "7", "键": "值"},
            kind="note",
            origin="other",
        )
        with self.store() as store:
            stored = store.append([original]).stored[0]
            assert store.events_by_id("alder", [original.id]) == {original.id: stored}
            assert stored.seq > 0
            same = (original.id, original.text, original.meta, original.speaker, original.ref)
            assert same == (stored.id, stored.text, stored.meta, stored.speaker, stored.ref)

    def test_an_instant_keeps_its_offset_and_microseconds(self) -> None:
        zones = [timezone(timedelta(minutes=minutes)) for minutes in (-210, 0, 345, 480)]
        stamps = [datetime(2031, 1, 1, 0, 0, 0, 123456, tzinfo=zone) for zone in zones]
        with self.store() as store:
            store.append([event(f"firing {at}", ts=ts) for at, ts in enumerate(stamps)])
            read = [found.ts for found in store.events_after("alder", 0, 9)]
            assert read == stamps
            assert [ts.utcoffset() for ts in read] == [ts.utcoffset() for ts in stamps]

    def test_the_first_of_two_with_one_identity_wins(self) -> None:
        with self.store() as store:
            first = store.append([event("glaze A", identity="k"), event("glaze B", identity="k")])
            assert [kept.text for kept in first.stored] == ["glaze A"]
            assert first.duplicates == 1
            again = store.append([event("glaze C", identity="k"), event("glaze D", identity="m")])
            assert [kept.text for kept in again.stored] == ["glaze D"]
            assert again.duplicates == 1
            assert [kept.text for kept in store.events_after("alder", 0, 9)] == [
                "glaze A",
                "glaze D",
            ]

    def test_appending_nothing_does_nothing(self) -> None:
        with self.store() as store:
            assert store.append([]).stored == ()

    def test_spaces_do_not_see_each_other(self) -> None:
        with self.store() as store:
            here, there = (
                store.append([event("slip recipe", space=space)]).stored[0]
                for space in ("alder", "birch")
            )
            assert store.events_after("alder", 0, 9) == [here]
            assert store.events_by_id("birch", [there.id]) == {there.id: there}
            assert store.events_after("cedar", 0, 9) == []
            assert store.events_between("birch", MORNING, MORNING + timedelta(1)) == [there]
            assert store.counts("cedar").events == 0
            with refused(NotFound):
                store.resolve("cedar", "event", here.id)

    def test_reading_after_a_place_goes_on_where_it_stopped(self) -> None:
        with self.store() as store:
            store.append([event(f"pot {n}", ts=MORNING - timedelta(n)) for n in range(5)])
            read, seq = [], 0
            while batch := store.events_after("alder", seq, 2):
                read += [found.text for found in batch]
                seq = batch[-1].seq
            assert read == [f"pot {n}" for n in range(5)]
            assert store.events_after("alder", 0, 0) == []

    def test_between_is_half_open_and_ordered_by_time_then_place(self) -> None:
        hours = (3, 1, 2, 1, 4)
        with self.store() as store:
            store.append(
                [
                    event(f"firing {n} at {h}", ts=MORNING + timedelta(hours=h))
                    for n, h in enumerate(hours)
                ]
            )
            start = (MORNING + timedelta(hours=1)).astimezone(UTC)
            found = store.events_between("alder", start, MORNING + timedelta(hours=4))
            assert [kept.text for kept in found] == [
                "firing 1 at 1",
                "firing 3 at 1",
                "firing 2 at 2",
                "firing 0 at 3",
            ]

    def test_undreamed_leaves_out_what_an_applied_dream_has_read(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"test tile {n}") for n in range(4)]).stored
            read = (kept[0].id, kept[2].id, "ev-unknown")
            store.save_dream(dream(dream_id="dr0", status="planned", event_ids=(kept[3].id,)))
            store.commit(dream(event_ids=read), [], MORNING)
            assert store.undreamed("alder", None, None) == [kept[1], kept[3]]
            assert store.undreamed("alder", MORNING + timedelta(1), None) == []
            assert store.undreamed("alder", None, MORNING) == []
            assert store.counts("alder").undreamed_events == 2

    def test_a_session_is_read_backwards_from_a_place(self) -> None:
        with self.store() as store:
            kept = store.append(
                [event(f"turn {n}", session="even" if n % 2 == 0 else "odd") for n in range(8)]
            ).stored
            found = store.session_before("alder", "even", kept[6].seq, 2)
            assert found == [kept[2], kept[4]]
            assert store.session_before("alder", "even", kept[0].seq, 2) == []
            assert store.session_before("alder", "even", kept[6].seq, 0) == []

    def test_unknown_ids_are_left_out(self) -> None:
        with self.store() as store:
            kept = store.append([event()]).stored[0]
            assert store.events_by_id("alder", ["nothing", kept.id, ""]) == {kept.id: kept}
            assert store.events_by_id("alder", []) == {}

    def test_text_that_is_hard_to_store_is_kept_or_made_storable(self) -> None:
        hard = ["a\x00b", "\ud83d alone", "low \udfff", "line\u2028sep", "'; DROP TABLE x; --", ""]
        with self.store() as store:
            stored = store.append([event(text, identity=f"{n}") for n, text in enumerate(hard)])
            texts = [kept.text for kept in stored.stored]
            assert texts == [text.replace("\ud83d", "�").replace("\udfff", "�") for text in hard]
            assert [kept.text for kept in store.events_after("alder", 0, 9)] == texts
            assert store.events_by_id("alder", ["\ud83d"]) == {}
            assert store.events_after("\udcff", 0, 9) == []

    def test_threads_that_append_at_once_lose_nothing(self) -> None:
        with self.store() as store:
            threads = [
                threading.Thread(target=_append_some, args=(store, number)) for number in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            kept = store.events_after("alder", 0, 1000)
            assert len({found.id for found in kept}) == 8 * 20
            assert [found.seq for found in kept] == sorted(found.seq for found in kept)

    def test_ids_are_resolved_by_a_start_that_is_theirs_alone(self) -> None:
        with self.store() as store:
            ids = ("evab", "evabc", "evx_", "evx%")
            store.append([event(f"shard {id}", id=id) for id in ids])
            store.commit(dream(add(memory(id="me77"))), [], MORNING)
            assert store.resolve("alder", "event", "evab") == "evab"
            assert store.resolve("alder", "event", "evabc") == "evabc"
            assert store.resolve("alder", "event", "evx_") == "evx_"
            assert store.resolve("alder", "memory", "me") == "me77"
            assert store.resolve("alder", "dream", "dr") == "dr1"
            assert store.ids_from("alder", "event", "eva") == ["evab", "evabc"]
            assert store.ids_from("alder", "event", "\udcff") == []
            assert len(store.ids_from("alder", "event", "")) == 4
            for prefix in ("ev", "eva", "", "%", "me", "evab\x00", "\udcff"):
                with refused(NotFound):
                    store.resolve("alder", "event", prefix)

    def test_spaces_with_events_are_named(self) -> None:
        with self.store() as store:
            assert store.spaces() == []
            for space in ("birch", "alder", "桦", "birch"):
                store.append([event(f"a pot of {space}", space=space)])
            assert store.memories("nobody") == []
            assert store.spaces() == ["alder", "birch", "桦"]

    def test_events_are_found_by_the_reference_of_their_source(self) -> None:
        long = "agent:kiln/8e2b7d14-0b1c-4c0e-9f61-30d3b4dd3b1a#L12"
        with self.store() as store:
            store.append(
                [event(f"shard {n}", id=f"ev{n}", ref=ref)
                 for n, ref in enumerate(("d1-2", "d1-2", "D1-2", long, None, "d…2", "d1-22"))]
            )  # fmt: skip

            def found(ref: str) -> list[str]:
                return [one.id for one in store.events_by_ref("alder", ref)]

            assert found("d1-2") == ["ev0", "ev1"]
            assert found("agent:kiln/8e2b7d14…#L12") == found("agent…7d14…12") == ["ev3"]
            assert found("d…2") == ["ev5"]  # one that has the mark itself
            assert found("d1…22") == ["ev6"]
            for nothing in ("", "d1", "d1-22…", "agent…#L13", "12…12", "\udcff", "ev0"):
                assert found(nothing) == [], nothing
            assert store.events_by_ref("birch", "d1-2") == []


def _append_some(store: Store, number: int) -> None:
    for n in range(20):
        store.append([event(f"thread {number} pot {n}")])
