"""Which open items go into a block: the nearest to what is asked, the freshest first (P2)."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from slowwave.inject import asked
from slowwave.model import WorkItem
from slowwave.text.segment import query_phrases, terms

__all__ = ["in_order", "near"]

MOST = 12
"""Open items in one block (P2)."""
NEAR = 0.6
"""Share of what is asked that an item must hold, or likeness in the embedder's range."""
HALF_LIFE = timedelta(days=14)
"""After which an item that nobody spoke of counts half: so long it takes to stall (N2)."""
SOON = timedelta(days=7)


def near(
    items: Sequence[WorkItem],
    question: str,
    found: Mapping[str, float],
    likeness: Mapping[str, float],
    now: datetime,
) -> list[tuple[WorkItem, float]]:
    """The open items that a question is about, with their scores, best first; at most `MOST`.

    `found` are the scores of the items that say what was found, by item. `likeness` says of items
    how near their meaning is, 0-1 in the embedder's range. How long nobody spoke of an item decides
    only the order.
    """
    all_of_them = asked.for_work(question)
    phrases = query_phrases(question)
    scored = []
    for item in items:
        if item.state != "open":
            continue
        score = max(found.get(item.id, 0.0), _near_enough(likeness.get(item.id, 0.0)))
        score = max(score, _near_enough(_held(phrases, item.text)), NEAR if all_of_them else 0.0)
        if score > 0:
            scored.append((item, score))
    scored.sort(key=lambda pair: (-pair[1] * _freshness(pair[0], now), pair[0].id))
    return scored[:MOST]


def in_order(items: Sequence[WorkItem], now: datetime) -> list[tuple[WorkItem, float]]:
    """The open items of an opening: what is due soon, then what was spoken of last."""
    waiting = [item for item in items if item.state == "open"]
    waiting.sort(key=lambda item: (not _due_soon(item, now), -_freshness(item, now), item.id))
    return [(item, round(_freshness(item, now), 4)) for item in waiting[:MOST]]


def _near_enough(share: float) -> float:
    return min(share, 1.0) if share >= NEAR else 0.0


def _held(phrases: Sequence[Sequence[str]], text: str) -> float:
    """Share of a question's phrases that a text holds."""
    if not phrases:
        return 0.0
    words = set(terms(text))
    return sum(words.issuperset(phrase) for phrase in phrases) / len(phrases)


def _freshness(item: WorkItem, now: datetime) -> float:
    age = max(timedelta(0), now - item.touched)
    return float(0.5 ** (age / HALF_LIFE))


def _due_soon(item: WorkItem, now: datetime) -> bool:
    last = (now + SOON).date().isoformat()
    return bool(item.due) and item.due[:10] <= last
