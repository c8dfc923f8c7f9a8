"""Candidates: the memories and the events that words, vectors and days bring up.

A memory is found by its own words, and by the events it cites: an answer seldom repeats its
question, and only the journal knows what was said around it.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from slowwave.ledger import withdrawn
from slowwave.model import USER, Event, Memory, Origin, Unit, day_bounds, day_of
from slowwave.ports import Phrase, Store
from slowwave.recall import centred, current, evidence, rank
from slowwave.recall.found import Found
from slowwave.recall.guidance import guides
from slowwave.recall.index import spoken
from slowwave.recall.question import Asked, Query
from slowwave.text.cited import cited_term, day_term

SHORTLIST = 120
"""Candidates of each unit that are read from the store and judged, at least."""

FOR_WORK = 2
"""Where a question asks for work, wishes are looked for among so many shortlists more."""

CITED = 20
"""Best events whose memories are looked up, at least: twice as many as hits are wanted."""

FILTERED_CANDIDATES = 10
"""So many times more candidates are drawn when a filter will throw some away."""

AGENT_TALK = 0.9
"""Factor on what the agent said: it repeats the owner's words, and the owner's come first."""

BESIDE_OWNER = 0.85
"""Share of its sum that the agent's talk keeps beside the owner's: it explains at length what he
told in a line, and holds every word of the matter. Chosen on four chats of BEAM and MemoryBank."""

WISH = 0.4
"""Bonus of a wish how things are to be done, for a question that asks for work (`guidance`)."""

MEMORY_FIRST = 0.97
"""Factor on raw events beside memories: in a tie the memory is first."""

OTHER_DAY = 0.35
"""Factor on what was only so on another day, when the question is about today (X6). However well
it matches, it stays below the score that `context` asks for."""

LONGEST_PERIOD = timedelta(days=7)
"""A named period up to this long is read as a whole (P3: "what happened last week")."""

LONGEST_BY_DAY = timedelta(days=62)
LONGEST_BY_MONTH = timedelta(days=1_100)
"""Periods up to these are looked up in the time index by their days, by their months."""

EXACT_DAY = 5.0
WITHIN_A_WEEK = 3.0
"""Times the date bonus: a question that names the very day, a week or a weekend."""

NOTHING = rank.Part(0.0, 0.0, 0.0, 0.0)

SPOKEN: frozenset[Origin] = frozenset({"owner", "agent", "other"})
JOURNAL: frozenset[Origin] = SPOKEN | {"tool", "external"}


class _Pool(NamedTuple):
    """The candidates of one unit: what was found, and whom to look at, best sum first."""

    parts: rank.Parts
    order: list[str]
    more: list[str]
    heirs: dict[str, str]

    def part(self, unit_id: str) -> rank.Part:
        """What the sum of a unit is made of; an heir that was not found has its forerunner's."""
        return self.parts[self.heirs.get(unit_id, unit_id)]


def memories(store: Store, asked: Asked, events: Sequence[Found]) -> list[Found]:
    """Candidate memories, also those that will not be shown: they may still stand for events.

    `events` are the candidates among events, best first: their memories are candidates too. What
    a rolled back dream had added is none.
    """
    pool = _pool(store, asked, "memory", filtered=asked.query.filtered)
    ids = dict.fromkeys((*pool.order, *_citing(store, asked, events), *dated(store, asked)))
    found_by_id = store.memories_by_id(asked.query.space, list(ids))
    known = {unit_id: memory for unit_id, memory in found_by_id.items() if not memory.undone}
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
        bonus = _bonus(asked, speaker=speaker, moments=_moments(memory, asked))
        part = pool.part(unit_id)
        if asked.for_work and guides(memory):
            bonus += WISH * _touching(part)
        total = part.total(asked.weights) + bonus
        found.append(Found(memory, part, total, bonus=bonus, asked_of=speaker))
    evidence.lift(found, asked)
    return found


def _touching(part: rank.Part) -> float:
    """What a remembered wish counts for, 0.5–1: it is one among all rules and preferences there
    are, most of them about other work."""
    return (1 + max(part.own, part.around, part.vector or 0.0)) / 2


def events(store: Store, asked: Asked) -> list[Found]:
    """Candidate events of the origins that the scope shows."""
    query = asked.query
    bounds = (query.since, query.until, query.as_of)
    filtered = any(bound is not None for bound in bounds)
    pool = _pool(store, asked, "event", filtered=filtered)
    known = store.events_by_id(query.space, pool.order)
    more = store.events_by_id(query.space, pool.more) if pool.more else {}
    known.update((unit_id, event) for unit_id, event in more.items() if guides(event))
    known.update(_of_the_days(store, asked))
    for unit_id in withdrawn(store, query.space, known.values()):
        del known[unit_id]
    named = rank.named_speaker(query.text, {event.speaker or "" for event in known.values()})
    origins = JOURNAL if query.scope == "events" else SPOKEN
    found = []
    for unit_id, event in known.items():
        if event.origin not in origins or not said_within(query, event.ts):
            continue
        if query.as_of is not None and event.ts > query.as_of:
            continue
        speaker = (
            event.speaker == named
            if named is not None
            else asked.about_me and event.origin == "owner"
        )
        bonus = _bonus(asked, speaker=speaker, moments=[event.ts])
        part = pool.part(unit_id)
        if asked.for_work and guides(event):
            bonus += WISH
        agents = event.origin == "agent" and not asked.about_you
        total = part.total(asked.weights) + bonus
        each = Found(event, part, total, bonus=bonus, asked_of=speaker)
        if query.scope != "events":
            each.factor = AGENT_TALK if agents else MEMORY_FIRST
        if asked.about_today and day_of(event.ts, asked.zone) != asked.today:
            each.factor *= OTHER_DAY
        found.append(each)
    evidence.lift(found, asked)
    if not asked.about_you:
        _beside_owner(found)
    return found


