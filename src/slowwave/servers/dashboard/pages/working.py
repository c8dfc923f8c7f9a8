"""Working memory: what must be remembered to go on working."""

from starlette.responses import Response

from slowwave.errors import UsageError
from slowwave.model import WorkItem
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]

DONE_SHOWN = 30


def board(visit: Visit) -> Response:
    """`/working`"""
    items = visit.memory.working()

    def those(state: str) -> list[WorkItem]:
        found = [item for item in items if item.state == state]
        return sorted(found, key=lambda item: (item.due or "9999", -item.touched.timestamp()))

    done = sorted(those("done"), key=lambda item: item.touched, reverse=True)
    return visit.page(
        "working.html", open=those("open"), stalled=those("stalled"), done=done[:DONE_SHOWN],
        done_more=max(0, len(done) - DONE_SHOWN), today=visit.memory.now().date().isoformat(),
    )  # fmt: skip


def add(visit: Visit) -> Response:
    """`POST /working`"""
    visit.memory.working_add(visit.sent("text"))
    return visit.go("/working", done="work_added")


def mark(visit: Visit) -> Response:
    """`POST /working/{id}`"""
    item, state = visit.part("item_id"), visit.sent("state")
    if state == "open":
        visit.memory.working_mark(item, "open")
    elif state == "done":
        visit.memory.working_mark(item, "done")
    elif state == "stalled":
        visit.memory.working_mark(item, "stalled")
    else:
        raise UsageError(f"{state[:40]!r} is no state of an item", "use a button")
    return visit.go("/working", done=f"work_{state}")


PAGES = (
    Page("/working", board),
    Page("/working", add, "review", "POST"),
    Page("/working/{item_id}", mark, "review", "POST"),
)
