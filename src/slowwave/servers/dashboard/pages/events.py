"""One line of the log, with what was said before and after it."""

from starlette.responses import Response

from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.showing import marked
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]

AROUND, MOST_AROUND = 4, 40


def one(visit: Visit) -> Response:
    """`/events/{id}`: all that memories quote of it is marked."""
    memory = visit.memory
    around = visit.whole(visit.asked("around"), 0, MOST_AROUND, AROUND)
    found = memory.surroundings(visit.part("event_id"), around)
    event = found.line.event
    resting = memory.resting_on(event.id)
    asked = visit.asked("memory")
    spans = [
        (span.start, span.end)
        for known in resting
        for span in known.evidence
        if span.event_id == event.id and asked in ("", known.id)
    ]
    return visit.page(
        "event.html", found=found, event=event, parts_of=marked(event.text, spans), resting=resting,
        around=around, more=min(around * 3 or AROUND, MOST_AROUND),
    )  # fmt: skip


PAGES = (Page("/events/{event_id}", one),)
