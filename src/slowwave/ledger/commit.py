"""Commit: the only place that turns a plan into memories.

It checks every quote byte for byte
at the moment of writing, so no plan, however it came about, can store a claim without its words.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import assert_never

import msgspec

from slowwave.errors import AlreadyDecided, DreamError, UsageError
from slowwave.model import (
    Add,
    Change,
    Collapse,
    Confirm,
    Demote,
    Dream,
    DreamStatus,
    Event,
    Evidence,
    Gate,
    IndexRow,
    Memory,
    Merge,
    PhaseHit,
    Restore,
    Retire,
    Supersede,
    Update,
    When,
)
from slowwave.ports import Store
from slowwave.text.cited import cited_term, day_term
from slowwave.text.counting import plural
from slowwave.text.related import related
from slowwave.text.segment import shadow

WAITING: tuple[DreamStatus, ...] = ("planned", "approved", "refused")
"""Of these a person may still choose; the gates look once more at what he chose."""

ABOUT_A_DAY = timedelta(days=7)
"""What lasts longer is found by its month, not by its day."""


def apply(
    store: Store,
    dream: Dream,
    now: datetime,
    only: Sequence[str] = (),
    was: Dream | None = None,
) -> Dream:
    """Commits a planned dream: all its changes, or only those whose ids are listed.

    `was` is the plan as it was read, where that is another: what was decided on it since is kept.
    Returns the dream as applied. Raises AlreadyDecided when it is not a plan any more, UsageError
    for an id that is not in it, StalePlan when memories moved on since, and DreamError when a
    quote does not check. In all these cases nothing has changed.
    """
    refuse_decided(dream)
    chosen = choose(dream.changes, only)
    gate = check_quotes(store, dream.space, [change for change in chosen if change.approved])
    if not gate.ok:
        raise DreamError(
            f"dream {dream.dream_id} was refused: {gate.detail}",
            "plan it again with `slowwave dream`; nothing was changed",
        )
    applied = msgspec.structs.replace(
        count(dream, [change for change in chosen if change.approved]),
        status="applied",
        mode="apply",
        changes=tuple(chosen),
        gates=(gate, *(other for other in dream.gates if other.name != gate.name)),
        phases=_of_what_is_there(store, dream, chosen),
    )
    rows = [index_row(change.after) for change in chosen if change.approved]
    store.commit(applied, rows, now, was)
    return applied


def _of_what_is_there(store: Store, dream: Dream, chosen: Sequence[Change]) -> tuple[PhaseHit, ...]:
    """The phase hits of memories that will be there: not of what a person refused."""
    ids = sorted({hit.memory_id for hit in dream.phases})
    there = set(store.memories_by_id(dream.space, ids))
    there |= {change.memory_id for change in chosen if change.approved}
    return tuple(hit for hit in dream.phases if hit.memory_id in there)


def refuse_decided(dream: Dream) -> None:
    """AlreadyDecided for a dream that does not wait any more."""
    if dream.status not in WAITING:
        why = f": {dream.reason}" if dream.reason else ""
        raise AlreadyDecided(
            f"dream {dream.dream_id} is {dream.status.replace('_', ' ')}, not waiting{why}",
            "run `slowwave dreams` to see which dreams still wait",
        )


CITED_TERMS = 4
"""Cited events that a memory is found by, the newest: more would make it a long text (BM25)."""


def index_row(memory: Memory) -> IndexRow:
    """What a memory is found by: words of its text, names in it, events it cites, its day."""
    words = shadow(" ".join((memory.text, *memory.entities, memory.subject, related(memory.text))))
    events = dict.fromkeys(span.event_id for span in reversed(memory.evidence))
    times = _times(memory.valid_from, memory.valid_to)
    cited = map(cited_term, list(events)[:CITED_TERMS])
    return IndexRow(memory.id, " ".join((words, *times, *cited)))


def _times(first: When | None, last: When | None) -> Iterator[str]:
    """The month a memory is about, and its day; what holds for weeks is about none of its days."""
    if first is None:
        return
    yield day_term(first[:7])
    with suppress(ValueError):
        begins, ends = (date.fromisoformat((when or first)[:10]) for when in (first, last))
        if ends - begins <= ABOUT_A_DAY:
            yield day_term(first[:10])


def count(dream: Dream, changes: Sequence[Change]) -> Dream:
    """The dream with N13's counters set from these changes."""
    new = updated = merged = archived = confirmed = 0
    added = [change.after.status for change in changes if isinstance(change, Add)]
    for change in changes:
        match change:
            case Add():
                new += 1
            case Update() | Supersede() | Restore() | Collapse():
                updated += 1
            case Merge():
                merged += 1
            case Confirm():
                confirmed += 1
            case Demote() | Retire():
                archived += 1
            case _:
                assert_never(change)
    return msgspec.structs.replace(
        dream,
        new_entries=new,
        updated_entries=updated,
        merged_entries=merged,
        archived_entries=archived,
        confirmed_entries=confirmed,
        new_active=added.count("active"),
        new_candidates=added.count("candidate"),
    )


