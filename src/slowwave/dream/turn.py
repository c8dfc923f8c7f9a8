"""One turn of a conversation as a small dream, as soon as it is over (R1-R4).

    collect → distill, lessons → verify → reconcile → promote → gates → ledger

The same stages as the night, on what was just said: so a turn's changes are dated, quoted, can be
traced and undone like those of any dream, and the night does not read its messages again. What
takes a whole night (forgetting, sleep phases, candidates that ripen) is left to it; and so is a
turn that yields nothing, that a gate refuses, or whose ledger moves on twice meanwhile.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from time import perf_counter
from typing import Literal

import msgspec

from slowwave import ledger
from slowwave.dream import cycle_late
from slowwave.dream.collect import collect
from slowwave.dream.decided import marked
from slowwave.dream.distill_lessons import category_of, learn, titled
from slowwave.dream.distill_rules import Distilled, distill
from slowwave.dream.forgotten import sift
from slowwave.dream.gates import Proposal, judge, refused
from slowwave.dream.promote import promote
from slowwave.dream.reconcile import Cosine, reconcile
from slowwave.dream.scope import scope_of
from slowwave.dream.verify import verify
from slowwave.errors import AlreadyDecided, DreamError, StalePlan
from slowwave.model import (
    SAID_IN_TURN,
    TURN_ID,
    Add,
    Change,
    Claim,
    Confirm,
    Dream,
    Event,
    Memory,
    ReasonCount,
    Rejected,
    Retire,
    Supersede,
    clock_zone,
    day_of,
    short_id,
)
from slowwave.ports import Store
from slowwave.settings import DreamSettings

__all__ = ["Decision", "Job", "Outcome", "Read", "by_rules", "decision_of", "take", "turns_of"]

Decision = Literal["INSERT", "UPDATE", "SKIP", "DELETE"]
"""What becomes of what was said, beside what is known (R1). DELETE retires, with history."""

Read = Callable[[Sequence[Event], tzinfo, Sequence[Event]], Distilled]
"""Distills events (in order; in the user's zone; after these earlier ones of their sessions)."""

CONTEXT_TURNS = 4
"""Earlier messages of the session that a turn may lean on ("yes, do that from now on")."""
TRIES = 2
"""Plans of one turn, when the ledger moves on while it is read; then it is left to the night."""
INSTANT = timedelta(microseconds=1)


def by_rules(events: Sequence[Event], zone: tzinfo, before: Sequence[Event]) -> Distilled:
    """Reads a turn without a model."""
    return distill(events, zone, before=before)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Under what a turn is read.

    `now` carries the user's zone; `owner` is his name; `read` distills, and `reader` names who.
    """

    space: str
    now: datetime
    settings: DreamSettings
    preset: str
    cosine: Cosine
    owner: str = ""
    read: Read = by_rules
    reader: str = "rules"


class Outcome(msgspec.Struct, frozen=True):
    """What became of a turn: the applied dream, or why it is left to the night ("" for nothing)."""

    dream: Dream | None = None
    left: str = ""


def turns_of(events: Iterable[Event]) -> list[tuple[Event, ...]]:
    """The finished turns among events in (ts, seq) order, each with its messages, in that order."""
    turns: dict[str, list[Event]] = {}
    for event in events:
        if event.source == SAID_IN_TURN:
            turns.setdefault(event.meta.get(TURN_ID, event.id), []).append(event)
    return [tuple(said) for said in turns.values()]


def decision_of(change: Change) -> Decision:
    """The name that a change of a turn has in R1."""
    match change:
        case Add():
            return "INSERT"
        case Confirm():
            return "SKIP"
        case Supersede() | Retire():
            return "DELETE"
        case _:
            return "UPDATE"


def take(store: Store, said: Sequence[Event], job: Job) -> Outcome:
    """Learns from the messages of one turn and applies what comes of it, at once.

    What another dream has read meanwhile, of this process or another, is left out; so it may be
    called again at any time. Raises StoreError, EmbedderError; nothing has changed then.
    """
    for _ in range(TRIES):
        left = _unread(store, job.space, said)
        planned = _plan(store, left, job) if left else None
        if planned is None:
            return Outcome()
        stopped = refused(planned.gates)
        if stopped is not None:
            return Outcome(left=f"the gate {stopped.name} refuses it: {stopped.detail}")
        try:
            return Outcome(ledger.apply(store, planned, job.now))
        except StalePlan:
            continue
        except AlreadyDecided:
            return Outcome()  # another process was quicker
        except DreamError as error:
            return Outcome(left=error.message)
    return Outcome(left="the memory moved on while it was read")


def _unread(store: Store, space: str, said: Sequence[Event]) -> list[Event]:
    """Those of the messages that no applied dream has read."""
    moments = [event.ts for event in said]
    open_ids = {one.id for one in store.undreamed(space, min(moments), max(moments) + INSTANT)}
    return [event for event in said if event.id in open_ids]


def _plan(store: Store, said: Sequence[Event], job: Job) -> Dream | None:
    """The turn as a plan; None when nothing comes of it."""
    began = perf_counter()
    zone = clock_zone(job.now)
    dream_id = short_id("d", job.space, SAID_IN_TURN, *(event.id for event in said))
    known = store.memories(job.space, cycle_late.LIVE)
    claims, rejected = _claims(store, said, known, job)
    standing = cycle_late.Standing(job.space, known, (), (), ())
    found = reconcile(
        claims, cycle_late.beside(store, standing, claims, job.now),
        dream_id=dream_id, space=job.space, now=job.now, cosine=job.cosine,
    )  # fmt: skip
    promoted = promote(found.changes, (), job.settings, job.now, dream_id=dream_id)
    if not promoted.changes:
        return None
    categories = {claim.text: category_of(claim) for claim in claims if claim.kind == "lesson"}
    changes = tuple(_told(change, categories) for change in promoted.changes)
    rejections = (*rejected, *found.rejected, *promoted.rejected)
    proposal = Proposal(changes, known, job.settings)
    dream = Dream(
        dream_id=dream_id, space=job.space, mode="plan", status="planned", by="turn",
        date=day_of(said[0].ts, zone).isoformat(), run_at=job.now, preset=job.preset,
        model_used=job.reader, input_events=len(said), extracted_items=len(claims),
        rejected=_tally(rejections), rejections=rejections, changes=changes,
        gates=(ledger.check_quotes(store, job.space, changes), *judge(proposal)),
        event_ids=tuple(event.id for event in said),
        duration_sec=round(perf_counter() - began, 3),
    )  # fmt: skip
    dream = marked(store, ledger.count(dream, changes))
    # What a person rejected of a night with these events stays rejected.
    return dream if any(change.approved is not False for change in dream.changes) else None


def _claims(
    store: Store, said: Sequence[Event], known: Sequence[Memory], job: Job
) -> tuple[list[Claim], tuple[Rejected, ...]]:
    """What the turn says that holds, and what does not: the owner's claims, then the lessons."""
    zone = clock_zone(job.now)
    collected = collect(said, job.settings.segment_chars)
    claims: list[Claim] = []
    rejected = list(collected.dropped)
    events = [event for segment in collected.segments for event in segment.events]
    for segment in collected.segments:
        first = segment.events[0]
        before = store.session_before(job.space, first.session, first.seq, CONTEXT_TURNS)
        distilled = job.read(segment.events, zone, before)
        claims += distilled.claims
        rejected += distilled.rejected
    learned = learn(events, known, job.cosine, job.owner)
    claims += learned.claims
    ids = sorted({span.event_id for claim in claims for span in claim.evidence})
    quoted = store.events_by_id(job.space, ids)
    verified = verify(claims, quoted)
    kept, forgotten = sift(verified.claims, quoted, store.erasures(job.space))
    return list(kept), (*rejected, *learned.rejected, *verified.rejected, *forgotten)


def _told(change: Change, categories: Mapping[str, str]) -> Change:
    """A change that tells its decision and scope, and a lesson its category."""
    after = change.after
    category = categories.get(after.text) if isinstance(change, Add) else None
    if category and after.kind == "lesson":
        after = msgspec.structs.replace(after, title=titled(category, after.title))
    about = f"{decision_of(change)} {scope_of(after)}"
    return msgspec.structs.replace(change, after=after, reason=f"{about}: {change.reason}")


def _tally(rejections: Sequence[Rejected]) -> tuple[ReasonCount, ...]:
    """How many texts were refused for each reason, by reason."""
    counts: dict[str, int] = {}
    for item in rejections:
        key = f"{item.stage}: {item.reason}"
        counts[key] = counts.get(key, 0) + 1
    return tuple(ReasonCount(reason, number) for reason, number in sorted(counts.items()))
