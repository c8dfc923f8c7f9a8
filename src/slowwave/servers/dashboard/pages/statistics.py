"""Numbers of a space as pictures, each with its table; and what the last days were about."""

from collections import OrderedDict
from hashlib import sha256
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from starlette.responses import Response

from slowwave.errors import NotFound
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.safety import PICTURE
from slowwave.servers.dashboard.visit import Visit

if TYPE_CHECKING:
    from slowwave.dream.topics.week import Topics
    from slowwave.pictures import PictureName, Theme
    from slowwave.stats import Stats

__all__ = ["PAGES", "Drawings"]

NAMES: "tuple[PictureName, ...]" = ("kinds", "growth", "compression", "forgetting", "nights")
THEMES: "tuple[Theme, ...]" = ("light", "dark")
ROWS = 31
"""Of each table, the newest."""
DAYS = (7, 30)
FOR_EVER = "private, max-age=31536000, immutable"
KEPT = 64


class Subject(NamedTuple):
    """What pictures are drawn of."""

    stats: "Stats"
    topics: "Topics | None"

    @property
    def mark(self) -> str:
        """A hash of all of it: the same numbers are the same pictures."""
        return sha256(msgspec.json.encode((self.stats, self.topics))).hexdigest()[:16]


class Drawings:
    """What was drawn lately, so that a page does not reckon and draw again. Safe from threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._subjects: OrderedDict[tuple[str, str], Subject] = OrderedDict()
        self._drawn: OrderedDict[tuple[str, ...], str] = OrderedDict()

    def keep(self, space: str, subject: Subject) -> str:
        """Takes numbers for which pictures will be asked; returns their mark."""
        with self._lock:
            self._subjects[space, subject.mark] = subject
            while len(self._subjects) > KEPT:
                self._subjects.popitem(last=False)
        return subject.mark

    def subject(self, space: str, mark: str) -> Subject | None:
        """Numbers that were taken in."""
        with self._lock:
            return self._subjects.get((space, mark))

    def drawn(self, key: tuple[str, ...], made: str = "") -> str:
        """A picture that was drawn; or keeps the one that was `made`."""
        with self._lock:
            if made:
                self._drawn[key] = made
                while len(self._drawn) > KEPT:
                    self._drawn.popitem(last=False)
            return self._drawn.get(key, "")


DRAWINGS = Drawings()
"""Of this process: the key of each names its space and its numbers."""


def page(visit: Visit) -> Response:
    """`/statistics`"""
    memory = visit.memory
    stats = memory.stats()
    return visit.page(
        "statistics.html", stats=stats, rows=ROWS, names=NAMES, days=DAYS,
        mark=DRAWINGS.keep(memory.space, Subject(stats, None)), pictures=_drawable(),
    )  # fmt: skip


def topics(visit: Visit) -> Response:
    """`/statistics/topics`: what the last days of the log are about (P13)."""
    memory = visit.memory
    days = visit.whole(visit.asked("days"), 1, 366, DAYS[0])
    found = memory.topics(days)
    return visit.page(
        "topics.html", topics=found, days=days, choices=DAYS, pictures=_drawable(),
        mark=DRAWINGS.keep(memory.space, Subject(memory.stats(), found)),
    )  # fmt: skip


def _drawable() -> bool:
    """Whether pictures can be drawn here: that needs the extra [plots]."""
    return all(find_spec(name) for name in ("altair", "vl_convert"))


def picture(visit: Visit) -> Response:
    """`/statistics/{name}.svg`: one picture, in a theme and a language."""
    name = next((one for one in (*NAMES, "topics") if one == visit.part("name")), None)
    theme = next((one for one in THEMES if one == visit.asked("theme", "light")), None)
    if name is None or theme is None:
        raise NotFound("there is no such picture", "the statistics show those there are")
    memory, mark = visit.memory, visit.asked("v")
    subject = DRAWINGS.subject(memory.space, mark)
    kept = FOR_EVER if subject is not None else "no-store"
    if subject is None:
        subject = Subject(memory.stats(), memory.topics(DAYS[0]) if name == "topics" else None)
    key = (memory.space, subject.mark, name, theme, visit.language)
    made = DRAWINGS.drawn(key)
    if not made:
        from slowwave import pictures  # noqa: PLC0415 - the drawing libraries are an extra

        made = DRAWINGS.drawn(
            key,
            pictures.svg(name, subject.stats, subject.topics, language=visit.language, theme=theme),
        )
    headers = {"cache-control": kept, "content-security-policy": PICTURE}
    return Response(made.encode(), media_type="image/svg+xml", headers=headers)


PAGES = (
    Page("/statistics", page),
    Page("/statistics/topics", topics),
    Page("/statistics/{name}.svg", picture),
)
