"""The store contract: full text."""

# ruff: noqa: D102 - the name of a test says what it shows

from slowwave.ports import Store
from slowwave.testing.contract_base import Contract
from slowwave.testing.samples import MORNING, add, dream, event, memory, update, words


def _indexed(store: Store, *owns: str, space: str = "alder") -> list[str]:
    """Stores one event per text, indexes the text as it is, returns the ids."""
    kept = store.append([event(f"{n}: {own}", space=space) for n, own in enumerate(owns)]).stored
    store.index_events(space, [words(found.id, own) for found, own in zip(kept, owns, strict=True)])
    return [found.id for found in kept]


def _found(
    store: Store, *phrases: tuple[str, ...], mode: str = "any", space: str = "alder"
) -> list[str]:
    hits = store.match(space, "event", "own", phrases, mode=mode, limit=50)  # type: ignore[arg-type]
    assert all(hit.score > 0 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    return [hit.id for hit in hits]


class IndexContract(Contract):
    """Words: found as they were given, scored by BM25, never a syntax error."""

    def test_unindexed_events_come_in_journal_order_until_indexed(self) -> None:
        with self.store() as store:
            kept = store.append([event(f"mug {n}") for n in range(4)]).stored
            assert store.unindexed("alder", 2) == list(kept[:2])
            store.index_events("alder", [words(kept[1].id, "mug"), words("ev-unknown", "mug")])
            assert store.unindexed("alder", 9) == [kept[0], kept[2], kept[3]]
            assert store.counts("alder").unindexed_events == 3
            assert _found(store, ("mug",)) == [kept[1].id]

    def test_a_phrase_matches_terms_that_follow_each_other(self) -> None:
        with self.store() as store:
            right, wrong = _indexed(
                store, "窑温 温到 到了 celadon glaze", "温到 窑温 glaze celadon"
            )
            assert _found(store, ("窑温", "温到")) == [right]
            assert _found(store, ("celadon", "glaze")) == [right]
            assert set(_found(store, ("glaze",))) == {right, wrong}

    def test_any_is_or_and_all_is_and(self) -> None:
        with self.store() as store:
            both, one, none = _indexed(store, "cone six oxide", "cone ten", "wheel")
            assert _found(store, ("cone",), ("oxide",), mode="all") == [both]
            found = _found(store, ("cone",), ("oxide",), mode="any")
            assert found == [both, one]
            assert none not in found

    def test_terms_with_digits_and_marks_are_whole(self) -> None:
        terms = ["v1.3.2", "b2-117", "a_b", "c++", "don't", "x/y", "#5", "50%", "r&d", "{k}", "~"]
        with self.store() as store:
            ids = _indexed(store, *terms, "v1 3 2 b2 117 a b c don t x y 5 50 r d k")
            for term, wanted in zip(terms, ids, strict=False):
                assert _found(store, (term,)) == [wanted], term

    def test_odd_phrases_are_words_like_any_other(self) -> None:
        odd = ['"', '""', "*", "AND", "OR", "NOT", "NEAR", "NEAR(a b)", "own:x", "^a", "(", ")"]
        with self.store() as store:
            _indexed(store, "plain clay body", 'say "hi" AND * go')
            for term in [*odd, "-", "+", "a\x00b", "'", "\\", "？", "\ud83d", "{", "{terms}:"]:
                for mode in ("any", "all"):
                    _found(store, (term,), mode=mode)
                    _found(store, (term, "clay"), ("body",), mode=mode)
            assert len(_found(store, ('"hi"',))) == 1
            assert len(_found(store, ("*",))) == 1
            assert len(_found(store, ("and", "*"))) == 1

    def test_empty_phrases_are_not_there(self) -> None:
        with self.store() as store:
            ids = _indexed(store, "plain clay body")
            assert _found(store) == []
            for empty in ((), ("",), (" ", "\x00"), ("\t",)):
                assert _found(store, empty) == []
                assert _found(store, empty, ("clay",), mode="all") == ids
                assert _found(store, empty, ("clay",)) == ids
            assert store.match("alder", "event", "own", [("clay",)], mode="any", limit=0) == []

    def test_rare_words_and_short_texts_score_higher(self) -> None:
        with self.store() as store:
            filler = [f"kiln log {n}" for n in range(12)]
            *_, rare, short, long = _indexed(
                store,
                *filler,
                "kiln cobalt",
                "wax resist",
                "wax " + " ".join(f"word{n}" for n in range(60)),
            )
            assert _found(store, ("kiln",), ("cobalt",))[0] == rare
            assert _found(store, ("wax",)) == [short, long]

    def test_equal_scores_keep_the_order_of_the_journal(self) -> None:
        with self.store() as store:
            ids = _indexed(store, *["same words here"] * 6, "else", "else", "other", "thing")
            assert _found(store, ("same",)) == ids[:6]
            hits = store.match("alder", "event", "own", [("same",)], mode="any", limit=3)
            assert [hit.id for hit in hits] == ids[:3]

    def test_other_spaces_change_neither_hits_nor_scores(self) -> None:
        with self.store() as store:
            _indexed(store, "ash glaze", "clay", "slip")
            query = [("ash",), ("glaze",)]
            before = store.match("alder", "event", "own", query, mode="any", limit=2)
            _indexed(store, *["ash glaze ash glaze"] * 30, *["clay"] * 50, space="birch")
            assert store.match("alder", "event", "own", query, mode="any", limit=2) == before
            assert len(before) == 1
            assert _found(store, ("ash",), space="cedar") == []

    def test_new_words_replace_the_old_ones(self) -> None:
        with self.store() as store:
            (changed,) = _indexed(store, "raku")
            store.index_events("alder", [words(changed, "stoneware", "smoke")])
            assert _found(store, ("raku",)) == []
            assert _found(store, ("stoneware",)) == [changed]

    def test_own_words_and_those_around_are_searched_apart(self) -> None:
        with self.store() as store:
            kept = store.append([event("yes, that one"), event("the tall vase")]).stored
            store.index_events(
                "alder",
                [
                    words(kept[0].id, "yes one", "yes one tall vase"),
                    words(kept[1].id, "tall vase", "tall vase yes one"),
                ],
            )
            assert _found(store, ("vase",)) == [kept[1].id]
            around = store.match("alder", "event", "around", [("vase",)], mode="any", limit=9)
            assert {hit.id for hit in around} == {kept[0].id, kept[1].id}
            assert store.match("alder", "memory", "around", [("vase",)], mode="any", limit=9) == []

    def test_a_question_may_be_long(self) -> None:
        with self.store() as store:
            ids = _indexed(store, "needle", "hay")
            many = [(f"straw{n}", f"straw{n + 1}") for n in range(1500)]
            assert _found(store, *many, ("needle",)) == ids[:1]

    def test_memories_have_words_of_their_own(self) -> None:
        with self.store() as store:
            _indexed(store, "cobalt")
            first = memory("Cobalt is kept on the top shelf", id="me1")
            store.commit(dream(add(first)), [words("me1", "cobalt shelf")], MORNING)
            query = [("shelf",)]
            hits = store.match("alder", "memory", "own", query, mode="any", limit=9)
            assert [hit.id for hit in hits] == ["me1"]
            changed = update(first, text="Cobalt is kept in the drawer")
            store.commit(
                dream(changed, dream_id="dr2"),
                [words("me1", "cobalt drawer"), words("me-unknown", "drawer")],
                MORNING,
            )
            assert store.match("alder", "memory", "own", query, mode="any", limit=9) == []
            hits = store.match("alder", "memory", "own", [("drawer",)], mode="any", limit=9)
            assert [hit.id for hit in hits] == ["me1"]

    def test_an_emptied_index_holds_the_memories_and_waits_for_the_events(self) -> None:
        with self.store() as store:
            ids = _indexed(store, "celadon", "oxide")
            _indexed(store, "celadon", space="birch")
            kiln, cup = memory("kiln"), memory("cup")
            rows = [words(kiln.id, "kiln"), words(cup.id, "cup")]
            store.commit(dream(add(kiln), add(cup)), rows, MORNING)
            store.reindex("alder", [words(kiln.id, "oven"), words("me-unknown", "oven")])
            assert _found(store, ("celadon",)) == []
            assert [one.id for one in store.unindexed("alder", 9)] == ids
            assert len(_found(store, ("celadon",), space="birch")) == 1
            hits = store.match("alder", "memory", "own", [("oven",)], mode="any", limit=9)
            assert [hit.id for hit in hits] == [kiln.id]
            assert not store.match("alder", "memory", "own", [("cup",)], mode="any", limit=9)
            store.index_events("alder", [words(ids[1], "oxide")])
            assert _found(store, ("oxide",)) == [ids[1]]
