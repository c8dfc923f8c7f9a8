"""One turn of a conversation as a small dream, as soon as it is over (R1-R4).

    collect → distill, lessons → verify → reconcile → promote → gates → ledger

The same stages as the night, by the rules or with a model beside them, on what was just said: so a
turn's changes are dated, quoted, can be traced and undone like those of any dream, and the night
does not read its messages again. What takes a whole night (forgetting, sleep phases, candidates
that ripen) is left to it; and so is a turn that yields nothing, that a gate refuses, that waits for
the model, or whose ledger moves on twice meanwhile.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from time import perf_counter
from typing import Literal, NamedTuple

import msgspec

from slowwave import ledger
from slowwave.dream.collect import collect
from slowwave.dream.cycle import distill as cycle_distill
from slowwave.dream.cycle import judge as cycle_judge
from slowwave.dream.cycle import late as cycle_late
from slowwave.dream.cycle.desk import Cosine, Desk, Mind, Night
from slowwave.dream.cycle.distill import Reading
from slowwave.dream.cycle.judge import Rulings
from slowwave.dream.distill.lessons.marked import category_of, learn, titled
from slowwave.dream.distill.lessons.proposed import Proposed, propose
from slowwave.dream.plans.decided import marked
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.dream.promote.stage import promote
from slowwave.dream.reconcile.stage import Reconciled, reconcile
from slowwave.dream.verify.echo import may_tell, sift_told, stories_of
from slowwave.dream.verify.forgotten import sift
from slowwave.dream.verify.stage import verify
from slowwave.dream.weigh.scope import scope_of
from slowwave.errors import AlreadyDecided, DreamError, ModelError, StalePlan
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
from slowwave.ports import Store, no_progress
from slowwave.settings import DreamSettings

__all__ = ["Decision", "Job", "Outcome", "decision_of", "take", "turns_of"]

Decision = Literal["INSERT", "UPDATE", "SKIP", "DELETE"]
"""What becomes of what was said, beside what is known (R1). DELETE retires, with history."""

TRIES = 2
"""Plans of one turn, when the ledger moves on while it is read; then it is left to the night."""
STORIES = 300
"""Applied dreams whose stories are known, when one is read aloud."""
INSTANT = timedelta(microseconds=1)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Under what a turn is read.

    `now` carries the user's zone; `owner` is his name. `mind` is the model that reads beside the
    rules, None for the rules alone; `notes` are warnings for the turn's dream.
    """

    space: str
    now: datetime
    settings: DreamSettings
    preset: str
    cosine: Cosine
    owner: str = ""
    mind: Mind | None = None
    notes: tuple[str, ...] = ()


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
    lessons: dict[str, Proposed] = {}  # what a model was asked once is not asked again
    for _ in range(TRIES):
        left = _unread(store, job.space, said)
        planned = _planned(store, left, job, lessons) if left else Outcome()
        if isinstance(planned, Outcome):
            return planned
        try:
            return Outcome(ledger.apply(store, planned, job.now))
        except StalePlan:
            continue
        except AlreadyDecided:
            return Outcome()  # another process was quicker
        except DreamError as error:
            return Outcome(left=error.message)
    return Outcome(left="the memory moved on while it was read")


def _planned(
    store: Store, said: Sequence[Event], job: Job, lessons: dict[str, Proposed]
) -> Dream | Outcome:
    """A plan that may be applied, or what becomes of the turn without one."""
    try:
        planned = _plan(store, said, job, lessons)
    except ModelError as error:
        return Outcome(left=error.message)
    stopped = refused(planned.gates) if isinstance(planned, Dream) else None
    if stopped is not None:
        return Outcome(left=f"the gate {stopped.name} refuses it: {stopped.detail}")
    return planned


def _unread(store: Store, space: str, said: Sequence[Event]) -> list[Event]:
    """Those of the messages that no applied dream has read."""
    moments = [event.ts for event in said]
    open_ids = {one.id for one in store.undreamed(space, min(moments), max(moments) + INSTANT)}
    return [event for event in said if event.id in open_ids]


