"""Which paths are open to everybody, and which are pages for people."""

OPEN = frozenset({"/healthz", "/login", "/favicon.ico"})
"""Paths that are open to everybody; and so is what pages are made of, below /static/."""

MACHINES = ("/v1/", "/mcp", "/metrics", "/openapi.json", "/healthz", "/static/")
"""Paths that are no pages for people."""


def public(path: str) -> bool:
    """Whether a path is open to everybody."""
    return path in OPEN or path.startswith("/static/")


def page(path: str) -> bool:
    """Whether a path is a page for people."""
    return not path.startswith(MACHINES)
