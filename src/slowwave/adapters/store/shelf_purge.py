"""Forgetting for good in the store of dictionaries: the readable statement of what `erase` does."""

from collections.abc import Iterable, Iterator, Sequence
from threading import RLock

import msgspec

from slowwave.adapters.store import quarantine
from slowwave.adapters.store.lineage import (
    Lineage,
    cited,
    counted,
    ids_in,
    memory_texts,
    refuse_forgotten,
)
from slowwave.adapters.store.shelf import Shelf
from slowwave.model import Dream, Erased, Memory, Purge, StoredText, Version


def erase(shelf: Shelf, purge: Purge) -> Erased:
    """As `ports.Store.erase`."""
    there = tuple(item for item in purge.redactions if item.event_id in shelf.events)
    purge = msgspec.structs.replace(purge, redactions=there)
    lineage = Lineage(purge, shelf.memories.values())
    versions = _memories(shelf, lineage)
    _dreams(shelf, lineage)
    _upkeep(shelf, lineage)
    erased = counted(lineage, versions, _vectors(shelf, lineage))
    _events(shelf, lineage)
    shelf.erased[erased.receipt.id] = erased
    return erased


def _memories(shelf: Shelf, lineage: Lineage) -> int:
    kept: dict[str, list[Version]] = {}
    before = sum(map(len, shelf.versions.values()))
    for memory_id, versions in shelf.versions.items():
        for version in versions:
            memory = lineage.memory(version.memory)
            if memory is not None:
                reason = lineage.words(version.reason)
                new = msgspec.structs.replace(version, memory=memory, reason=reason)
                kept.setdefault(memory_id, []).append(new)
    shelf.versions = kept
    standing = {one.id: lineage.memory(one) for one in shelf.memories.values()}
    shelf.memories = {key: memory for key, memory in standing.items() if memory is not None}
    shelf.signals = [one for one in shelf.signals if one.memory_id not in lineage.gone]
    return before - sum(map(len, kept.values()))


def _dreams(shelf: Shelf, lineage: Lineage) -> None:
    standing = {key: lineage.dream(one) for key, one in shelf.dreams.items()}
    shelf.dreams = {key: dream for key, dream in standing.items() if dream is not None}
    ids = {
        old: item.remains.id if item.remains else None for old, item in lineage.redactions.items()
    }
    shelf.dreamed = {
        key: {new for one in read if (new := ids.get(one, one)) is not None}
        for key, read in shelf.dreamed.items()
        if key in shelf.dreams
    }


def _upkeep(shelf: Shelf, lineage: Lineage) -> None:
    shelf.stages = {key: kept for key, kept in shelf.stages.items() if not key}
    for key, entry in list(shelf.injections.items()):
        asked = lineage.injected(entry)
        if asked is not None:
            del shelf.injections[key]
            shelf.signals = [one for one in shelf.signals if one.query_hash != asked]
    answers = shelf.answers.items()
    shelf.answers = {key: one for key, one in answers if not quarantine.goes(one, lineage)}
    items = {key: lineage.item(one) for key, one in shelf.working.items()}
    shelf.working = {key: item for key, item in items.items() if item is not None}


def _vectors(shelf: Shelf, lineage: Lineage) -> int:
    removed = 0
    for (unit, _), kept in shelf.vectors.items():
        for unit_id in lineage.gone if unit == "memory" else lineage.redactions:
            removed += kept.pop(unit_id, None) is not None
    for (unit, _), words in shelf.words.items():
        if unit == "event":
            words.clear()  # neighbours lend each other words: all of them are indexed anew
        else:
            for unit_id in lineage.gone:
                words.pop(unit_id, None)
    return removed


def _events(shelf: Shelf, lineage: Lineage) -> None:
    events = {}
    for event in shelf.events.values():
        redaction = lineage.redactions.get(event.id)
        if redaction is None:
            events[event.id] = event
            continue
        shelf.identities.discard(event.identity)
        if redaction.remains is not None:
            new = msgspec.structs.replace(redaction.remains, seq=event.seq)
            events[new.id] = new
            shelf.identities.add(new.identity)
    shelf.events = events


