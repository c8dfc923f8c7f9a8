"""How a night is distilled: by the rules alone, or by a model with the rules beside it.

Helps `cycle`, which alone knows the order. What a model was asked is never asked again: each chunk
has its answer kept, by what was asked and not by the dream, so that another plan of the same events
finds it. A chunk that failed is pending and its events stay unread; after so many attempts, counted
over all runs, the rules take it over or it is given up (N16, cases 59, 60 and 63).
"""

from collections.abc import Mapping, Sequence
from time import perf_counter

import msgspec

from slowwave.dream.collect import Collected
from slowwave.dream.cycle.chunks import ATTEMPTS, Asking, stale
from slowwave.dream.cycle.desk import Desk, Mind
from slowwave.dream.distill.model import proposals as distill_model
from slowwave.dream.distill.model.chunks import Chunk, chunks_of
from slowwave.dream.distill.rules import Distilled
from slowwave.dream.distill.rules import distill as distill_by_rules
from slowwave.dream.distill.union import left_out, union
from slowwave.dream.reconcile.judge import model as judge_model
from slowwave.dream.verify.stage import verify
from slowwave.model import (
    SAID_BY_HAND,
    Claim,
    Event,
    Pending,
    Rejected,
    clock_zone,
    text_hash,
)
from slowwave.modelling import unfinished
from slowwave.text.counting import plural

__all__ = ["Reading", "distill", "first_reader", "terms"]

CONTEXT_TURNS = 4
"""How many earlier turns of a session a message may lean on ("yes, do that from now on")."""

RULES = "rules"
WITH_RULES = " + rules ("


class Reading(msgspec.Struct, frozen=True):
    """What a night's events say, and who read them.

    `pending` are the chunks that a model has not done, `waiting` their events: these count as
    unread. `mark` stands for what was read and by whom; "" for the rules, who read everything.
    """

    distilled: Distilled
    model_used: str = RULES
    waiting: frozenset[str] = frozenset()
    pending: tuple[Pending, ...] = ()
    warnings: tuple[str, ...] = ()
    mark: str = ""


def terms(mind: Mind | None) -> tuple[str, ...]:
    """What of the model decides the outcome of a night; nothing without one."""
    if mind is None:
        return ()
    instructions = (distill_model.fingerprint(), judge_model.fingerprint())
    return "llm", mind.name, mind.fallback, *instructions


def distill(desk: Desk, collected: Collected) -> Reading:
    """All segments, each with a checkpoint of its own (N16: a resume point per chunk).

    Raises ModelError when a model was to do it, and did nothing of it.
    """
    began = perf_counter()
    mind = desk.night.mind
    ruled = _by_rules(desk, collected, tell=mind is None)
    reading = Reading(_joined(ruled)) if mind is None else _by_model(desk, collected, ruled, mind)
    read = sum(len(segment.events) for segment in collected.segments) - len(reading.waiting)
    desk.note("distill", read, len(reading.distilled.claims), began)
    return reading


# ── the rules ───────────────────────────────────────────────────────────────────────────────────


def _by_rules(desk: Desk, collected: Collected, *, tell: bool) -> list[Distilled]:
    """What the rules find in each segment."""
    results: list[Distilled] = []
    total = len(collected.segments)
    zone = clock_zone(desk.night.now)
    for number, segment in enumerate(collected.segments):
        name = f"distill/{number}"
        found = desk.load(name, Distilled)
        if found is None:
            found = distill_by_rules(segment.events, zone, before=_before(desk, segment.events))
            desk.save(name, found)
        results.append(found)
        if tell:
            desk.night.progress("distill", number + 1, total)
    return results


def _joined(results: Sequence[Distilled]) -> Distilled:
    return Distilled(
        tuple(claim for found in results for claim in found.claims),
        tuple(item for found in results for item in found.rejected),
    )


def _before(desk: Desk, events: Sequence[Event]) -> list[Event]:
    """The last turns of each session before these events, for answers that lean on them.

    Words for a change by hand answer nobody, and may have been taken back.
    """
    first: dict[str, int] = {}
    for event in events:
        first[event.session] = min(first.get(event.session, event.seq), event.seq)
    space = desk.night.space
    return [
        event
        for session, seq in sorted(first.items())
        for event in desk.store.session_before(space, session, seq, CONTEXT_TURNS)
        if event.source != SAID_BY_HAND
    ]


# ── a model, with the rules beside it ───────────────────────────────────────────────────────────


