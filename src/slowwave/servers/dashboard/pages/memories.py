"""Memories: the list with its filters, and one of them with all that led to it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, get_args

from starlette.responses import Response

from slowwave.errors import AlreadyDecided, UsageError
from slowwave.model import Dream, Injection, Kind, Memory, Status, Version
from slowwave.servers.dashboard.pages import telling
from slowwave.servers.dashboard.pages.page import Page
from slowwave.servers.dashboard.pages.trouble import Trouble
from slowwave.servers.dashboard.showing import Part, differences
from slowwave.servers.dashboard.visit import Visit

__all__ = ["PAGES", "filtered"]

KINDS: tuple[Kind, ...] = get_args(Kind)
STATUSES: tuple[Status, ...] = get_args(Status)
CURRENT: tuple[Status, ...] = ("active", "candidate")
SUBJECTS = 30
"""As many are offered to choose from, those with most memories first."""
PROMPTS = 5


def listed(visit: Visit) -> Response:
    """`/memories`"""
    known = visit.memory.memories()
    found = filtered(visit, known)
    found.sort(key=_newest_first, reverse=True)
    paged = visit.paged(len(found))
    counts: dict[str, int] = {}
    for memory in known:
        counts[memory.subject] = counts.get(memory.subject, 0) + 1
    subjects = sorted(counts, key=lambda name: (-counts[name], name))[:SUBJECTS]
    return visit.page(
        "memories.html", memories=found[paged.start : paged.stop], paged=paged, kinds=KINDS,
        statuses=STATUSES, subjects=subjects, none=not known,
        asked={name: visit.asked(name) for name in ("kind", "status", "subject", "text", "pinned")},
    )  # fmt: skip


def _newest_first(memory: Memory) -> tuple[bool, float, str]:
    return memory.pinned, memory.last_seen.timestamp(), memory.id


def filtered(visit: Visit, known: Sequence[Memory]) -> list[Memory]:
    """The memories that the fields of the address leave; no status means what is current."""
    kind, status, subject = visit.asked("kind"), visit.asked("status"), visit.asked("subject")
    words = visit.asked("text").casefold().split()
    wanted = CURRENT if not status else (status,)

    def fits(memory: Memory) -> bool:
        text = f"{memory.text} {memory.title} {' '.join(memory.entities)}".casefold()
        return (
            (status == "all" or memory.status in wanted)
            and kind in ("", memory.kind)
            and (not subject or subject.casefold() == memory.subject.casefold())
            and (not visit.asked("pinned") or memory.pinned)
            and all(word in text for word in words)
        )

    return [memory for memory in known if fits(memory)]


class Step(NamedTuple):
    """One version of a memory: what the dream made of it, in which stage, and what differs."""

    version: Version
    dream: Dream | None
    stage: str
    route: str
    before: Sequence[Part]
    after: Sequence[Part]


def one(visit: Visit) -> Response:
    """`/memories/{id}`"""
    memory = visit.memory
    found = memory.why(visit.part("memory_id"))
    known = found.memory
    others = {one.id: one for one in memory.memories() if one.id in _named(known)}
    events = telling.voices(memory, known.evidence)
    prompts = [entry for entry in memory.injections(memory=known.id) if not entry.trial]
    return visit.page(
        "memory.html",
        memory=known,
        steps=[*_steps(visit, found.changes)][::-1],
        quotes=telling.quotes(known.evidence, events),
        conflicts=[others[one] for one in known.conflicts_with if one in others],
        heir=others.get(known.superseded_by or ""),
        prompts=prompts[:PROMPTS],
        prompts_more=max(0, len(prompts) - PROMPTS),
        wrong=_wrong(prompts, known.id),
        current=known.status in CURRENT,
    )


def _named(memory: Memory) -> set[str]:
    return {*memory.conflicts_with, memory.superseded_by or ""}


def _wrong(prompts: Sequence[Injection], memory_id: str) -> bool:
    """Whether a person said of it that it is wrong."""
    items = (item for entry in prompts for item in entry.items)
    return any(item.id == memory_id and item.verdict == "wrong" for item in items)


def _steps(visit: Visit, versions: Sequence[Version]) -> list[Step]:
    made = []
    dreams: dict[str, Dream] = {}
    text = None
    for version in versions:
        if version.dream_id not in dreams:
            dreams[version.dream_id] = visit.memory.dream_by_id(version.dream_id)
        dream = dreams[version.dream_id]
        change = next((one for one in dream.changes if one.id == version.change_id), None)
        now = version.memory.text
        old, new = differences(text, now) if text not in (None, now) else ((), (Part(now),))
        stage = telling.STAGES.get(version.op, version.op) if dream.by == "night" else dream.by
        made.append(Step(version, dream, stage, change.route if change else "", old, new))
        text = now
    return made


# --- by hand --------------------------------------------------------------------------------------


def changed(visit: Visit) -> Response:
    """`POST /memories/{id}`: one change by hand."""
    what = visit.sent("do")
    if what not in BY_HAND:
        raise UsageError(f"{what[:40]!r} is nothing that can be done to a memory", "use a button")
    known = visit.memory.why(visit.part("memory_id")).memory
    if visit.sent("version") not in ("", str(known.version)):
        error = AlreadyDecided(
            "this memory changed since the page was opened", "look at it as it stands now"
        )
        raise Trouble(error, f"/memories/{known.id}")
    done, way = BY_HAND[what](visit, known), visit.back(f"/memories/{known.id}")
    return visit.go(way, done=what, undo=done.dream_id)


def _plain(what: str) -> "Callable[[Visit, Memory], Dream]":
    def do(visit: Visit, memory: Memory) -> Dream:
        return visit.memory.by_hand(what, memory.id)  # type: ignore[arg-type] # one of BY_HAND

    return do


def _edit(visit: Visit, memory: Memory) -> Dream:
    return visit.memory.by_hand("edit", memory.id, text=visit.sent("text"))


def _weigh(visit: Visit, memory: Memory) -> Dream:
    weight = visit.whole(visit.sent("importance").strip(), 0, 100, -1)
    return visit.memory.by_hand("importance", memory.id, importance=weight)


BY_HAND: Mapping[str, Callable[[Visit, Memory], Dream]] = {
    "edit": _edit, "importance": _weigh,
    **{what: _plain(what) for what in ("pin", "unpin", "demote", "restore")},
}  # fmt: skip


PAGES = (
    Page("/memories", listed),
    Page("/memories/{memory_id}", one),
    Page("/memories/{memory_id}", changed, "review", "POST"),
)
