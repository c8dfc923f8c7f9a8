"""Signing in and out, and choosing a space."""

from starlette.responses import Response

from slowwave.servers.access import grant_of
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.safety import inside
from slowwave.servers.dashboard.visit import SPACE_COOKIE, Visit
from slowwave.servers.guard import address_of
from slowwave.servers.problems import NotAllowed, Refused
from slowwave.servers.sessions import COOKIE, LASTS

__all__ = ["PAGES"]

LONGEST_TOKEN = 500


def sign_in(visit: Visit) -> Response:
    """`/login`: for who is known already there is nothing to do."""
    way = inside(visit.asked("next"))
    if visit.grant is not None:
        return visit.go(way)
    return visit.page("login.html", next=way, wrong=False)


def signed_in(visit: Visit) -> Response:
    """`POST /login`: a token for a session."""
    way, token = visit.back("/"), visit.sent("token").strip()[:LONGEST_TOKEN]
    doors = visit.shared.doors
    if not doors.keys.needed():
        return visit.go(way)
    attempts, address = visit.shared.attempts, address_of(visit.request.scope)
    too_many = Refused(429, "too many wrong tokens", "wait a minute")
    if attempts.barred(address, token):
        raise too_many
    if grant_of(token, doors.keys.known()) is None:
        if not attempts.wrong(address):
            raise too_many
        return visit.page("login.html", 401, next=way, wrong=True)
    doors.sessions.end(visit.request.cookies.get(COOKIE, ""))
    visit.cookie(COOKIE, doors.sessions.begin(token), round(LASTS))
    return visit.go(way)


def sign_out(visit: Visit) -> Response:
    """`POST /logout`"""
    visit.shared.doors.sessions.end(visit.request.cookies.get(COOKIE, ""))
    visit.cookie(COOKIE, "")
    visit.cookie(SPACE_COOKIE, "")
    return visit.go("/login")


def choose(visit: Visit) -> Response:
    """`POST /space`: another memory, one that whoever asks may see."""
    name = visit.sent("space")
    if name not in visit.spaces:
        raise NotAllowed("this token does not see that space")
    visit.cookie(SPACE_COOKIE, name)
    return visit.go("/")


PAGES = (
    Page("/login", sign_in, None),
    Page("/login", signed_in, None, "POST"),
    Page("/logout", sign_out, None, "POST"),
    Page("/space", choose, "read", "POST"),
)
