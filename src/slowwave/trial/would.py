"""What a threshold lets in and what it keeps out, of what was found."""

from collections.abc import Sequence

from slowwave.model import Hit, InjectedItem

PASSED = 5
"""Items below the threshold that are kept for each question, best first."""

JUST_BELOW = 0.5
"""Share of the threshold from which an item is just below it: what lies deeper is in reach of no
threshold that anybody would set, and to judge it would be a waste of a person's time."""


def split(hits: Sequence[Hit], threshold: float) -> tuple[list[Hit], tuple[InjectedItem, ...]]:
    """The hits (best first) at or over the threshold, and the items just below it."""
    over = [hit for hit in hits if hit.score >= threshold]
    near = [hit for hit in hits if JUST_BELOW * threshold <= hit.score < threshold]
    passed = tuple(InjectedItem(id=hit.id, score=hit.score, type=hit.type) for hit in near[:PASSED])
    return over, passed
