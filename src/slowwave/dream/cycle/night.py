"""The night in its order: collect → distill → verify → reconcile → promote → forget → plan.

The only room that knows the order of the stages. Every stage that read the journal leaves a
checkpoint, so a killed night goes on at its first unfinished stage and does not read the log
again (N16); because the stages are pure, the result equals that of an undisturbed night. Nothing
here changes a memory: the outcome is a plan, and `write` is what applies one.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter

import msgspec

from slowwave.dream.collect import Collected, collect
from slowwave.dream.cycle import checkpoints, distill, late, tell, weekly
from slowwave.dream.cycle import judge as cycle_judge
from slowwave.dream.cycle.desk import Cosine, Desk, Distiller, Mind, Night
from slowwave.dream.cycle.distill import Reading
from slowwave.dream.cycle.judge import Rulings
from slowwave.dream.cycle.late import Let, Standing
from slowwave.dream.cycle.warnings import warnings_of
from slowwave.dream.phases import Sleep
from slowwave.dream.plans.decided import keep_plan, marked
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.dream.plans.waiting import settle, unclaimed
from slowwave.dream.promote.stage import Promoted, promote
from slowwave.dream.reconcile.stage import Reconciled, reconcile
from slowwave.dream.verify.echo import sift_told, stories_of
from slowwave.dream.verify.forgotten import sift
from slowwave.dream.verify.stage import Verified, verify
from slowwave.errors import AlreadyDecided, UsageError
from slowwave.ledger import check_quotes, count
from slowwave.model import (
    Change,
    Claim,
    Dream,
    DreamStatus,
    Event,
    Gate,
    Memory,
    ReasonCount,
    Rejected,
    clock_zone,
    day_bounds,
    day_of,
    short_id,
    text_hash,
)
from slowwave.ports import Store

__all__ = [
    "Cosine", "Distiller", "Mind", "Night", "decided", "plan", "read", "revision", "span_of",
    "tally", "terms",
]  # fmt: skip


class Outcome(msgspec.Struct, frozen=True):
    """What the stages made of a night's events; `reading` is how they were distilled."""

    reading: Reading
    changes: tuple[Change, ...]
    sleep: Sleep
    extracted: int
    rejections: tuple[Rejected, ...]


def plan(store: Store, night: Night) -> Dream:
    """One night's plan, stored unless the mode is `dry_run`.

    Raises UsageError for a bad date, ModelError when the model did nothing of it.
    """
    began = perf_counter()
    label, start, end = span_of(night.date, night.now)
    standing = late.read(store, night.space)
    events = _unread(store, night, (start, end), standing)
    basis = revision(standing.dreams)
    about = (*terms(night, standing), label, basis)
    dream_id = short_id("d", *about, *(event.id for event in events))
    desk = Desk(store, night, dream_id, label)
    outcome = _stages(desk, events, standing)
    changes, reading = outcome.changes, outcome.reading
    events = [event for event in events if event.id not in reading.waiting]
    days = len({day_of(event.ts, clock_zone(night.now)) for event in events})
    quotes = check_quotes(store, night.space, changes)
    gates = (quotes, *judge(Proposal(changes, standing.known, night.settings, days)))
    dream = Dream(
        dream_id=dream_id,
        space=night.space,
        mode=night.mode,
        date=label,
        run_at=night.now,
        status=_status(events, changes, gates),
        input_events=len(events),
        extracted_items=outcome.extracted,
        rejected=tally(outcome.rejections),
        rejections=outcome.rejections,
        duration_sec=round(perf_counter() - began, 3),
        model_used=reading.model_used,
        preset=night.preset,
        stages=tuple(desk.done),
        changes=changes,
        gates=gates,
        event_ids=tuple(event.id for event in events),
        phases=outcome.sleep.hits,
        themes=outcome.sleep.themes,
        basis=basis,
        pending=reading.pending,
    )
    dream = marked(store, count(dream, changes), again=night.again)
    dream = _told(desk, dream, standing)
    warnings = warnings_of(standing.dreams, standing.known, dream, night.settings)
    dream = msgspec.structs.replace(dream, warnings=(*reading.warnings, *warnings))
    if night.mode != "dry_run":
        return _keep(store, dream, standing, again=night.again)
    return dream


