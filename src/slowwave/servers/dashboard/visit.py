"""One request for a page: who asks, in which language, of which space; and how it is answered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from functools import cached_property, partial
from secrets import token_urlsafe
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.servers.access import Grant, Scope
from slowwave.servers.counting import Attempts
from slowwave.servers.dashboard import showing, words
from slowwave.servers.dashboard.jobs import Jobs
from slowwave.servers.dashboard.safety import CSRF_COOKIE, Seal, inside
from slowwave.servers.dashboard.words import LANGUAGES, Language
from slowwave.servers.doors import Doors
from slowwave.servers.room import enter, grant_of
from slowwave.servers.sessions import COOKIE
from slowwave.settings import zone_of

__all__ = ["LANGUAGE_COOKIE", "SPACE_COOKIE", "Paged", "Shared", "Visit"]

LANGUAGE_COOKIE = "slowwave_language"
SPACE_COOKIE = "slowwave_space"
YEAR = 365 * 24 * 3600
A_PAGE = 50
LONGEST = 4_000
"""Characters of a field that is searched by; more is cut."""


@dataclass(frozen=True)
class Shared:
    """What all requests share."""

    doors: Doors
    templates: Environment
    jobs: Jobs
    attempts: Attempts
    """To sign in."""
    seal: Seal = field(default_factory=Seal)


class Paged(NamedTuple):
    """Which part of a list is shown: pages count from 1."""

    page: int
    pages: int
    start: int
    stop: int
    total: int


class Visit:
    """One request."""

    def __init__(self, shared: Shared, request: Request) -> None:
        self.shared, self.request = shared, request
        self.grant: Grant | None = grant_of(request)
        self.form: Mapping[str, str] = {}
        self._memory: SlowMemory | None = None
        self._cookies: list[Callable[[Response], None]] = []

    # --- who and where ----------------------------------------------------------------------------

    def enter(self, scope: Scope) -> None:
        """Opens the space that is asked for. Raises NoToken, NotAllowed, UsageError."""
        asked = self.request.query_params.get("space", "")
        chosen = self.request.cookies.get(SPACE_COOKIE, "")
        if not asked and self.grant is not None and chosen in self.spaces:
            asked = chosen
        self._memory = enter(self.shared.doors.spaces, self.grant, scope, asked).memory

    @property
    def memory(self) -> SlowMemory:
        """The memory of the space that was entered."""
        assert self._memory is not None
        return self._memory

    @property
    def inside(self) -> bool:
        """Whether a space was entered: pages of nobody's (sign-in, errors) have none."""
        return self._memory is not None

    @cached_property
    def spaces(self) -> list[str]:
        """The spaces that whoever asks may see, in order."""
        if self.grant is None:
            return []
        spaces = self.shared.doors.spaces
        return sorted(name for name in {spaces.default, *spaces.names(), *self.grant.spaces}
                      if self.grant.sees(name))  # fmt: skip

    def may(self, scope: Scope) -> bool:
        """Whether whoever asks has this scope."""
        return self.grant is not None and self.grant.may(scope)

    @cached_property
    def zone(self) -> tzinfo:
        """The user's zone."""
        return zone_of(self.shared.doors.settings.tz)

    @property
    def here(self) -> str:
        """This page, with what it was asked."""
        query = self.request.url.query
        return f"{self.request.url.path}?{query}" if query else self.request.url.path

    # --- language ---------------------------------------------------------------------------------

    @cached_property
    def language(self) -> Language:
        """Asked for, else chosen before, else what the browser prefers."""
        for given in (
            self.request.query_params.get("lang"), self.request.cookies.get(LANGUAGE_COOKIE)
        ):  # fmt: skip
            for known in LANGUAGES:
                if given == known:
                    return known
        return words.accepted(self.request.headers.get("accept-language", ""))

    @property
    def tag(self) -> str:
        """The page's own language, for `lang`."""
        return "zh-Hans" if self.language == "zh" else "en"

    def t(self, key: str, n: float | None = None, **values: object) -> str:
        """What the page says; `n` is a number that is shown, and chooses between one and many."""
        shown = {name: self.shown(value) for name, value in values.items()}
        if n is not None:
            shown["n"] = self.shown(n)
        return words.say(key, self.language, shown, None if n is None else int(n))

    def name(self, group: str, value: str) -> str:
        """A kind, a status … as people read it; what has no name is shown as it is."""
        key = f"{group}.{value}"
        return self.t(key) if words.known(key) else value.replace("_", " ")

    def shown(self, value: object) -> str:
        """A value as this language writes it."""
        if isinstance(value, bool | str):
            return str(value)
        if isinstance(value, datetime):
            return self.minute(value)
        if isinstance(value, date):
            return self.day(value)
        return showing.number(value) if isinstance(value, int | float) else str(value)

    def minute(self, when: datetime) -> str:
        """A moment, by the user's clock."""
        return showing.minute(when.astimezone(self.zone), self.language)

    def day(self, when: date | datetime | str, *, week: bool = False) -> str:
        """A day; of a text that names one (ISO, or a word as `all`) that one."""
        if isinstance(when, str):
            named = showing.day_in(when)
            return self.name("day", when) if named is None else self.day(named, week=week)
        if isinstance(when, datetime):
            when = when.astimezone(self.zone).date()
        return showing.day(when, self.language, week=week)

    @staticmethod
    def is_day(when: str) -> bool:
        """Whether a dream's date is one day."""
        return when[:4].isdigit()

    def month(self, when: str) -> str:
        """A month given as `2026-11`."""
        return showing.month(when, self.language)

    def iso(self, when: datetime) -> str:
        """A moment for machines."""
        return when.astimezone(self.zone).isoformat(timespec="seconds")

    def who(self, subject: str) -> str:
        """Whom something is about."""
        return self.name("subject", subject)

    # --- what was sent ----------------------------------------------------------------------------

    def asked(self, name: str, otherwise: str = "") -> str:
        """A field of the address."""
        return self.request.query_params.get(name, otherwise)[:LONGEST].strip()

    def part(self, name: str) -> str:
        """A part of the path."""
        return str(self.request.path_params[name])

    def sent(self, name: str, otherwise: str = "") -> str:
        """A field of the form."""
        return self.form.get(name, otherwise)

    def whole(self, text: str, least: int, most: int, otherwise: int) -> int:
        """A number that was written, within bounds; else another one."""
        if not text.isascii() or not text.isdigit() or len(text) > 9:
            return otherwise
        return min(max(int(text), least), most)

    def date_asked(self, name: str) -> date | None:
        """A day that was written as 2026-11-30. Raises UsageError for what is none."""
        given = self.asked(name)
        if not given:
            return None
        try:
            return date.fromisoformat(given)
        except ValueError as error:
            hint = "write it as 2026-11-30"
            raise UsageError(f"{given[:40]!r} is no day", hint) from error

    def paged(self, total: int, size: int = A_PAGE, page: int | None = None) -> Paged:
        """The part of a list that is asked for, or this `page` of it."""
        pages = max(1, -(-total // size))
        if page is None:
            page = self.whole(self.asked("page"), 1, pages, 1)
        start = (page - 1) * size
        return Paged(page, pages, start, min(total, start + size), total)

    def with_asked(self, **changes: str) -> str:
        """The address of this page with other fields; an empty one is left out."""
        fields = {name: value for name, value in self.request.query_params.items()
                  if name not in ("done", "undo", "change", *changes)}  # fmt: skip
        fields |= {name: value for name, value in changes.items() if value}
        query = urlencode(fields, errors="replace")
        return f"{self.request.url.path}?{query}" if query else self.request.url.path

    # --- the answer -------------------------------------------------------------------------------

    def page(self, template: str, status: int = 200, **data: object) -> Response:
        """A rendered page."""
        given = {"v": self, "t": self.t, **data}
        text = self.shared.templates.get_template(template).render(given)
        return HTMLResponse(text.encode("utf-8", "replace"), status)

    def go(self, way: str, done: str = "", undo: str = "", at: str = "") -> Response:
        """After a form: on to a page, which tells what was `done` and offers to undo it."""
        parts = urlsplit(inside(way))
        told = urlencode({name: value for name, value in (("done", done), ("undo", undo)) if value})
        query = "&".join(part for part in (_plain(parts.query), told) if part)
        where = f"{parts.path}{f'?{query}' if query else ''}{f'#{at}' if at else ''}"
        return RedirectResponse(where, 303)

    def back(self, otherwise: str) -> str:
        """Where a form was sent from, as it told itself."""
        return inside(self.sent("next"), otherwise)

    def cookie(self, name: str, value: str, lasts: int = YEAR) -> None:
        """Sets a cookie with the answer; without a value takes it away."""
        self._cookies.append(
            partial(
                Response.set_cookie, key=name, value=value, max_age=lasts if value else 0, path="/",
                secure=self.request.url.scheme == "https", httponly=True, samesite="strict",
            )
        )  # fmt: skip

    def stamp(self, response: Response) -> None:
        """Puts the cookies of this visit on its answer."""
        for put in self._cookies:
            put(response)

    @property
    def form_token(self) -> str:
        """What proves that a form came from a page of ours."""
        return self.shared.seal.token(self._form_cookie, self._session)

    def ours(self) -> bool:
        """Whether the form that was sent was on a page of ours, in this browser."""
        token = self.form.get("form_token", "")
        return self.shared.seal.holds(
            token, self.request.cookies.get(CSRF_COOKIE, ""), self._session
        )

    @cached_property
    def _form_cookie(self) -> str:
        """The browser's own random mark; made with the first page that has a form."""
        known = self.request.cookies.get(CSRF_COOKIE, "")
        if known:
            return known
        made = token_urlsafe(24)
        self.cookie(CSRF_COOKIE, made)
        return made

    @property
    def _session(self) -> str:
        return self.request.cookies.get(COOKIE, "")


def _plain(query: str) -> str:
    """A query without what an earlier answer told."""
    told = ("done=", "undo=")
    return "&".join(part for part in query.split("&") if part and not part.startswith(told))
