"""What comes in: events, turns, foreign logs; and the journal as it stands."""

from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Annotated, Any

import msgspec

from slowwave.answers.taken import Logged, Turned, logged, turned
from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Event, EventKind, Origin, Record, Role, Skipped, text_hash
from slowwave.servers.access import Grant
from slowwave.servers.problems import NotAllowed
from slowwave.servers.rest.paging import Page, after, position
from slowwave.servers.rest.reading import Asked, Malformed, Moment, Name, Paged, moment_of
from slowwave.servers.rest.route import JSON, JSON_LINES, route

MOST_AT_ONCE = 10_000
"""Events of one request."""
LOOKED_AT = 20_000
"""Events that are read for one page; where few fit, a page may hold less than it could."""

Text = Annotated[str, msgspec.Meta(min_length=1)]


class EventLine(msgspec.Struct, frozen=True, kw_only=True):
    """One event as it is logged; only `text` is required.

    `ts` is now, `role` user, and `origin` follows from role, speaker and kind. `ref` is your own id
    for it: the same event sent twice is kept once. Fields that are not named here are kept as
    metadata.
    """

    text: Text
    ref: str | None = None
    ts: Moment | None = None
    role: Role | None = None
    session: str | None = None
    speaker: str | None = None
    channel: str | None = None
    kind: EventKind | None = None
    origin: Origin | None = None


Loose = Annotated[
    Any,
    msgspec.Meta(
        description="An event; what is none is skipped, and does not stop the others.",
        extra_json_schema={"anyOf": [{"$ref": "#/components/schemas/EventLine"}, {}]},
    ),
]


class EventLines(Asked, frozen=True, kw_only=True):
    """Several events."""

    events: Annotated[list[Loose], msgspec.Meta(max_length=MOST_AT_ONCE)]


Several = Annotated[list[Loose], msgspec.Meta(max_length=MOST_AT_ONCE)]
EventsBody = EventLine | Several | EventLines
"""What POST /v1/events takes; it is read line by line, as `slowwave log --stdin` does."""


class Journal(Paged, frozen=True, kw_only=True):
    """Which events: of a conversation, said since or until a day or a moment."""

    session: Name | None = None
    since: Moment | None = None
    until: Moment | None = None


class TurnSaid(Asked, frozen=True, kw_only=True):
    """A finished turn. With `ts`, the same turn sent twice is kept once; `wait` for what is learned
    of it."""  # fmt: skip

    user: str = ""
    assistant: str = ""
    session: Name = ""
    channel: Name | None = None
    ts: Moment | None = None
    wait: bool = False


def log(memory: SlowMemory, body: Any, kind: str, key: str) -> Logged:
    """Append events: one, a list, or {"events": […]}; also JSON lines.

    All that are told of are durable. In a list, what is no event is skipped and told, with its
    place (from 1); it does not stop the others. With an `Idempotency-Key` the same events sent
    again are kept once, also after a restart of the server.
    """
    lines = list(islice(_lines(body, kind), MOST_AT_ONCE + 1))
    if len(lines) > MOST_AT_ONCE:
        raise Malformed(f"more than {MOST_AT_ONCE} events at once", "send them in parts")
    items = [_keyed(memory.event_line(raw, at), key, at) for at, raw in enumerate(lines, 1)]
    if lines == [body] and isinstance(items[0], Skipped):
        raise UsageError(f"not an event: {items[0].reason}", "/openapi.json has the schema")
    return logged(memory.log(items))


