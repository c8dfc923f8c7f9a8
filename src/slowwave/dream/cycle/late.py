"""The second half of the night: what the ledger holds, weighed; then what time makes of it.

Helps `cycle`, which alone knows the order: reads signals and phase hits once, lays out what light
and REM sleep consider, and lets `forget` and the weekly consolidation look at what is left.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from slowwave.dream.consolidate import due
from slowwave.dream.forget import Settled, forget, sleepers
from slowwave.dream.phases import Sleep, pool, sleep
from slowwave.dream.weigh.tally import Tally, gather
from slowwave.model import (
    Change,
    Claim,
    Dream,
    Event,
    Memory,
    PhaseHit,
    Rejected,
    Signal,
    Status,
    Version,
    day_of,
    text_hash,
)
from slowwave.ports import Store
from slowwave.settings import DreamSettings

__all__ = ["Let", "Standing", "Weighed", "beside", "decisive", "let_go", "read", "seen", "weigh"]

LIVE: tuple[Status, ...] = ("candidate", "active", "cold")

LATEST = 3
"""Applied dreams whose memories may have settled since."""


class Standing(NamedTuple):
    """What a space holds when the night begins, each read once.

    `known` are the live memories; `signals` and phase `hits` are those of candidates. What has
    retired is not read: a night must not cost more for all that ever was (see `beside`).
    """

    space: str
    known: Sequence[Memory]
    dreams: Sequence[Dream]
    signals: Sequence[Signal]
    hits: Sequence[PhaseHit]


class Weighed(msgspec.Struct, frozen=True):
    """The tallies of what may be promoted or was considered tonight, and what the phases saw."""

    tallies: Mapping[str, Tally]
    sleep: Sleep


class Let(msgspec.Struct, frozen=True):
    """What `forget` and the weekly consolidation change; what of a model's answers about the week
    was refused, and what failed."""

    changes: tuple[Change, ...]
    rejected: tuple[Rejected, ...] = ()
    warnings: tuple[str, ...] = ()


Review = Callable[[frozenset[str]], Let]
"""The weekly consolidation of all memories but these."""


def read(store: Store, space: str) -> Standing:
    """All that the second half needs of the ledger."""
    known = store.memories(space, LIVE)
    waiting = [memory.id for memory in known if memory.status == "candidate"]
    return Standing(
        space,
        known,
        store.dreams(space),
        store.signals(space, waiting),
        store.phase_hits(space, waiting),
    )


def beside(
    store: Store, standing: Standing, claims: Sequence[Claim], now: datetime
) -> list[Memory]:
    """What claims are laid beside, by (first_seen, id): the live memories and a few retired ones.

    Those that ended only after the first of the claims was said, and those that rest on the same
    events.
    """
    spans = [span for claim in claims for span in claim.evidence]
    said = min((span.ts for span in spans if span.ts), default=now)
    day = day_of(said, now.tzinfo or UTC).isoformat()
    ids = sorted({span.event_id for span in spans})
    past = store.retired(standing.space, day, ids) if claims else []
    return sorted((*standing.known, *past), key=lambda memory: (memory.first_seen, memory.id))


def decisive(standing: Standing, settings: DreamSettings, now: datetime) -> str:
    """What of the signals decides the outcome: those of candidates, and what may go cold.

    A recall of an active memory that is not about to be forgotten makes no other plan.
    """
    parts: list[str] = []
    if "signals" in settings.routes:
        parts += [
            f"{signal.memory_id} {signal.ts.isoformat()} {signal.query_hash} {signal.score!r}"
            for signal in standing.signals
        ]
        parts += [f"{hit.memory_id} {hit.phase} {hit.ts.isoformat()}" for hit in standing.hits]
    parts += [memory.id for memory in sleepers(standing.known, settings, now)]
    return text_hash("\n".join(parts))


def weigh(
    store: Store,
    standing: Standing,
    changes: Sequence[Change],
    events: Sequence[Event],
    settings: DreamSettings,
    now: datetime,
) -> Weighed:
    """Light and REM sleep over what came up lately, and the signals of all that may be promoted.

    The journal is read again for what was recalled or considered, so that nothing is promoted on
    words that are not there any more; of everything else nothing is read.
    """
    left = {memory.id: memory for memory in standing.known}
    left.update((change.memory_id, change.after) for change in changes)
    recent = pool(left.values(), settings.signals, now)
    asked = {signal.memory_id for signal in standing.signals}
    asked.update(change.memory_id for change in changes)
    waiting = [left[memory_id] for memory_id in sorted(asked & left.keys())
               if left[memory_id].status == "candidate"]  # fmt: skip
    weighed = {memory.id: memory for memory in (*recent, *waiting)}
    ids = sorted(weighed)
    signals, hits = store.signals(standing.space, ids), store.phase_hits(standing.space, ids)
    quoted = _journal(store, standing.space, weighed.values(), events)
    tallies = gather(weighed.values(), signals, hits, quoted, now.tzinfo)
    slept = sleep(recent, tallies, settings.signals, now)
    for hit in slept.hits:
        tallies[hit.memory_id] = tallies[hit.memory_id].considered(hit.phase, now.date())
    return Weighed(tallies, slept)


def _journal(
    store: Store, space: str, memories: Iterable[Memory], events: Sequence[Event]
) -> dict[str, Event]:
    """The events that these memories quote, as they are in the journal now."""
    found = {event.id: event for event in events}
    wanted = {span.event_id for memory in memories for span in memory.evidence}
    found.update(store.events_by_id(space, sorted(wanted - found.keys())))
    return found


def let_go(
    store: Store,
    standing: Standing,
    touched: frozenset[str],
    settings: DreamSettings,
    now: datetime,
    night: tuple[str, Review],
) -> Let:
    """`forget`, and once a week the consolidation, over what the night did not touch.

    `night` is the dream's id, and the review of a week that leaves alone what was touched.
    """
    dream_id, review = night
    applied = [dream.dream_id for dream in standing.dreams if dream.status == "applied"]
    settled = Settled(_versions(store, standing.space), frozenset(applied[:LATEST]))
    gone = forget(standing.known, touched, settings, now, dream_id=dream_id, settled=settled)
    if not due(standing.dreams, settings.forget.weekly_on, now):
        return Let(gone)
    week = review(touched | {change.memory_id for change in gone})
    return msgspec.structs.replace(week, changes=(*gone, *week.changes))


def _versions(store: Store, space: str) -> Callable[[str], Sequence[Version]]:
    return lambda memory_id: store.versions(space, memory_id)


def seen(slept: Sleep, known: Sequence[Memory], changes: Sequence[Change]) -> Sleep:
    """What the phases saw of memories that will be there: not of claims that get no entry."""
    there = {memory.id for memory in known} | {change.memory_id for change in changes}
    themes = []
    for theme in slept.themes:
        ids = tuple(memory_id for memory_id in theme.memory_ids if memory_id in there)
        if len(ids) > 1:
            themes.append(msgspec.structs.replace(theme, memory_ids=ids))
    return Sleep(tuple(hit for hit in slept.hits if hit.memory_id in there), tuple(themes))
