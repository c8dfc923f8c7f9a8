"""The night in its order: collect → distill → verify → reconcile → promote → forget → plan.

The only room that knows the order of the stages. Every stage that read the journal leaves a
checkpoint, so a killed night goes on at its first unfinished stage and does not read the log
again (N16); because the stages are pure, the result equals that of an undisturbed night. Nothing
here changes a memory: the outcome is a plan, and `write` is what applies one.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Literal, TypeVar

import msgspec

from slowwave.dream import checkpoints, cycle_late
from slowwave.dream.collect import Collected, Segment, collect
from slowwave.dream.consolidate import Compare
from slowwave.dream.cycle_late import Let, Standing
from slowwave.dream.decided import keep_plan, marked
from slowwave.dream.distill_rules import Distilled, distill
from slowwave.dream.forgotten import sift
from slowwave.dream.gates import Proposal, judge, refused
from slowwave.dream.phases import Sleep
from slowwave.dream.promote import Promoted, promote
from slowwave.dream.reconcile import Reconciled, reconcile
from slowwave.dream.verify import Verified, verify
from slowwave.dream.waiting import settle, unclaimed
from slowwave.dream.warnings import warnings_of
from slowwave.errors import AlreadyDecided, UsageError
from slowwave.ledger import check_quotes, count
from slowwave.model import (
    Change,
    Claim,
    Dream,
    DreamMode,
    DreamStatus,
    Event,
    Gate,
    Memory,
    ReasonCount,
    Rejected,
    Stage,
    clock_zone,
    day_bounds,
    day_of,
    short_id,
    text_hash,
)
from slowwave.ports import Progress, Store
from slowwave.settings import DreamSettings

Cosine = Callable[[str, str], float | None]
Distiller = Literal["rules", "llm"]

CONTEXT_TURNS = 4
"""How many earlier turns of a session a message may lean on ("yes, do that from now on")."""

T = TypeVar("T", bound=msgspec.Struct)


class Night(msgspec.Struct, frozen=True, kw_only=True):
    """What one dream is asked to do. `now` carries the user's zone; `date` is the contract's.

    `embedder` names what `cosine` compares with ("" none): it decides what is merged. `again`: what
    was rejected before is proposed anew.
    """

    space: str
    date: str
    now: datetime
    settings: DreamSettings
    preset: str
    cosine: Cosine
    progress: Progress
    mode: DreamMode = "plan"
    embedder: str = ""
    again: bool = False


class _Desk:
    """Runs stages for one dream: times them, and keeps or reuses their checkpoints."""

    def __init__(self, store: Store, night: Night, dream_id: str, label: str) -> None:
        self.store = store
        self.night = night
        self.dream_id = dream_id
        self.label = label
        self.done: list[Stage] = []
        self.dry = night.mode == "dry_run"
        self.kept = {} if self.dry else store.stages(night.space, dream_id)

    def load(self, name: str, kind: type[T]) -> T | None:
        """A stage's checkpoint, if there is one this version can still read."""
        payload = self.kept.get(name)
        if payload is None:
            return None
        try:
            return msgspec.json.decode(payload, type=kind)
        except msgspec.MsgspecError:
            # A checkpoint of another version of Slowwave: doing the stage again is always right.
            return None

    def save(self, name: str, result: msgspec.Struct) -> None:
        """Checkpoints a finished stage (never in a dry run)."""
        if self.dry:
            return
        if not self.kept:
            checkpoints.note(self.store, self.night.space, self.label, self.dream_id)
        payload = msgspec.json.encode(result)
        self.store.put_stage(self.night.space, self.dream_id, name, payload)
        self.kept[name] = payload

    def stage(
        self, name: str, kind: type[T], came_in: int, work: Callable[[], T], *, keep: bool = True
    ) -> T:
        """One stage: from its checkpoint, or done now."""
        began = perf_counter()
        result = self.load(name, kind) if keep else None
        if result is None:
            result = work()
            if keep:
                self.save(name, result)
        self.note(name, came_in, size_of(result), began)
        return result

    def note(self, name: str, came_in: int, went_out: int, began: float) -> None:
        """Records a finished stage for the dream's log."""
        seconds = round(perf_counter() - began, 3)
        self.done.append(Stage(name=name, came_in=came_in, went_out=went_out, duration_sec=seconds))
        self.night.progress(name, 1, 1)


class Outcome(msgspec.Struct, frozen=True):
    """What the stages made of a night's events."""

    changes: tuple[Change, ...]
    sleep: Sleep
    extracted: int
    rejections: tuple[Rejected, ...]


def plan(store: Store, night: Night) -> Dream:
    """One night's plan. Stored unless the mode is `dry_run`; raises UsageError for a bad date."""
    began = perf_counter()
    label, start, end = span_of(night.date, night.now)
    standing = cycle_late.read(store, night.space)
    events = unclaimed(store, store.undreamed(night.space, start, end), standing.dreams)
    basis = revision(standing.dreams)
    terms = (*_terms(night, standing), label, basis)
    dream_id = short_id("d", *terms, *(event.id for event in events))
    desk = _Desk(store, night, dream_id, label)
    outcome = _stages(desk, events, standing)
    changes = outcome.changes
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
        preset=night.preset,
        stages=tuple(desk.done),
        changes=changes,
        gates=gates,
        event_ids=tuple(event.id for event in events),
        phases=outcome.sleep.hits,
        themes=outcome.sleep.themes,
        basis=basis,
    )
    dream = marked(store, count(dream, changes), again=night.again)
    warnings = warnings_of(standing.dreams, standing.known, dream, night.settings)
    dream = msgspec.structs.replace(dream, warnings=warnings)
    if night.mode != "dry_run":
        return _keep(store, dream, standing, again=night.again)
    return dream


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


