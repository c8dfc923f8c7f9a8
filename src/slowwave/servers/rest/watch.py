"""For those who watch a server: whether it lives, its numbers for Prometheus, and its spaces."""

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import get_args

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from slowwave.scheduler import Outcome
from slowwave.servers.access import Grant
from slowwave.servers.doors import Doors, doors_of
from slowwave.servers.resident import ResidentState
from slowwave.servers.rest.desk import QUIET, Answer, desk_of, query_pairs, sees_all, told
from slowwave.servers.rest.jobs import Jobs
from slowwave.servers.rest.reading import Asked, query_of
from slowwave.servers.rest.route import JSON, Route, special
from slowwave.servers.room import grant_of

__all__ = ["NAMED", "ROUTES", "Counted", "Meters"]

NAMED = "slowwave.route"
"""Where a request keeps the path of its route."""

SPACES_TOLD = 200
"""Spaces whose numbers are told one by one; the others are left out."""

BOUNDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60)


class Alive(msgspec.Struct, frozen=True):
    """The server answers."""

    status: str


class SpaceSeen(msgspec.Struct, frozen=True):
    """A space that a token sees."""

    name: str
    default: bool


class Meters:
    """The numbers of one server."""

    def __init__(self, doors: Doors, jobs: Jobs) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "slowwave_requests", "Requests that were answered.", ("route", "method", "status"),
            registry=self.registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "slowwave_request_seconds", "Seconds until an answer was sent whole.", ("route",),
            buckets=BOUNDS, registry=self.registry,
        )  # fmt: skip
        self.registry.register(_Standing(doors, jobs))

    def told(self) -> bytes:
        """All of them, as Prometheus reads them."""
        return generate_latest(self.registry)


class _Standing(Collector):
    """What the store holds, asked when somebody looks."""

    def __init__(self, doors: Doors, jobs: Jobs) -> None:
        self._doors, self._jobs = doors, jobs

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Nothing: what there is depends on the store, which is not asked when this begins."""
        return ()

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """The numbers as they stand."""
        spaces, store = self._doors.spaces, self._doors.spaces.first.parts.store
        events = GaugeMetricFamily("slowwave_events", "Events of the journal.", labels=("space",))
        unread = GaugeMetricFamily(
            "slowwave_events_not_dreamed", "Events that no dream has read.", labels=("space",)
        )
        unindexed = GaugeMetricFamily(
            "slowwave_queue", "Events whose words wait to be indexed.", labels=("space",)
        )
        memories = GaugeMetricFamily(
            "slowwave_memories", "Memories by how they stand.", labels=("space", "status")
        )
        dreams = GaugeMetricFamily("slowwave_dreams", "Dreams ever made.", labels=("space",))
        for name in spaces.names()[:SPACES_TOLD]:
            counts = store.counts(name)
            events.add_metric((name,), counts.events)
            unread.add_metric((name,), counts.undreamed_events)
            unindexed.add_metric((name,), counts.unindexed_events)
            dreams.add_metric((name,), counts.dreams)
            for status, number in counts.memories.items():
                memories.add_metric((name, status), number)
        yield from (events, unread, unindexed, memories, dreams)
        lost = spaces.first.uncounted[0]
        yield GaugeMetricFamily(
            "slowwave_recalls_uncounted", "Recalls that could not be counted.", lost
        )
        yield GaugeMetricFamily(
            "slowwave_dreams_running", "Dreams under way that were asked for here.",
            self._jobs.running,
        )  # fmt: skip
        if self._doors.resident is not None:
            yield from _resident(self._doors.resident.state())


def _resident(state: ResidentState) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
    """What this server dreamed by itself since it began, by how each dream ended."""
    ended = CounterMetricFamily(
        "slowwave_resident_dreams", "Dreams by itself that ended, by how.", labels=("outcome",)
    )
    counts = state.counts
    for outcome in get_args(Outcome):
        ended.add_metric((outcome,), getattr(counts, outcome))
    yield ended
    yield CounterMetricFamily(
        "slowwave_resident_dropped", "Triggers that came while a dream ran.", counts.dropped
    )
    yield CounterMetricFamily(
        "slowwave_resident_seconds", "Seconds of dreams by itself.", counts.seconds
    )
    yield GaugeMetricFamily(
        "slowwave_resident", "Whether this process dreams by itself.", int(state.role == "dreams")
    )
    yield GaugeMetricFamily(
        "slowwave_resident_dreaming", "Whether it dreams now.", int(state.dreaming is not None)
    )


class Counted:
    """The ASGI layer that counts: every request that came past the guard."""

    def __init__(self, app: ASGIApp, meters: Meters) -> None:
        self._app, self._meters = app, meters

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and notes how it was answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()
        status = "500"

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            name = _named(scope)
            self._meters.requests.labels(name, scope["method"][:10], status).inc()
            self._meters.seconds.labels(name).observe(perf_counter() - began)


def _named(scope: Scope) -> str:
    """The route, never the path: there are only so many, and they hold no id."""
    if NAMED in scope:
        return str(scope[NAMED])
    door = scope["path"].split("/")[1]
    return f"/{door}" if door in ("v1", "mcp", "static") else "page"


async def healthz(_route: Route, _request: Request) -> Response:
    """Whether the server answers. Open to everybody; tells nothing else."""
    return told(Answer(200, b'{"status":"ok"}', {"content-type": JSON, **QUIET}))


async def metrics(route: Route, request: Request) -> Response:
    """The numbers of the server, for Prometheus. Takes a token that sees every space."""
    del route
    grant = grant_of(request)
    assert isinstance(grant, Grant)
    sees_all(grant)
    query_of(query_pairs(request), Asked)
    body = await desk_of(request).beside(request.app.state.meters.told)
    return Response(body, headers={"content-type": CONTENT_TYPE_LATEST, **QUIET})


async def spaces(route: Route, request: Request) -> Response:
    """The spaces that this token sees."""
    del route
    grant = grant_of(request)
    assert isinstance(grant, Grant)
    query_of(query_pairs(request), Asked)
    known = doors_of(request).spaces
    names = await desk_of(request).beside(known.names)
    seen = sorted({*names, known.default, *grant.spaces})
    listed = [SpaceSeen(name, name == known.default) for name in seen if grant.sees(name)]
    return told(Answer(200, msgspec.json.encode(listed), {"content-type": JSON, **QUIET}))


ROUTES = (
    special("GET", "/healthz", healthz, scope="read", tag="server", answer=Alive, open=True),
    special("GET", "/metrics", metrics, scope="read", tag="server", answer=str,
            gives=("text/plain",)),
    special("GET", "/v1/spaces", spaces, scope="read", tag="server", answer=list[SpaceSeen]),
)  # fmt: skip
