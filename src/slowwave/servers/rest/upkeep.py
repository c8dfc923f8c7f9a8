"""Numbers, checks, files, forgetting for good, and looks inside."""

import re
from datetime import date, datetime
from typing import Annotated, Any, TypeVar

import msgspec

from slowwave import inspection
from slowwave.answers.gone import Forgotten, Preview, Proof, forgotten, preview
from slowwave.answers.kept import Checked, Stats, StatusReport, Synced, checked
from slowwave.answers.looked import Compared, Distilled, Times
from slowwave.errors import NotFound, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import EventKind, ModelCall
from slowwave.privacy.preview import Leaving
from slowwave.scheduler import next_run, time_of
from slowwave.servers.access import Grant
from slowwave.servers.resident import ResidentState, Tally
from slowwave.servers.resident.lock import standing
from slowwave.servers.rest.paging import Page, page
from slowwave.servers.rest.reading import Asked, Id, Moment, Paged, moment_of
from slowwave.servers.rest.route import route
from slowwave.settings import Trigger

T = TypeVar("T")

LONGEST = 20_000
"""Characters of a text that is looked into."""
Text = Annotated[str, msgspec.Meta(max_length=LONGEST)]


class Forget(Asked, frozen=True, kw_only=True):
    """What to forget: one memory or event by its id, or all that holds a text.

    Without `confirm` it is only told what would go. `by_hand`: also what people wrote into files.
    """

    id: Id | None = None
    match: Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)] | None = None
    confirm: bool = False
    by_hand: bool = False


class Calls(Paged, frozen=True, kw_only=True):
    """Since when."""

    since: Moment | None = None


class PreviewOf(Asked, frozen=True, kw_only=True):
    """A night (yesterday, today, a day, all), or a text instead of it."""

    date: Annotated[str, msgspec.Meta(max_length=40)] = "yesterday"
    text: Text | None = None


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """When this server dreams by itself, what is due, and which plans wait for a person."""

    triggers: tuple[Trigger, ...]
    at: str
    next_run: datetime | None
    due: tuple[date, ...]
    waiting: tuple[str, ...]


class Distill(Asked, frozen=True, kw_only=True):
    """One message, the day it was said, and what was said before it."""

    text: Text
    id: str = ""
    date: str = ""
    tz: str = ""
    context: Annotated[list[inspection.Turn], msgspec.Meta(max_length=100)] = []
    speaker: str = "owner"
    kind: EventKind = "message"


class Dated(Asked, frozen=True, kw_only=True):
    """A statement, and the day it was made."""

    text: Text
    date: str = ""


class Compare(Asked, frozen=True, kw_only=True):
    """Two statements; `b` is the later one."""

    a: Dated
    b: Dated
    id: str = ""


class When(Asked, frozen=True, kw_only=True):
    """A sentence, the moment it was said, and the zone."""

    text: Text
    id: str = ""
    now: str = ""
    tz: str = ""


class Status(StatusReport, frozen=True):
    """The numbers of a space, and the process that dreams by itself here (null: none does)."""

    resident: ResidentState | None = None


def status(memory: SlowMemory, grant: Grant) -> Status:
    """Numbers: what is in the journal, what is known, what still waits."""
    report = memory.status()
    told = {name: getattr(report, name) for name in report.__struct_fields__}
    found = standing(memory.parts.home)
    return Status(**told, resident=None if found is None else _seen(found, grant))


def _seen(found: ResidentState, grant: Grant) -> ResidentState:
    """What of the resident is open to a token: nothing of spaces that it does not see."""
    if not grant.spaces:
        return found
    running = found.dreaming if found.dreaming and grant.sees(found.dreaming.space) else None
    seen = tuple(one for one in found.spaces if grant.sees(one.space))
    return msgspec.structs.replace(found, dreaming=running, spaces=seen, counts=Tally())


def stats(memory: SlowMemory) -> Stats:
    """What the memory is made of, month by month: kinds, growth, compression."""
    return memory.stats()


def doctor(memory: SlowMemory) -> Checked:
    """Check that everything is sound: the file, every quote, every version."""
    return checked(memory.diagnose())


def fix(memory: SlowMemory) -> Checked:
    """Make anew what is derived (index, vectors, files), then check."""
    done = memory.mend()
    return checked(memory.diagnose(), done)


def vault(memory: SlowMemory) -> Synced:
    """What a sync of the Markdown files would write and take in, and what clashes."""
    return memory.vault_check()


def sync(memory: SlowMemory) -> Synced:
    """Take in what people wrote in the Markdown files, then write what changed."""
    return memory.vault_sync()


