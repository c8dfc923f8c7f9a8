"""Whether what a file claims to have been a ledger may be one: nothing in it is taken on trust.

Whoever wrote the file may have had no Slowwave. What is put back is believed at once, and undone
and shown by what is told of its past, so every memory in it, of today or of any time before, must
stand on words that are in the journal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from slowwave.ledger import is_quoted
from slowwave.model import Dream, Event, Memory, Snapshot

__all__ = ["cited", "fault_of", "is_id", "misshapen", "unquoted"]

YEARS = range(1970, 2201)
"""Of whatever is told; what is later or earlier is no moment that anybody lived through."""
MOST = 2**53
"""The largest whole number that every reader of JSON reads as it is."""
DECIDED = frozenset({"applied", "rolled_back"})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Ids may be names of files."""


def misshapen(noun: msgspec.Struct) -> str:
    """What no Slowwave has ever written into a noun: an impossible moment or number; else empty."""
    for value in _values(noun):
        if isinstance(value, datetime):
            if value.tzinfo is None:
                return "a time without an offset"
            if value.year not in YEARS:
                return f"impossible year {value.year}"
        elif isinstance(value, int) and not -MOST <= value <= MOST:
            return "a number that counts nothing"
    return ""


def is_id(given: str) -> bool:
    """Whether something may be the id of anything: it names files, and stands in answers."""
    return _NAME.fullmatch(given) is not None


def _values(value: Any) -> Iterator[Any]:
    """All plain values within a noun."""
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _values(getattr(value, name))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _values(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _values(one)
    else:
        yield value


def fault_of(kept: Snapshot) -> str:
    """Why these nouns, whole as they are, make no ledger; empty where they may."""
    for what, ids in _ids(kept).items():
        wrong = next((one for one in ids if not is_id(one)), None)
        if wrong is not None:
            return f"{wrong[:40]!r} is no id of a {what}"
        if len(set(ids)) < len(ids):
            return f"a {what} is in it twice"
    known = {memory.id for memory in kept.memories}
    told = [version.memory.id for version in kept.versions]
    told += [signal.memory_id for signal in kept.signals]
    missing = next((one for one in told if one not in known), None)
    if missing is not None:
        return f"memory {missing[:40]} is told of, but not in it"
    odd = next((one.id for one in _memories(kept) if not _in_range(one)), None)
    if odd is not None:
        return f"a value of memory {odd} is out of range"
    return _circle(kept.dreams)


def _ids(kept: Snapshot) -> Mapping[str, Sequence[str]]:
    return {
        "memory": [memory.id for memory in kept.memories],
        "dream": [dream.dream_id for dream in kept.dreams],
        "version": [f"{one.memory.id}-{one.memory.version}" for one in kept.versions],
        "injection": [entry.id for entry in kept.injections],
        "open item": [item.id for item in kept.working],
    }


def _in_range(memory: Memory) -> bool:
    counted = min(memory.mention_count, memory.access_count, memory.version - 1) >= 0
    return counted and 0 <= memory.importance <= 100 and 0 <= memory.confidence <= 1


def _circle(dreams: Sequence[Dream]) -> str:
    """A dream that in the end undoes itself."""
    undoes = {dream.dream_id: dream.undoes for dream in dreams}
    settled: set[str] = set()
    for first in undoes:
        path: list[str] = []
        at = first
        while at in undoes and at not in settled:
            if at in path:
                return f"dream {at} undoes itself"
            path.append(at)
            at = undoes[at]
        settled.update(path)
    return ""


# ── the words ───────────────────────────────────────────────────────────────────────────────────


def cited(kept: Snapshot) -> set[str]:
    """The ids of all events that a memory of today or before rests on."""
    return {span.event_id for memory in _memories(kept) for span in memory.evidence}


def unquoted(kept: Snapshot, events: Mapping[str, Event]) -> str:
    """The first memory, of today or before, whose words are not there; else empty.

    What came out of memory or was only shown is nobody's word.
    """
    for memory in _memories(kept):
        first_hand = all(
            span.event_id in events and events[span.event_id].origin not in ("recalled", "external")
            for span in memory.evidence
        )
        if not memory.evidence or not first_hand or not is_quoted(memory.evidence, events):
            return memory.id
    return ""


def _memories(kept: Snapshot) -> Iterator[Memory]:
    """All that was believed at any time; what a plan only proposes is checked when applied."""
    yield from kept.memories
    yield from (version.memory for version in kept.versions)
    for dream in kept.dreams:
        if dream.status in DECIDED:
            for change in dream.changes:
                if change.approved is not False:
                    yield change.after
                    if change.before is not None:
                        yield change.before
