"""Units: a memory and the events it cites are one, and so are events with the same words.

What is shown of a unit is what answers: the memory while it is current and holds what was asked
for, else the user's own words. No word of the user is out of reach for good: what a memory that is
over, cold or shut away says no more is found in the journal, far below what holds.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from slowwave.model import Event, Memory, day_of
from slowwave.recall import current, rank
from slowwave.recall.candidates import OTHER_DAY, said_within
from slowwave.recall.found import Found, share_quoted, words_of
from slowwave.recall.question import Asked, Query
from slowwave.text.lately import lately
from slowwave.text.segment import fold

NOT_YET_SURE = 0.85
"""Factor on candidates: below active memories that match as well."""

PAST = 0.6
"""Factor on memories that were replaced, and on raw words of what is over, cold or shut away."""

ONCE = 0.6
"""Factor on what held once: a question that names no day asks how things are in general (N11)."""

WHOLE = 0.8
"""From this share of its text on, a quoted event says nothing that the memory does not."""

A_PART = 0.2
"""A memory that quotes less of a message stands only for what it has the words of."""

PAST_MATCH = 0.5
"""Share of the best match a replaced memory needs to be shown at all."""


READ_LATELY, KEPT_CHARS = 8_192, 1_000
"""Texts that are kept in the form in which they are compared, and how long they may be."""

FIRST: Mapping[current.Standing, int] = {"current": 0, "past": 1, "hidden": 2}

_Owner = tuple[Found, current.Standing]


def repeats(events: Sequence[Found]) -> list[Found]:
    """One candidate for events with the same words from the same mouth: the newest of them."""
    newest: dict[tuple[str, str, str], Found] = {}
    for each in sorted(events, key=_last_said, reverse=True):
        event = each.unit
        if not isinstance(event, Event):
            continue
        key = (event.origin, event.speaker or "", _words(event.text))
        first = newest.setdefault(key, each)
        if first is not each:
            first.also[event.id] = event.ref or event.id
            first.relevance = max(first.relevance, each.relevance)
    return sorted(newest.values(), key=lambda each: (-each.relevance, each.unit.id))


def _words(text: str) -> str:
    return _folded(text) if len(text) <= KEPT_CHARS else " ".join(fold(text).split())


@lately(READ_LATELY)
def _folded(text: str) -> str:
    return " ".join(fold(text).split())


def judge(found: list[Found], asked: Asked) -> None:
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


def united(memories: Sequence[Found], events: Sequence[Found], asked: Asked) -> list[Found]:
    """Memories and events as hits: each event that a memory stands for goes into it.

    An event is a hit of its own when no memory cites it, or none that holds what was asked for.
    """
    standings = _standings(memories, asked.query)
    citing = _citing(memories, standings)
    free, waiting = [], []
    for event in events:
        owners = _owners(event, citing)
        if not owners:
            free.append(event)
        elif owners[0][1] == "current":
            if not _lend([owner for owner, _ in owners], event, asked):
                free.append(event)
        else:
            waiting.append((event, owners[0][0]))
    _level([*memories, *events])
    shown = _shown(memories, standings, asked)
    for event, owner in waiting:
        past = shown.get(owner.unit.id)
        if past is not None and share_quoted(event.unit, past.unit) >= WHOLE:
            past.best = past.best or event.unit.id
        else:
            event.factor *= PAST
            event.over = True
            free.append(event)
    return [*shown.values(), *free]


def _standings(memories: Sequence[Found], query: Query) -> dict[str, current.Standing]:
    now, as_of, cold = query.now, query.as_of, query.include_cold
    return {
        each.unit.id: current.standing(each.unit, now, as_of=as_of, cold=cold)
        for each in memories
        if isinstance(each.unit, Memory)
    }


def _citing(
    memories: Sequence[Found], standings: Mapping[str, current.Standing]
) -> dict[str, list[_Owner]]:
    """By event the memories that cite it: current ones before others, then the best."""
    found: dict[str, list[_Owner]] = {}
    for memory in memories:
        if not isinstance(memory.unit, Memory):
            continue
        owner = (memory, standings[memory.unit.id])
        for event_id in {span.event_id: None for span in memory.unit.evidence}:
            found.setdefault(event_id, []).append(owner)
    for owners in found.values():
        if len(owners) > 1:
            owners.sort(key=lambda owner: FIRST[owner[1]])
    return found


def _owners(event: Found, citing: dict[str, list[_Owner]]) -> list[_Owner]:
    """Who stands for an event; for the same words said earlier only what still holds does."""
    for unit_id in (event.unit.id, *event.also):
        owners = citing.get(unit_id, [])
        if unit_id != event.unit.id:
            owners = [owner for owner in owners if owner[1] == "current"]
        if owners:
            return owners
    return []


def _lend(memories: Sequence[Found], event: Found, asked: Asked) -> bool:
    """Whether the first of the memories stands for the event: then it is lent its match."""
    for memory in memories:
        memory.best = memory.best or event.unit.id
    if not _stands_for(memories[0], event, asked):
        return False
    # The turn may be found by words of its neighbours that the memory does not have.
    memories[0].lent = max(memories[0].lent, event.match)
    return True


def _stands_for(memory: Found, event: Found, asked: Asked) -> bool:
    """Whether nothing that was asked for is only in the event: a memory may quote a part of it."""
    if asked.query.scope == "memories" or not event.coverage:
        return True
    if share_quoted(event.unit, memory.unit) >= A_PART:
        return True
    told = rank.held(asked.matter, words_of(memory.unit))
    said = rank.held(asked.matter, words_of(event.unit))
    return all(mine or not its for mine, its in zip(told, said, strict=True))


def _level(found: Sequence[Found]) -> None:
    """Lets the best match be as strong as it was: how a memory is weighed is for the order only."""
    top = best = 0.0
    for each in found:
        own, lent = each.relevance * each.strength, each.lent
        top = max(top, own, lent)
        best = max(best, each.match)
    if best > 0 and top != best:
        for each in found:
            each.strength *= top / best
            each.lent *= top / best


def _shown(
    memories: Sequence[Found], standings: Mapping[str, current.Standing], asked: Asked
) -> dict[str, Found]:
    """The memories that may be hits, by id, with the factors of their standing."""
    query = asked.query
    shown: dict[str, Found] = {}
    past: list[Found] = []
    for each in memories:
        memory = each.unit
        if not isinstance(memory, Memory) or not _asked_for(query, memory):
            continue
        standing = standings[memory.id]
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
    best = max((each.match for each in memories), default=0.0)
    # Newest first: a chain of replaced memories stands below its living end, in order.
    past.sort(key=lambda each: (-_last_said(each)[0], each.unit.id))
    for each in past:
        _show_past(each, shown, PAST_MATCH * best, cold=query.include_cold)
    return shown


def _asked_for(query: Query, memory: Memory) -> bool:
    if not query.filtered:
        return True
    return (
        (query.kind is None or memory.kind == query.kind)
        and (query.subject is None or memory.subject.casefold() == query.subject.casefold())
        and said_within(query, memory.first_seen, memory.last_seen, *_told(memory))
    )


def _told(memory: Memory) -> list[datetime]:
    """When its words were said: also those between the first and the last time."""
    return [span.ts for span in memory.evidence if span.ts is not None]


def _last_said(found: Found) -> tuple[float, int]:
    if isinstance(found.unit, Memory):
        return found.unit.last_seen.timestamp(), 0
    return found.unit.ts.timestamp(), found.unit.seq


def _show_past(each: Found, shown: dict[str, Found], least: float, *, cold: bool) -> None:
    """Shows a memory that is over: below its successor, which is at least as good a match."""
    memory = each.unit
    successor = shown.get(memory.superseded_by or "") if isinstance(memory, Memory) else None
    if successor is None and not cold:
        return
    if successor is not None:
        successor.lent = max(successor.lent, each.match)
        if each.match < least and not cold:
            return
    each.factor *= PAST
    if successor is not None and each.score >= successor.score:
        each.factor *= 0.99 * successor.score / each.score if each.score else 1.0
    shown[memory.id] = each
