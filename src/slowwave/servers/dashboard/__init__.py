"""Pages for people: rendered on the server, and whole without a script."""

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    """Adds the pages."""
    del app
