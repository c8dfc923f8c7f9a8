"""What a page is: a path, who may see it, and what it shows."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from starlette.responses import Response

from slowwave.servers.access import Scope
from slowwave.servers.dashboard.visit import Visit

__all__ = ["Page"]


class Page(NamedTuple):
    """One route; `scope` None: everybody's."""

    path: str
    show: Callable[[Visit], Response]
    scope: Scope | None = "read"
    method: Literal["GET", "POST"] = "GET"
