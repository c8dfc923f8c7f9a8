"""What a store keeps decoded is never older than the file, whoever wrote it."""

from contextlib import closing
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from slowwave.adapters.store.sqlite import SqliteStore, known
from slowwave.erasure.search import Target, find_all
from slowwave.model import Memory
from slowwave.testing.samples import MORNING, add, confirm, dream, event, memory, quoting, update


def _two(tmp_path: Path) -> tuple[SqliteStore, SqliteStore]:
    return SqliteStore(tmp_path / "memory.db"), SqliteStore(tmp_path / "memory.db")


def test_another_process_changes_a_memory(tmp_path: Path) -> None:
    mine, theirs = _two(tmp_path)
    with closing(mine), closing(theirs):
        first = memory("Sieve", id="me1")
        mine.commit(dream(add(first)), [], MORNING)
        assert mine.memories("alder") == [first]
        change = update(first, text="Sieve twice")
        theirs.commit(dream(change, dream_id="dr2"), [], MORNING)
        assert mine.memories("alder") == [change.after]


def test_another_process_forgets_words_without_a_new_version(tmp_path: Path) -> None:
    mine, theirs = _two(tmp_path)
    with closing(mine), closing(theirs):
        said, other = mine.append([event("The code is 4471"), event("Maren has the key")]).stored
        code, key = quoting(said, id="me1"), quoting(other, id="me2")
        key = msgspec.structs.replace(key, evidence=(*code.evidence, *key.evidence))
        mine.commit(dream(add(code), add(key), event_ids=(said.id, other.id)), [], MORNING)
        assert len(mine.memories("alder")) == 2
        wanted = Target(memory_ids=frozenset({"me1"}))
        theirs.erase(find_all(theirs, "alder", wanted, MORNING).purge)
        [kept] = mine.memories("alder")
        assert (kept.id, kept.version) == ("me2", key.version)
        assert "4471" not in repr(kept)


def test_what_is_read_does_not_depend_on_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known, "MOST", 3)
    monkeypatch.setattr(known, "MOST_DREAMS", 1)
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        made = [memory(f"Pot {number}", id=f"me{number}") for number in range(9)]
        statuses = ("active", "cold", "retired")
        made = [
            msgspec.structs.replace(one, status=statuses[at // 3]) for at, one in enumerate(made)
        ]
        store.commit(dream(*map(add, made)), [], MORNING)
        store.commit(dream(confirm(made[0]), dream_id="dr2"), [], MORNING)
        raised = msgspec.structs.replace(made[0], version=2)
        for _ in range(2):
            assert store.memories("alder", ["active"]) == [raised, *made[1:3]]
            assert store.memories("alder", ["cold"]) == made[3:6]
            assert store.memories("alder") == [raised, *made[1:]]
            assert {one.dream_id for one in store.dreams("alder")} == {"dr1", "dr2"}


def test_many_threads_read_while_one_writes(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        first = memory("Pot 1", id="me1")
        store.commit(dream(add(first)), [], MORNING)
        wrong: list[Memory] = []

        def read() -> None:
            last = 0
            for _ in range(150):
                [found] = store.memories("alder")
                if found.text != f"Pot {found.version}" or found.version < last:
                    wrong.append(found)
                last = found.version

        readers = [Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        for number in range(2, 30):
            change = update(first, text=f"Pot {number}")
            store.commit(dream(change, dream_id=f"dr{number}"), [], MORNING)
            first = change.after
        for reader in readers:
            reader.join()
        assert wrong == []


def test_another_process_forgets_what_was_found_by_id(tmp_path: Path) -> None:
    mine, theirs = _two(tmp_path)
    with closing(mine), closing(theirs):
        said, other = mine.append([event("The code is 4471"), event("Maren has the key")]).stored
        code, key = quoting(said, id="me1"), quoting(other, id="me2")
        mine.commit(dream(add(code), add(key), event_ids=(said.id, other.id)), [], MORNING)
        for _ in range(2):
            assert mine.events_by_id("alder", [other.id, "none", said.id]) == {
                other.id: other, said.id: said,
            }  # fmt: skip
            assert list(mine.memories_by_id("alder", ["me2", "none", "me1"])) == ["me2", "me1"]
        wanted = Target(memory_ids=frozenset({"me1"}))
        theirs.erase(find_all(theirs, "alder", wanted, MORNING).purge)
        assert mine.memories_by_id("alder", ["me1", "me2"]) == {"me2": key}
        assert said.id not in mine.events_by_id("alder", [said.id, other.id])
        assert "4471" not in repr(vars(mine._known))


def test_another_process_changes_what_was_found_by_id(tmp_path: Path) -> None:
    mine, theirs = _two(tmp_path)
    with closing(mine), closing(theirs):
        first = memory("Sieve", id="me1")
        mine.commit(dream(add(first)), [], MORNING)
        assert mine.memories_by_id("alder", ["me1"]) == {"me1": first}
        change = update(first, text="Sieve twice")
        theirs.commit(dream(change, dream_id="dr2"), [], MORNING)
        assert mine.memories_by_id("alder", ["me1"]) == {"me1": change.after}


def test_a_space_sees_only_its_own_by_id(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        [said] = store.append([event("Sieve", space="alder")]).stored
        assert store.events_by_id("alder", [said.id]) == {said.id: said}
        assert store.events_by_id("birch", [said.id]) == {}
