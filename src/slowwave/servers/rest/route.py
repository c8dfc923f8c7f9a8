"""One route: what it is called with, who may, what does it, and what it answers, as data.

The function of a route is plain: it takes the parts it names (`memory`, `grant`, `query`, `body`,
the names in its path) and returns the answer. Its annotations are the schema.

    def history(memory: SlowMemory, id: str) -> History: ...
    route("GET", "/v1/memories/{id}/history", history, scope="read", tag="memories")
"""

import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args, get_origin, get_type_hints

from starlette.requests import Request
from starlette.responses import Response

from slowwave.servers.access import Scope
from slowwave.servers.rest.paging import Page

__all__ = ["EVENTS", "JSON", "JSON_LINES", "Lane", "Method", "Route", "route", "special"]

Method = Literal["GET", "POST", "PATCH"]
Lane = Literal["ask", "log", "rest"]
"""With whom a request waits its turn: those who ask, those who log, all others."""
JSON = "application/json"
JSON_LINES = "application/x-ndjson"
EVENTS = "text/event-stream"

Work = Callable[..., Any]
Handler = Callable[["Route", Request], Awaitable[Response]]


@dataclass(frozen=True, kw_only=True)
class Route:
    """One route. `handler`: it answers by itself, else `work` is run on a thread.

    `takes`, `gives`: the media types of its body and its answer. `writes`: an `Idempotency-Key`
    counts. `problems`: statuses of errors beyond those that every route may answer with.
    """

    method: Method
    path: str
    scope: Scope
    tag: str
    summary: str
    text: str = ""
    work: Work | None = None
    handler: Handler | None = None
    wants: frozenset[str] = frozenset()
    query: type | None = None
    body: Any = None
    answer: Any = None
    many: bool = False
    status: int = 200
    takes: Sequence[str] = (JSON,)
    gives: Sequence[str] = (JSON,)
    writes: bool = False
    problems: Sequence[int] = ()
    examples: Mapping[str, Any] = field(default_factory=dict)
    open: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters in the path."""
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @property
    def lane(self) -> Lane:
        """With whom it waits its turn."""
        return "ask" if self.tag == "recall" else "log" if self.scope == "log" else "rest"

    @property
    def id(self) -> str:
        """What the operation is called in the schema."""
        parts = [part.strip("{}") for part in self.path.removeprefix("/v1/").split("/")]
        return "_".join([self.method.lower(), *filter(None, parts)]).replace("-", "_")


def route(method: Method, path: str, work: Work, *, scope: Scope, tag: str, **more: Any) -> Route:
    """The route of a plain function; its annotations are the schema, its docstring the words."""
    hints = get_type_hints(work, include_extras=True)
    answer = hints.pop("return")
    paged = get_origin(answer) is Page
    summary, text = words_of(work)
    given = {
        "wants": frozenset(inspect.signature(work).parameters),
        "query": hints.get("query"),
        "body": hints.get("body"),
        "answer": list[get_args(answer)[0]] if paged else answer,  # type: ignore[misc]
        "many": paged,
        "writes": method != "GET",
        "summary": summary,
        "text": text,
        **more,
    }
    return Route(method=method, path=path, scope=scope, tag=tag, work=work, **given)


def special(
    method: Method, path: str, handler: Handler, *, scope: Scope, tag: str, **more: Any
) -> Route:
    """The route of a function that answers by itself: streams, and what runs for long."""
    summary, text = words_of(handler)
    given = {"summary": summary, "text": text, **more}
    return Route(method=method, path=path, scope=scope, tag=tag, handler=handler, **given)


def words_of(work: Callable[..., Any]) -> tuple[str, str]:
    """The first line of a docstring, and the rest of it."""
    first, _, rest = inspect.cleandoc(work.__doc__ or "").partition("\n")
    return first.strip().rstrip("."), rest.strip()
