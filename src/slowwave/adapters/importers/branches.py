"""The one path through a tree of messages that the user saw last.

Editing a question or asking for another answer makes a sibling; the abandoned one must not be
learned from. So: from the leaf that was current upwards, by parents.
"""

from collections.abc import Mapping

__all__ = ["active_path"]


def active_path(
    parents: Mapping[str, str | None], leaf: str | None, ages: Mapping[str, float]
) -> list[str]:
    """Node ids from the root to `leaf`; without a known `leaf`, to the newest leaf.

    `parents` has an entry for each node. `ages` is a node's time, where it has one; among equals
    the later one in `parents` wins. A path that runs in a circle ends where it would close.
    """
    if leaf not in parents:
        leaf = _newest_leaf(parents, ages)
    path: list[str] = []
    seen: set[str] = set()
    while leaf is not None and leaf in parents and leaf not in seen:
        seen.add(leaf)
        path.append(leaf)
        leaf = parents[leaf]
    path.reverse()
    return path


def _newest_leaf(parents: Mapping[str, str | None], ages: Mapping[str, float]) -> str | None:
    inner = {parent for parent in parents.values() if parent is not None}
    # In a circle nothing is a leaf; then any node may be where it was left.
    leaves = [node for node in parents if node not in inner] or list(parents)
    order = {node: place for place, node in enumerate(leaves)}
    return max(leaves, key=lambda node: (ages.get(node, 0.0), order[node]), default=None)
