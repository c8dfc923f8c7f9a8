"""The playground: what recall finds, what each score is made of, what a prompt would get.

Looking is not using: nothing that is asked here counts as a recall, or is written down.
"""

import time
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from starlette.responses import Response

from slowwave.model import Hit, day_bounds
from slowwave.servers.dashboard.pages.memories import KINDS
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]

SCOPES = ("all", "memories", "events")
MOST_HITS, HITS = 50, 8
BUDGET, MOST_BUDGET = 600, 8_000


class Shown(NamedTuple):
    """A hit, and what its score is made of: name, value, and the width of its bar (0–100)."""

    hit: Hit
    width: float
    scores: Sequence[tuple[str, float, float]]


def search(visit: Visit) -> Response:
    """`/search`"""
    text, scope, kind = visit.asked("q"), visit.asked("scope", "all"), visit.asked("kind")
    day = visit.date_asked("as_of")
    k = visit.whole(visit.asked("k"), 1, MOST_HITS, HITS)
    budget = visit.whole(visit.asked("budget"), 1, MOST_BUDGET, BUDGET)
    options: dict[str, object] = {"k": k, "scope": scope if scope in SCOPES else "all"}
    if kind in KINDS and scope != "events":
        options["kind"] = kind
    if visit.asked("cold"):
        options["include_cold"] = True
    if day is not None:
        options["as_of"] = day_bounds(day, visit.zone)[1] - timedelta(microseconds=1)
    hits, took, block = _found(visit, text, options, budget) if text else ((), 0.0, None)
    return visit.page(
        "search.html", q=text, scope=options["scope"], scopes=SCOPES, kinds=KINDS, kind=kind,
        as_of=day.isoformat() if day else "", k=k, budget=budget, cold=bool(visit.asked("cold")),
        hits=hits, took=took, block=block,
        threshold=visit.memory.parts.settings.recall.min_score,
    )  # fmt: skip


def _found(
    visit: Visit, text: str, options: dict[str, object], budget: int
) -> tuple[Sequence[Shown], float, object]:
    memory = visit.memory
    began = time.perf_counter()
    asked = memory.query(text, explain=True, caller="person", **options)
    hits = memory.recall(asked, signal=False)
    took = (time.perf_counter() - began) * 1000
    then = {name: value for name, value in options.items() if name == "as_of"}
    query = memory.query(text, caller="person", **then)
    over, _ = memory.candidates(query)
    return [_shown(hit) for hit in hits], took, memory.block(query, over, budget)


def _shown(hit: Hit) -> Shown:
    scores = [
        (name, value, round(min(max(value, 0.0), 1.0) * 100, 1))
        for name, value in hit.scores.items()
        if value
    ]
    return Shown(hit, round(min(max(hit.score, 0.0), 1.0) * 100, 1), scores)


PAGES = (Page("/search", search),)
