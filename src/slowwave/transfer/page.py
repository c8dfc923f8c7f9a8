"""The lines of an export in a Markdown page: people read the page, `import` reads the lines."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from itertools import groupby

from slowwave import journal
from slowwave.model import USER, Event, Memory, day_of
from slowwave.ports import Store
from slowwave.text.comment_lines import hidden
from slowwave.transfer.send import Sent

__all__ = ["page"]

STATUSES = ("active", "candidate", "cold", "quarantined", "retired")
"""In which order memories are shown."""


def page(store: Store, space: str, sent: Sent, zone: tzinfo) -> Iterator[bytes]:
    """The page, a line at a time: what is believed with its words, the journal by day, the data.

    Nothing that anybody said stands at the beginning of a line, so nothing passes for data.
    """
    header = sent.header
    lines = iter(sent.lines)
    yield f"# Slowwave: the space {_flat(space)}".encode()
    yield b""
    yield hidden(next(lines))
    yield b""
    yield (
        f"{header.memories} memories, {header.dreams} dreams, {header.events} events; exported "
        f"{header.exported_at:%Y-%m-%d %H:%M}. `slowwave import` reads this file back.".encode()
    )
    known = [memory for memory in store.memories(space) if not memory.undone]
    yield from _memories(known, zone)
    yield from _journal(store, space, zone)
    yield b""
    yield b"## Data"
    yield b""
    yield from (hidden(line) for line in lines)


def _memories(known: Sequence[Memory], zone: tzinfo) -> Iterator[bytes]:
    order = {status: place for place, status in enumerate(STATUSES)}
    known = sorted(known, key=lambda one: (order[one.status], one.kind, one.first_seen, one.id))
    for status, group in groupby(known, key=lambda one: one.status):
        yield b""
        yield f"## Memories: {status}".encode()
        for kind, of_kind in groupby(group, key=lambda one: one.kind):
            yield b""
            yield f"### {kind}".encode()
            yield b""
            for memory in of_kind:
                yield from _memory(memory, zone)


def _memory(memory: Memory, zone: tzinfo) -> Iterator[bytes]:
    about = "" if memory.subject == USER else f"{_flat(memory.subject)}: "
    holds = f", holds {memory.valid_from or '…'} – {memory.valid_to}" if memory.valid_to else ""
    yield f"- {about}{_flat(memory.text)} *({memory.id}{holds})*".encode()
    for span in memory.evidence:
        day = str(day_of(span.ts, zone)) if span.ts else ""
        told = (span.speaker or "", day, span.ref or span.event_id)
        source = ", ".join(_flat(part) for part in told if part)
        yield f"  > “{_flat(span.quote)}” — {source}".encode()


def _journal(store: Store, space: str, zone: tzinfo) -> Iterator[bytes]:
    yield b""
    yield b"## Journal"
    for day, said in groupby(journal.since(store, space), key=lambda one: day_of(one.ts, zone)):
        yield b""
        yield f"### {day}".encode()
        yield b""
        for event in said:
            yield from _event(event, zone)


def _event(event: Event, zone: tzinfo) -> Iterator[bytes]:
    who = "you" if event.origin == "owner" else _flat(event.speaker or event.role)
    first, *rest = event.text.splitlines() or [""]
    yield f"- **{event.ts.astimezone(zone):%H:%M} {who}** {first}".encode()
    yield from (f"  {line}".encode() for line in rest)


def _flat(text: str) -> str:
    return " ".join(text.split())