def _plan(
    store: Store, said: Sequence[Event], job: Job, lessons: dict[str, Proposed]
) -> Dream | Outcome:
    """The turn as a plan, or what becomes of it without one. Raises ModelError."""
    began = perf_counter()
    desk = _desk(store, said, job)
    known = store.memories(job.space, cycle_late.LIVE)
    heard = _heard(desk, said, known, job, lessons)
    reading, claims = heard.reading, heard.claims
    said = [event for event in said if event.id not in reading.waiting]
    if not said:
        return Outcome(left="; ".join(pending.reason for pending in reading.pending))
    found, rulings = _decided(desk, claims, known, job)
    promoted = promote(found.changes, (), job.settings, job.now, dream_id=desk.dream_id)
    if not promoted.changes:
        return Outcome()
    categories = {claim.text: category_of(claim) for claim in claims if claim.kind == "lesson"}
    changes = tuple(_told(change, categories) for change in promoted.changes)
    rejections = (*heard.rejected, *rulings.rejected, *found.rejected, *promoted.rejected)
    proposal = Proposal(changes, known, job.settings)
    dream = Dream(
        dream_id=desk.dream_id, space=job.space, mode="plan", status="planned", by="turn",
        date=desk.label, run_at=job.now, preset=job.preset,
        model_used=reading.model_used, input_events=len(said), extracted_items=len(claims),
        rejected=_tally(rejections), rejections=rejections, changes=changes,
        gates=(ledger.check_quotes(store, job.space, changes), *judge(proposal)),
        event_ids=tuple(event.id for event in said),
        duration_sec=round(perf_counter() - began, 3),
        warnings=(*job.notes, *reading.warnings, *rulings.warnings), pending=reading.pending,
    )  # fmt: skip
    dream = marked(store, ledger.count(dream, changes))
    # What a person rejected of a night with these events stays rejected.
    left = any(change.approved is not False for change in dream.changes)
    return dream if left else Outcome()


def _desk(store: Store, said: Sequence[Event], job: Job) -> Desk:
    """The desk of a night, for one turn: without checkpoints, it is short."""
    dream_id = short_id("d", job.space, SAID_IN_TURN, *(event.id for event in said))
    label = day_of(said[0].ts, clock_zone(job.now)).isoformat()
    night = Night(
        space=job.space, date=label, now=job.now, settings=job.settings, preset=job.preset,
        cosine=job.cosine, progress=no_progress, mode="apply", mind=job.mind,
    )  # fmt: skip
    return Desk(store, night, dream_id, label, keep=False)


def _decided(
    desk: Desk, claims: Sequence[Claim], known: Sequence[Memory], job: Job
) -> tuple[Reconciled, Rulings]:
    """The claims beside their neighbours (R1); of pairs in doubt, as a model rules."""
    standing = cycle_late.Standing(job.space, known, (), (), ())
    beside = cycle_late.beside(desk.store, standing, claims, job.now)
    rulings = cycle_judge.rule(desk, claims, beside)
    if rulings.by_pair is None:
        found = reconcile(
            claims, beside,
            dream_id=desk.dream_id, space=job.space, now=job.now, cosine=job.cosine,
        )  # fmt: skip
        return found, rulings
    return cycle_judge.reconciled(desk, claims, beside, rulings.by_pair), rulings


class _Heard(NamedTuple):
    """What a turn says that holds, what does not, and who read it."""

    reading: Reading
    claims: list[Claim]
    rejected: tuple[Rejected, ...]


def _heard(
    desk: Desk,
    said: Sequence[Event],
    known: Sequence[Memory],
    job: Job,
    lessons: dict[str, Proposed],
) -> _Heard:
    """The owner's claims, then the lessons. Raises ModelError where only a model may read."""
    collected = collect(said, job.settings.segment_chars)
    reading = cycle_distill.distill(desk, collected)
    if job.mind is None or reading.model_used != job.mind.name:
        desk.asker = None  # it could not do the one thing; it is not asked for others now
    events = [
        event
        for segment in collected.segments
        for event in segment.events
        if event.id not in reading.waiting
    ]
    proposed = _proposed(desk, events, lessons)
    learned = learn(events, known, job.cosine, job.owner, proposed.claims)
    claims = [*reading.distilled.claims, *learned.claims]
    ids = sorted({span.event_id for claim in claims for span in claim.evidence})
    quoted = desk.store.events_by_id(job.space, ids)
    verified = verify(claims, quoted)
    fresh, read_aloud = sift_told(verified.claims, quoted, _stories(desk.store, quoted.values()))
    kept, forgotten = sift(fresh, quoted, desk.store.erasures(job.space))
    rejected = (
        *collected.dropped, *reading.distilled.rejected, *proposed.rejected, *learned.rejected,
        *verified.rejected, *read_aloud, *forgotten,
    )  # fmt: skip
    return _Heard(reading, list(kept), rejected)


def _stories(store: Store, events: Iterable[Event]) -> tuple[str, ...]:
    """The stories of dreams that one of these events may read aloud."""
    said = next((event for event in events if may_tell(event.text)), None)
    dreams = store.dreams(said.space, ("applied",), STORIES) if said is not None else ()
    return stories_of(dreams)


def _proposed(desk: Desk, events: Sequence[Event], lessons: dict[str, Proposed]) -> Proposed:
    """The lessons that a model finds beside the patterns (R4)."""
    if desk.asker is None:
        return Proposed()
    if desk.dream_id not in lessons:
        lessons[desk.dream_id] = propose(events, desk.asker)
    return lessons[desk.dream_id]


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
