"""Recall: from a question to hits, best first.

    words (own, around) + vectors → candidates → filters → weighted sum, bonuses → strength
    → one hit per unit → k hits

A memory and the raw events it cites are one unit. In scope `all` (the default) the memory stands
for them, and an event is a hit of its own only while no memory cites it: the newest talk, and what
a dream left out (N5). In scope `events` the journal is searched as such.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from slowwave.model import USER, Event, Hit, Memory, Origin, Unit, day_bounds, day_of
from slowwave.ports import Embedder, Store
from slowwave.recall import current, rank
from slowwave.recall.found import Found, event_hit, memory_hit, share_quoted, words_of
from slowwave.recall.index import spoken
from slowwave.recall.question import Asked, Query, Scope, ask
from slowwave.settings import RecallSettings
from slowwave.text.noise import noise_reason

__all__ = ["Query", "Scope", "recall"]

SHORTLIST = 80
"""Candidates of each unit that are read from the store and judged."""

FILTERED_CANDIDATES = 10
"""So many times more candidates are drawn when a filter will throw some away."""

AGENT_TALK = 0.9
"""Factor on what the agent said: it repeats the owner's words, and the owner's come first."""

MEMORY_FIRST = 0.97
"""Factor on raw events beside memories: in a tie the memory is first."""

NOT_YET_SURE = 0.85
"""Factor on candidates: below active memories that match as well."""

PAST = 0.6
"""Factor on memories that were replaced."""

ONCE = 0.6
"""Factor on what held once: a question that names no day asks how things are in general (N11)."""

WHOLE = 0.8
"""From this share of its text on, a quoted event says nothing that the memory does not."""

PAST_MATCH = 0.5
"""Share of the best sum a replaced memory needs to be shown at all."""

OTHER_DAY = 0.35
"""Factor on what was only so on another day, when the question is about today (X6). However well
it matches, it stays below the score that `context` asks for."""

LONGEST_PERIOD = timedelta(days=7)
"""A named period up to this long is read as a whole (P3: "what happened last week")."""

EXACT_DAY = 5.0
"""Times the date bonus: a question that names the very day."""

NOTHING = rank.Part(0.0, 0.0, 0.0, 0.0)

ORIGINS: Mapping[Scope, frozenset[Origin]] = {
    "all": frozenset({"owner", "agent", "other"}),
    "events": frozenset({"owner", "agent", "other", "tool", "external"}),
}


class _Pool(NamedTuple):
    """The candidates of one unit, best sum first."""

    unit: Unit
    parts: dict[str, rank.Part]
    order: list[str]


def recall(
    store: Store, embedder: Embedder | None, query: Query, settings: RecallSettings
) -> list[Hit]:
    """Up to `query.k` hits with at least `query.min_score`, best first.

    Searches what is indexed; embeds the question and at most a few new memories, nothing more.
    """
    asked = ask(store, embedder, query, settings)
    if not asked.phrases and asked.vector is None:
        return []
    memories = [] if query.scope == "events" else _memories(store, asked)
    events = [] if query.kind or query.subject else _events(store, asked)
    _judge(memories, asked)
    _judge(events, asked)
    if query.scope != "events":
        events = _fold(memories, events, query)
    found = _shown(memories, asked)
    if query.scope != "memories":
        found.extend(events)
    found.sort(key=lambda each: (-each.score, each.unit.id))
    return list(_hits(found, asked))


def _pool(store: Store, asked: Asked, unit: Unit) -> _Pool:
    """What words and vectors find, in the order of the weighted sum."""
    limit = max(asked.settings.candidates, asked.query.k)
    if asked.query.filtered:
        limit *= FILTERED_CANDIDATES
    space, phrases = asked.query.space, asked.phrases
    own = store.match(space, unit, "own", phrases, mode="any", limit=limit)
    around = (
        store.match(space, unit, "around", phrases, mode="any", limit=limit)
        if unit == "event"
        else own
    )
    near = (
        store.nearest(space, unit, asked.embedder, asked.vector, limit)
        if asked.vector is not None
        else []
    )
    complete = asked.vector is not None and len(near) < limit
    found = rank.parts(own, around, near, complete=complete)
    sums = {unit_id: part.total(asked.weights) for unit_id, part in found.items()}
    return _Pool(unit, found, sorted(sums, key=lambda unit_id: (-sums[unit_id], unit_id)))


def _shortlist(asked: Asked, pool: _Pool) -> list[str]:
    wanted = len(pool.order) if asked.query.filtered else max(SHORTLIST, 2 * asked.query.k)
    return pool.order[:wanted]


def _memories(store: Store, asked: Asked) -> list[Found]:
    """Candidate memories, also those that will not be shown: they still stand for their events."""
    pool = _pool(store, asked, "memory")
    known = store.memories_by_id(asked.query.space, _shortlist(asked, pool))
    _add_successors(store, asked, pool, known)
    if asked.query.as_of is not None:
        known = _as_known(store, asked, known)
    names = {memory.subject for memory in known.values() if memory.subject != USER}
    names.update(span.speaker or "" for memory in known.values() for span in memory.evidence)
    named = rank.named_speaker(asked.query.text, names)
    found = []
    for unit_id, memory in known.items():
        if named is None:
            speaker = asked.about_me and memory.subject == USER
        else:
            told = any(span.speaker == named for span in memory.evidence)
            speaker = told or memory.subject == named
        moments = [memory.last_seen, *(span.ts for span in memory.evidence if span.ts)]
        bonus = _bonus(asked, speaker=speaker, moments=moments)
        part = pool.parts[unit_id]
        found.append(Found(memory, part, part.total(asked.weights) + bonus, bonus=bonus))
    return found


def _add_successors(store: Store, asked: Asked, pool: _Pool, known: dict[str, Memory]) -> None:
    """Whoever finds a replaced memory finds what replaced it, also when its words are others."""
    waiting = list(known.values())
    while waiting:
        missing = {
            memory.superseded_by: memory
            for memory in waiting
            if memory.superseded_by is not None and memory.superseded_by not in known
        }
        found = store.memories_by_id(asked.query.space, list(missing)) if missing else {}
        for unit_id in found:
            pool.parts.setdefault(unit_id, pool.parts[missing[unit_id].id])
        known.update(found)
        waiting = list(found.values())


def _as_known(store: Store, asked: Asked, known: dict[str, Memory]) -> dict[str, Memory]:
    """These memories as they were known at the moment that is asked for."""
    query = asked.query
    moment = query.as_of or query.now
    heirs = store.memories_by_id(
        query.space, [memory.superseded_by for memory in known.values() if memory.superseded_by]
    )
    then = {}
    for unit_id, memory in known.items():
        versions = store.versions(query.space, unit_id)
        heir = heirs.get(memory.superseded_by or "")
        version = current.as_known(versions, heir, moment, asked.zone)
        if version is not None:
            then[unit_id] = version
    return then


def _events(store: Store, asked: Asked) -> list[Found]:
    """Candidate events of the origins that the scope shows."""
    pool = _pool(store, asked, "event")
    query = asked.query
    known = store.events_by_id(query.space, _shortlist(asked, pool))
    known.update(_of_the_days(store, asked))
    named = rank.named_speaker(query.text, {event.speaker or "" for event in known.values()})
    origins = ORIGINS.get(query.scope, ORIGINS["all"])
    found = []
    for unit_id, event in known.items():
        if event.origin not in origins or not _said_within(query, event.ts):
            continue
        if query.as_of is not None and event.ts > query.as_of:
            continue
        speaker = (
            event.speaker == named
            if named is not None
            else asked.about_me and event.origin == "owner"
        )
        bonus = _bonus(asked, speaker=speaker, moments=[event.ts])
        part = pool.parts.get(unit_id, NOTHING)
        each = Found(event, part, part.total(asked.weights) + bonus, bonus=bonus)
        if query.scope == "all":
            agents = event.origin == "agent" and not asked.about_you
            each.factor = AGENT_TALK if agents else MEMORY_FIRST
        if asked.about_today and day_of(event.ts, asked.zone) != asked.today:
            each.factor *= OTHER_DAY
        found.append(each)
    return found


def _of_the_days(store: Store, asked: Asked) -> dict[str, Event]:
    """What was said on the days that the question names: it may share no word with it."""
    found: dict[str, Event] = {}
    for first, last in asked.days:
        if last - first > LONGEST_PERIOD:
            continue
        start, end = day_bounds(first, asked.zone)[0], day_bounds(last, asked.zone)[1]
        events = store.events_between(asked.query.space, start, end)
        found.update((event.id, event) for event in events[:SHORTLIST] if spoken(event))
    return found


def _bonus(asked: Asked, *, speaker: bool, moments: Sequence[datetime]) -> float:
    days = [day_of(moment, asked.zone) for moment in moments]
    settings = asked.settings
    spans = [last - first for first, last in asked.days for day in days if first <= day <= last]
    dated = (EXACT_DAY if min(spans) < timedelta(days=1) else 1.0) if spans else 0.0
    return settings.speaker_bonus * speaker + settings.date_bonus * dated


def _said_within(query: Query, *moments: datetime) -> bool:
    """Whether one of the moments lies between `since` and `until`."""
    return any(
        (query.since is None or moment >= query.since)
        and (query.until is None or moment < query.until)
        for moment in moments
    )


def _judge(found: list[Found], asked: Asked) -> None:
    """Orders by the sum, then makes sums comparable: share of the best × strength of the best."""
    if not found:
        return
    found.sort(key=lambda each: (-each.relevance, each.unit.id))
    best = found[: rank.JUDGED]
    judged = found[: rank.RARITY_SAMPLE]
    dated = [_is_of_the_days(asked, each) for each in judged] if asked.days else []
    covered = rank.coverages(asked.matter, [words_of(each.unit) for each in judged], dated)
    for each, coverage in zip(judged, covered, strict=True):
        each.coverage = coverage
    # Without an embedder, or while none of them has a vector yet, the words decide alone.
    cosines = [each.part.cosine for each in best if each.part.cosine]
    strength = rank.strength(
        max(each.coverage for each in best),
        max(cosines) if cosines else None,
        asked.weights.vector,
        rank.calibration(asked.embedder, asked.share),
    )
    top = found[0].relevance
    for each in found:
        each.strength = strength
        each.relevance = each.relevance / top if top > 0 else 0.0


def _is_of_the_days(asked: Asked, each: Found) -> bool:
    """Whether a candidate is of a named day, or holds today when the question is about today."""
    if isinstance(each.unit, Memory):
        memory, zone = each.unit, asked.zone
        if asked.about_today and current.holds_on(memory, asked.today, zone):
            return True
        if any(current.falls_within(memory, *span, zone) for span in asked.days):
            return True
        moments = [span.ts for span in each.unit.evidence if span.ts]
    else:
        moments = [each.unit.ts]
    days = [day_of(moment, asked.zone) for moment in moments]
    return any(first <= day <= last for first, last in asked.days for day in days)


def _fold(memories: Sequence[Found], events: Sequence[Found], query: Query) -> list[Found]:
    """Gives each event that a memory cites to the best such memory; returns the other events.

    What is not current any more takes only the words with it that it rests on: the rest of the
    message can still be found.
    """
    citing: dict[str, tuple[Found, bool]] = {}
    for memory in memories:
        if not isinstance(memory.unit, Memory):
            continue
        over = _standing(query, memory.unit) != "current"
        for span in memory.unit.evidence:
            if span.event_id not in citing or (citing[span.event_id][1] and not over):
                citing[span.event_id] = memory, over
    free = []
    for event in events:
        owner, over = citing.get(event.unit.id, (None, False))
        if owner is None:
            free.append(event)
        elif over and share_quoted(event.unit, owner.unit) < WHOLE:
            event.factor *= PAST
            free.append(event)
        else:
            _lend(owner, event)
    return free


def _lend(memory: Found, event: Found) -> None:
    """The memory stands for the event: its reference comes first, its relevance may lift it."""
    if not memory.best:
        memory.best = event.unit.id
    # The turn may be found by words of its neighbours that the memory does not have.
    lifted = event.relevance * event.strength
    if memory.strength > 0 and lifted > memory.relevance * memory.strength:
        memory.relevance = lifted / memory.strength


def _standing(query: Query, memory: Memory) -> str:
    return current.standing(memory, query.now, as_of=query.as_of, cold=query.include_cold)


def _shown(memories: Sequence[Found], asked: Asked) -> list[Found]:
    """The memories that may be hits, with the factors of their standing."""
    query = asked.query
    shown: dict[str, Found] = {}
    past: list[Found] = []
    for each in memories:
        memory = each.unit
        if not isinstance(memory, Memory) or not _asked_for(query, memory):
            continue
        standing = _standing(query, memory)
        if standing == "past":
            past.append(each)
        if standing != "current":
            continue
        if memory.status == "candidate":
            each.factor *= NOT_YET_SURE
        if memory.standing == "one_off" and not asked.days:
            each.factor *= ONCE
        if asked.about_today and not current.holds_on(memory, asked.today, asked.zone):
            each.factor *= OTHER_DAY
        shown[memory.id] = each
    # Newest first: a chain of replaced memories stands below its living end, in order.
    past.sort(key=lambda each: (-_last_seen(each).timestamp(), each.unit.id))
    for each in past:
        _show_past(each, shown, cold=query.include_cold)
    return list(shown.values())


def _asked_for(query: Query, memory: Memory) -> bool:
    return (
        (query.kind is None or memory.kind == query.kind)
        and (query.subject is None or memory.subject.casefold() == query.subject.casefold())
        and _said_within(query, memory.first_seen, memory.last_seen)
    )


def _last_seen(found: Found) -> datetime:
    return found.unit.last_seen if isinstance(found.unit, Memory) else found.unit.ts


def _show_past(each: Found, shown: dict[str, Found], *, cold: bool) -> None:
    """Shows a memory that is over: below its successor, which is at least as good a match."""
    memory = each.unit
    successor = shown.get(memory.superseded_by or "") if isinstance(memory, Memory) else None
    if successor is None and not cold:
        return
    if successor is not None:
        successor.relevance = max(successor.relevance, each.relevance)
        if each.relevance < PAST_MATCH and not cold:
            return
    each.factor *= PAST
    if successor is not None and each.score >= successor.score:
        each.factor *= 0.99 * successor.score / each.score if each.score else 1.0
    shown[memory.id] = each


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
