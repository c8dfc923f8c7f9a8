"""The injection ledger: what went into which prompt, and "this was wrong"."""

from starlette.responses import Response

from slowwave.errors import UsageError
from slowwave.servers.dashboard.pages import telling
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES"]


def ledger(visit: Visit) -> Response:
    """`/injections`"""
    memory, session = visit.asked("memory"), visit.asked("session")
    found = visit.memory.injections(memory=memory, session=session)
    paged = visit.paged(len(found))
    shown = found[paged.start : paged.stop]
    texts = visit.memory.item_texts([item.id for entry in shown for item in entry.items])
    return visit.page("injections.html", entries=shown, paged=paged, texts=texts, of=memory,
                      session=session)  # fmt: skip


def one(visit: Visit) -> Response:
    """`/injections/{id}`; `?item=`: where that one comes from."""
    memory = visit.memory
    entry = memory.injection(visit.part("injection_id"))
    texts = memory.item_texts([item.id for item in (*entry.items, *entry.passed)])
    asked = visit.asked("item")
    trail = memory.origin(entry.id, asked) if asked else None
    events = telling.voices(memory, trail.evidence) if trail is not None else {}
    return visit.page(
        "injection.html", entry=entry, texts=texts, trail=trail, asked=asked,
        quotes=telling.quotes(trail.evidence, events) if trail is not None else (),
    )  # fmt: skip


def judged(visit: Visit) -> Response:
    """`POST /injections/{id}`: it was wrong, and how it is; or it was right after all."""
    memory, entry = visit.memory, visit.part("injection_id")
    what, item = visit.sent("do"), visit.sent("item")
    way = f"/injections/{entry}"
    if what == "right":
        memory.right(entry, item)
        return visit.go(way, done="right")
    if what != "wrong":
        raise UsageError(f"{what[:40]!r} is no verdict", "use a button")
    apply = bool(visit.sent("apply"))
    done = memory.wrong(entry, visit.sent("right"), item, apply=apply)
    if done.correction is None:
        return visit.go(way, done="set_aside")
    way = f"/dreams/{done.correction.dream_id}"
    if apply:
        return visit.go(way, done="corrected", undo=done.correction.dream_id)
    return visit.go(way, done="correction_waits")


PAGES = (
    Page("/injections", ledger),
    Page("/injections/{injection_id}", one),
    Page("/injections/{injection_id}", judged, "review", "POST"),
)
