"""Errors as pages: what happened, why that may be, and what to do next."""

from http import HTTPStatus
from urllib.parse import urlsplit

from starlette.responses import Response

from slowwave.errors import AlreadyDecided, SlowwaveError, StalePlan
from slowwave.servers.dashboard import words
from slowwave.servers.dashboard.safety import inside
from slowwave.servers.dashboard.visit import Visit
from slowwave.servers.problems import NoToken, status_of

__all__ = ["Trouble", "trouble"]


class Trouble(SlowwaveError):
    """An error with a way on: another page than the one before."""

    def __init__(self, error: SlowwaveError, way: str, plan_again: str = "") -> None:
        super().__init__(error.message, error.hint)
        self.error, self.way, self.plan_again = error, way, plan_again


def trouble(visit: Visit, error: SlowwaveError) -> Response:
    """The page of an error; of one who is not known the way to the sign-in."""
    way, plan_again = _came_from(visit), ""
    if isinstance(error, Trouble):
        way, plan_again, error = error.way, error.plan_again, error.error
    if isinstance(error, NoToken):
        return visit.go("/login")
    status = status_of(error)
    kind = _kind(error, status)
    return visit.page(
        "trouble.html", status, kind=kind, code=status, way=way, plan_again=plan_again,
        message=error.message, hint=error.hint,
        phrase=HTTPStatus(status).phrase,
    )  # fmt: skip


def _came_from(visit: Visit) -> str:
    """The page of ours whose form was sent; else the first page."""
    if visit.request.method != "POST":
        return "/"
    try:
        came = urlsplit(visit.request.headers.get("referer", ""))
    except ValueError:
        return "/"
    if came.netloc != visit.request.headers.get("host"):
        return "/"
    return inside(f"{came.path}?{came.query}" if came.query else came.path)


def _kind(error: SlowwaveError, status: int) -> str:
    """Which words tell it."""
    if isinstance(error, StalePlan):
        return "stale"
    if isinstance(error, AlreadyDecided):
        return "decided"
    return str(status) if words.known(f"trouble.{status}_title") else "500"
