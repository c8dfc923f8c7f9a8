"""Pages for people: rendered on the server, and whole without a script.

    site.py      the pages as one application      visit.py     one request: who, which space, words
    safety.py    CSRF, headers, where to go next   words.py     the two languages (words.toml)
    showing.py   dates, numbers, differences       assets.py    style, script, icon
    jobs.py      dreams that a person started      reasons.py   what dreams say, in Chinese
    pages/       one file for each kind of page    templates/, static/

Everything that comes out of the journal is data: escaped, and apart from the page's own text.
"""

from fastapi import FastAPI
from starlette.routing import Match, Mount
from starlette.types import Scope

from slowwave.servers.dashboard.site import application

OTHERS = ("/v1", "/mcp", "/metrics", "/openapi.json", "/healthz")
"""What below the root is no page."""


class Pages(Mount):
    """All paths but those of the other doors, so that their errors stay theirs."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a path is one of these."""
        path = scope.get("path", "")
        if any(path == other or path.startswith(f"{other}/") for other in OTHERS):
            return Match.NONE, {}
        return super().matches(scope)


def install(app: FastAPI) -> None:
    """Adds the pages."""
    app.router.routes.append(Pages("/", app=application(app.state.doors)))