def _by_model(desk: Desk, collected: Collected, ruled: Sequence[Distilled], mind: Mind) -> Reading:
    """Every chunk asked about, unless it was before; then what the rules found beside it."""
    events = {event.id: event for segment in collected.segments for event in segment.events}
    asking = Asking(desk, mind, list(events.values()))
    chunks = chunks_of(collected.segments, desk.night.settings.segment_chars, asking.together)
    total = len(chunks)
    for number, chunk in enumerate(chunks):
        before = _before(desk, [piece.event for piece in chunk.pieces])
        asking.about(chunk, before)
        desk.night.progress("distill", number + 1, total)
    asking.end()
    asking.require_something()
    if not desk.dry:
        unfinished.drop(desk.store, desk.night.space, stale(desk, asking.marks, chunks))
    waiting = frozenset(event for chunk, _ in asking.pending for event in chunk.events)
    distilled = _together(desk, ruled, asking, waiting, events)
    return Reading(
        distilled,
        model_used=_who(mind, asking, total),
        waiting=waiting,
        pending=tuple(pending for _, pending in asking.pending),
        warnings=_warnings(mind, asking, total),
        mark=_mark(asking, chunks),
    )


def _together(
    desk: Desk,
    ruled: Sequence[Distilled],
    asking: Asking,
    waiting: frozenset[str],
    events: Mapping[str, Event],
) -> Distilled:
    """The claims of both about what was read; the model's only where they verify."""
    rules = _joined(ruled)
    found = [claim for claim in rules.claims if not _all_of(claim, waiting)]
    told = [claim for one in asking.told for claim in one.claims if not _all_of(claim, waiting)]
    beside = {span.event_id for claim in (*found, *told) for span in claim.evidence}
    known = {**events, **desk.store.events_by_id(desk.night.space, sorted(beside - events.keys()))}
    verified = verify(told, known)
    left = left_out(rules.rejected, known)
    claims, needless = union(
        found, verified.claims, left, lambda claim: not verify([claim], known).rejected
    )
    rejected: list[Rejected] = [item for item in rules.rejected if item.event_id not in waiting]
    rejected += [item for one in asking.told for item in one.rejected]
    return Distilled(claims, (*rejected, *asking.refused, *verified.rejected, *needless))


def _all_of(claim: Claim, events: frozenset[str]) -> bool:
    """Whether a claim rests on nothing but these events."""
    return all(span.event_id in events for span in claim.evidence)


def first_reader(model_used: str) -> str:
    """The model that read a night, also where the rules took over a part of it."""
    return model_used.partition(WITH_RULES)[0]


def _who(mind: Mind, asking: Asking, total: int) -> str:
    if not total:
        return RULES
    if not asking.by_rules:
        return mind.name
    return f"{mind.name}{WITH_RULES}{len(asking.by_rules)} of {plural(total, 'chunk')})"


def _warnings(mind: Mind, asking: Asking, total: int) -> tuple[str, ...]:
    """What the model has not done, in numbers, with the reasons (case 63: N of M)."""
    told: list[str] = []
    by_rules, waiting = len(asking.by_rules), len(asking.pending)
    if by_rules:
        reasons = "; ".join(dict.fromkeys(asking.by_rules.values()))
        told.append(
            f"the rules took over {by_rules} of {plural(total, 'chunk')} that {mind.name} could "
            f"not do: {reasons}"
        )
    if waiting:
        events = plural(sum(pending.events for _, pending in asking.pending), "event")
        reasons = "; ".join(dict.fromkeys(pending.reason for _, pending in asking.pending))
        given_up = sum(pending.given_up for _, pending in asking.pending)
        after = f", {given_up} given up after {plural(ATTEMPTS, 'attempt')}" if given_up else ""
        told.append(
            f"{total - waiting} of {plural(total, 'chunk')} done; {waiting} ({events}) "
            f"{'waits' if waiting == 1 else 'wait'} for {mind.name}{after}: {reasons}"
        )
    return tuple(told)


def _mark(asking: Asking, chunks: Sequence[Chunk]) -> str:
    """Another outcome of the same chunks gives other claims: the stages after it are done anew."""
    waiting = {chunk.key for chunk, _ in asking.pending}
    how = {**dict.fromkeys(waiting, "waits"), **asking.by_rules}
    parts = [f"{chunk.key} {how.get(chunk.key, '')}" for chunk in chunks]
    return f"/{text_hash(','.join(parts))}" if parts else ""