def settle(shelf: Shelf, receipt_id: str, files: int) -> None:
    """Marks a forgetting as finished."""
    known = shelf.erased.get(receipt_id)
    if known is not None:
        removed = msgspec.structs.replace(known.receipt.removed, files=files)
        receipt = msgspec.structs.replace(known.receipt, removed=removed)
        done = msgspec.structs.replace(known, receipt=receipt, finished=True)
        shelf.erased[receipt_id] = done


def forgotten_ids(shelf: Shelf) -> set[str]:
    """The events that were forgotten."""
    return {one for item in shelf.erased.values() for one in item.receipt.event_ids}


def refuse(shelf: Shelf, dream: Dream) -> None:
    """StalePlan for a plan on events that were forgotten while it was made."""
    refuse_forgotten(dream.dream_id, cited(dream) & forgotten_ids(shelf))


def texts(shelf: Shelf) -> Iterator[StoredText]:
    """Every text that is kept."""
    for event in shelf.events.values():
        yield StoredText("events", event.id, event.text, event.ts)
    for memory in shelf.memories.values():
        yield from _of("memories", memory)
    for version in (one for versions in shelf.versions.values() for one in versions):
        yield from _of("versions", version.memory)
    for change in (one for dream in shelf.dreams.values() for one in dream.changes):
        yield from _of("changes", change.after)
    yield from (text for dream in shelf.dreams.values() for text in _of_dream(dream))
    for key, entry in shelf.injections.items():
        yield StoredText("injections", key, entry.query, entry.ts)
    for item in shelf.working.values():
        yield StoredText("working", item.id, item.text, item.touched)
    for answer in shelf.answers.values():
        yield from quarantine.texts_of(answer)


def _of_dream(dream: Dream) -> Iterator[StoredText]:
    if dream.diary:
        yield StoredText("diary", dream.dream_id, dream.diary.text, dream.run_at)
    for left in dream.rejections:
        yield StoredText("rejections", left.event_id, left.text, dream.run_at)


def _of(where: str, memory: Memory) -> Iterator[StoredText]:
    for text in memory_texts(memory):
        yield StoredText(where, memory.id, text, memory.last_seen)


def traces(shelf: Shelf, ids: Iterable[str]) -> list[str]:
    """Where ids that should be gone are still named."""
    wanted = set(ids)
    bodies: dict[str, object] = {
        "events": list(shelf.events),
        "memories": list(shelf.memories.values()),
        "versions": list(shelf.versions.values()),
        "dreams": list(shelf.dreams.values()),
        "injections": list(shelf.injections.values()),
        "working": list(shelf.working.values()),
        "answers": list(shelf.answers.values()),
    }
    named = {name: ids_in(msgspec.json.encode(body)) & wanted for name, body in bodies.items()}
    return [f"{name} names {one}" for name, found in named.items() for one in sorted(found)]


class Forgets:
    """The part of the store that forgets for good."""

    _lock: RLock

    def _at(self, space: str) -> Shelf:
        raise NotImplementedError

    def erase(self, purge: Purge) -> Erased:
        """Forgets for good, all or nothing."""
        with self._lock:
            return erase(self._at(purge.space), purge)

    def erasures(self, space: str) -> list[Erased]:
        """What was forgotten for good, oldest first."""
        return list(self._at(space).erased.values())

    def compact(self) -> int:
        """Nothing to do: what is gone from a dictionary is gone."""
        return 0

    def settle(self, space: str, receipt_id: str, files: int) -> None:
        """Marks a forgetting as finished."""
        with self._lock:
            settle(self._at(space), receipt_id, files)

    def texts(self, space: str) -> Iterator[StoredText]:
        """Every text that is kept of a space."""
        with self._lock:
            return iter(list(texts(self._at(space))))

    def traces(self, space: str, ids: Sequence[str]) -> list[str]:
        """Where ids that should be gone are still named; empty when they are."""
        with self._lock:
            return traces(self._at(space), ids)
