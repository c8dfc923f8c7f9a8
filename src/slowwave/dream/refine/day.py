"""Refinement: a day that was dreamed is read again, by a better reader (N21).

The same stages as the night's, on the events that the day's dreams have read; then the new reading
is laid beside what those left (`pairs`), and the difference is the plan: what is new, what
is said better, what takes the place of something, and what nothing bears any more. It is reviewed,
applied and undone like any plan. Nothing is ended on words that the model has not read, and nothing
that a person changed, pinned or refused comes or goes by it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from time import perf_counter
from typing import NamedTuple

import msgspec

from slowwave.dream.cycle import checkpoints
from slowwave.dream.cycle import distill as cycle_distill
from slowwave.dream.cycle import late as cycle_late
from slowwave.dream.cycle import night as cycle
from slowwave.dream.cycle import tell as cycle_tell
from slowwave.dream.cycle.desk import Desk, Night
from slowwave.dream.cycle.distill import Reading
from slowwave.dream.cycle.late import Standing
from slowwave.dream.plans.decided import keep_plan
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.dream.plans.waiting import drop, unclaimed
from slowwave.dream.refine import plan as refine_plan
from slowwave.dream.refine.pairs import Compared, Past, beside
from slowwave.dream.refine.pairs import Reading as ReadAgain
from slowwave.errors import AlreadyDecided, NotFound, UsageError
from slowwave.ledger import WAITING, check_quotes, count
from slowwave.model import (
    READERS,
    Add,
    Change,
    Claim,
    Demote,
    Dream,
    DreamStatus,
    Event,
    Gate,
    Memory,
    Refined,
    Rejected,
    Supersede,
    clock_zone,
    day_of,
    short_id,
)
from slowwave.ports import Store

__all__ = ["REFINEMENT", "days_of_week", "plan", "read_by"]

REFINEMENT = "refinement"
WEEK = 7


class _Outcome(NamedTuple):
    """What the stages made of the day, and of what was made of it before."""

    reading: Reading
    compared: Compared
    changes: tuple[Change, ...]
    extracted: int
    rejections: tuple[Rejected, ...]
    warnings: tuple[str, ...]


def plan(store: Store, night: Night) -> Dream:
    """The difference between a day read again and what its dreams made of it, as a plan.

    Stored unless the mode is `dry_run`, or nothing differs (`nothing_to_do`). Raises UsageError for
    a date that is no single day, NotFound for a day that no dream has read, ModelError when the
    model did nothing of it.
    """
    began = perf_counter()
    standing = cycle_late.read(store, night.space)
    label, past, events = _day(store, night, standing)
    night = msgspec.structs.replace(night, date=label, refines=True)
    basis = cycle.revision(standing.dreams)
    terms = (REFINEMENT, *cycle.terms(night, standing), label, basis)
    dream_id = short_id("d", *terms, *(event.id for event in events))
    desk = Desk(store, night, dream_id, f"{label} {REFINEMENT}")
    found = _stages(desk, events, standing, past)
    changes = found.changes
    waiting = found.reading.waiting
    gates = (
        check_quotes(store, night.space, changes),
        *judge(Proposal(changes, standing.known, night.settings)),
    )
    dream = Dream(
        dream_id=dream_id, space=night.space, mode=night.mode, date=label, run_at=night.now,
        status=_status(changes, gates), by="refinement", preset=night.preset, basis=basis,
        input_events=sum(event.id not in waiting for event in events),
        extracted_items=found.extracted, rejections=found.rejections,
        model_used=found.reading.model_used, stages=tuple(desk.done), changes=changes, gates=gates,
        pending=found.reading.pending, warnings=found.warnings,
        refined=_refined(past, found),
    )  # fmt: skip
    dream = refine_plan.marked(count(dream, changes), _plans(store, standing, label, past), night)
    dream = cycle_tell.told(desk, dream, standing.known)
    dream = msgspec.structs.replace(
        dream, rejected=cycle.tally(dream.rejections),
        duration_sec=round(perf_counter() - began, 3),
    )  # fmt: skip
    return dream if night.mode == "dry_run" else _keep(store, desk, dream, standing)


def _status(changes: Sequence[Change], gates: Sequence[Gate]) -> DreamStatus:
    if not changes:
        return "nothing_to_do"
    return "planned" if refused(gates) is None else "refused"


def read_by(store: Store, night: Night) -> tuple[str, ...]:
    """Who has read a day so far, the first reader first; nobody where no dream has."""
    standing = cycle_late.read(store, night.space)
    try:
        _, past, _ = _day(store, night, standing)
    except NotFound:
        return ()
    return tuple(dict.fromkeys(cycle_distill.first_reader(dream.model_used) for dream in past))


def days_of_week(now: datetime) -> list[str]:
    """The finished days of the last week, oldest first; `now` carries the user's zone."""
    today = day_of(now, clock_zone(now))
    return [(today - timedelta(days=back)).isoformat() for back in range(WEEK, 0, -1)]