def check_quotes(store: Store, space: str, changes: Sequence[Change]) -> Gate:
    """Promise 2: every quote of every change is byte-equal to its span of the journal."""
    spans = [(change, span) for change in changes for span in change.after.evidence]
    events = store.events_by_id(space, sorted({span.event_id for _, span in spans}))
    for change, span in spans:
        if not is_quoted((span,), events):
            return Gate("quotes", False, f"change {change.id} quotes words that are not there")
    bare = [change.id for change in changes if not change.after.evidence]
    if bare:
        return Gate("quotes", False, f"change {bare[0]} has no evidence")
    return Gate("quotes", True, f"{plural(len(spans), 'quote')} checked")


def is_quoted(spans: Iterable[Evidence], events: Mapping[str, Event]) -> bool:
    """Whether every one of these quotes stands, byte for byte, where it says, and says something.

    `events` are those that the spans cite, as far as they are there, by id.
    """
    for span in spans:
        event = events.get(span.event_id)
        inside = event is not None and 0 <= span.start < span.end <= len(event.text)
        if event is None or not inside or event.text[span.start : span.end] != span.quote:
            return False
        if not span.quote.strip():
            return False
    return True


def pick_changes(changes: Sequence[Change], only: Sequence[str]) -> set[str]:
    """The ids of changes that these (prefixes of) ids name. UsageError for one that names none."""
    ids = {change.id for change in changes}
    found = {wanted: [known for known in ids if known.startswith(wanted)] for wanted in only}
    for wanted, matching in found.items():
        if len(matching) != 1 and wanted not in ids:
            raise UsageError(
                f"no single change {wanted} in this dream", "`slowwave dreams diff` lists the ids"
            )
    return {wanted if wanted in ids else matching[0] for wanted, matching in found.items()}


def with_dependants(changes: Sequence[Change], left_out: Collection[str]) -> set[str]:
    """These changes, and those that end a memory for a successor that only these would add."""
    found = set(left_out)
    while True:
        missing = {
            change.memory_id for change in changes if change.id in found and isinstance(change, Add)
        }
        more = {change.id for change in changes if change.after.superseded_by in missing} - found
        if not more:
            return found
        found |= more


def choose(changes: Sequence[Change], only: Sequence[str]) -> list[Change]:
    """Each change marked as approved or not: those asked for, else those approved one by one.

    Where a person approved none by itself, all that he did not reject.
    """
    wanted = pick_changes(changes, only)
    if not only:
        chosen_by_hand = {change.id for change in changes if change.approved}
        wanted = chosen_by_hand or {c.id for c in changes if c.approved is not False}
    chosen = [msgspec.structs.replace(change, approved=change.id in wanted) for change in changes]
    left_out = {change.id for change in chosen if not change.approved}
    for change_id in with_dependants(chosen, left_out) - left_out:
        change = next(item for item in chosen if item.id == change_id)
        # Closing the old one without its successor would leave nothing believed at all.
        raise UsageError(
            f"change {change.id} replaces a memory by one that is not approved",
            f"approve the change of memory {change.after.superseded_by} as well",
        )
    return chosen
