"""Bringing the index up to date: words of events, then vectors of memories and events.

`log` only appends; the index follows lazily, before the next recall or dream. What made the most
difference in measuring (quality.md, "Retrieval") is `around`: a turn is also found by the words of
its neighbours, because an answer seldom repeats its question.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from slowwave.errors import StoreError
from slowwave.model import (
    EMBEDDED_KINDS,
    EMBEDDED_ORIGINS,
    Embeddable,
    Event,
    IndexRow,
    Unit,
    Vector,
    text_hash,
)
from slowwave.ports import Embedder, Progress, Store
from slowwave.text.counting import plural
from slowwave.text.passages import passages
from slowwave.text.related import related
from slowwave.text.segment import shadow, terms

NEIGHBOURS = 2
"""Turns before and after that lend their words."""

OWN_TERMS = 2_000
"""Terms taken of one event: the rest of a tool's output is data, not something said."""

LENT_TERMS = 120
"""Terms a neighbour lends: a long reply must not drown the turn beside it."""

SELF_CONTAINED = 150
"""A turn of so many terms needs no words of others: what it is about, it says itself."""

LOOSE_GAP = timedelta(minutes=30)
"""Events without a session are neighbours when they came this close together."""

ALL = 1_000_000_000
"""A limit that limits nothing."""
WORD_BATCH = 500
VECTOR_BATCH = 16

MOST_PASSAGES = 8
"""Passages of one text that get a direction of their own: so a page costs what eight turns do."""


class _Turn(NamedTuple):
    """An event with its terms, so that each is cut into words once."""

    event: Event
    own: str
    said: str
    lent: str


def catch_up(store: Store, space: str, progress: Progress) -> int:
    """Indexes the words of events that are not indexed yet; returns how many there were."""
    done = 0
    tails: dict[str, list[_Turn]] = {}
    while events := store.unindexed(space, WORD_BATCH):
        rows: list[IndexRow] = []
        for session, turns in _by_session(events).items():
            before = tails.get(session)
            if before is None:
                first = turns[0].event
                earlier = store.session_before(space, session, first.seq, 2 * NEIGHBOURS)
                before = [_turn(event) for event in earlier]
            rows.extend(_rows([*before, *turns], len(before)))
            tails[session] = [*before, *turns][-2 * NEIGHBOURS :]
        store.index_events(space, rows)
        done += len(events)
        progress("index words", done, 0)
    return done


def embed_pending(
    store: Store, embedder: Embedder, space: str, limit: int, progress: Progress
) -> int:
    """Gives up to `limit` memories, then newest events, their vectors; returns how many it set.

    A text that was embedded before is taken from the store's cache. Texts that cannot be embedded
    are passed over. Raises EmbedderError.
    """
    done = 0
    units: tuple[Unit, ...] = ("memory", "event")
    for unit in units:
        waiting = store.unembedded(space, unit, embedder.name, limit - done) if done < limit else []
        for start in range(0, len(waiting), VECTOR_BATCH):
            batch = waiting[start : start + VECTOR_BATCH]
            vectors = _vectors(store, embedder, batch)
            store.put_vectors(space, unit, embedder.name, vectors)
            done += len(vectors)
            progress(f"embed {unit}", min(start + VECTOR_BATCH, len(waiting)), len(waiting))
    return done


def follow(
    store: Store, space: str, embedder: Embedder | None, progress: Progress
) -> tuple[int, int]:
    """All words and all vectors; returns of how many events the words, and how many vectors."""
    indexed = catch_up(store, space, progress)
    made = embed_pending(store, embedder, space, ALL, progress) if embedder is not None else 0
    return indexed, made


