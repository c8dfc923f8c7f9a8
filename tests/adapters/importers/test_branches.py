"""The path through a tree that was seen last."""

from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.adapters.importers.branches import active_path

NAMES = st.sampled_from("abcdef")


def test_paths() -> None:
    tree = {"a": None, "b": "a", "c": "a", "d": "c"}
    assert active_path(tree, "b", {}) == ["a", "b"]
    assert active_path(tree, None, {}) == ["a", "c", "d"]
    assert active_path(tree, "gone", {"b": 9.0, "d": 3.0}) == ["a", "b"]
    assert active_path({}, None, {}) == []
    assert active_path({"a": "b", "b": "a"}, None, {}) == ["a", "b"]


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(NAMES, st.none() | NAMES), st.none() | NAMES)
def test_any_graph_ends(parents: dict[str, str | None], leaf: str | None) -> None:
    path = active_path(parents, leaf, {})
    assert len(path) == len(set(path)) <= len(parents)
    assert bool(path) == bool(parents)
