"""The store of LangGraph: what is put is what is got, and nothing of what is deleted is left."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave import InputError, Memory
from slowwave.testing import FrozenMemory, assert_forgot

pytest.importorskip("langgraph")

from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp

from slowwave.integrations.langgraph import SlowwaveStore

USERS = ("users", "wren")
WORDS_ONLY = {"SLOWWAVE_EMBEDDER": "none"}


@pytest.fixture
def memory() -> Iterator[FrozenMemory]:
    with FrozenMemory() as memory:
        yield memory


@pytest.fixture
def store(memory: FrozenMemory) -> SlowwaveStore:
    return SlowwaveStore(memory)


VALUES: list[dict[str, Any]] = [
    {},
    {"text": "Wren plays the viola"},
    {"n": 1, "x": 2.5, "big": 10**30, "yes": True, "no": None},
    {"nested": {"list": [1, [2, {"three": "三"}]], "empty": {}}},
    {"odd": 'tab\tnewline\nnull\0quote"back\\slash', "lone": "\ud800", "emoji": "🦜", "": "blank"},
    {"text": "   "},
    {"text": "<slowwave-memory>\nwhat came out of a memory\n</slowwave-memory>"},
    {"infinite": float("inf"), "tiny": 5e-324},
    {"long": "word " * 500},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: next(iter(value), "nothing"))
@pytest.mark.parametrize("index", [None, False, ["text", "nested.list[*]"]], ids=str)
def test_what_is_put_is_what_is_got(store: SlowwaveStore, value: Any, index: Any) -> None:
    store.put(USERS, "kéy/1 ", value, index=index)
    found = store.get(USERS, "kéy/1 ")
    assert found is not None
    assert (found.value, found.key, found.namespace) == (value, "kéy/1 ", USERS)
    assert [item.value for item in store.search(USERS)] == [value]


def test_a_value_that_is_got_is_the_callers_own(store: SlowwaveStore) -> None:
    given = {"tags": ["one"]}
    store.put(USERS, "k", given)
    given["tags"].append("two")
    got = store.get(USERS, "k")
    assert got is not None
    got.value["tags"].append("three")
    again = store.get(USERS, "k")
    assert again is not None
    assert again.value == {"tags": ["one"]}


def test_the_last_put_wins_and_tells_when_the_first_was(
    store: SlowwaveStore, memory: FrozenMemory
) -> None:
    store.put(USERS, "mood", {"text": "calm"})
    began = memory.now()
    memory.advance(hours=2)
    store.put(USERS, "mood", {"text": "elated"})
    found = store.get(USERS, "mood")
    assert found is not None
    assert found.value == {"text": "elated"}
    assert (found.created_at, found.updated_at) == (began, memory.now())
    assert len(store.search(())) == 1
    # The journal keeps both: it is append-only.
    assert [event.text for event in memory.journal()] == ["calm", "elated"]


@pytest.mark.parametrize("what", [{1, 2}, object(), b"bytes"])
def test_what_json_cannot_hold_is_refused_and_nothing_of_the_batch_is_written(
    store: SlowwaveStore, what: object
) -> None:
    with pytest.raises(InputError):
        store.batch([PutOp(USERS, "good", {"a": 1}), PutOp(USERS, "bad", {"a": what})])
    assert store.search(()) == []


def test_namespaces_are_checked_as_in_every_store(store: SlowwaveStore) -> None:
    for bad in [(), ("a.b",), ("",), ("langgraph", "x")]:
        with pytest.raises(InvalidNamespaceError):
            store.put(bad, "k", {"a": 1})


def test_an_operation_that_is_none_is_named(store: SlowwaveStore) -> None:
    with pytest.raises(ValueError, match="Unknown operation"):
        store.batch(["get"])  # type: ignore[list-item]


# --- secrets --------------------------------------------------------------------------------------

SECRET = {"note": "for the router", "password": "zephyr-quartz-19"}


def test_a_secret_is_refused_in_words_that_help(store: SlowwaveStore) -> None:
    with pytest.raises(InputError) as refused:
        store.put(USERS, "router", SECRET)
    assert "router" in refused.value.message
    assert "(password)" in refused.value.message
    assert 'secrets="mask"' in refused.value.hint
    assert store.get(USERS, "router") is None


def test_a_secret_is_left_out_where_that_is_wanted(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory, secrets="mask")
    store.put(USERS, "router", {**SECRET, "keys": [{"api_key": "abcd1234efgh5678ijkl"}], "n": 3})
    found = store.get(USERS, "router")
    assert found is not None
    assert found.value["note"] == "for the router"
    assert found.value["n"] == 3
    kept = json.dumps([[event.text, event.meta] for event in memory.journal()])
    assert "zephyr-quartz-19" not in kept
    assert "abcd1234efgh5678ijkl" not in kept


# --- deleting -------------------------------------------------------------------------------------


def test_what_is_deleted_is_nowhere(store: SlowwaveStore, memory: FrozenMemory) -> None:
    store.put(USERS, "home", {"text": "Wren lives in Larch Mews"})
    store.put(USERS, "home", {"text": "Wren lives in Juniper Yard"})
    store.delete(USERS, "home")
    assert store.get(USERS, "home") is None
    assert store.search(USERS, query="where does Wren live") == []
    assert store.list_namespaces() == []
    assert memory.recall("where does Wren live") == []
    assert_forgot(memory, "Larch Mews", "Juniper Yard")
    assert memory.doctor() == ()


def test_putting_none_deletes(store: SlowwaveStore) -> None:
    store.put(USERS, "k", {"a": 1})
    store.batch([PutOp(USERS, "k", None)])
    store.delete(USERS, "never there")
    assert store.get(USERS, "k") is None


def test_the_same_words_elsewhere_stay(store: SlowwaveStore, memory: FrozenMemory) -> None:
    memory.log("Wren plays the viola", speaker="Wren")
    store.put(USERS, "a", {"text": "Wren plays the viola"})
    store.put(USERS, "b", {"text": "Wren plays the viola"})
    store.delete(USERS, "a")
    assert [item.key for item in store.search(USERS, query="viola")] == ["b"]
    assert len(list(memory.journal())) == 2


def test_a_value_may_come_back_after_it_was_deleted(store: SlowwaveStore) -> None:
    for _ in range(3):
        store.put(USERS, "k", {"text": "Wren plays the viola"})
        store.delete(USERS, "k")
    store.put(USERS, "k", {"text": "Wren plays the viola"})
    assert [item.value for item in store.search(USERS, query="viola")] == [
        {"text": "Wren plays the viola"}
    ]


def test_what_was_learned_from_a_value_alone_goes_with_it(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory, role="user")
    store.put(USERS, "said", {"text": "I am allergic to walnuts"})
    memory.dream("today", apply=True)
    assert [one.text for one in memory.memories()] == ["I am allergic to walnuts"]
    store.delete(USERS, "said")
    assert memory.memories() == []
    assert_forgot(memory, "walnuts")


def test_the_agents_notes_are_no_facts_about_the_user(memory: FrozenMemory) -> None:
    SlowwaveStore(memory).put(USERS, "guess", {"text": "The user is allergic to walnuts"})
    memory.dream("today", apply=True)
    assert memory.memories(subject="user") == []


def test_forgetting_words_takes_the_values_that_hold_them(
    store: SlowwaveStore, memory: FrozenMemory
) -> None:
    store.put(USERS, "home", {"text": "Wren lives in Larch Mews", "since": 2024})
    store.put(USERS, "work", {"text": "Wren repairs clocks"})
    memory.forget(match="Larch Mews")
    assert store.get(USERS, "home") is None
    assert [item.key for item in store.search(())] == ["work"]
    again = SlowwaveStore(memory)
    assert [item.key for item in again.search(())] == ["work"]


def test_deleted_bytes_are_gone_from_the_file(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with Memory(home, environ=WORDS_ONLY) as memory:
        store = SlowwaveStore(memory)
        store.put(USERS, "home", {"text": "Wren lives in Larch Mews"})
        store.delete(USERS, "home")
        store.finish()
        assert b"Larch" not in b"".join(path.read_bytes() for path in home.glob("slowwave.db*"))
        store.put(USERS, "work", {"text": "Wren repairs barometers"})
        store.delete(USERS, "work")
    files = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"barometers" not in files


# --- searching ------------------------------------------------------------------------------------


def test_a_search_finds_by_the_question(store: SlowwaveStore) -> None:
    store.put(USERS, "a", {"text": "Wren plays the viola in a quartet"})
    store.put(USERS, "b", {"text": "Wren repairs clocks"})
    store.put(USERS, "c", {"text": "小满在学大提琴"})
    found = store.search(USERS, query="who repairs clocks?")
    assert found[0].key == "b"
    assert found[0].score is not None
    assert 0 < found[0].score <= 1
    assert {item.key for item in found} == {"a", "b", "c"}  # as in other stores: the rest follow
    assert store.search(USERS, query="大提琴")[0].key == "c"


def test_only_the_fields_that_are_named_are_searched(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory, index={"fields": ["title", "body.parts[*].text"]})
    parts = [{"text": "about marmalade"}, {"text": "about quinces"}]
    store.put(USERS, "a", {"title": "Preserves", "body": {"parts": parts}, "hidden": "aardvark"})
    store.put(USERS, "b", {"title": "Aardvark", "hidden": "marmalade"})
    store.put(USERS, "c", {"title": "quinces", "extra": "aardvark"}, index=["extra"])
    store.put(USERS, "d", {"title": "quinces"}, index=False)

    def found(query: str) -> set[str]:
        return {item.key for item in store.search(USERS, query=query) if item.score is not None}

    assert "a" in found("marmalade")
    assert "b" not in found("marmalade")
    assert found("quinces") >= {"a"}
    assert "d" not in found("quinces")
    assert found("aardvark") >= {"b", "c"}
    assert "a" not in found("aardvark")


def test_filters(store: SlowwaveStore) -> None:
    store.put(USERS, "a", {"n": 1, "tag": "x", "in": {"deep": [1, 2]}})
    store.put(USERS, "b", {"n": 2.5, "tag": "y"})
    store.put(USERS, "c", {"n": "many", "tag": None})

    def found(**wanted: Any) -> str:
        return "".join(sorted(item.key for item in store.search(USERS, filter=wanted)))

    assert found(tag="x") == "a"
    assert found(tag=None) == "c"
    assert found(n={"$gt": 1}) == "b"
    assert found(n={"$gte": 1, "$lt": 2.5}) == "a"
    assert found(n={"$lte": 2.5}) == "ab"
    assert found(tag={"$ne": "x"}) == "bc"
    assert found(tag={"$eq": "y"}, n=2.5) == "b"
    assert found(**{"in": {"deep": [1, 2]}}) == "a"
    assert found(**{"in": {"deep": [1]}}) == ""
    assert found(missing={"$gt": 0}) == ""
    with pytest.raises(ValueError, match="Unsupported operator"):
        found(n={"$regex": "."})


def test_pages_hold_each_item_once(store: SlowwaveStore) -> None:
    for number in range(23):
        store.put(("pages", str(number % 3)), str(number), {"n": number})
    pages = [store.search(("pages",), limit=5, offset=at) for at in range(0, 25, 5)]
    assert [len(page) for page in pages] == [5, 5, 5, 5, 3]
    newest = [item.value["n"] for page in pages for item in page]
    assert newest == list(reversed(range(23)))


def test_the_rest_of_a_space_is_not_found_by_a_store(
    store: SlowwaveStore, memory: FrozenMemory
) -> None:
    memory.log([f"on day {day} we spoke of clocks and violas" for day in range(30)])
    store.put(USERS, "b", {"text": "Wren repairs clocks"})
    store.put(("other",), "c", {"text": "clocks everywhere"})
    assert [item.key for item in store.search(USERS, query="clocks")] == ["b"]


def test_asking_counts_as_no_use(store: SlowwaveStore, memory: FrozenMemory) -> None:
    memory.log("I am allergic to walnuts")
    memory.dream("today", apply=True)
    store.put(USERS, "k", {"text": "allergic to walnuts"})
    store.search(USERS, query="walnuts")
    memory.front.flush()
    assert [one.access_count for one in memory.memories()] == [0]


# --- namespaces -----------------------------------------------------------------------------------


def test_namespaces(store: SlowwaveStore) -> None:
    for namespace in [("a", "b", "c"), ("a", "x", "c"), ("b", "c"), ("a",)]:
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces() == [("a",), ("a", "b", "c"), ("a", "x", "c"), ("b", "c")]
    assert store.list_namespaces(prefix=("a",)) == [("a",), ("a", "b", "c"), ("a", "x", "c")]
    assert store.list_namespaces(suffix=("c",)) == [("a", "b", "c"), ("a", "x", "c"), ("b", "c")]
    assert store.list_namespaces(prefix=("a", "*", "c")) == [("a", "b", "c"), ("a", "x", "c")]
    assert store.list_namespaces(prefix=("a",), suffix=("x", "*")) == [("a", "x", "c")]
    assert store.list_namespaces(max_depth=1) == [("a",), ("b",)]
    assert store.list_namespaces(limit=2, offset=1) == [("a", "b", "c"), ("a", "x", "c")]


def test_spaces_do_not_cross(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with (
        Memory(home, space="wren", environ=WORDS_ONLY) as hers,
        Memory(home, space="jay", environ=WORDS_ONLY) as his,
    ):
        mine, other = SlowwaveStore(hers), SlowwaveStore(his)
        mine.put(("notes",), "k", {"text": "Wren repairs clocks"})
        assert other.get(("notes",), "k") is None
        assert other.search((), query="clocks") == []
        assert other.list_namespaces() == []
        other.delete(("notes",), "k")
        assert mine.get(("notes",), "k") is not None


# --- time to live ---------------------------------------------------------------------------------


def test_what_expired_is_not_found_and_is_swept(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory, ttl={"default_ttl": 60, "refresh_on_read": False})
    store.put(USERS, "short", {"text": "a passing thought"})
    store.put(USERS, "long", {"text": "kept"}, ttl=None)
    memory.advance(minutes=59)
    assert store.get(USERS, "short") is not None
    memory.advance(minutes=1)
    assert store.get(USERS, "short") is None
    assert [item.key for item in store.search(USERS)] == ["long"]
    assert store.sweep_ttl() == 1
    assert_forgot(memory, "a passing thought")


def test_reading_begins_the_time_anew(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory)
    store.put(USERS, "k", {"text": "kept warm"}, ttl=60)
    for _ in range(3):
        memory.advance(minutes=50)
        assert store.get(USERS, "k") is not None
    assert SlowwaveStore(memory).get(USERS, "k", refresh_ttl=False) is not None
    memory.advance(minutes=60)
    assert store.get(USERS, "k") is None
    assert store.sweep_ttl() == 1
    assert list(memory.journal()) == []  # nor what told that it was read


def test_reading_often_writes_little(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory)
    store.put(USERS, "k", {"text": "hot"}, ttl=60)
    for _ in range(100):
        memory.advance(minutes=1)
        store.search(USERS)
    assert len(list(memory.journal())) <= 1 + 100 // 6 + 1


def test_writing_sweeps_now_and_then(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory, ttl={"sweep_interval_minutes": 30})
    store.put(USERS, "k", {"text": "a passing thought"}, ttl=10)
    memory.advance(minutes=31)
    store.put(USERS, "other", {"text": "something else"})
    assert_forgot(memory, "a passing thought")


# --- processes, threads, loops --------------------------------------------------------------------


def test_it_survives_reopening_and_moving(tmp_path: Path) -> None:
    with Memory(tmp_path / "home", environ=WORDS_ONLY) as memory:
        store = SlowwaveStore(memory)
        store.put(USERS, "a", {"text": "Wren repairs clocks"})
        store.put(USERS, "b", {"text": "gone"})
        store.delete(USERS, "b")
        memory.export(tmp_path / "all.jsonl")
    with Memory(tmp_path / "home", environ=WORDS_ONLY) as memory:
        assert [item.key for item in SlowwaveStore(memory).search(())] == ["a"]
    with Memory(tmp_path / "copy", environ=WORDS_ONLY) as memory:
        memory.import_(tmp_path / "all.jsonl")
        found = SlowwaveStore(memory).get(USERS, "a")
        assert found is not None
        assert found.value == {"text": "Wren repairs clocks"}


OTHER = """
import json, sys
from slowwave import Memory
from slowwave.integrations.langgraph import SlowwaveStore
with Memory(sys.argv[1]) as memory:
    store = SlowwaveStore(memory)
    for line in sys.stdin:
        what, key, value = json.loads(line)
        if what == "put":
            store.put(("shared",), key, value)
        elif what == "delete":
            store.delete(("shared",), key)
        found = store.get(("shared",), key)
        print(json.dumps(found and found.value), flush=True)
