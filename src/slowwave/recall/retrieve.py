"""Recall: from a question to hits, best first.

    words (own, around) + vectors → candidates → filters → weighted sum, bonuses → strength
    → one hit per unit → k hits

A memory and the raw events it cites are one unit. In scope `all` (the default) the memory stands
for them, and an event is a hit of its own only while no memory that is shown says the same: the
newest talk, and what a dream left out (N5). In scope `events` the journal is searched as such; in
scope `memories` it only helps to find them.
"""

from collections.abc import Iterator, Sequence

from slowwave.model import Hit, Memory
from slowwave.ports import Embedder, Store
from slowwave.recall import candidates, prompt, units, vital
from slowwave.recall.found import Found, event_hit, memory_hit
from slowwave.recall.question import Asked, Query, Scope, ask
from slowwave.settings import RecallSettings
from slowwave.text.noise import noise_reason

__all__ = ["Query", "Scope", "recall"]


def recall(
    store: Store, embedder: Embedder | None, query: Query, settings: RecallSettings
) -> list[Hit]:
    """Up to `query.k` hits with at least `query.min_score`, best first.

    Searches what is indexed; embeds the question and at most a few new memories, nothing more.
    """
    asked = ask(store, embedder, query, settings)
    if not asked.phrases and asked.vector is None:
        return []
    events = units.repeats(candidates.events(store, asked))
    units.judge(events, asked)
    if query.scope == "events":
        found = list(events)
    else:
        memories = candidates.memories(store, asked, events)
        units.judge(memories, asked)
        found = units.united(memories, events, asked)
    if query.scope == "memories" or query.kind or query.subject:
        found = [each for each in found if isinstance(each.unit, Memory)]
    found.sort(key=lambda each: (-each.score, each.unit.id))
    if query.for_prompt:
        fit = prompt.fit(found, asked)
        found = prompt.with_vital(fit, vital.vital(store, embedder, asked))
    return list(_hits(found, asked))


def _hits(found: Sequence[Found], asked: Asked) -> Iterator[Hit]:
    """The best of what was found, as hits; ordinary recall leaves out noise nobody asks for."""
    given = 0
    for each in found:
        if given >= asked.query.k or each.score < asked.query.min_score or each.score <= 0:
            return
        if isinstance(each.unit, Memory):
            yield memory_hit(each, each.unit, asked)
        elif asked.query.scope == "all" and noise_reason(each.unit.text) is not None:
            continue
        else:
            yield event_hit(each, each.unit, asked)
        given += 1
