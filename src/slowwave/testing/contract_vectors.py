"""The store contract: vectors."""

# ruff: noqa: D102 - the name of a test says what it shows

from slowwave.model import Embeddable, Scored, Unit, text_hash
from slowwave.ports import Store
from slowwave.testing.contract_base import Contract
from slowwave.testing.embedder import HashingEmbedder
from slowwave.testing.samples import MORNING, add, confirm, dream, event, memory, update

EAST, NORTH, WEST = bytes([127, 0, 0]), bytes([0, 127, 0]), bytes([129, 0, 0])
NORTH_EAST, NOWHERE = bytes([127, 127, 0]), bytes(3)


def _near(store: Store, vector: bytes, limit: int = 9, unit: Unit = "event") -> list[str]:
    return [hit.id for hit in store.nearest("alder", unit, "compass", vector, limit)]


class VectorContract(Contract):
    """Vectors: who needs one, what is near, and no mixing of embedders, units or spaces."""

    def test_what_people_and_the_agent_said_needs_vectors(self) -> None:
        with self.store() as store:
            kept = store.append(
                [
                    event("owner said"),
                    event("agent said", role="assistant", origin="agent"),
                    event("a guest said", origin="other", kind="note"),
                    event("tool said", role="tool", kind="tool_result", origin="tool"),
                    event("agent called", role="assistant", kind="tool_call", origin="agent"),
                    event("a page said", origin="external"),
                    event("we said before", origin="recalled"),
                ]
            ).stored
            newest_first = [Embeddable(found.id, found.text) for found in reversed(kept[:3])]
            assert store.unembedded("alder", "event", "compass", 9) == newest_first
            assert store.unembedded("alder", "event", "compass", 2) == newest_first[:2]
            assert store.unembedded("birch", "event", "compass", 9) == []
            store.put_vectors("alder", "event", "compass", [(kept[2].id, EAST), ("ev-no", EAST)])
            assert store.unembedded("alder", "event", "compass", 9) == newest_first[1:]
            assert store.unembedded("alder", "event", "other", 9) == newest_first
            assert store.counts("alder").vectors == 1

    def test_all_memories_need_vectors_and_new_words_a_new_one(self) -> None:
        first, second = memory("Tea at four", id="me1"), memory("No milk", id="me2", status="cold")
        with self.store() as store:
            store.commit(dream(add(first), add(second)), [], MORNING)
            pending = store.unembedded("alder", "memory", "compass", 9)
            assert pending == [Embeddable("me2", "No milk"), Embeddable("me1", "Tea at four")]
            store.put_vectors("alder", "memory", "compass", [("me1", EAST), ("me2", NORTH)])
            assert _near(store, EAST, unit="memory") == ["me1", "me2"]
            store.commit(
                dream(update(first, text="Tea at five"), confirm(second), dream_id="dr2"),
                [],
                MORNING,
            )
            pending = store.unembedded("alder", "memory", "compass", 9)
            assert pending == [Embeddable("me1", "Tea at five")]
            assert _near(store, EAST, unit="memory") == ["me2"]

    def test_nearest_is_the_exact_cosine_best_first(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"way {n}") for n in range(5)]).stored
            ways = (WEST, NORTH_EAST, EAST, NOWHERE, NORTH)
            pairs = [(found.id, way) for found, way in zip(kept, ways, strict=True)]
            store.put_vectors("alder", "event", "compass", pairs)
            hits = store.nearest("alder", "event", "compass", EAST, 9)
            order = [kept[at].id for at in (2, 1, 3, 4, 0)]
            assert [hit.id for hit in hits] == order
            assert [round(hit.score, 6) for hit in hits] == [1, 0.707107, 0, 0, -1]
            assert _near(store, EAST, limit=2) == order[:2]
            assert _near(store, EAST, limit=0) == []

    def test_a_unit_of_several_directions_is_as_near_as_the_nearest(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"way {n}") for n in range(4)]).stored
            a, b, c, d = (found.id for found in kept)
            first = [(a, NORTH + WEST + NORTH_EAST), (b, WEST), (c, NORTH + EAST[:2])]
            store.put_vectors("alder", "event", "compass", first)
            hits = store.nearest("alder", "event", "compass", EAST, 9)
            assert [(hit.id, round(hit.score, 6)) for hit in hits] == [(a, 0.707107), (b, -1)]
            store.put_vectors("alder", "event", "compass", [(d, WEST + EAST), (c, WEST + NORTH)])
            hits = store.nearest("alder", "event", "compass", EAST, 9)
            assert [(hit.id, round(hit.score, 6)) for hit in hits] == [
                *((d, 1), (a, 0.707107), (c, 0), (b, -1))
            ]
            assert _near(store, WEST, limit=3) == [a, b, c]
            store.put_vectors("alder", "event", "compass", [(a, NORTH)])
            assert _near(store, EAST, limit=2) == [d, a]
            assert store.unembedded("alder", "event", "compass", 9) == []
            assert store.counts("alder").vectors == 4
            cached = store.cached_vectors("compass", [text_hash("way 3")])
            assert cached == {text_hash("way 3"): WEST + EAST}

    def test_equal_vectors_keep_the_order_of_the_journal(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"twin {n}") for n in range(40)]).stored
            ids = [found.id for found in kept]
            pairs = [(unit_id, NORTH_EAST) for unit_id in reversed(ids)]
            store.put_vectors("alder", "event", "compass", pairs)
            assert _near(store, EAST, limit=40) == ids

    def test_nothing_is_near_where_nothing_is(self) -> None:
        with self.store() as store:
            assert _near(store, EAST) == []
            store.append([event()])
            assert _near(store, EAST) == []
            assert _near(store, b"") == []

    def test_a_search_sees_what_was_added_and_replaced_since(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"way {n}") for n in range(3)]).stored
            a, b, c = (found.id for found in kept)
            store.put_vectors("alder", "event", "compass", [(a, EAST)])
            assert _near(store, EAST) == [a]
            store.put_vectors("alder", "event", "compass", [(b, EAST), (c, NORTH_EAST)])
            assert _near(store, EAST) == [a, b, c]
            store.put_vectors("alder", "event", "compass", [(a, WEST)])
            assert _near(store, EAST) == [b, c, a]
            assert store.unembedded("alder", "event", "compass", 9) == []
            late = store.append([event("late one"), event("later one")]).stored
            store.put_vectors("alder", "event", "compass", [(late[1].id, NORTH)])
            waiting = store.unembedded("alder", "event", "compass", 9)
            assert waiting == [Embeddable(late[0].id, "late one")]

    def test_embedders_units_spaces_and_sizes_are_never_mixed(self) -> None:
        with self.store() as store:
            here = store.append([event("one"), event("two")]).stored
            there = store.append([event("one", space="birch")]).stored[0]
            store.commit(dream(add(memory(id="me1"))), [], MORNING)
            store.put_vectors("alder", "event", "compass", [(here[0].id, EAST)])
            store.put_vectors("alder", "event", "compass", [(here[1].id, bytes([127, 0]))])
            store.put_vectors("alder", "event", "sextant", [(here[0].id, WEST)])
            store.put_vectors("birch", "event", "compass", [(there.id, EAST)])
            store.put_vectors("alder", "memory", "compass", [("me1", EAST)])
            assert _near(store, EAST) == [here[0].id]
            assert _near(store, bytes([127, 0])) == [here[1].id]
            assert _near(store, EAST, unit="memory") == ["me1"]
            assert store.nearest("alder", "event", "sextant", EAST, 9) == [Scored(here[0].id, -1.0)]
            assert store.nearest("birch", "event", "compass", EAST, 9) == [Scored(there.id, 1.0)]

    def test_vectors_are_cached_by_text_and_embedder(self) -> None:
        with self.store() as store:
            kept = store.append([event("one"), event("two")]).stored
            store.put_vectors("alder", "event", "compass", [(kept[0].id, EAST)])
            store.put_vectors("alder", "event", "sextant", [(kept[1].id, WEST)])
            hashes = [text_hash("one"), text_hash("two"), "none"]
            assert store.cached_vectors("compass", hashes) == {text_hash("one"): EAST}
            assert store.cached_vectors("sextant", hashes) == {text_hash("two"): WEST}
            assert store.cached_vectors("compass", []) == {}

    def test_the_hashing_embedder_finds_what_is_worded_alike(self) -> None:
        embedder = HashingEmbedder()
        texts = ["the blue bowl cracked in the kiln", "buy oat milk", "蓝色的碗在窑里裂了"]
        with self.store() as store:
            kept = store.append([event(text) for text in texts]).stored
            vectors = embedder.passages(texts)
            store.put_vectors(
                "alder",
                "event",
                embedder.name,
                [(found.id, vector) for found, vector in zip(kept, vectors, strict=True) if vector],
            )
            for question, at in (("why did the blue bowl crack?", 0), ("碗怎么裂了", 2)):
                vector = embedder.query(question)
                assert vector is not None
                best = store.nearest("alder", "event", embedder.name, vector, 1)
                assert [hit.id for hit in best] == [kept[at].id]
        assert embedder.query(" \n") is None