def _unread(
    store: Store, night: Night, span: tuple[datetime | None, datetime | None], standing: Standing
) -> list[Event]:
    """The events of a night that no dream has read, and nobody else decides about."""
    events = unclaimed(store, store.undreamed(night.space, *span), standing.dreams)
    wanted = night.sessions
    return [event for event in events if wanted is None or event.session in wanted]


def _told(desk: Desk, dream: Dream, standing: Standing) -> Dream:
    """The plan with what a model tells of it for people, and what of that was left out."""
    told = tell.told(desk, dream, standing.known)
    if told.rejections == dream.rejections:
        return told
    return msgspec.structs.replace(told, rejected=tally(told.rejections))


def _status(
    events: Sequence[Event], changes: Sequence[Change], gates: Sequence[Gate]
) -> DreamStatus:
    if not events and not changes:
        return "nothing_to_do"
    return "planned" if refused(gates) is None else "refused"


def _keep(store: Store, dream: Dream, standing: Standing, *, again: bool) -> Dream:
    """Stores the plan, unless another process has dreamed the same night meanwhile."""
    if dream.status == "nothing_to_do":
        store.drop_stages(dream.space, dream.dream_id)
        return dream
    try:
        kept = keep_plan(store, dream, again=again)
    except AlreadyDecided:
        # Its own checkpoints are gone already; ours would stay for ever.
        store.drop_stages(dream.space, dream.dream_id)
        raise
    statuses = {known.dream_id: known.status for known in standing.dreams}
    checkpoints.tidy(store, dream.space, dream.date, dream.dream_id, statuses)
    if kept.status != "rejected":
        settle(store, kept)
    return kept


def terms(night: Night, standing: Standing) -> tuple[str, ...]:
    """What else decides the outcome. A plan made under other terms is another plan.

    Above all its checkpoints are other ones: those of another zone hold other days, those of
    another version other claims.
    """
    settings = msgspec.json.encode(night.settings).decode()
    decisive = late.decisive(standing, night.settings, night.now)
    about = (night.space, night.preset, str(clock_zone(night.now)), settings, _version())
    return *about, night.embedder, decisive, *distill.terms(night.mind)


@cache
def _version() -> str:
    try:
        return version("slowwave")
    except PackageNotFoundError:  # run from its source folder
        return ""


def _stages(desk: Desk, events: Sequence[Event], standing: Standing) -> Outcome:
    """The stages in their order; each takes what the one before it returned."""
    night = desk.night
    collected, reading, verified = read(desk, events, standing)
    distilled = reading.distilled
    reconciled, rulings = decided(desk, verified.claims, standing, reading.mark)
    weighed = late.weigh(
        desk.store, standing, reconciled.changes, events, night.settings, night.now
    )
    # From here on nothing is checkpointed: it depends on the hour, and costs next to nothing.
    promoted = desk.stage(
        "promote", Promoted, len(reconciled.changes),
        lambda: promote(
            reconciled.changes, standing.known, night.settings, night.now,
            dream_id=desk.dream_id, tallies=weighed.tallies,
        ),
        keep=False,
    )  # fmt: skip
    touched = frozenset(change.memory_id for change in (*reconciled.changes, *promoted.changes))
    let = desk.stage(
        "forget", Let, sum(memory.id not in touched for memory in standing.known),
        lambda: late.let_go(
            desk.store, standing, touched, night.settings, night.now,
            (desk.dream_id, partial(weekly.consolidated, desk, standing.known)),
        ),
        keep=False,
    )  # fmt: skip
    changes = (*promoted.changes, *let.changes)
    stages = (
        distilled.rejected, verified.rejected, rulings.rejected, reconciled.rejected,
        promoted.rejected, let.rejected,
    )  # fmt: skip
    warnings = (*reading.warnings, *rulings.warnings, *let.warnings)
    return Outcome(
        msgspec.structs.replace(reading, warnings=warnings),
        changes,
        late.seen(weighed.sleep, standing.known, changes),
        len(distilled.claims),
        (*collected.dropped, *(item for stage in stages for item in stage)),
    )