def forget(memory: SlowMemory, body: Forget) -> Preview | Forgotten:
    """Forget for good: journal, memories, history, index, files. Leaves a receipt.

    First without `confirm`: it tells what would go, and changes nothing. With `"confirm": true` it
    is done, and cannot be undone. Old evidence does not bring it back; a later statement may.
    """
    if (body.id is None) == (body.match is None):
        raise UsageError("name one thing to forget", "give id, or match")
    if not (body.id or body.match or "").strip():
        raise UsageError("no words were given", "give a few words of it")
    plan = memory.forget_plan(body.id or "", body.match or "")
    if plan.empty:
        raise NotFound("nothing is kept that holds this text", "try fewer words of it")
    if not body.confirm:
        return preview(plan)
    return forgotten(memory.forget(plan, by_hand=body.by_hand), plan)


_RECEIPT = re.compile(r"[a-z0-9]{2,40}")


def verify(memory: SlowMemory, id: str) -> Proof:
    """Check a receipt again: that what was forgotten still is gone."""
    gone = NotFound("there is no such receipt", "a forgetting tells its id: give all of it")
    if not _RECEIPT.fullmatch(id):  # the front door would read it as the name of a file
        raise gone
    try:
        receipt = memory.receipt(id)
    except NotFound as error:
        raise gone from error
    if receipt.id != id or receipt.space != memory.space:
        raise gone
    return memory.verify_receipt(id)


def model_calls(memory: SlowMemory, query: Calls) -> Page[ModelCall]:
    """What was asked of a language model: when, for what, and what it cost; never the words."""
    calls = list(enumerate(memory.model_calls(moment_of(memory, query.since))))
    of = f"calls\x1f{memory.space}\x1f{query.since}"
    found = page(calls, lambda one: (one[0],), of, query.limit, query.cursor)
    return Page([call for _, call in found.rows], found.next)


def leaving(memory: SlowMemory, body: PreviewOf) -> Leaving:
    """Exactly what a model that is not on this machine would see of a night, or of a text.

    Nothing is sent. Names, numbers, addresses, secrets and words of health are replaced by
    placeholders; what they stand for is told beside each line, and never leaves.
    """
    return memory.leaving(body.date, body.text)


def schedule(memory: SlowMemory) -> Schedule:
    """When this server dreams by itself, and which nights are due."""
    settings = memory.parts.settings.resident
    at = time_of(settings.at)
    return Schedule(
        triggers=settings.triggers, at=settings.at,
        next_run=next_run(memory.now(), at) if "clock" in settings.triggers else None,
        due=memory.due(at), waiting=tuple(plan.dream_id for plan in memory.waiting()),
    )  # fmt: skip


def distill(memory: SlowMemory, body: Distill) -> Distilled:
    """The claims of one message, and what was left out and why. Stores nothing."""
    return _as(inspection.inspect_distill(msgspec.to_builtins(body), memory.now()), Distilled)


def compare(memory: SlowMemory, body: Compare) -> Compared:
    """How two statements relate; the second one is the later. Stores nothing."""
    asked = msgspec.to_builtins(body)
    return _as(inspection.inspect_compare(asked, memory.now(), memory.likeness()), Compared)


def when(memory: SlowMemory, body: When) -> Times:
    """The time expressions of a sentence, resolved against now and the zone. Stores nothing."""
    return _as(inspection.inspect_when(msgspec.to_builtins(body), memory.now()), Times)


def _as(found: dict[str, Any], kind: type[T]) -> T:
    return msgspec.convert(found, kind)


ROUTES = (
    route("GET", "/v1/status", status, scope="read", tag="upkeep"),
    route("GET", "/v1/stats", stats, scope="read", tag="upkeep"),
    route("GET", "/v1/doctor", doctor, scope="read", tag="upkeep"),
    route("POST", "/v1/doctor/fix", fix, scope="admin", tag="upkeep"),
    route("GET", "/v1/vault", vault, scope="read", tag="upkeep"),
    route("POST", "/v1/vault/sync", sync, scope="review", tag="upkeep"),
    route("GET", "/v1/schedule", schedule, scope="read", tag="upkeep"),
    route("POST", "/v1/forget", forget, scope="admin", tag="forgetting"),
    route("GET", "/v1/receipts/{id}", verify, scope="read", tag="forgetting"),
    route("GET", "/v1/model/calls", model_calls, scope="read", tag="model"),
    route("POST", "/v1/privacy/preview", leaving, scope="review", tag="model", writes=False),
    route("POST", "/v1/inspect/distill", distill, scope="read", tag="inspect", writes=False),
    route("POST", "/v1/inspect/compare", compare, scope="read", tag="inspect", writes=False),
    route("POST", "/v1/inspect/when", when, scope="read", tag="inspect", writes=False),
)
