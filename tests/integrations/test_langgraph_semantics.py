"""The same operations on LangGraph's own store in memory and on ours have the same results.

langgraph-checkpoint ships no suite for stores, so its `InMemoryStore` is the reference. Excepted
are what stores do differently among themselves: the order of a search (ours is newest first, as in
those over a database), and that the reference goes on listing namespaces that are empty.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.testing import FrozenMemory

pytest.importorskip("langgraph")

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from slowwave.integrations.langgraph import SlowwaveStore

LABELS = st.sampled_from(["a", "b", "ab", "名", "a/b", " "])
NAMESPACES = st.lists(LABELS, min_size=1, max_size=3).map(tuple)
KEYS = st.sampled_from(["k", "K", "1", "", "k k", "键"])
NUMBERS = (
    st.integers(-(10**11), 10**11)
    | st.integers(-(10**8), 10**8).map(lambda eighths: eighths / 8)
    | st.sampled_from([0.0, -0.0, 1e300, -1e-300, float("inf"), float("-inf")])
)
"""Shorter than the number of a card: one that looks like that is refused, which others show."""
LEAVES = st.one_of(
    st.none(), st.booleans(), NUMBERS,
    st.text(alphabet=st.characters(), max_size=8), st.sampled_from(["soup", "Soup", "汤"]),
)  # fmt: skip
FIELDS = st.sampled_from(["n", "text", "tags", "deep", "名"])
VALUES = st.dictionaries(
    FIELDS,
    st.recursive(
        LEAVES,
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(FIELDS, inner, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)
INDEXES = st.sampled_from([None, None, False, ["text"], ["tags[*]", "deep.n"]])
FILTERS = st.none() | st.dictionaries(
    FIELDS,
    LEAVES
    | st.dictionaries(FIELDS, LEAVES, max_size=1)
    | st.fixed_dictionaries({"$ne": LEAVES})
    | st.fixed_dictionaries({"$eq": LEAVES}),
    max_size=2,
)
PATHS = st.lists(LABELS | st.just("*"), min_size=1, max_size=2).map(tuple)
CONDITIONS = st.lists(
    st.builds(MatchCondition, st.sampled_from(["prefix", "suffix"]), PATHS), max_size=2
).map(tuple)
PLENTY = 1_000

PUTS = st.builds(PutOp, NAMESPACES, KEYS, st.none() | VALUES, INDEXES, st.none())
GETS = st.builds(GetOp, NAMESPACES, KEYS)
SEARCHES = st.builds(
    SearchOp, st.just(()) | NAMESPACES, FILTERS, limit=st.just(PLENTY), offset=st.just(0),
    query=st.sampled_from([None, None, "soup", "汤 a", "  "]),
)  # fmt: skip
LISTS = st.builds(
    ListNamespacesOp,
    CONDITIONS,
    st.none() | st.integers(1, 3),
    limit=st.just(PLENTY),
    offset=st.just(0),
)
BATCHES = st.lists(
    st.lists(st.one_of(PUTS, PUTS, PUTS, GETS, SEARCHES, LISTS), min_size=1, max_size=4),
    min_size=1, max_size=8,
)  # fmt: skip


def shown(op: Op, result: Any) -> Any:
    """A result without times, scores and the order of a search."""
    match op:
        case GetOp():
            return result and (result.namespace, result.key, result.value)
        case SearchOp():
            return sorted(repr((item.namespace, item.key, item.value)) for item in result)
    return result


def only_full(reference: BaseStore) -> InMemoryStore:
    """The reference without the namespaces that it lists although nothing is in them."""
    fresh = InMemoryStore()
    fresh.batch(
        [PutOp(item.namespace, item.key, item.value)
         for item in reference.search((), limit=PLENTY)]
    )  # fmt: skip
    return fresh


@settings(max_examples=25, deadline=None)
@given(BATCHES)
def test_the_same_operations_have_the_same_results(batches: list[list[Op]]) -> None:
    compare(batches)


@pytest.mark.slow
@settings(max_examples=1_000, deadline=None)
@given(BATCHES)
def test_many_operations_have_the_same_results(batches: list[list[Op]]) -> None:
    compare(batches)


def compare(batches: list[list[Op]]) -> None:
    """Asserts that every operation gives the same on both."""
    reference = InMemoryStore()
    with FrozenMemory() as memory:
        store = SlowwaveStore(memory)
        for ops in batches:
            full = only_full(reference)
            expected = reference.batch(ops)
            found = store.batch(ops)
            for op, theirs, ours in zip(ops, expected, found, strict=True):
                if isinstance(op, ListNamespacesOp):
                    assert ours == full.batch([op])[0]
                else:
                    assert shown(op, ours) == shown(op, theirs)
        # Whoever opens it later finds the same.
        everything = SearchOp((), limit=PLENTY)
        again = SlowwaveStore(memory).batch([everything])[0]
        assert shown(everything, again) == shown(everything, reference.batch([everything])[0])


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(NAMESPACES, KEYS, VALUES), max_size=12), st.integers(1, 5))
def test_pages_add_up(puts: list[tuple[tuple[str, ...], str, dict[str, Any]]], size: int) -> None:
    with FrozenMemory() as memory:
        store = SlowwaveStore(memory)
        store.batch([PutOp(*one) for one in puts])
        there = {(namespace, key) for namespace, key, _ in puts}
        paged = [
            (item.namespace, item.key)
            for at in range(0, len(puts) + 1, size)
            for item in store.search((), query="soup", limit=size, offset=at)
        ]
        assert sorted(paged) == sorted(there)
        names = [
            name
            for at in range(0, len(puts) + 1, size)
            for name in store.list_namespaces(limit=size, offset=at)
        ]
        assert names == sorted({namespace for namespace, _ in there})
