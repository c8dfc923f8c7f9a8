"""Undoing one dream, also weeks later, keeping what came after.

The undoing is itself a dream: its changes are the inverse of the other's, so it can be read,
traced, and undone again. What a memory is without the undone dream is reckoned by doing all the
others again (`replay`): what they set stays, what only that dream set goes back; what it quoted is
taken out. An undoing that is undone brings back what it took.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from slowwave.errors import AlreadyDecided
from slowwave.ledger.commit import apply
from slowwave.ledger.replay import content, replay
from slowwave.model import (
    Change,
    Demote,
    Dependent,
    Dream,
    Evidence,
    Memory,
    Restore,
    Retire,
    Update,
    Version,
    clock_zone,
    day_of,
    short_id,
)
from slowwave.ports import Store

ROUTE = "rollback"


def rollback(store: Store, dream: Dream, now: datetime) -> Dream:
    """Takes back an applied dream and returns the dream that did it, with `built_on` filled.

    Raises AlreadyDecided for a dream that is not applied, StalePlan when the ledger moved on
    meanwhile (nothing has changed then).
    """
    if dream.status != "applied":
        raise AlreadyDecided(
            f"dream {dream.dream_id} is {dream.status.replace('_', ' ')}, so there is nothing "
            "to undo", "run `slowwave dreams` to see which dreams are applied",
        )  # fmt: skip
    undoing = inverse(store, dream, now)
    return apply(store, undoing, now)


class _Part(msgspec.Struct, frozen=True):
    """A memory as it stands, its versions, and what it is without the undone dream (None: gone)."""

    standing: Memory
    versions: tuple[Version, ...]
    left: Memory | None


class _Undoing:
    """The memories that an undoing reads, each once, and which dreams count when it is done."""

    def __init__(self, store: Store, dream: Dream) -> None:
        self.store = store
        self.dream = dream
        self.heads = {head.dream_id: head for head in store.dreams(dream.space)}
        self._counting = _counting(dream, self.heads)
        self._parts: dict[str, _Part | None] = {}

    def counts(self, dream_id: str) -> bool:
        """Whether a dream is in force once the undoing is done."""
        return dream_id in self._counting

    def part(self, memory_id: str) -> _Part | None:
        """One memory; None when it was forgotten for good."""
        if memory_id not in self._parts:
            space = self.dream.space
            memory = self.store.memories_by_id(space, [memory_id]).get(memory_id)
            versions = tuple(self.store.versions(space, memory_id))
            left = replay(versions, self.counts)
            self._parts[memory_id] = _Part(memory, versions, left) if memory else None
        return self._parts[memory_id]

    def parts(self, ids: Iterable[str]) -> dict[str, _Part]:
        """Those of these memories that are there."""
        found = {memory_id: self.part(memory_id) for memory_id in ids}
        return {memory_id: part for memory_id, part in found.items() if part is not None}

    def gone(self, memory_id: str | None) -> bool:
        """Whether nothing is left of a memory."""
        part = self.part(memory_id) if memory_id else None
        return part is not None and part.left is None


def _counting(dream: Dream, heads: Mapping[str, Dream]) -> frozenset[str]:
    """The dreams in force once this one is undone: those that are applied and no undoings.

    An undoing only tells which others count. Of one that is undone, what it took counts again, and
    so on down the chain.
    """
    counting = {head.dream_id for head in heads.values() if head.status == "applied"}
    taken, dream_id = True, dream.dream_id
    while dream_id in heads:
        (counting.discard if taken else counting.add)(dream_id)
        taken, dream_id = not taken, heads[dream_id].undoes
    return frozenset(dream_id for dream_id in counting if not heads[dream_id].undoes)


def inverse(store: Store, dream: Dream, now: datetime) -> Dream:
    """The plan that takes `dream` back. Changes nothing."""
    undoing = _Undoing(store, dream)
    parts = undoing.parts(_touched(undoing))
    parts |= undoing.parts(_beside(undoing, parts))
    # It may be undone, brought back and undone again, all at one moment of a clock that stands.
    earlier = sum(head.undoes == dream.dream_id for head in undoing.heads.values())
    dream_id = short_id("d", dream.space, ROUTE, dream.dream_id, now.isoformat(), f"{earlier}")
    afters = [(part.standing, _without(undoing, part, now)) for part in parts.values()]
    return Dream(
        dream_id=dream_id,
        space=dream.space,
        mode="plan",
        date=day_of(now, clock_zone(now)).isoformat(),
        run_at=now,
        status="planned",
        model_used="none",
        preset=dream.preset,
        changes=tuple(
            _change(standing, after, dream, dream_id)
            for standing, after in afters
            if content(after) != content(standing)
        ),
        by="rollback",
        undoes=dream.dream_id,
        built_on=tuple(_dependents(undoing, parts)),
    )


def _touched(undoing: _Undoing) -> list[str]:
    """The memories that the dream changed, and those changed by what it had undone itself.

    While a memory was gone, an undoing found nothing to change in it.
    """
    ids: dict[str, None] = {}
    dream: Dream | None = undoing.dream
    while dream is not None:
        ids |= dict.fromkeys(one.memory_id for one in dream.changes if one.approved is not False)
        under = dream.undoes
        dream = undoing.store.dream(undoing.dream.space, under) if under else None
    return list(ids)


def _beside(undoing: _Undoing, parts: Mapping[str, _Part]) -> list[str]:
    """Memories that stand or fall with these: ended for one of them, or what one was ended for.

    Whether an ending still holds depends on all of them: the successor may be gone, come back, or
    give way itself. Rarely more than a few.
    """
    known = undoing.store.memories(undoing.dream.space)
    alone = not any(memory.superseded_by in parts for memory in known)
    if alone and not any(_gave_way(part) or part.standing.undone for part in parts.values()):
        return []
    beside = _endings(undoing)
    found: dict[str, None] = {}
    waiting = list(parts)
    while waiting:
        new = [one for one in beside.pop(waiting.pop(), ()) if one not in found]
        found |= dict.fromkeys(new)
        waiting += new
    return [memory_id for memory_id in found if memory_id not in parts]


def _gave_way(part: _Part) -> bool:
    return any(version.memory.superseded_by for version in part.versions)


def _endings(undoing: _Undoing) -> dict[str, list[str]]:
    """For each memory, those that a dream ever ended for it, and those it was ended for."""
    beside: dict[str, list[str]] = {}
    for head in undoing.heads.values():
        if head.undoes or head.status not in ("applied", "rolled_back"):
            continue
        dream = undoing.store.dream(undoing.dream.space, head.dream_id)
        for change in dream.changes if dream else ():
            heir = change.after.superseded_by
            if heir is not None and change.approved is not False:
                beside.setdefault(heir, []).append(change.memory_id)
                beside.setdefault(change.memory_id, []).append(heir)
    return beside


def _without(undoing: _Undoing, part: _Part, now: datetime) -> Memory:
    """How a memory stands once the dream is undone."""
    standing = part.standing
    if part.left is not None:
        after = _rerouted(undoing, part, part.left)
        return msgspec.structs.replace(
            after, access_count=standing.access_count, last_access=standing.last_access
        )
    if standing.undone:
        return standing
    # Only for the record from now on.
    ended = standing.valid_to or day_of(now, clock_zone(now)).isoformat()
    return msgspec.structs.replace(
        standing, status="retired", undone=True, valid_to=ended, conflicts_with=()
    )


def _rerouted(undoing: _Undoing, part: _Part, left: Memory) -> Memory:
    """A memory whose successor goes is current again, unless that one was replaced later."""
    end = _end(undoing, part)
    circle = _circle(undoing, left.id)
    # What was ended first was brought back before the last of a circle gave way to it.
    first = bool(circle) and left.id == min(circle, key=lambda one: _ended_at(undoing, one))
    if end.superseded_by == left.superseded_by and not first:
        return left
    named = {version.memory.superseded_by or "" for version in part.versions}
    lost = {memory_id for memory_id in named if undoing.gone(memory_id)}
    free = replay(part.versions, undoing.counts, lost | {left.superseded_by or ""}) or left
    if end.superseded_by is None or first:
        return free
    # Something newer holds since: both current would be a contradiction.
    return msgspec.structs.replace(
        free, status="retired", superseded_by=end.superseded_by, valid_to=end.valid_to
    )


def _end(undoing: _Undoing, part: _Part | None) -> "_End":
    """For whom a memory gives way when all is done: past those who are gone, to their heirs."""
    if part is None or part.left is None:
        return _End()
    left = part.left
    if left.superseded_by is not None and not undoing.gone(left.superseded_by):
        return _End(left.superseded_by, left.valid_to, _end_of(part.versions, undoing).at)
    end = _end_of(part.versions, undoing)
    if not undoing.gone(end.superseded_by):
        return _End()
    heir, ended, seen = end.superseded_by, end.valid_to, {left.id}
    while heir is not None and undoing.gone(heir) and heir not in seen:
        seen.add(heir)
        between = undoing.part(heir)
        assert between is not None  # what is gone was there
        next_end = _end_of(between.versions, undoing, only_counting=True)
        heir, ended = next_end.superseded_by, next_end.valid_to or ended
    there = heir is not None and heir not in seen and undoing.part(heir) is not None
    return _End(heir, left.valid_to or ended, end.at) if there else _End()


def _circle(undoing: _Undoing, memory_id: str) -> list[str]:
    """The memories that would give way to each other in a circle with this one; mostly none."""
    heirs: list[str] = []
    heir = _end(undoing, undoing.part(memory_id)).superseded_by
    while heir is not None and heir not in heirs:
        heirs.append(heir)
        heir = _end(undoing, undoing.part(heir)).superseded_by
    return heirs[: heirs.index(memory_id) + 1] if memory_id in heirs else []


def _ended_at(undoing: _Undoing, memory_id: str) -> tuple[datetime, str]:
    at = _end(undoing, undoing.part(memory_id)).at
    return at or datetime.max.replace(tzinfo=UTC), memory_id


class _End(NamedTuple):
    superseded_by: str | None = None
    valid_to: str | None = None
    at: datetime | None = None


def _end_of(versions: Iterable[Version], undoing: _Undoing, *, only_counting: bool = False) -> _End:
    """For which memory a dream ended this one, and when; nothing if one in force restored it."""
    end, before = _End(), None
    for version in versions:
        now = version.memory.superseded_by
        counts = undoing.counts(version.dream_id)
        head = undoing.heads.get(version.dream_id)
        undoes = head is not None and bool(head.undoes)
        if now != before and (counts or (now is not None and not undoes and not only_counting)):
            end = _End(now, version.memory.valid_to, version.recorded_at) if now else _End()
        before = now
    return end


def _dependents(undoing: _Undoing, parts: Mapping[str, _Part]) -> Iterator[Dependent]:
    """What dreams that still count built on the undone one."""
    dream = undoing.dream
    for memory_id, part in parts.items():
        kept = part.left is not None
        own = [version.dream_id == dream.dream_id for version in part.versions]
        later = part.versions[own.index(True) :] if any(own) else ()
        by_dream = {version.dream_id: version.op for version in later
                    if undoing.counts(version.dream_id)}  # fmt: skip
        for dream_id, op in by_dream.items():
            yield Dependent(memory_id, dream_id, kept, f"{op}: {_STAYS if kept else _GOES}")
    brought = _brought(dream)
    for memory in undoing.store.memories(dream.space) if brought else ():
        if memory.id not in parts and not memory.undone and brought & set(memory.evidence):
            yield Dependent(memory.id, memory.dream_id, True, _TOOK_OVER)


_STAYS = "stands on what came after; the undone dream's words were taken out"
_GOES = "rested on the undone dream alone, so it goes with it"
_TOOK_OVER = "took over words that the undone dream had found, and keeps them"


def _brought(dream: Dream) -> frozenset[Evidence]:
    """The quotes that a dream brought in; none for an undoing, which only puts back."""
    return frozenset(
        span
        for change in dream.changes
        if change.approved is not False and not dream.undoes
        for span in change.after.evidence
        if change.before is None or span not in change.before.evidence
    )


def _change(standing: Memory, after: Memory, dream: Dream, dream_id: str) -> Change:
    kind: type[Update] | type[Restore] | type[Retire] | type[Demote] = Update
    if after.undone:
        kind = Retire
    elif after.status != standing.status:
        kind = {"retired": Retire, "cold": Demote}.get(after.status, Restore)  # type: ignore[assignment]
    return kind(
        id=short_id("c", dream_id, standing.id),
        memory_id=standing.id,
        before=standing,
        after=msgspec.structs.replace(after, version=standing.version + 1, dream_id=dream_id),
        reason=f"dream {dream.dream_id} of {dream.date} is undone",
        route=ROUTE,
        evidence=after.evidence,
    )
