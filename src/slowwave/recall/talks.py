"""Talks: stretches of a session without a long silence, and the turns of them that may be meant.

A channel that is one session for ever has a last time too: after some hours of silence a session
goes on as a new talk. The running talk is the one of the session in which the question is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from slowwave.ledger import in_force
from slowwave.model import Event, day_bounds, day_of
from slowwave.ports import Store
from slowwave.recall.candidates import said_within
from slowwave.recall.index import spoken
from slowwave.recall.pointing import Pointing, pointing
from slowwave.recall.question import Asked, Query, moment
from slowwave.text.noise import noise_reason

SILENCE = timedelta(hours=4)
"""After such a pause a session goes on as a new talk."""

RECENT = timedelta(days=14)
HALF_LIFE_DAYS = 14.0

TALKS = 4
SORTED_TALKS = 60
"""Talks before the running one that are looked at: for anything, and for a sort of thing."""

WINDOWS = (2, 8, 32, 128, 512)
"""Days that are read back, until there are enough talks."""

MOST_EVENTS = 3_000
"""Events that are read back; beyond them nobody means "last time"."""

PER_TALK = 200
"""Newest turns of one talk that are weighed."""

LENT_TURNS = 4
"""Turns of the running session that tell what a bare "that" is."""

EARLIER_TALK = 0.7
"""Factor for each talk between the one that is meant and this one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing said; `place` counts the talks back from the newest, `nth` the turns back in it."""

    event: Event
    place: int
    nth: int
    weight: float


def last_turns(store: Store, query: Query) -> list[Event]:
    """The last turns of the running session before the question, with something in them."""
    if not query.session:
        return []
    asked_at = moment(query)
    told = store.session_before(query.space, query.session, _END, 4 * LENT_TURNS)
    told = [event for event in told if spoken(event) and event.ts <= asked_at]
    while told and told[-1].text.strip() == query.text.strip():
        told.pop()  # the question itself, where the log was quicker than the recall
    told = [event for event in told if told[-1].ts - event.ts < SILENCE]
    if told and asked_at - told[-1].ts >= SILENCE:
        return []
    return [event for event in told if not _is_empty(event)][-LENT_TURNS:]


_END = 2**62


# ── which turns ─────────────────────────────────────────────────────────────────────────────────


def turns(store: Store, asked: Asked, pointed: Pointing) -> Iterator[Turn]:
    """The turns that may be meant, each with the weight of its time."""
    query = asked.query
    talks = _talks(store, asked, pointed)
    running = _is_running(talks, query)
    if pointed.talk == "now":
        talks = talks[:1] if running or not query.session else []
    elif running:
        talks = talks[1:]
    for place, talk in enumerate(talks[: _depth(pointed)]):
        newest = talk[-PER_TALK:]
        for nth, event in enumerate(reversed(newest)):
            if not _is_empty(event):
                yield Turn(event, place, nth, _weight(event, place, nth, query, pointed))


def _depth(pointed: Pointing) -> int:
    return SORTED_TALKS if pointed.grade == "sort" else TALKS


def _weight(event: Event, place: int, nth: int, query: Query, pointed: Pointing) -> float:
    """0–1: how well the time of a turn fits the question."""
    days = (moment(query) - event.ts).total_seconds() / 86_400
    if pointed.talk == "now":
        return 0.93**nth
    late = 0.97**nth if pointed.stopped else 1.0
    if pointed.talk == "last" or pointed.stopped:
        return late * EARLIER_TALK**place
    faded: float = 0.5 ** (days / HALF_LIFE_DAYS)
    if pointed.talk == "before" or pointed.grade == "sort":
        return 0.6 + 0.4 * faded
    if pointed.talk == "lately":
        return 1.0 if 0.5 <= days <= RECENT.days else 0.6 * faded
    return float(0.9**place * (0.3 + 0.7 * faded))


def _talks(store: Store, asked: Asked, pointed: Pointing) -> list[list[Event]]:
    """The talks before the question, the latest first, each in its order."""
    told: list[Event] = []
    for start, end in _spans(asked):
        said = store.events_between(asked.query.space, start, end)
        told = [
            event
            for event in in_force(store, asked.query.space, said)
            if spoken(event) and said_within(asked.query, event.ts)
        ]
        talks = _cut(told, asked)
        if len(talks) > _depth(pointed) or len(told) >= MOST_EVENTS:
            break
    else:
        talks = _cut(told, asked)
    return talks


def _spans(asked: Asked) -> Iterator[tuple[datetime, datetime]]:
    """The stretches that are read, one after the other, until there is enough in one."""
    end = moment(asked.query) + timedelta(microseconds=1)
    if asked.days:
        first = min(first for first, _ in asked.days)
        last = max(last for _, last in asked.days)
        oldest = end.date() - timedelta(days=WINDOWS[-1])
        start = day_bounds(max(first, oldest), asked.zone)[0]
        yield start, min(end, day_bounds(min(last, end.date()), asked.zone)[1])
        return
    for days in WINDOWS:
        yield end - timedelta(days=days), end


def _cut(told: Sequence[Event], asked: Asked) -> list[list[Event]]:
    talks: list[list[Event]] = []
    latest: dict[str, list[Event]] = {}
    for event in told:
        # What has no session is one talk for each day.
        name = event.session or day_of(event.ts, asked.zone).isoformat()
        talk = latest.get(name)
        if talk is None or event.ts - talk[-1].ts >= SILENCE:
            talk = latest[name] = []
            talks.append(talk)
        talk.append(event)
    question = asked.query.text.strip()
    for talk in talks:
        if talk[-1].text.strip() == question:
            talk.pop()  # the question itself, where the log was quicker than the recall
    talks = [talk for talk in talks if not all(_is_empty(event) for event in talk)]
    here = [talk for talk in talks if _is_here(talk, asked.query)]
    others = [talk for talk in talks if not _is_here(talk, asked.query)]
    others.sort(key=lambda talk: talk[-1].ts, reverse=True)
    if here:
        # What goes on beside the running talk, in another session, is no last time.
        began = here[0][0].ts
        others.sort(key=lambda talk: talk[-1].ts >= began)
    return here + others


def _is_here(talk: Sequence[Event], query: Query) -> bool:
    running = bool(query.session) and talk[-1].session == query.session
    return running and moment(query) - talk[-1].ts < SILENCE


def _is_running(talks: Sequence[Sequence[Event]], query: Query) -> bool:
    return bool(talks) and _is_here(talks[0], query)


def _is_empty(event: Event) -> bool:
    """Whether a turn holds nothing that could be meant: a greeting, or a vague question itself."""
    pointed = pointing(event.text[:200])
    return (pointed is not None and pointed.grade == "whole") or noise_reason(
        event.text[:2_000]
    ) is not None