def _terms(night: Night, standing: Standing) -> tuple[str, ...]:
    """What else decides the outcome. A plan made under other terms is another plan.

    Above all its checkpoints are other ones: those of another zone hold other days, those of
    another version other claims.
    """
    settings = msgspec.json.encode(night.settings).decode()
    decisive = cycle_late.decisive(standing, night.settings, night.now)
    about = (night.space, night.preset, str(clock_zone(night.now)), settings, _version())
    return *about, night.embedder, decisive


@cache
def _version() -> str:
    try:
        return version("slowwave")
    except PackageNotFoundError:  # run from its source folder
        return ""


def _stages(desk: _Desk, events: Sequence[Event], standing: Standing) -> Outcome:
    """The stages in their order; each takes what the one before it returned."""
    night = desk.night
    collected = desk.stage(
        "collect", Collected, len(events), lambda: collect(events, night.settings.segment_chars)
    )
    distilled = _distill(desk, collected)
    verified = desk.stage(
        "verify", Verified, len(distilled.claims), lambda: _verify(desk, distilled.claims)
    )
    reconciled = desk.stage(
        "reconcile", Reconciled, len(verified.claims),
        lambda: _reconcile(
            night, desk.dream_id, verified.claims,
            cycle_late.beside(desk.store, standing, verified.claims, night.now),
        ),
    )  # fmt: skip
    weighed = cycle_late.weigh(
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
        lambda: cycle_late.let_go(
            desk.store, standing, touched, night.settings, night.now,
            (desk.dream_id, _pairwise(night, desk.dream_id)),
        ),
        keep=False,
    )  # fmt: skip
    changes = (*promoted.changes, *let.changes)
    stages = (distilled.rejected, verified.rejected, reconciled.rejected, promoted.rejected)
    return Outcome(
        changes,
        cycle_late.seen(weighed.sleep, standing.known, changes),
        len(distilled.claims),
        (*collected.dropped, *(item for stage in stages for item in stage)),
    )


def _reconcile(
    night: Night, dream_id: str, claims: Sequence[Claim], known: Sequence[Memory]
) -> Reconciled:
    return reconcile(
        claims, known, dream_id=dream_id, space=night.space, now=night.now, cosine=night.cosine
    )


def _pairwise(night: Night, dream_id: str) -> Compare:
    """How the weekly consolidation compares two statements: as the night does, two at a time."""
    return lambda claim, memory: _reconcile(night, dream_id, [claim], [memory]).changes


def span_of(asked: str, now: datetime) -> tuple[str, datetime | None, datetime | None]:
    """The label and bounds of what `--date` asks for: yesterday, today, a day, or all."""
    if asked == "all":
        return "all", None, None
    zone = clock_zone(now)
    try:
        day = _day(asked, day_of(now, zone))
        start, end = (edge.astimezone(UTC) for edge in day_bounds(day, zone))
    except (ValueError, OverflowError):
        raise UsageError(
            f"{asked[:40]!r} is no day", "use yesterday, today, all, or a day such as 2026-11-30"
        ) from None
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


def size_of(result: msgspec.Struct) -> int:
    """How many items a stage handed on."""
    match result:
        case Collected():
            return sum(len(segment.events) for segment in result.segments)
        case Distilled() | Verified():
            return len(result.claims)
        case Reconciled() | Promoted() | Let():
            return len(result.changes)
        case _:
            raise TypeError(f"not the result of a stage: {type(result).__name__}")


def _distill(desk: _Desk, collected: Collected) -> Distilled:
    """All segments, each with a checkpoint of its own (N16: a resume point per chunk)."""
    began = perf_counter()
    claims: list[Claim] = []
    rejected: list[Rejected] = []
    total = len(collected.segments)
    zone = clock_zone(desk.night.now)
    for number, segment in enumerate(collected.segments):
        name = f"distill/{number}"
        found = desk.load(name, Distilled)
        if found is None:
            found = distill(segment.events, zone, before=_before(desk, segment))
            desk.save(name, found)
        claims += found.claims
        rejected += found.rejected
        desk.night.progress("distill", number + 1, total)
    read = sum(len(segment.events) for segment in collected.segments)
    desk.note("distill", read, len(claims), began)
    return Distilled(tuple(claims), tuple(rejected))


def _before(desk: _Desk, segment: Segment) -> list[Event]:
    """The last turns of each session before the segment, for answers that lean on them."""
    first: dict[str, int] = {}
    for event in segment.events:
        first.setdefault(event.session, event.seq)
    space = desk.night.space
    return [
        event
        for session, seq in sorted(first.items())
        for event in desk.store.session_before(space, session, seq, CONTEXT_TURNS)
    ]


def _verify(desk: _Desk, claims: Sequence[Claim]) -> Verified:
    ids = sorted({span.event_id for claim in claims for span in claim.evidence})
    events = desk.store.events_by_id(desk.night.space, ids)
    verified = verify(claims, events)
    kept, forgotten = sift(verified.claims, events, desk.store.erasures(desk.night.space))
    return Verified(kept, (*verified.rejected, *forgotten))


def revision(dreams: Sequence[Dream]) -> str:
    """What the ledger adds up to now: a plan made on another revision is another plan."""
    return text_hash(
        ",".join(
            f"{dream.dream_id}:{dream.status}"
            for dream in dreams
            if dream.status in ("applied", "rolled_back")
        )
    )
