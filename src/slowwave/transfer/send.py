"""A space → lines: the journal first, then what is believed and all that led there."""

from collections.abc import Iterator
from datetime import datetime

import msgspec

from slowwave import journal
from slowwave.errors import StoreBusy
from slowwave.model import Dream, Snapshot, Version
from slowwave.ports import Progress, Store
from slowwave.transfer.lines import End, Header, State, line_of

__all__ = ["Sent", "kept_of", "send"]

TRIES = 3
"""How often the ledger may move on while it is read."""


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """A space as lines, and what they hold."""

    header: Header
    lines: Iterator[bytes]


def send(store: Store, space: str, now: datetime, progress: Progress) -> Sent:
    """All of a space, a line at a time; the journal is read as the lines are taken.

    Raises StoreBusy where others change the ledger on and on.
    """
    # The ledger first: the journal, read later, holds all that this one quotes.
    kept = kept_of(store, space)
    header = Header(
        space=space, exported_at=now, events=store.counts(space).events,
        memories=len(kept.memories), dreams=len(kept.dreams),
    )  # fmt: skip
    return Sent(header=header, lines=_lines(store, space, header, kept, progress))


def _lines(
    store: Store, space: str, header: Header, kept: Snapshot, progress: Progress
) -> Iterator[bytes]:
    number = 1
    yield line_of(header)
    for done, event in enumerate(journal.since(store, space)):
        yield line_of(event)
        number += 1
        if done % journal.BATCH == 0:
            progress("events", done, header.events)
    progress("events", header.events, header.events)
    for noun in _nouns(kept):
        yield line_of(noun)
        number += 1
    yield line_of(End(number))


def _nouns(kept: Snapshot) -> Iterator[msgspec.Struct]:
    for name in ("dreams", "memories", "versions", "signals", "working", "injections", "erased",
                 "calls", "answers"):  # fmt: skip
        yield from getattr(kept, name)
    for name, value in kept.state.items():
        yield State(name, value)


def kept_of(store: Store, space: str) -> Snapshot:
    """All of a space but its events, as it stood at one moment."""
    for _ in range(TRIES):
        mark, _ = store.changed_since(space, "")
        kept = _kept(store, space)
        if store.changed_since(space, "")[0] == mark:
            return kept
    raise StoreBusy("the memory changes while it is read", "try again in a moment")


def _kept(store: Store, space: str) -> Snapshot:
    memories = store.memories(space)
    versions: list[Version] = []
    for memory in memories:
        versions += store.versions(space, memory.id)
    return Snapshot(
        dreams=tuple(_dreams(store, space)),
        memories=tuple(memories),
        versions=tuple(versions),
        signals=tuple(store.signals(space)),
        working=tuple(store.working(space)),
        injections=tuple(reversed(store.injections(space, as_recorded=True))),
        erased=tuple(store.erasures(space)),
        calls=tuple(store.model_calls(space)),
        answers=tuple(store.raw_answers(space)),
        state={name: payload.decode() for name, payload in store.stages(space, "").items()},
    )


def _dreams(store: Store, space: str) -> Iterator[Dream]:
    """All dreams with their plans, oldest first."""
    for head in reversed(store.dreams(space)):
        dream = store.dream(space, head.dream_id)
        if dream is not None:
            yield dream
