"""Dreams under way: asked for, watched, stopped."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from time import monotonic
from typing import Annotated, Any, Literal

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from slowwave.answers.encoding import encoded
from slowwave.errors import DreamError, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Dream
from slowwave.ports import Progress
from slowwave.scheduler import AT, time_of
from slowwave.servers.doors import Doors, doors_of, room_of
from slowwave.servers.nights import Busy
from slowwave.servers.problems import problem_of
from slowwave.servers.rest.desk import (
    QUIET,
    Answer,
    body_bytes,
    desk_of,
    problem,
    query_pairs,
    told,
)
from slowwave.servers.rest.dream_shape import (
    Input,
    ModelNamed,
    OutputBehavior,
    SessionsInput,
    asked_of,
    of_job,
)
from slowwave.servers.rest.idempotency import key_of, whose
from slowwave.servers.rest.jobs import Job, Stopped, Work
from slowwave.servers.rest.reading import Asked, Name, body_of, query_of
from slowwave.servers.rest.route import EVENTS, JSON, Route
from slowwave.settings import Preset

PULSE = 0.1
"""Seconds between two looks at a job that is watched."""
ALIVE = 15.0
"""Seconds after which a watcher is told that it still goes on."""

Day = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class DreamAsk(Asked, frozen=True, kw_only=True):
    """What to dream: a night (yesterday, today, a day, all), a day once more (`refine`: a day, or
    week), or every night that is `due` (from `at` of the user's day).

    `apply`: the plan is applied at once; `dry_run`: nothing at all is stored. `again`: what was
    rejected before is proposed anew.

    With `inputs` it is asked for in the shape of Anthropic's Dreams API: it is answered at once
    with a job to be polled. `model` is that of the settings, or "rules". `instructions` do not map,
    and must be empty.
    """

    date: Day | None = None
    apply: bool = False
    dry_run: bool = False
    due: bool = False
    at: Annotated[str, msgspec.Meta(max_length=8)] | None = None
    refine: Day | None = None
    again: bool = False
    preset: Preset | None = None
    distiller: Literal["rules", "llm"] | None = None
    inputs: Annotated[tuple[Input, ...], msgspec.Meta(min_length=1, max_length=50)] | None = None
    model: Name | ModelNamed | None = None
    instructions: Annotated[str, msgspec.Meta(max_length=4096)] | None = None
    output_behavior: OutputBehavior | None = None


class Shape(Asked, frozen=True, kw_only=True):
    """`beta`: as Anthropic's client asks, answered as a job."""

    beta: bool = False


# --- asked for ------------------------------------------------------------------------------------


async def dream(router: Route, request: Request) -> Response:
    """Plan a dream: what the day would change in memory. Applied only when asked.

    Answers when it is done. `Accept: text/event-stream` tells of its progress meanwhile: `job`,
    then `progress` events, then `dream` or `error`. `Prefer: respond-async`, and `inputs`, are
    answered at once, with a job. The dream goes on when the client is gone. While a space dreams,
    a second dream there is refused (409), not queued.
    """
    raw = await body_bytes(router, request)
    query = query_of(query_pairs(request), Shape)
    desk = desk_of(request)
    asked = body_of(raw, DreamAsk)
    job = await desk.beside(_begin, router, request, asked, raw)
    if _wants_events(request):
        return _stream(job)
    later = "respond-async" in request.headers.get("prefer", "").casefold()
    if asked.inputs or query.beta or later:
        made = encoded(of_job(job, {}))
        return told(Answer(202 if later else 200, made, {"content-type": JSON, **QUIET}))
    await asyncio.shield(asyncio.wrap_future(job.over))
    if job.error is not None:
        stopped = isinstance(job.error, Stopped)
        return problem(DreamError(job.error.message, job.error.hint) if stopped else job.error)
    done = await desk.beside(encoded, job.made)
    return told(Answer(200, done, {"content-type": JSON, **QUIET}))


def _wants_events(request: Request) -> bool:
    return EVENTS in request.headers.get("accept", "").casefold()


def _begin(router: Route, request: Request, asked: DreamAsk, raw: bytes) -> Job:
    """Starts it, or finds the one that the same key started. Raises Busy, UsageError."""
    memory, grant = room_of(request, router.scope)
    jobs, nights = desk_of(request).jobs, doors_of(request).nights
    key = key_of(request.headers)
    place = whose(memory.space, grant.name, router.id, key) if key else ""
    known = jobs.again(place, raw)
    if known is not None:
        return known
    work = work_of(memory, asked)
    _refuse_while_resident(doors_of(request), memory.space)
    nights.begin(memory.space)
    job = Job(memory.space, asked, memory.now, place=place, said=raw)
    return jobs.start(job, work, partial(nights.end, memory.space))


def _refuse_while_resident(doors: Doors, space: str) -> None:
    """Busy where the server dreams of this space by itself."""
    running = doors.resident.state().dreaming if doors.resident is not None else None
    if running is not None and running.space == space:
        raise Busy("this space is dreaming already", "wait until that dream is done")


def work_of(memory: SlowMemory, asked: DreamAsk) -> Work:
    """What a request to dream means. Raises UsageError for what does not go together."""
    _refuse(asked)
    distiller, apply = asked.distiller, asked.apply
    date = asked.date or "yesterday"
    if asked.inputs:
        distiller = asked_of(memory, asked.inputs, asked.model)
        apply = apply or (asked.output_behavior or OutputBehavior()).type == "update_existing"
        date = asked.date or "all"
    if asked.due:
        at = AT if asked.at is None else time_of(asked.at)
        return lambda progress: memory.dream_due(progress, at, apply=apply, distiller=distiller)
    how: dict[str, Any] = {
        "apply": apply, "dry_run": asked.dry_run, "preset": asked.preset, "distiller": distiller,
        "again": asked.again,
    }  # fmt: skip
    if named := [one for one in asked.inputs or () if isinstance(one, SessionsInput)]:
        how["sessions"] = frozenset(named[0].session_ids)
    if asked.refine == "week":
        return lambda progress: memory.refine_week(progress=progress, **how)
    if asked.refine is not None:
        once_more = asked.refine
        return lambda progress: _sound(memory.refine(once_more, progress=progress, **how), apply)
    return lambda progress: _sound(_night(memory, date, progress, how), apply)


def _night(memory: SlowMemory, date: str, progress: Progress, how: dict[str, Any]) -> Dream:
    made = memory.dream(date, progress=progress, **how)
    # Who asks for the model on a day that the rules have read wants it read again.
    idle = made.status == "nothing_to_do" and not made.pending
    if how["distiller"] == "llm" and idle and memory.read_otherwise(made.date, distiller="llm"):
        return memory.refine(made.date, progress=progress, **how)
    return made


def _sound(made: Dream, apply: bool) -> Dream:
    """The dream. Raises DreamError for one that was to be applied, and is refused."""
    if not apply or made.status != "refused":
        return made
    why = "; ".join(f"{gate.name}: {gate.detail}" for gate in made.gates if not gate.ok)
    hint = f"nothing was changed; GET /v1/dreams/{made.dream_id}/diff shows it"
    raise DreamError(f"dream {made.dream_id} was refused: {why}", hint)


def _refuse(asked: DreamAsk) -> None:
    pairs = (
        ("dry_run", "apply"), ("dry_run", "due"), ("refine", "due"), ("date", "due"),
        ("preset", "due"), ("again", "due"), ("refine", "date"), ("inputs", "due"),
        ("inputs", "refine"), ("inputs", "distiller"),
    )  # fmt: skip
    for one, other in pairs:
        if getattr(asked, one) and getattr(asked, other):
            raise UsageError(f"{one} and {other} exclude each other", "leave one of them out")
    if asked.at is not None and not asked.due:
        raise UsageError("at goes with due", "leave it out")
    if asked.instructions:
        raise UsageError("a dream takes no instructions",
                         "leave them out; settings and presets say how to dream")  # fmt: skip
    if not asked.inputs and (asked.model is not None or asked.output_behavior is not None):
        raise UsageError("model and output_behavior go with inputs", "use distiller and apply")


# --- watched --------------------------------------------------------------------------------------


def _stream(job: Job) -> Response:
    return StreamingResponse(_story(job), headers=QUIET, media_type=EVENTS)


async def _story(job: Job) -> AsyncIterator[bytes]:
    """A job from its beginning to its end, as server-sent events."""
    yield _frame("job", of_job(job, {}, whole=False))
    seen, quiet = 0, monotonic()
    while True:
        over = job.over.done()
        seen, steps = job.since(seen)
        for step in steps:
            yield _frame("progress", step)
        if over:
            break
        if steps:
            quiet = monotonic()
        elif monotonic() - quiet > ALIVE:
            quiet = monotonic()
            yield b": still dreaming\n\n"
        await asyncio.sleep(PULSE)
    if job.error is not None:
        yield _frame("error", problem_of(job.error))
    else:
        yield _frame("dream", job.made)


def _frame(name: str, value: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (name.encode(), encoded(value))


async def follow(router: Route, request: Request) -> Response:
    """Follow a dream: `job` and `progress` events while it runs, then `dream` or `error`.

    One that is over is told at once.
    """
    desk = desk_of(request)
    query_of(query_pairs(request), Shape)
    found = await desk.beside(named, router, request)
    if isinstance(found, Job):
        return _stream(found)
    return Response(_frame("dream", found), headers=QUIET, media_type=EVENTS)


def named(router: Route, request: Request) -> Job | Dream:
    """The job or the dream of the path. Raises NotFound."""
    memory = room_of(request, router.scope).memory
    given = request.path_params["id"]
    return desk_of(request).jobs.find(memory.space, given) or memory.dream_by_id(given)


async def cancel(router: Route, request: Request) -> Response:
    """Stop a dream that runs. Nothing of it stays; what was applied before does.

    One that was stopped before is told as it is; one that is over cannot be stopped (409).
    """
    desk = desk_of(request)
    query_of(query_pairs(request), Shape)
    job = await desk.beside(_job_named, router, request)
    if job.state in ("completed", "failed"):
        return problem(DreamError("this dream is over", "roll it back, or reject its plan"))
    job.stopping = True
    over = asyncio.wrap_future(job.over)
    await asyncio.wait([over], timeout=PATIENCE)
    made = encoded(of_job(job, {}))
    return told(Answer(200, made, {"content-type": JSON, **QUIET}))


PATIENCE = 5.0
"""Seconds that a cancelling request waits for the end."""


async def archive(router: Route, request: Request) -> Response:
    """Leave a job that is over out of the list of jobs. The dream stays where it is."""
    desk = desk_of(request)
    query_of(query_pairs(request), Shape)
    job = await desk.beside(_job_named, router, request)
    if not job.over.done():
        return problem(DreamError("this dream still runs", "cancel it first"))
    if job.archived is None:
        job.archived = room_of(request, router.scope).memory.now()
    made = encoded(of_job(job, {}))
    return told(Answer(200, made, {"content-type": JSON, **QUIET}))


def _job_named(router: Route, request: Request) -> Job:
    memory = room_of(request, router.scope).memory
    return desk_of(request).jobs.get(memory.space, request.path_params["id"])
