"""Which paths are open to everybody, and which are pages for people."""

import re

OPEN = frozenset({"/healthz", "/login", "/favicon.ico"})
"""Paths that are open to everybody; and so is what pages are made of, below /static/."""

MACHINES = ("/v1/", "/mcp", "/metrics", "/openapi.json", "/healthz", "/static/")
"""Paths that are no pages for people."""

_ASSET = re.compile(r"/static/[A-Za-z0-9_-][A-Za-z0-9._-]*")
"""One file, in no folder: whatever a router behind makes of dots and slashes, it finds no other."""


def public(path: str) -> bool:
    """Whether a path is open to everybody."""
    return path in OPEN or _ASSET.fullmatch(path) is not None


def page(path: str) -> bool:
    """Whether a path is a page for people."""
    return not path.startswith(MACHINES)
