"""Whether what a file claims to have been a ledger may be one: nothing in it is taken on trust.

Whoever wrote the file may have had no Slowwave. What is put back is believed at once, and undone
and shown by what is told of its past, so every memory in it, of today or of any time before, must
stand on words that are in the journal.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import msgspec

from slowwave.ledger import is_quoted
from slowwave.model import Dream, Event, Memory, Snapshot, Tombstone, WorkItem

__all__ = ["cited", "fault_of", "is_id", "misshapen", "unquoted"]

YEARS = range(1970, 2201)
"""Of whatever is told; what is later or earlier is no moment that anybody lived through."""
MOST = 2**53
"""The largest whole number that every reader of JSON reads as it is."""
DECIDED = frozenset({"applied", "rolled_back"})

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
"""Ids may be names of files."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]|\Z)", re.ASCII)
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


def misshapen(noun: msgspec.Struct) -> str:
    """What no Slowwave has ever written into a noun; empty where there is nothing of the kind."""
    return next(filter(None, map(_wrong, _parts(noun))), "")


def _wrong(part: Any) -> str:
    match part:
        case datetime():
            aware = "" if part.tzinfo is not None else "a time without an offset"
            found = aware or ("" if part.year in YEARS else f"impossible year {part.year}")
        case int():
            found = "" if -MOST <= part <= MOST else "a number that counts nothing"
        case Memory():
            found = _wrong_memory(part)
        case WorkItem():
            found = "" if not part.due or _is_day(part.due) else "due on a day that is none"
        case Tombstone():
            found = "" if _HEX.fullmatch(part.salt) else "the salt is not hexadecimal"
        case _:
            found = ""
    return found


def _wrong_memory(memory: Memory) -> str:
    whens = (memory.valid_from, memory.valid_to, memory.expires_at)
    if not all(when is None or _is_when(when) for when in whens):
        return f"memory {memory.id[:40]} has a day that is none"
    counted = min(memory.mention_count, memory.access_count, memory.version - 1) >= 0
    if counted and 0 <= memory.importance <= 100 and 0 <= memory.confidence <= 1:
        return ""
    return f"a value of memory {memory.id[:40]} is out of range"


def _is_day(given: str) -> bool:
    return len(given) == len("2031-03-14") and _is_when(given)


def _is_when(given: str) -> bool:
    """Whether a text is a day, or an instant."""
    if not _DAY.match(given):
        return False
    try:
        return bool(date.fromisoformat(given[:10]) and datetime.fromisoformat(given))
    except ValueError:
        return False


def is_id(given: str) -> bool:
    """Whether something may be the id of anything: it names files, and stands in answers."""
    return _NAME.fullmatch(given) is not None


def _parts(value: Any) -> Iterator[Any]:
    """A noun and all that is in it, down to plain values."""
    yield value
    inner: Iterable[Any] = ()
    if isinstance(value, msgspec.Struct):
        inner = (getattr(value, name) for name in value.__struct_fields__)
    elif isinstance(value, tuple):
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    for one in inner:
        yield from _parts(one)


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
    return _circle(kept.dreams)


def _ids(kept: Snapshot) -> Mapping[str, Sequence[str]]:
    return {
        "memory": [memory.id for memory in kept.memories],
        "dream": [dream.dream_id for dream in kept.dreams],
        "version": [f"{one.memory.id}-{one.memory.version}" for one in kept.versions],
        "injection": [entry.id for entry in kept.injections],
        "open item": [item.id for item in kept.working],
    }


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
