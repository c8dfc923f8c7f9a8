"""The memory that a request may use: its space, where its token sees it and has the scope."""

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, NamedTuple, ParamSpec, TypeVar

from fastapi import Request
from starlette.concurrency import run_in_threadpool

from slowwave.memory import SlowMemory
from slowwave.servers.access import Grant, Scope
from slowwave.servers.problems import NotAllowed, NoToken
from slowwave.settings import space_name
from slowwave.spaces import Spaces

SPACE_HEADER = "x-slowwave-space"

P = ParamSpec("P")
T = TypeVar("T")


class Room(NamedTuple):
    """One space's memory, and who stands in it."""

    memory: SlowMemory
    grant: Grant


def enter(spaces: Spaces, grant: Grant | None, scope: Scope, space: str = "") -> Room:
    """The room of a space ("": the token's own, else the default one).

    Raises NoToken without a grant, NotAllowed where the token does not reach, UsageError for a name
    that is none.
    """
    if grant is None:
        raise NoToken
    if not grant.may(scope):
        raise NotAllowed(f"this token may not {scope}")
    own = grant.spaces[0] if grant.spaces else spaces.default
    name = space_name(space or own)
    if not grant.sees(name):
        # Whether there is such a space is none of the caller's business.
        raise NotAllowed("this token does not see that space")
    return Room(spaces.memory(name), grant)


def grant_of(request: Request) -> Grant | None:
    """Who came in, as the guard found."""
    found = getattr(request.state, "grant", None)
    return found if isinstance(found, Grant) else None


def asked_space(request: Request) -> str:
    """The space that a request names, by `?space=` or its header; empty for none."""
    return request.query_params.get("space") or request.headers.get(SPACE_HEADER, "")


async def beside(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs what blocks on a thread: the memory is synchronous, the server is not."""
    call: Callable[[], Coroutine[Any, Any, T]] = partial(run_in_threadpool, work, *args, **kwargs)
    return await call()
