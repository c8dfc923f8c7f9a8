"""What cannot hold together: both sides, with their words, for a person to settle."""

from starlette.responses import Response

from slowwave.servers.dashboard.pages import telling
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]


def inbox(visit: Visit) -> Response:
    """`/conflicts`"""
    found = visit.memory.conflicts()
    paged = visit.paged(len(found), 20)
    groups = found[paged.start : paged.stop]
    spans = [span for group in groups for memory in group for span in memory.evidence]
    events = telling.voices(visit.memory, spans)
    sides = [
        [(memory, telling.quotes(memory.evidence, events)) for memory in group] for group in groups
    ]
    return visit.page("conflicts.html", groups=sides, paged=paged)


def settle(visit: Visit) -> Response:
    """`POST /conflicts/{id}`: one side stays, the others give way to it."""
    done = visit.memory.resolve(visit.part("memory_id"), visit.sent("keep"))
    return visit.go("/conflicts", done="resolved", undo=done.dream_id)


PAGES = (Page("/conflicts", inbox), Page("/conflicts/{memory_id}", settle, "review", "POST"))
