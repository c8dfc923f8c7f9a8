"""Word search over kept posting lists: the engine's scores to the last bit, whoever wrote."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.store.sqlite import SqliteStore, postings
from slowwave.adapters.store.sqlite.connection import snapshot
from slowwave.adapters.store.sqlite.postings import Postings
from slowwave.adapters.store.sqlite.words import _by_engine, space_number, table_name
from slowwave.model import Event
from slowwave.testing.samples import event, words

SPACES = (f"space{n}" for n in count())
TERMS = ("kiln", "cone", "glaze", "ash", "窑温", "温到", "é", '"', "and")
TEXTS = st.lists(st.sampled_from(TERMS), max_size=12)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("new"), TEXTS),
        st.tuples(st.just("long"), st.just(["ash"] * 130)),
        st.tuples(st.integers(0, 5), TEXTS),
        st.tuples(st.just("all anew"), st.just([])),
    ),
    min_size=1,
    max_size=8,
)
QUESTIONS = st.lists(
    st.lists(st.sampled_from((*TERMS, "nowhere")), min_size=1, max_size=3),
    min_size=1,
    max_size=4,
    unique_by=tuple,
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """Two stores on one file: what one writes the other has to see."""
    path = tmp_path_factory.mktemp("postings") / "memory.db"
    with closing(SqliteStore(path)) as one, closing(SqliteStore(path)) as other:
        yield one, other


def alike(store: SqliteStore, kept: Postings, space: str, asked: Sequence[list[str]]) -> None:
    """The kept lists and the engine find the same, in the same order."""
    connection = store._reader()
    with snapshot(connection):
        name = table_name(space_number(connection, space) or 0, "event", "own")
        for limit in (2, 99):
            expected = _by_engine(connection, name, asked, "any", limit)
            assert kept.search(connection, name, asked, limit) == expected


def take(store: SqliteStore, space: str, said: list[Event], step: tuple[object, list[str]]) -> None:
    """One change of the index."""
    what, terms = step
    if what == "all anew":
        store.reindex(space, [])
        store.index_events(space, [words(each.id, each.text) for each in said[1:]])
        return
    if isinstance(what, int) and what < len(said):
        changed = said[what]
    else:
        changed = store.append([event(f"text {len(said)}", space=space)]).stored[0]
        said.append(changed)
    store.index_events(space, [words(changed.id, " ".join(terms))])


@settings(max_examples=60, deadline=None)
@given(steps=STEPS, asked=QUESTIONS)
def test_scores_are_the_engines_after_every_change(
    stores: tuple[SqliteStore, SqliteStore],
    steps: list[tuple[object, list[str]]],
    asked: list[list[str]],
) -> None:
    one, other = stores
    space, kept = next(SPACES), Postings()
    said: list[Event] = []
    one.index_events(space, [])
    take(one, space, said, ("new", ["kiln", "ash"]))
    for step in steps:
        take(one, space, said, step)
        alike(other, kept, space, asked)
        alike(one, kept, space, asked)


def test_lists_that_nobody_asks_for_make_room(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, space, kept = stores[0], next(SPACES), Postings()
    said: list[Event] = []
    for number in range(9):
        take(store, space, said, ("new", ["kiln", TERMS[number % 3], f"only{number}"]))
    monkeypatch.setattr(postings, "MOST_POSTINGS", 12)
    for number in range(9):
        alike(store, kept, space, [["kiln"], [f"only{number}"], ["glaze"]])
        held = sum(len(each.places) for each in next(iter(kept._tables.values())).lists.values())
        assert held == kept._size <= 12


def test_a_reader_of_an_earlier_state_is_not_told_of_later_words(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    one, other = stores
    space, kept = next(SPACES), Postings()
    said: list[Event] = []
    take(one, space, said, ("new", ["kiln"]))
    early = other._reader()
    with snapshot(early):
        name = table_name(space_number(early, space) or 0, "event", "own")
        first = kept.search(early, name, [["kiln"]], 9)
        take(one, space, said, ("new", ["kiln", "cone"]))
        alike(one, kept, space, [["kiln"]])
        assert kept.search(early, name, [["kiln"]], 9) == first
    alike(other, kept, space, [["kiln"], ["cone"]])


def test_a_process_that_asks_once_need_not_load_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy", raising=False)
    fresh = Postings()
    asked = [fresh.worth_it() for _ in range(postings.PATIENCE + 2)]
    assert asked == [False] * postings.PATIENCE + [True] * 2


def test_a_table_made_anew_that_looks_as_before(stores: tuple[SqliteStore, SqliteStore]) -> None:
    one, other = stores
    space, kept = next(SPACES), Postings()
    said: list[Event] = []
    one.index_events(space, [])
    take(one, space, said, ("all anew", []))
    for _ in range(3):
        take(one, space, said, ("new", ["kiln", "kiln"]))
    take(one, space, said, ("all anew", []))
    for each in said[1:]:
        one.index_events(space, [words(each.id, "kiln kiln")])
    alike(other, kept, space, [["kiln"]])
    take(one, space, said, ("all anew", []))  # as many rows of as many terms, and other words
    alike(other, kept, space, [["kiln"]])