def _beside_owner(found: Sequence[Found]) -> None:
    for each in found:
        if isinstance(each.unit, Event) and each.unit.origin == "agent":
            each.relevance *= BESIDE_OWNER


def said_within(query: Query, *moments: datetime) -> bool:
    """Whether one of the moments lies between `since` and `until`."""
    if query.since is None and query.until is None:
        return bool(moments)
    return any(
        (query.since is None or moment >= query.since)
        and (query.until is None or moment < query.until)
        for moment in moments
    )


def _pool(store: Store, asked: Asked, unit: Unit, *, filtered: bool) -> _Pool:
    """What words and vectors find, in the order of the weighted sum."""
    limit = max(asked.settings.candidates, asked.query.k)
    if filtered:
        limit *= FILTERED_CANDIDATES
    space, phrases = asked.query.space, asked.phrases
    own = store.match(space, unit, "own", phrases, mode="any", limit=limit)
    around = (
        store.match(space, unit, "around", phrases, mode="any", limit=limit)
        if unit == "event"
        else own
    )
    near, level = [], None
    if asked.vector is not None:
        level = centred.search(asked.embedder, asked.vector, asked.share)
        near = store.nearest(space, unit, asked.embedder, level.vector, limit)
    complete = asked.vector is not None and len(near) < limit
    found = rank.Parts(own, around, near, complete=complete, level=level)
    sums = found.sums(asked.weights)
    wanted = len(sums) if filtered else max(SHORTLIST, 2 * asked.query.k)
    order = rank.first(sums, wanted * (1 + FOR_WORK * asked.for_work))
    return _Pool(found, order[:wanted], order[wanted:], {})


def _citing(store: Store, asked: Asked, events: Sequence[Found]) -> list[str]:
    """The memories that cite the best of these events, or one with the same words."""
    best = events[: max(CITED, 2 * asked.query.k)]
    ids = [unit_id for each in best for unit_id in (each.unit.id, *each.also)]
    if not ids:
        return []
    phrases = [(cited_term(unit_id),) for unit_id in ids]
    found = store.match(
        asked.query.space, "memory", "own", phrases, mode="any", limit=asked.settings.candidates
    )
    return [hit.id for hit in found]


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
        found = {unit_id: heir for unit_id, heir in found.items() if not heir.undone}
        for unit_id in found:
            if unit_id not in pool.parts:
                before = missing[unit_id].id
                pool.heirs[unit_id] = pool.heirs.get(before, before)
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
        if version is not None and not version.undone:
            then[unit_id] = version
    return then


def dated(store: Store, asked: Asked) -> list[str]:
    """The memories about a day of the periods that the question names, whenever they were told.

    In a short period also those that only name the day: "moved from Wednesday (2026-12-02)".
    """
    terms: dict[Phrase, None] = {}
    for first, last in asked.days:
        if last - first <= LONGEST_BY_DAY:
            days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
            terms.update(((day_term(day.isoformat()),), None) for day in days)
            if last - first <= LONGEST_PERIOD:
                terms.update((tuple(day.isoformat().split("-")), None) for day in days)
        elif last - first <= LONGEST_BY_MONTH:
            months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
            terms.update(
                ((day_term(f"{month // 12:04}-{month % 12 + 1:02}"),), None) for month in months
            )
    if not terms:
        return []
    limit = asked.settings.candidates
    found = store.match(asked.query.space, "memory", "own", list(terms), mode="any", limit=limit)
    return [hit.id for hit in found]


def _moments(memory: Memory, asked: Asked) -> list[datetime]:
    """When it was told, and of when it tells; nothing for a question that names no day."""
    if not asked.days:
        return []
    moments = [memory.last_seen, *(span.ts for span in memory.evidence if span.ts)]
    return [*moments, _noon(memory.valid_from, asked)] if memory.valid_from else moments


def _noon(when: str, asked: Asked) -> datetime:
    day = date.fromisoformat(when[:10])
    return datetime.combine(day, time(12), asked.zone)


def _of_the_days(store: Store, asked: Asked) -> dict[str, Event]:
    """What was said on the days that the question names: it may share no word with it."""
    found: dict[str, Event] = {}
    for first, last in asked.days:
        if last - first > LONGEST_PERIOD:
            continue
        start, end = day_bounds(first, asked.zone)[0], day_bounds(last, asked.zone)[1]
        told = store.events_between(asked.query.space, start, end)
        found.update((event.id, event) for event in told[:SHORTLIST] if spoken(event))
    return found


def _bonus(asked: Asked, *, speaker: bool, moments: Sequence[datetime]) -> float:
    settings = asked.settings
    if not asked.days:
        return settings.speaker_bonus if speaker else 0.0
    days = [day_of(moment, asked.zone) for moment in moments]
    spans = [last - first for first, last in asked.days for day in days if first <= day <= last]
    return settings.speaker_bonus * speaker + settings.date_bonus * _dated_worth(spans)


def _dated_worth(spans: Sequence[timedelta]) -> float:
    """How many times the date bonus the shortest of the periods is worth in which a moment lies."""
    if not spans:
        return 0.0
    if min(spans) < timedelta(days=1):
        return EXACT_DAY
    return WITHIN_A_WEEK if min(spans) < LONGEST_PERIOD else 1.0