def read(
    desk: Desk, events: Sequence[Event], standing: Standing
) -> tuple[Collected, Reading, Verified]:
    """The stages that read the journal, each with its checkpoint."""
    collected = desk.stage(
        "collect", Collected, len(events),
        lambda: collect(events, desk.night.settings.segment_chars),
    )  # fmt: skip
    reading = distill.distill(desk, collected)
    claims = reading.distilled.claims
    verified = desk.stage(
        "verify", Verified, len(claims),
        lambda: checked(desk, claims, stories_of(standing.dreams)), after=reading.mark,
    )  # fmt: skip
    return collected, reading, verified


def decided(
    desk: Desk, claims: Sequence[Claim], standing: Standing, after: str
) -> tuple[Reconciled, Rulings]:
    """What becomes of the claims; of pairs that the rules doubt, as a model rules where there is
    one."""
    night = desk.night
    beside = late.beside(desk.store, standing, claims, night.now)
    rulings = cycle_judge.rule(desk, claims, beside, after)

    def work() -> Reconciled:
        if rulings.by_pair is None:
            return _reconcile(night, desk.dream_id, claims, beside)
        return cycle_judge.reconciled(desk, claims, beside, rulings.by_pair)

    after += rulings.mark
    return desk.stage("reconcile", Reconciled, len(claims), work, after=after), rulings


def _reconcile(
    night: Night, dream_id: str, claims: Sequence[Claim], known: Sequence[Memory]
) -> Reconciled:
    return reconcile(
        claims, known, dream_id=dream_id, space=night.space, now=night.now, cosine=night.cosine
    )


def span_of(
    asked: str, now: datetime, choices: str = "all, or a day such as 2026-11-30"
) -> tuple[str, datetime | None, datetime | None]:
    """The label and bounds of what `--date` asks for: yesterday, today, a day, or all.

    `choices` is what the error for anything else offers beside yesterday and today.
    """
    if asked == "all":
        return "all", None, None
    zone = clock_zone(now)
    try:
        day = _day(asked, day_of(now, zone))
        start, end = (edge.astimezone(UTC) for edge in day_bounds(day, zone))
    except (ValueError, OverflowError):
        raise UsageError(f"{asked[:40]!r} is no day", f"use yesterday, today, {choices}") from None
    return day.isoformat(), start, end


def _day(asked: str, today: date) -> date:
    """The day that is asked for; ValueError or OverflowError where there is none."""
    if asked in ("yesterday", "today"):
        return today if asked == "today" else today - timedelta(days=1)
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", asked):
        raise ValueError
    return date.fromisoformat(asked)


def tally(rejections: Sequence[Rejected]) -> tuple[ReasonCount, ...]:
    """How many texts were refused for each reason, most first."""
    counts = Counter(f"{item.stage}: {item.reason}" for item in rejections)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(ReasonCount(reason, number) for reason, number in ordered)


def checked(desk: Desk, claims: Sequence[Claim], stories: Sequence[str]) -> Verified:
    """The claims that hold, and bring back neither what was forgotten nor what a dream told."""
    ids = sorted({span.event_id for claim in claims for span in claim.evidence})
    events = desk.store.events_by_id(desk.night.space, ids)
    verified = verify(claims, events)
    fresh, read_aloud = sift_told(verified.claims, events, stories)
    kept, forgotten = sift(fresh, events, desk.store.erasures(desk.night.space))
    return Verified(kept, (*verified.rejected, *read_aloud, *forgotten))


def revision(dreams: Sequence[Dream]) -> str:
    """What the ledger adds up to now: a plan made on another revision is another plan."""
    return text_hash(
        ",".join(
            f"{dream.dream_id}:{dream.status}"
            for dream in dreams
            if dream.status in ("applied", "rolled_back")
        )
    )
