"""What is believed: read, corrected by hand; conflicts, and what is still to do."""

from typing import Annotated, Literal

import msgspec

from slowwave.answers.kept import Conflict, History, Provenance, conflict
from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.model import USER, Dream, Kind, Memory, Status, WorkItem, WorkState
from slowwave.servers.rest.paging import Page, page
from slowwave.servers.rest.reading import Asked, Id, Moment, Name, Paged, moment_of
from slowwave.servers.rest.route import route
from slowwave.text.segment import fold

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=4_000)]


class Wanted(Paged, frozen=True, kw_only=True):
    """Which memories: their statuses, kind and subject, words they hold, when they were last seen.

    `as_of`: as they were believed on that day or at that moment, only those that held then.
    """

    status: tuple[Status, ...] = ()
    kind: Kind | None = None
    subject: Name | None = None
    text: Name | None = None
    since: Moment | None = None
    as_of: Moment | None = None


class Edited(Asked, frozen=True, kw_only=True):
    """What a person sets: the text in his own words, the importance, or both."""

    text: Words | None = None
    importance: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None


class Keep(Asked, frozen=True, kw_only=True):
    """The memory that holds; the others of the conflict give way to it."""

    keep: Id


class NewItem(Asked, frozen=True, kw_only=True):
    """Something to do."""

    text: Words


class Marked(Asked, frozen=True, kw_only=True):
    """How an item stands."""

    state: WorkState


class Items(Asked, frozen=True, kw_only=True):
    """Which items; without a state those that are not done, `all` of them."""

    state: Literal["open", "done", "stalled", "all"] | None = None


def memories(memory: SlowMemory, query: Wanted) -> Page[Memory]:
    """All memories, oldest first."""
    at = moment_of(memory, query.as_of, ends=True)
    known = memory.memories(query.status) if at is None else memory.believed(at)
    since = moment_of(memory, query.since)
    about = (USER if query.subject.casefold() == "you" else query.subject) if query.subject else ""
    words = fold(query.text or "")
    found = [
        one
        for one in known
        if one.status in (query.status or (one.status,))
        and query.kind in (None, one.kind)
        and (not about or one.subject.casefold() == about.casefold())
        and (since is None or one.last_seen >= since)
        and (not words or words in fold(f"{one.title}\n{one.text}"))
    ]
    limits = msgspec.structs.replace(query, limit=1, cursor="")
    of = f"memories\x1f{memory.space}\x1f{limits}"
    return page(found, lambda one: (one.first_seen.isoformat(), one.id), of,
                query.limit, query.cursor)  # fmt: skip


def show(memory: SlowMemory, id: str) -> Memory:
    """One memory with the words it rests on.

    It is named by its id, the beginning of it, an event that it rests on, or your own ref.
    """
    return memory.why(id).memory


def history(memory: SlowMemory, id: str) -> History:
    """All versions of one memory, oldest first."""
    return History(memory.why(id).changes)


def why(memory: SlowMemory, id: str) -> Provenance:
    """From a memory back to its dreams, its reasons and the exact words."""
    return memory.why(id)


def edit(memory: SlowMemory, id: str, body: Edited) -> Memory:
    """Set the text of a memory to a person's own words, its importance, or both.

    The words are journaled and become its evidence. Each is a change set that can be rolled back.
    """
    if body.text is None and body.importance is None:
        raise UsageError("nothing is to be changed", "give text, importance, or both")
    if body.importance is None:
        return _changed(memory.by_hand("edit", id, text=body.text))
    if body.text is not None and body.text.strip() != memory.why(id).memory.text:
        memory.by_hand("edit", id, text=body.text)
    return _changed(memory.by_hand("importance", id, importance=body.importance))


def pin(memory: SlowMemory, id: str) -> Memory:
    """Pin a memory: it never fades, and is always loaded."""
    return _changed(memory.by_hand("pin", id))


def unpin(memory: SlowMemory, id: str) -> Memory:
    """Let go of a pinned memory."""
    return _changed(memory.by_hand("unpin", id))


def demote(memory: SlowMemory, id: str) -> Memory:
    """Put a memory into cold storage: out of ordinary recall, never deleted."""
    return _changed(memory.by_hand("demote", id))


def restore(memory: SlowMemory, id: str) -> Memory:
    """Bring a cold, retired or quarantined memory back."""
    return _changed(memory.by_hand("restore", id))


def _changed(made: Dream) -> Memory:
    return made.changes[0].after


def conflicts(memory: SlowMemory) -> list[Conflict]:
    """What cannot hold together and nobody could settle: all sides, with their words."""
    return [conflict(group) for group in memory.conflicts()]


def resolve(memory: SlowMemory, id: str, body: Keep) -> Dream:
    """Settle a conflict: one side stays, the others give way to it, dated and kept."""
    return memory.resolve(id, body.keep)


def working(memory: SlowMemory, query: Items) -> list[WorkItem]:
    """Open projects, to-dos and pending decisions."""
    items = memory.working()
    if query.state is None:
        return [item for item in items if item.state != "done"]
    return [item for item in items if query.state in ("all", item.state)]


def add(memory: SlowMemory, body: NewItem) -> WorkItem:
    """Add an open item."""
    return memory.working_add(body.text)


def mark(memory: SlowMemory, id: str, body: Marked) -> WorkItem:
    """Mark an item as done, stalled, or open again."""
    return memory.working_mark(id, body.state)


ROUTES = (
    route("GET", "/v1/memories", memories, scope="read", tag="memories"),
    route("GET", "/v1/memories/{id}", show, scope="read", tag="memories"),
    route("GET", "/v1/memories/{id}/history", history, scope="read", tag="memories"),
    route("GET", "/v1/memories/{id}/why", why, scope="read", tag="memories"),
    route("PATCH", "/v1/memories/{id}", edit, scope="review", tag="memories"),
    route("POST", "/v1/memories/{id}/pin", pin, scope="review", tag="memories"),
    route("POST", "/v1/memories/{id}/unpin", unpin, scope="review", tag="memories"),
    route("POST", "/v1/memories/{id}/demote", demote, scope="review", tag="memories"),
    route("POST", "/v1/memories/{id}/restore", restore, scope="review", tag="memories"),
    route("GET", "/v1/conflicts", conflicts, scope="read", tag="memories"),
    route("POST", "/v1/conflicts/{id}/resolve", resolve, scope="review", tag="memories"),
    route("GET", "/v1/working", working, scope="read", tag="working memory"),
    route("POST", "/v1/working", add, scope="review", tag="working memory", status=201),
    route("PATCH", "/v1/working/{id}", mark, scope="review", tag="working memory"),
)
