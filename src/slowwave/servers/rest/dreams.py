"""Dreams as they stand: listed, read, decided, applied and taken back."""

from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from slowwave.answers.encoding import encoded
from slowwave.memory import SlowMemory
from slowwave.model import Dream, DreamStatus
from slowwave.servers.doors import room_of
from slowwave.servers.rest.desk import QUIET, Answer, desk_of, following, query_pairs, told
from slowwave.servers.rest.diff_text import diff_text
from slowwave.servers.rest.dream_shape import DreamJob, DreamJobs, of_dream, of_job, usage_by_dream
from slowwave.servers.rest.dreaming import (
    DreamAsk,
    Shape,
    archive,
    cancel,
    dream,
    follow,
    named,
)
from slowwave.servers.rest.jobs import Job
from slowwave.servers.rest.paging import page
from slowwave.servers.rest.reading import Asked, Cursor, Id, Paged, query_of
from slowwave.servers.rest.route import EVENTS, JSON, Route, route, special


class Which(Paged, frozen=True, kw_only=True):
    """Which dreams: of these statuses, or only the plans that wait.

    `beta`, `page`, `include_archived`: as Anthropic's client asks, answered as jobs.
    """

    status: tuple[DreamStatus, ...] = ()
    waiting: bool = False
    beta: bool = False
    page: Cursor = ""
    include_archived: bool = False


class Only(Asked, frozen=True, kw_only=True):
    """The changes that are meant; left out: all. An empty list is refused: it names nothing."""

    only: Annotated[tuple[Id, ...], msgspec.Meta(min_length=1, max_length=10_000)] | None = None


# --- looked at ------------------------------------------------------------------------------------


async def dreams(router: Route, request: Request) -> Response:
    """The dreams, newest first, without their changes.

    With `beta=true` as jobs, those that were started here and still run among them.
    """
    query = query_of(query_pairs(request), Which)
    return told(await desk_of(request).beside(_listed, router, request, query))


def _listed(router: Route, request: Request, query: Which) -> Answer:
    memory = room_of(request, router.scope).memory
    known = memory.undecided() if query.waiting else memory.dreams()
    found = [one for one in known if not query.status or one.status in query.status]
    limits = f"{query.status}\x1f{query.waiting}\x1f{query.beta}\x1f{query.include_archived}"
    of = f"dreams\x1f{memory.space}\x1f{limits}"
    headers = {"content-type": JSON, **QUIET}
    if not query.beta:
        got = page(found, _place, of, query.limit, query.cursor, newest_first=True)
        return Answer(200, encoded(got.rows), headers | following(request, got.next))
    usage = usage_by_dream(memory.model_calls())
    jobs = desk_of(request).jobs.of(memory.space)
    made = {job.made.dream_id for job in jobs if isinstance(job.made, Dream)}
    rows = [of_job(job, usage, whole=False) for job in jobs]
    rows += [of_dream(one, usage, whole=False) for one in found if one.dream_id not in made]
    shown = [one for one in rows if query.include_archived or one.archived_at is None]
    got_jobs = page(shown, lambda one: (one.created_at.isoformat(), one.id), of, query.limit,
                    query.page or query.cursor, newest_first=True)  # fmt: skip
    return Answer(200, encoded(DreamJobs(data=got_jobs.rows, next_page=got_jobs.next or None)),
                  headers)  # fmt: skip


def _place(one: Dream) -> tuple[str | int, ...]:
    return (one.run_at.isoformat(), one.dream_id)


async def show(router: Route, request: Request) -> Response:
    """One dream (`last`: the newest): its plan, numbers, stages, and what was left out and why.

    A job that was started here is told as a job; with `beta=true` every dream is.
    """
    query = query_of(query_pairs(request), Shape)
    return told(await desk_of(request).beside(_shown, router, request, query))


def _shown(router: Route, request: Request, query: Shape) -> Answer:
    memory = room_of(request, router.scope).memory
    found = named(router, request)
    made: object = found
    if isinstance(found, Job):
        made = of_job(found, usage_by_dream(memory.model_calls()))
    elif query.beta:
        made = of_dream(found, usage_by_dream(memory.model_calls()))
    return Answer(200, encoded(made), {"content-type": JSON, **QUIET})


def diff(memory: SlowMemory, id: str) -> str:
    """One dream as a change, in plain text: before and after, the reason, the quotes."""
    return diff_text(memory, memory.dream_by_id(id))


# --- decided --------------------------------------------------------------------------------------


def approve(memory: SlowMemory, id: str, body: Only) -> Dream:
    """Approve a plan, or single changes of it. `apply` then takes just what was approved."""
    return memory.approve(id, body.only or ())


def reject(memory: SlowMemory, id: str, body: Only) -> Dream:
    """Reject a plan, or single changes of it (and those that stand on them)."""
    return memory.reject(id, body.only or ())


def apply(memory: SlowMemory, id: str, body: Only) -> Dream:
    """Apply a planned dream: all of it, or the listed changes. All or nothing."""
    return memory.apply(id, body.only or ())


def rollback(memory: SlowMemory, id: str) -> Dream:
    """Undo an applied dream, also weeks later. What came after stays; what built on it is listed.

    The undoing is a dream of its own: rolling that one back brings everything back.
    """
    return memory.rollback(id)


def apply_waiting(memory: SlowMemory) -> list[Dream]:
    """Apply every plan that waits, oldest night first, each planned anew on what stands then."""
    return memory.apply_all()


ROUTES = (
    special("POST", "/v1/dreams", dream, scope="review", tag="dreams", query=Shape, body=DreamAsk,
            answer=Dream | list[Dream] | DreamJob, gives=(JSON, EVENTS), writes=True),
    special("GET", "/v1/dreams", dreams, scope="read", tag="dreams", query=Which,
            answer=list[Dream] | DreamJobs, many=True),
    route("POST", "/v1/dreams/apply-waiting", apply_waiting, scope="review", tag="dreams"),
    special("GET", "/v1/dreams/{id}", show, scope="read", tag="dreams", query=Shape,
            answer=Dream | DreamJob),
    route("GET", "/v1/dreams/{id}/diff", diff, scope="read", tag="dreams", gives=("text/plain",)),
    special("GET", "/v1/dreams/{id}/events", follow, scope="read", tag="dreams", query=Shape,
            answer=str, gives=(EVENTS,)),
    special("POST", "/v1/dreams/{id}/cancel", cancel, scope="review", tag="dreams", query=Shape,
            answer=DreamJob),
    special("POST", "/v1/dreams/{id}/archive", archive, scope="review", tag="dreams", query=Shape,
            answer=DreamJob),
    route("POST", "/v1/dreams/{id}/approve", approve, scope="review", tag="dreams"),
    route("POST", "/v1/dreams/{id}/reject", reject, scope="review", tag="dreams"),
    route("POST", "/v1/dreams/{id}/apply", apply, scope="review", tag="dreams"),
    route("POST", "/v1/dreams/{id}/rollback", rollback, scope="review", tag="dreams"),
)  # fmt: skip
