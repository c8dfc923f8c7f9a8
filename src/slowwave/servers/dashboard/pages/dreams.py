"""Dreams: the list, and one of them as a change that is read before it counts."""

from collections.abc import Sequence

from starlette.responses import Response

from slowwave.model import Change, Dream
from slowwave.servers.dashboard.pages import telling
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["CHANGES_A_PAGE", "PAGES", "WAITING", "ordered"]

CHANGES_A_PAGE = 40
LEFT_OUT = 200
"""Texts that were left out of a night, as many as are shown."""
WAITING = ("planned", "approved", "refused")
"""A person may still choose."""
MAKERS = ("night", "turn", "person", "rollback", "refinement")


def listed(visit: Visit) -> Response:
    """`/dreams`"""
    memory = visit.memory
    known = memory.undecided() if visit.asked("waiting") else memory.dreams()
    by = visit.asked("by")
    if by in MAKERS:
        known = [head for head in known if head.by == by]
    paged = visit.paged(len(known))
    return visit.page(
        "dreams.html", dreams=known[paged.start : paged.stop], paged=paged, by=by, makers=MAKERS,
        waiting=bool(visit.asked("waiting")), job=visit.shared.jobs.of(memory.space),
        today=memory.now().date(),
    )  # fmt: skip


def ordered(dream: Dream) -> list[Change]:
    """The changes in the order they are read in: by kind, as everywhere."""
    return sorted(dream.changes, key=lambda change: change.after.kind)


def one(visit: Visit) -> Response:
    """`/dreams/{id}`; `?change=`: the page of it that has this one."""
    memory = visit.memory
    dream = memory.dream_by_id(visit.part("dream_id"))
    changes = ordered(dream)
    asked = visit.asked("change")
    at = next((place for place, one in enumerate(changes) if one.id == asked), None)
    page = None if at is None else at // CHANGES_A_PAGE + 1
    paged = visit.paged(len(changes), CHANGES_A_PAGE, page)
    shown = changes[paged.start : paged.stop]
    spans = [span for change in shown for span in change.quotes]
    events = telling.voices(memory, spans)
    marks = [change.approved for change in changes]
    return visit.page(
        "dream.html",
        dream=dream,
        outcome=telling.outcome(dream),
        told=[telling.told(change, events, dream.by) for change in shown],
        paged=paged,
        waits=dream.status in WAITING and dream.mode != "dry_run",
        approved=marks.count(True),
        rejected=marks.count(False),
        undecided=marks.count(None),
        rejections=dream.rejections[:LEFT_OUT],
        beside=_beside(visit, dream),
        diary=dream.diary.text if dream.diary else "",
        there=_there(visit, shown),
    )


def _there(visit: Visit, changes: Sequence[Change]) -> set[str]:
    """The memories of these changes that are there: what is only planned is not."""
    ids = {change.memory_id for change in changes}
    ids |= {change.after.superseded_by for change in changes if change.after.superseded_by}
    return set(visit.memory.item_texts(sorted(ids)))


def _beside(visit: Visit, dream: Dream) -> Sequence[tuple[str, str]]:
    """Of a day that was read again: what was found as it is, and what stays all the same."""
    if not dream.refined:
        return ()
    ids = (*dream.refined.same, *dream.refined.kept)
    return list(visit.memory.item_texts(ids).items()) if ids else ()


PAGES = (Page("/dreams", listed), Page("/dreams/{dream_id}", one))
