"""Forms about dreams: begin one, approve and reject, apply, undo."""

from collections.abc import Callable, Mapping

from starlette.responses import Response

from slowwave.errors import AlreadyDecided, SlowwaveError, StalePlan, UsageError
from slowwave.model import Change, Dream
from slowwave.ports import Progress
from slowwave.servers.dashboard.pages.dreams import ordered
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.pages.trouble import Trouble
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]


def begin(visit: Visit) -> Response:
    """`POST /dreams`: plans a dream; it goes on behind the page."""
    memory = visit.memory
    date = visit.sent("date", "yesterday").strip()
    visit.shared.jobs.start(memory.space, date, _planning(visit, date))
    return visit.go("/dreams/running")


def _planning(visit: Visit, date: str) -> Callable[[Progress], Dream]:
    memory, again = visit.memory, bool(visit.sent("again"))

    def work(progress: Progress) -> Dream:
        return memory.dream(date, progress=progress, again=again)

    return work


def running(visit: Visit) -> Response:
    """`/dreams/running`: how far it is; when it is done, on to what came of it."""
    job = visit.shared.jobs.of(visit.memory.space)
    if job is None:
        return visit.go("/dreams")
    if job.error is not None:
        raise Trouble(job.error, "/dreams")
    if job.over:
        quiet = job.made is None or job.made.status == "nothing_to_do"
        if quiet or job.made is None:
            return visit.go("/", done="quiet_night" if job.made is not None else "dream_failed")
        return visit.go(f"/dreams/{job.made.dream_id}", done="planned")
    return visit.page("running.html", job=job)


def decide(visit: Visit) -> Response:
    """`POST /dreams/{id}`: what becomes of the whole plan."""
    dream_id = visit.part("dream_id")
    what = visit.sent("do")
    if what not in WHOLE:
        raise UsageError(f"{what[:40]!r} is nothing that can be done to a dream", "use a button")
    try:
        return WHOLE[what](visit, dream_id)
    except (StalePlan, AlreadyDecided) as error:
        raise _told(visit, dream_id, error) from error


def _told(visit: Visit, dream_id: str, error: SlowwaveError) -> Trouble:
    """A plan that does not hold any more: its night can be planned again."""
    dream = visit.memory.dream_by_id(dream_id)
    stale = isinstance(error, StalePlan) and dream.by == "night"
    return Trouble(error, f"/dreams/{dream.dream_id}", dream.date if stale else "")


def _apply(visit: Visit, dream_id: str) -> Response:
    """All that was not rejected; what nobody decided on is approved by this."""
    memory = visit.memory
    dream = memory.dream_by_id(dream_id)
    if any(change.approved is None for change in dream.changes) and dream.status != "applied":
        memory.approve(dream.dream_id)
    return _applied(visit, dream.dream_id)


def _apply_approved(visit: Visit, dream_id: str) -> Response:
    """Only what was approved one by one."""
    dream = visit.memory.dream_by_id(dream_id)
    if not any(change.approved for change in dream.changes):
        raise UsageError("no change of this plan is approved", "approve one, or apply all")
    return _applied(visit, dream.dream_id)


def _applied(visit: Visit, dream_id: str) -> Response:
    done = visit.memory.apply(dream_id)
    return visit.go(f"/dreams/{done.dream_id}", done="applied", undo=done.dream_id)


def _approve(visit: Visit, dream_id: str) -> Response:
    done = visit.memory.approve(dream_id)
    return visit.go(f"/dreams/{done.dream_id}", done="approved", at="decide")


def _reject(visit: Visit, dream_id: str) -> Response:
    done = visit.memory.reject(dream_id)
    return visit.go(f"/dreams/{done.dream_id}", done="rejected")


def _rollback(visit: Visit, dream_id: str) -> Response:
    done = visit.memory.rollback(dream_id)
    if way := visit.sent("next"):
        return visit.go(way, done="undone", undo=done.dream_id)
    return visit.go(f"/dreams/{done.dream_id}", done="undone", undo=done.dream_id)


WHOLE: Mapping[str, Callable[[Visit, str], Response]] = {
    "apply": _apply, "apply_approved": _apply_approved, "approve": _approve, "reject": _reject,
    "rollback": _rollback,
}  # fmt: skip


def decide_one(visit: Visit) -> Response:
    """`POST /dreams/{id}/changes/{change}`: one change, and on to the next undecided one."""
    dream_id, change_id = visit.part("dream_id"), visit.part("change_id")
    what = visit.sent("do")
    if what not in ("approve", "reject"):
        raise UsageError(f"{what[:40]!r} is nothing that can be done to a change", "use a button")
    memory = visit.memory
    try:
        if what == "approve":
            done = memory.approve(dream_id, _with_heirs(memory.dream_by_id(dream_id), change_id))
        else:
            done = memory.reject(dream_id, (change_id,))
    except (StalePlan, AlreadyDecided) as error:
        raise _told(visit, dream_id, error) from error
    change = _next(ordered(done), change_id)
    way = f"/dreams/{done.dream_id}?change={(change or done.changes[0]).id}"
    return visit.go(way, at=f"c-{change.id}" if change is not None else "decide")


def _with_heirs(dream: Dream, change_id: str) -> list[str]:
    """A change, and those that add what it puts in the place of a memory: one needs the other."""
    chosen = [change_id]
    heirs = {change.after.superseded_by for change in dream.changes if change.id == change_id}
    chosen += [one.id for one in dream.changes if one.op == "add" and one.memory_id in heirs]
    return chosen


def _next(changes: list[Change], change_id: str) -> Change | None:
    """The next change that nobody decided on."""
    at = next((n for n, one in enumerate(changes) if one.id.startswith(change_id)), 0)
    later = [*changes[at + 1 :], *changes[:at]]
    return next((one for one in later if one.approved is None), None)


PAGES = (
    Page("/dreams", begin, "review", "POST"),
    Page("/dreams/running", running, "review"),
    Page("/dreams/{dream_id}", decide, "review", "POST"),
    Page("/dreams/{dream_id}/changes/{change_id}", decide_one, "review", "POST"),
)