# ── what there is to read again ─────────────────────────────────────────────────────────────────


def _day(store: Store, night: Night, standing: Standing) -> tuple[str, list[Dream], list[Event]]:
    """The label of a day, the applied dreams that read it, oldest first, and what they read."""
    label, start, end = cycle.span_of(night.date, night.now, "a day such as 2026-11-30, or week")
    if start is None or end is None:
        raise UsageError(
            "one day is read again at a time", "give a day such as 2026-11-30, or week"
        )
    events = store.events_between(night.space, start, end)
    ids = {event.id for event in events}
    past = [dream for dream in _applied(store, standing, label)
            if dream.by == REFINEMENT or not ids.isdisjoint(dream.event_ids)]  # fmt: skip
    read = {event_id for dream in past for event_id in dream.event_ids}
    events = unclaimed(store, [one for one in events if one.id in read], standing.dreams)
    if not events:
        raise NotFound(
            f"no dream has read anything of {label} yet", f"dream it: slowwave dream --date {label}"
        )
    return label, past, events


def _applied(store: Store, standing: Standing, label: str) -> Iterable[Dream]:
    """The applied dreams that may have read a day, oldest first, whole."""
    for head in reversed(standing.dreams):
        reads = head.by in READERS and head.date in (label, "all")
        again = head.by == REFINEMENT and head.date == label
        dream = (
            store.dream(head.space, head.dream_id)
            if head.status == "applied" and (reads or again)
            else None
        )
        if dream is not None:
            yield dream


def _plans(store: Store, standing: Standing, label: str, past: Sequence[Dream]) -> list[Dream]:
    """The dreams of a day in which somebody may have refused something, newest first."""
    heads = [head for head in standing.dreams
             if head.by == REFINEMENT and head.date == label
             and head.status in (*WAITING, "rejected")]  # fmt: skip
    found = (store.dream(head.space, head.dream_id) for head in heads)
    return [*(dream for dream in found if dream is not None), *reversed(past)]


# ── the stages ──────────────────────────────────────────────────────────────────────────────────


def _stages(
    desk: Desk, events: Sequence[Event], standing: Standing, past: Sequence[Dream]
) -> _Outcome:
    night = desk.night
    collected, reading, verified = cycle.read(desk, events, standing)
    distilled = reading.distilled
    known = _known(desk, standing, verified.claims, events)
    left = _past(desk, past)
    compared = beside(_again(events, reading, verified.claims, night), known, left)
    reconciled, rulings = cycle.decided(desk, compared.fresh, standing, reading.mark)
    made = refine_plan.Making(desk, known, reading.model_used, events)
    changes, rejected = made.changes(compared, reconciled.changes, standing.known, left.ended)
    return _Outcome(
        reading, compared, changes, len(distilled.claims),
        (*collected.dropped, *distilled.rejected, *verified.rejected, *rulings.rejected,
         *reconciled.rejected, *rejected),
        (*reading.warnings, *rulings.warnings),
    )  # fmt: skip


