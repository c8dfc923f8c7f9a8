"""The pages, one file for each kind of thing they show."""

from slowwave.servers.dashboard.pages import (
    conflicts,
    deciding,
    dreams,
    entrance,
    events,
    forgetting,
    injections,
    memories,
    search,
    statistics,
    timeline,
    tonight,
    working,
)
from slowwave.servers.dashboard.pages.page import Page

__all__ = ["ALL"]

ALL: tuple[Page, ...] = (
    *tonight.PAGES, *deciding.PAGES, *dreams.PAGES, *memories.PAGES, *forgetting.PAGES,
    *events.PAGES, *timeline.PAGES, *search.PAGES, *conflicts.PAGES, *injections.PAGES,
    *working.PAGES, *statistics.PAGES, *entrance.PAGES,
)  # fmt: skip
