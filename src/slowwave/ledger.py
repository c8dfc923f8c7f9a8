"""What is believed and every change that led there: commit, history, why.

The ledger is the only room that turns a plan into memories. It checks every quote byte for byte
at the moment of writing, so no plan, however it came about, can store a claim without its words.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

import msgspec

from slowwave.errors import AlreadyDecided, DreamError, NotFound, UsageError
from slowwave.model import (
    Add,
    Change,
    Collapse,
    Confirm,
    Demote,
    Dream,
    Evidence,
    Gate,
    IndexRow,
    Memory,
    Merge,
    Restore,
    Retire,
    Supersede,
    Update,
    Version,
)
from slowwave.ports import Store
from slowwave.text.segment import shadow


class Provenance(msgspec.Struct, frozen=True):
    """A memory, all its versions and the exact words it rests on (N19)."""

    memory: Memory
    changes: tuple[Version, ...]
    evidence: tuple[Evidence, ...]


def apply(store: Store, dream: Dream, now: datetime, only: Sequence[str] = ()) -> Dream:
    """Commits a planned dream: all its changes, or only those whose ids are listed.

    Returns the dream as applied. Raises AlreadyDecided when it is not a plan any more, UsageError
    for an id that is not in it, StalePlan when memories moved on since, and DreamError when a
    quote does not check. In all these cases nothing has changed.
    """
    if dream.status != "planned":
        raise AlreadyDecided(
            f"dream {dream.dream_id} is {dream.status.replace('_', ' ')}, not waiting",
            "run `slowwave dreams` to see which dreams still wait",
        )
    chosen = _decide(dream.changes, only)
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
    )
    rows = [index_row(change.after) for change in chosen if change.approved]
    store.commit(applied, rows, now)
    return applied


def index_row(memory: Memory) -> IndexRow:
    """The words a memory is found by: its text, and the names in it."""
    return IndexRow(memory.id, shadow(" ".join((memory.text, *memory.entities, memory.subject))))


def count(dream: Dream, changes: Sequence[Change]) -> Dream:
    """The dream with N13's counters set from these changes."""
    new = updated = merged = archived = confirmed = 0
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
    )


def check_quotes(store: Store, space: str, changes: Sequence[Change]) -> Gate:
    """Promise 2: every quote of every change is byte-equal to its span of the journal."""
    spans = [(change, span) for change in changes for span in change.after.evidence]
    events = store.events_by_id(space, sorted({span.event_id for _, span in spans}))
    for change, span in spans:
        event = events.get(span.event_id)
        if event is None or event.text[span.start : span.end] != span.quote or not span.quote:
            return Gate("quotes", False, f"change {change.id} quotes words that are not there")
    bare = [change.id for change in changes if not change.after.evidence]
    if bare:
        return Gate("quotes", False, f"change {bare[0]} has no evidence")
    return Gate("quotes", True, f"{len(spans)} quotes checked")


def why(store: Store, space: str, memory_id: str) -> Provenance:
    """From a memory to its dreams and its exact words. Raises NotFound."""
    found = store.memories_by_id(space, [memory_id])
    if memory_id not in found:
        raise NotFound(f"no memory {memory_id}", "run `slowwave memories list`")
    memory = found[memory_id]
    return Provenance(memory, tuple(store.versions(space, memory_id)), memory.evidence)


def _decide(changes: Sequence[Change], only: Sequence[str]) -> list[Change]:
    """Each change marked as approved or not."""
    ids = {change.id for change in changes}
    unknown = [wanted for wanted in only if sum(known.startswith(wanted) for known in ids) != 1]
    if unknown:
        raise UsageError(
            f"no single change {unknown[0]} in this dream", "`slowwave dreams diff` lists the ids"
        )
    chosen = [
        msgspec.structs.replace(
            change,
            approved=(
                any(change.id.startswith(wanted) for wanted in only)
                if only
                else change.approved is not False
            ),
        )
        for change in changes
    ]
    taken = {change.memory_id for change in chosen if change.approved}
    for change in chosen:
        successor = change.after.superseded_by
        if not (change.approved and isinstance(change, Supersede)) or successor in taken:
            continue
        if _comes_only_here(successor, chosen):
            # Closing the old one without its successor would leave nothing believed at all.
            raise UsageError(
                f"change {change.id} replaces a memory by one that is not approved",
                f"approve the change of memory {successor} as well",
            )
    return chosen


def _comes_only_here(memory_id: str | None, changes: Sequence[Change]) -> bool:
    """Whether a memory would come to be only through these changes."""
    return any(isinstance(change, Add) and change.memory_id == memory_id for change in changes)
