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
from slowwave.recall import candidates, learned, prompt, timely, units, vague, vital
from slowwave.recall.found import Found, event_hit, event_subject, memory_hit
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
    listing = timely.listing(asked)
    if listing is not None:
        return list(_hits(_of_the_period(store, listing), listing))
    pointed = vague.pointing(asked.rest)
    if pointed is not None:
        asked, pointed = vague.lend(store, embedder, asked, pointed)
    named = pointed is None or pointed.grade == "tie"
    searched = timely.unordered(asked) if named else asked
    found, turns = _searched(store, searched)
    if pointed is not None:
        found = vague.lean(store, found, asked, pointed)
    found = timely.timed(found, asked)
    if query.for_prompt:
        fit = prompt.fit(store, found, turns, searched)
        lessons = learned.fitting(found, asked)
        found = prompt.with_vital(fit, vital.vital(store, embedder, asked))
        found = learned.with_lessons(found, lessons)
    if pointed is not None and pointed.sure and pointed.grade != "tie":
        found = vague.merged(found, _meant(store, asked, pointed))
    return list(_hits(found, asked))


def _searched(store: Store, asked: Asked) -> tuple[list[Found], list[Found]]:
    """What words and vectors find, and all turns that they found in the journal."""
    if not asked.phrases and asked.vector is None:
        return [], []
    events = units.repeats(candidates.events(store, asked))
    units.judge(events, asked)
    if asked.query.scope == "events":
        return _asked_for(events, asked.query), events
    memories = candidates.memories(store, asked, events)
    units.judge(memories, asked)
    return _asked_for(units.united(memories, events, asked), asked.query), events


def _of_the_period(store: Store, asked: Asked) -> list[Found]:
    """What was in the period that the question names, what mattered most first."""
    memories, events = timely.of_the_period(store, asked)
    scope = asked.query.scope
    found = events if scope == "events" else units.united(memories, events, asked)
    found = [each for each in found if not (asked.query.for_prompt and each.over)]
    return timely.spread(_asked_for(found, asked.query), asked)


def _meant(store: Store, asked: Asked, pointed: vague.Pointing) -> list[Found]:
    """What a vague question may mean, best first."""
    memories, events, apart = vague.found(store, asked, pointed)
    scope = asked.query.scope
    found = events if scope == "events" else units.united(memories, events, asked)
    found = [*found, *apart]
    found = _asked_for(found, asked.query)
    found.sort(key=lambda each: (-each.score, each.unit.id))
    return vague.for_prompt(found, asked, pointed) if asked.query.for_prompt else found


def _asked_for(found: Sequence[Found], query: Query) -> list[Found]:
    """Only memories, where the question is limited to them.

    In scope `events` a subject is who said it, and no event has a memory's kind.
    """
    if query.scope == "events":
        who = query.subject.casefold() if query.subject else None
        return [
            each
            for each in found
            if query.kind is None and (who is None or _subject(each).casefold() == who)
        ]
    if query.scope == "memories" or query.kind or query.subject:
        return [each for each in found if isinstance(each.unit, Memory)]
    return list(found)


def _subject(each: Found) -> str:
    return each.unit.subject if isinstance(each.unit, Memory) else event_subject(each.unit)


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