def _lines(raw: bytes, kind: str) -> Iterator[bytes]:
    """Each event of a body as a line of JSON. Raises Malformed where it is none at all."""
    if kind == JSON_LINES:
        yield from filter(bytes.strip, raw.split(b"\n"))
        return
    try:
        whole = msgspec.json.decode(raw, type=msgspec.Raw)
        text = bytes(whole).lstrip()
        if text.startswith(b"["):
            yield from map(bytes, msgspec.json.decode(raw, type=list[msgspec.Raw]))
            return
        if not text.startswith(b"{"):
            raise Malformed("the body is no event", 'send one, a list, or {"events": […]}')
        fields = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        if "events" in fields and "text" not in fields:
            if set(fields) != {"events"}:
                raise Malformed("events stand alone", 'send {"events": […]} and nothing else')
            yield from map(bytes, msgspec.json.decode(fields["events"], type=list[msgspec.Raw]))
            return
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"the body is not JSON: {error}", "send JSON, or JSON lines") from error
    yield raw


def _keyed(item: Record | Skipped, key: str, at: int) -> Record | Skipped:
    """A record that is known again by the idempotency key, where it has no key of its own."""
    if not key or isinstance(item, Skipped) or item.key is not None:
        return item
    known = f"idempotency:{key}:{at}:{text_hash(item.text)}"
    return msgspec.structs.replace(item, key=known)


def events(memory: SlowMemory, query: Journal) -> Page[Event]:
    """The journal, in its order: oldest first as it came in."""
    since = moment_of(memory, query.since)
    until = moment_of(memory, query.until, ends=True)
    of = f"events\x1f{memory.space}\x1f{query.session}\x1f{query.since}\x1f{query.until}"
    seq = _seq(position(of, query.cursor))
    found: list[Event] = []
    looked = 0
    for event in memory.events_since(seq):
        if len(found) == query.limit or looked == LOOKED_AT:
            return Page(found, after(of, (seq,)))
        looked, seq = looked + 1, event.seq
        if _fits(event, query.session, since, until):
            found.append(event)
    return Page(found)


def _seq(place: tuple[str | int, ...] | None) -> int:
    if place is None:
        return 0
    if len(place) != 1 or not isinstance(place[0], int) or not 0 <= place[0] < 2**53:
        raise UsageError("this is no cursor of this list", "take it from the page before")
    return place[0]


def _fits(
    event: Event, session: str | None, since: datetime | None, until: datetime | None
) -> bool:
    if session is not None and event.session != session:
        return False
    return (since is None or event.ts >= since) and (until is None or event.ts <= until)


def event(memory: SlowMemory, id: str) -> Event:
    """One event: by its id, the beginning of it, or your own ref."""
    found = memory.events([id]).get(id)
    return found if found is not None else memory.surroundings(id, 0).line.event


def turn(memory: SlowMemory, body: TurnSaid, grant: Grant) -> Turned:
    """Take in a finished turn: what the user said, and what was answered.

    Both are durable when this answers. It is learned from a moment later, or before the answer with
    `wait`: then the answer tells what was learned, and what is left to the night.
    """
    if not (body.user.strip() or body.assistant.strip()):
        raise UsageError("nothing was said in this turn", "give user and assistant")
    if body.wait and not grant.may("read"):
        # What is learned tells what is remembered, of other turns as well.
        raise NotAllowed("this token may not read what is learned", "leave out wait")
    ts = moment_of(memory, body.ts)
    take = memory.log_turn if body.wait else memory.turn_end
    taken = take(body.user, body.assistant, session=body.session, ts=ts, channel=body.channel)
    return turned([taken], taken.skipped, memory.catch_up_turns() if body.wait else None)


def catch_up(memory: SlowMemory) -> Turned:
    """Learn from all turns that wait, oldest first. Safe to repeat."""
    return turned([], [], memory.catch_up_turns())


ROUTES = (
    route("POST", "/v1/events", log, scope="log", tag="journal", body=EventsBody,
          takes=(JSON, JSON_LINES)),
    route("GET", "/v1/events", events, scope="read", tag="journal"),
    route("GET", "/v1/events/{id}", event, scope="read", tag="journal"),
    route("POST", "/v1/turns", turn, scope="log", tag="journal"),
    route("POST", "/v1/turns/catch-up", catch_up, scope="review", tag="journal"),
)  # fmt: skip