def _again(
    events: Sequence[Event], reading: Reading, claims: Sequence[Claim], night: Night
) -> ReadAgain:
    ids = frozenset(event.id for event in events)
    seeds = frozenset(event.id for event in events if event.kind == "seed")
    if night.mind is None:
        return ReadAgain(claims, ids, seeds=seeds)
    return ReadAgain(claims, ids - reading.waiting, reading.waiting, seeds, by_model)


def by_model(claim: Claim) -> bool:
    """Whether a model had a hand in a claim."""
    return "model:" in claim.rule


def _known(
    desk: Desk, standing: Standing, claims: Sequence[Claim], events: Sequence[Event]
) -> list[Memory]:
    """The live memories, and the retired ones that rest on the same events."""
    found = {memory.id: memory for memory in standing.known}
    for memory in cycle_late.beside(desk.store, standing, claims, desk.night.now):
        found.setdefault(memory.id, memory)
    ids = [event.id for event in events]
    for memory in desk.store.retired(standing.space, "9999-12-31", ids):
        found.setdefault(memory.id, memory)
    known = (memory for memory in found.values() if not memory.undone)
    return sorted(known, key=lambda memory: (memory.first_seen, memory.id))


def _past(desk: Desk, dreams: Sequence[Dream]) -> Past:
    """What the dreams of the day left, and what of it is not theirs to change any more."""
    store, space = desk.store, desk.night.space
    changes = [change for dream in dreams for change in dream.changes
               if change.approved is not False]  # fmt: skip
    left = {change.memory_id: change.after for change in changes}
    by_hand = {head.dream_id for head in store.dreams(space) if head.by == "person"}
    guarded = {
        memory_id
        for memory_id in left
        if any(version.dream_id in by_hand for version in store.versions(space, memory_id))
    }
    heirs = {change.after.superseded_by for change in changes if isinstance(change, Supersede)}
    return Past(
        left,
        frozenset(change.memory_id for change in changes if isinstance(change, Add)),
        frozenset(guarded),
        frozenset(heir for heir in heirs if heir),
        {
            change.memory_id: change.before
            for change in changes
            if isinstance(change, Demote) and change.route == REFINEMENT
            and left[change.memory_id] == change.after
        },
    )  # fmt: skip


# ── the plan ────────────────────────────────────────────────────────────────────────────────────


def _refined(past: Sequence[Dream], found: _Outcome) -> Refined:
    """The difference in ids of memories."""
    touched = {change.memory_id: change for change in found.changes}
    added = [key for key, change in touched.items() if isinstance(change, Add)]
    ended = [key for key, change in touched.items() if isinstance(change, Demote | Supersede)]
    same = (memory.id for _, memory in found.compared.of("same"))
    kept = (*(memory for _, memory in found.compared.of("kept")), *found.compared.kept)
    return Refined(
        dreams=tuple(dream.dream_id for dream in past),
        before=", ".join(dict.fromkeys(dream.model_used for dream in past)),
        added=tuple(added),
        changed=tuple(key for key in touched if key not in {*added, *ended}),
        ended=tuple(ended),
        same=tuple(key for key in same if key not in touched),
        kept=tuple(memory.id for memory in kept if memory.id not in touched),
    )


def _keep(store: Store, desk: Desk, dream: Dream, standing: Standing) -> Dream:
    """Stores the plan in the place of earlier ones of the same day that wait."""
    if dream.status == "nothing_to_do":
        store.drop_stages(dream.space, dream.dream_id)
        return dream
    try:
        kept = keep_plan(store, dream, again=desk.night.again)
    except AlreadyDecided:
        store.drop_stages(dream.space, dream.dream_id)
        raise
    statuses = {known.dream_id: known.status for known in standing.dreams}
    checkpoints.tidy(store, dream.space, desk.label, dream.dream_id, statuses)
    for head in standing.dreams:
        same = head.by == REFINEMENT and head.date == dream.date and head.status in WAITING
        older = store.dream(head.space, head.dream_id) if same else None
        if older is not None and older.dream_id != kept.dream_id and kept.status != "rejected":
            why = f"dream {kept.dream_id} has read the same day later"
            drop(store, older, why, kept.dream_id)
    return kept