def renew(
    store: Store,
    space: str,
    rows: Sequence[IndexRow],
    embedder: Embedder | None,
    progress: Progress,
) -> tuple[str, ...]:
    """Makes the index anew from these rows of memories and the journal; tells what it did."""
    store.reindex(space, rows)
    indexed, made = follow(store, space, embedder, progress)
    words = f"indexed the words of {plural(indexed, 'event')} and {plural(len(rows), 'memory')}"
    vectors = (f"made {plural(made, 'missing vector')}",) if embedder is not None else ()
    return (words, *vectors)


def embed_memories(store: Store, embedder: Embedder, space: str, limit: int) -> None:
    """Gives up to `limit` memories their vectors: the little a recall may wait for."""
    waiting = store.unembedded(space, "memory", embedder.name, limit)
    if waiting:
        vectors = _vectors(store, embedder, waiting)
        with suppress(StoreError):  # an answer does not fail because they cannot be kept
            store.put_vectors(space, "memory", embedder.name, vectors)


def spoken(event: Event) -> bool:
    """Whether the event is something that was said by a person or the agent."""
    return event.kind in EMBEDDED_KINDS and event.origin in EMBEDDED_ORIGINS


def _by_session(events: Sequence[Event]) -> dict[str, list[_Turn]]:
    grouped: dict[str, list[_Turn]] = {}
    for event in events:
        grouped.setdefault(event.session, []).append(_turn(event))
    return grouped


def _turn(event: Event) -> _Turn:
    if event.origin == "recalled":
        # It came out of memory: to find it again would be to feed on ourselves (promise 5).
        return _Turn(event, "", "", "")
    named = f"{event.speaker}: {event.text}" if event.speaker else event.text
    own = shadow(f"{named[: OWN_TERMS * 16]} {related(event.text)}", OWN_TERMS)
    if not spoken(event):
        return _Turn(event, own, "", "")
    words = terms(named[: OWN_TERMS * 16])[:OWN_TERMS]
    return _Turn(event, own, " ".join(words), " ".join(words[:LENT_TERMS]))


def _rows(turns: Sequence[_Turn], known: int) -> list[IndexRow]:
    """Rows of the new turns, and again of the last known ones: they have new neighbours now."""
    rows: list[IndexRow] = []
    for at in range(max(0, known - NEIGHBOURS), len(turns)):
        turn = turns[at]
        near = turns[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]
        if turn.said.count(" ") >= SELF_CONTAINED:
            near = [turn]
        around = [
            turn.said if other is turn else other.lent
            for other in near
            if other is turn or _neighbours(turn, other)
        ]
        if spoken(turn.event):
            rows.append(IndexRow(turn.event.id, turn.own, " ".join(filter(None, around))))
        else:
            rows.append(IndexRow(turn.event.id, turn.own))
    return rows


def _neighbours(turn: _Turn, other: _Turn) -> bool:
    if turn.event.session:
        return True
    return abs(turn.event.ts - other.event.ts) <= LOOSE_GAP


def _vectors(
    store: Store, embedder: Embedder, batch: Sequence[Embeddable]
) -> list[tuple[str, Vector]]:
    hashes = {item.id: text_hash(item.text) for item in batch}
    known = store.cached_vectors(embedder.name, sorted(set(hashes.values())))
    missing = {hashes[item.id]: item.text for item in batch if hashes[item.id] not in known}
    if missing:
        known = known | _made(embedder, missing)
    found = [(item.id, known.get(hashes[item.id])) for item in batch]
    return [(unit_id, vector) for unit_id, vector in found if vector]


def _made(embedder: Embedder, texts: Mapping[str, str]) -> dict[str, Vector]:
    """The vectors of texts by key: of a long one, the directions of its passages in their order."""
    pieces = [
        (key, piece) for key, text in texts.items() for piece in passages(text, MOST_PASSAGES)
    ]
    made: dict[str, Vector] = {}
    for (key, _), vector in zip(
        pieces, embedder.passages([piece for _, piece in pieces]), strict=True
    ):
        if vector is not None:
            made[key] = made.get(key, b"") + vector
    return made