"""


@pytest.mark.slow
def test_two_processes_see_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLOWWAVE_EMBEDDER", "none")
    home = tmp_path / "home"
    with (
        Memory(home) as memory,
        subprocess.Popen(
            [sys.executable, "-c", OTHER, str(home)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        ) as other,
    ):  # fmt: skip
        assert other.stdin is not None
        assert other.stdout is not None

        def there(*asked: Any) -> Any:
            print(json.dumps(asked), file=other.stdin, flush=True)
            return json.loads(other.stdout.readline())

        store = SlowwaveStore(memory)
        place = ("shared",)
        store.put(place, "k", {"from": "here"})
        assert there("get", "k", None) == {"from": "here"}
        there("put", "k", {"from": "there"})
        found = store.get(place, "k")
        assert found is not None
        assert found.value == {"from": "there"}
        store.delete(place, "k")
        assert there("get", "k", None) is None
        there("put", "x", {"n": 1})
        assert [item.key for item in store.search(place)] == ["x"]
        there("delete", "x", None)
        assert store.search(place) == []
        assert store.list_namespaces() == []
        other.stdin.close()


def test_many_threads(tmp_path: Path) -> None:
    with Memory(tmp_path / "home", environ=WORDS_ONLY) as memory:
        store = SlowwaveStore(memory)

        def work(number: int) -> None:
            for turn in range(10):
                store.put(("t", str(number)), str(turn), {"n": turn})
                store.put(("t",), "same", {"by": number})
                assert store.get(("t", str(number)), str(turn)) is not None
            store.delete(("t", str(number)), "3")

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        assert len(store.search(("t",), limit=1000)) == 4 * 9 + 1
        assert len(store.search(("t",), query="same", limit=1000)) == 4 * 9 + 1


def test_from_asyncio(memory: FrozenMemory) -> None:
    store = SlowwaveStore(memory)

    async def work() -> None:
        await asyncio.gather(*(store.aput(USERS, str(n), {"n": n}) for n in range(10)))
        found = await store.aget(USERS, "7")
        assert found is not None
        assert found.value == {"n": 7}
        await store.adelete(USERS, "7")
        assert len(await store.asearch(USERS)) == 9
        assert await store.alist_namespaces(prefix=("users",)) == [USERS]
        results = await store.abatch([GetOp(USERS, "1"), SearchOp(("users",)), ListNamespacesOp()])
        assert [type(one).__name__ for one in results] == ["Item", "list", "list"]

    asyncio.run(work())


def test_a_batch_reads_before_it_writes(store: SlowwaveStore) -> None:
    store.put(USERS, "k", {"n": 1})
    results = store.batch(
        [PutOp(USERS, "k", {"n": 2}), GetOp(USERS, "k"), PutOp(USERS, "k", {"n": 3})]
    )
    assert results[1].value == {"n": 1}  # type: ignore[union-attr]
    found = store.get(USERS, "k")
    assert found is not None
    assert found.value == {"n": 3}


def test_an_event_of_somebody_else_is_no_item(memory: FrozenMemory) -> None:
    from slowwave import Record

    odd = ["no json", "[]", "{}", '{"namespace": 3, "key": 1, "value": {}}',
           '{"namespace": ["a"], "key": "k", "value": {}, "created": "never"}']  # fmt: skip
    memory.log([Record(text="x", source="langgraph", meta={"langgraph": body}) for body in odd])
    memory.log([Record(text="x", source="elsewhere", meta={"langgraph": odd[-1]})])
    assert SlowwaveStore(memory).search(()) == []


def test_without_langgraph_it_tells_what_to_install() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys; sys.modules['langgraph'] = None\n"
         "import slowwave.integrations.langgraph"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "pip install langgraph" in told.stderr.splitlines()[-1]


def test_the_time_stands_in_the_event(store: SlowwaveStore, memory: FrozenMemory) -> None:
    store.put(USERS, "k", {"n": 1})
    found = store.get(USERS, "k")
    assert found is not None
    assert found.updated_at.utcoffset() == timedelta(0)
    assert [event.ref for event in memory.journal()] == ["users/wren/k"]
