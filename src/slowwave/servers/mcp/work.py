"""What each tool does with a memory. Synchronous: `server` calls it on a thread."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from slowwave.errors import NotFound, UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Change, Dream, Event, Record
from slowwave.ports import Progress
from slowwave.servers.mcp import told, tools
from slowwave.text.moment import moment

SOURCE = "mcp"
LISTED = 60
"""Of what would be erased, so many are told one by one."""


def unseen(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody looks at."""


class Ask(NamedTuple):
    """Something that only a person decides: what would happen, and the mark of exactly that."""

    what: str
    mark: str


Answer = str | Ask
Work = Callable[[SlowMemory, Any, Progress], Answer]


def search(memory: SlowMemory, asked: tools.Search, progress: Progress) -> str:
    """The hits, a line each."""
    del progress
    options = {name: value for name in ("k", "scope", "kind", "subject", "session")
               if (value := getattr(asked, name))}  # fmt: skip
    for name, ends in (("since", False), ("until", True), ("as_of", True)):
        if given := getattr(asked, name):
            options[name] = moment(given, memory.now().tzinfo, end_of_day=ends)
    return told.hits(memory.recall(memory.query(asked.query, caller="agent", **options)))


def get(memory: SlowMemory, asked: tools.Get, progress: Progress) -> str:
    """A memory with its exact words, or an event."""
    del progress
    try:
        found = memory.why(asked.id)
    except NotFound:
        events = memory.events([asked.id])
        if asked.id not in events:
            raise
        return told.event(events[asked.id])
    voices = memory.events([span.event_id for span in found.evidence])
    return told.memory(found.memory, found.changes if asked.history else (), voices)


def log(memory: SlowMemory, asked: tools.Log, progress: Progress) -> str:
    """Appends one event."""
    del progress
    ts = moment(asked.ts, memory.now().tzinfo, end_of_day=False) if asked.ts else None
    return _logged(memory, Record(
        text=asked.text, source=SOURCE, key=asked.ref, ref=asked.ref, ts=ts, role=asked.role,
        kind=asked.kind, session=asked.session, speaker=asked.speaker, channel=asked.channel,
    ))  # fmt: skip


def remember(memory: SlowMemory, asked: tools.Remember, progress: Progress) -> str:
    """Keeps what the user asked to remember (O2, N18); an agent's own words are a note."""
    del progress
    mine = asked.said_by == "agent"
    return _logged(memory, Record(
        text=asked.text, source=SOURCE, role="assistant" if mine else "user",
        kind="note" if mine else "seed", session=asked.session,
    ))  # fmt: skip


def _logged(memory: SlowMemory, record: Record) -> str:
    taken = memory.log([record])
    if taken.skipped:
        raise UsageError(f"not kept: {taken.skipped[0].reason}", "correct it and send it again")
    return f"Kept as {taken.ids[0].id}." if taken.ids else "It was kept before."


def forget(memory: SlowMemory, asked: tools.Forget, progress: Progress) -> Answer:
    """What would go; and where `confirm` is the mark of exactly that, does it."""
    del progress
    if bool(asked.id.strip()) == bool(asked.match.strip()):
        raise UsageError("name one thing to forget", "give id, or match")
    plan = memory.forget_plan(asked.id, asked.match)
    if plan.empty:
        raise NotFound("nothing is kept that holds this", "try fewer words of it")
    going = [("memory", one.id, one.text) for one in (*plan.memories, *plan.also)]
    going += [("event", one.id, one.text + (f" → {one.remains}" if one.remains else ""))
              for one in plan.events]  # fmt: skip
    going += [(one.where, one.id, one.text) for one in plan.others]
    mark = sha256(msgspec.json.encode(sorted(going))).hexdigest()
    if asked.confirm != mark:
        return Ask(_question(going), mark)
    done = memory.forget(plan)
    return f"Forgotten. Receipt {done.receipt.id}; `slowwave forget --verify` checks it."


def _question(going: Sequence[tuple[str, str, str]]) -> str:
    """What a person is asked about: what would go, the first of it word by word."""
    lines = [f"{where} {ident}: {told.clip(text)}" for where, ident, text in going[:LISTED]]
    if len(going) > LISTED:
        lines.append(f"… and {len(going) - LISTED} more: {len(going)} in all")
    return "This would be erased for good, everywhere:\n" + "\n".join(lines)


def context(memory: SlowMemory, asked: tools.Context, progress: Progress) -> str:
    """The block for a system prompt; empty where nothing is relevant."""
    del progress
    return memory.context(asked.query, asked.budget, asked.session).text


def dream_run(memory: SlowMemory, asked: tools.DreamRun, progress: Progress) -> str:
    """Plans a dream, or makes it."""
    made = memory.dream(asked.date, apply=asked.apply, progress=progress)
    hint = "" if made.status == "applied" else f"\ndream_review shows it: id {made.dream_id}"
    return told.summary(made) + hint


def dream_review(memory: SlowMemory, asked: tools.DreamReview, progress: Progress) -> str:
    """Shows a dream, or decides on it."""
    if asked.do == "rollback" and asked.only:
        raise UsageError("a dream is undone as a whole", "leave out only")
    deeds: Mapping[str, Callable[[], Dream]] = {
        "show": lambda: memory.dream_by_id(asked.id),
        "approve": lambda: memory.approve(asked.id, asked.only),
        "reject": lambda: memory.reject(asked.id, asked.only),
        "apply": lambda: memory.apply(_id(memory, asked.id), asked.only, progress),
        "rollback": lambda: memory.rollback(asked.id),
    }
    made = deeds[asked.do]()
    if asked.do != "show":
        return told.summary(made)
    wanted = tuple(one for one in made.changes if not asked.only or one.id in asked.only)
    part = msgspec.structs.replace(made, changes=wanted)
    return told.dream(part, _voices(memory, wanted))


def _id(memory: SlowMemory, given: str) -> str:
    return memory.dream_by_id(given).dream_id


def _voices(memory: SlowMemory, changes: tuple[Change, ...]) -> dict[str, Event]:
    spans = [span for change in changes for span in change.quotes]
    return memory.events(sorted({span.event_id for span in spans}))


WORK: Mapping[str, Work] = {
    "memory_search": search,
    "memory_get": get,
    "memory_context": context,
    "memory_log": log,
    "memory_remember": remember,
    "memory_forget": forget,
    "dream_run": dream_run,
    "dream_review": dream_review,
}
"""What each tool of `tools.TOOLS` does."""
