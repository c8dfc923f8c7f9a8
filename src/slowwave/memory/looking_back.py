"""What was believed on a day, and what stands around a word: for people who look.

Nothing here changes anything, or counts as a use of what is looked at.
"""

from collections.abc import Sequence
from datetime import date, datetime
from threading import Lock

import msgspec

from slowwave.memory.upkeep import Upkeep
from slowwave.model import Counts, Event, Memory, Receipt, Version, day_bounds, day_of
from slowwave.parts import Parts
from slowwave.recall import current
from slowwave.settings import zone_of

__all__ = ["Line", "LookingBack", "Surroundings"]


class Line(msgspec.Struct, frozen=True):
    """One event in its place: the how-manieth of its day it is, from 1."""

    number: int
    event: Event


class Surroundings(msgspec.Struct, frozen=True, kw_only=True):
    """An event in the log of its day: what was said before and after it in its conversation.

    `day` is the user's day (ISO), `total` how many events that day has.
    """

    day: str
    total: int
    before: tuple[Line, ...]
    line: Line
    after: tuple[Line, ...]


class LookingBack(Upkeep):
    """journal, ledger → how it was."""

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._read = Lock()
        self._seen_at = ""
        self._versions: dict[str, tuple[Version, ...]] = {}

    def believed(self, at: datetime) -> list[Memory]:
        """What could be believed at a moment, as it was known then, oldest first.

        As recall does with `as_of`: what counts is when something was said.
        """
        zone = zone_of(self.parts.settings.tz)
        known = {memory.id: memory for memory in self._store.memories(self.space)}
        then = []
        for memory_id, versions in self._all_versions(known).items():
            heir = known.get(known[memory_id].superseded_by or "")
            memory = current.as_known(versions, heir, at, zone)
            if memory is None or memory.undone or known[memory_id].undone:
                continue
            if current.standing(memory, at, as_of=at, cold=True) == "current":
                then.append(memory)
        return sorted(then, key=lambda memory: (memory.first_seen, memory.id))

    def _all_versions(self, known: dict[str, Memory]) -> dict[str, tuple[Version, ...]]:
        """The versions of these memories; those that did not change are not read again."""
        with self._read:
            mark, changed = self._store.changed_since(self.space, self._seen_at)
            kept = {} if changed is None else self._versions
            stale = set(known) - set(kept) | set(changed or ())
            found = {one: kept[one] for one in known if one not in stale}
            for one in stale & set(known):
                found[one] = tuple(self._store.versions(self.space, one))
            self._versions, self._seen_at = found, mark
            return found

    def surroundings(self, event_id: str, around: int = 4) -> Surroundings:
        """An event, and up to `around` before and after it in its conversation, of that day.

        Raises NotFound.
        """
        found = self._named(event_id, ("event",)).id
        event = self._store.events_by_id(self.space, [found])[found]
        zone = zone_of(self.parts.settings.tz)
        day = day_of(event.ts, zone)
        said = self._store.events_between(self.space, *day_bounds(day, zone))
        lines = [Line(number, one) for number, one in enumerate(said, start=1)]
        talk = [one for one in lines if one.event.session == event.session]
        at = next(place for place, one in enumerate(talk) if one.event.id == found)
        return Surroundings(
            day=day.isoformat(), total=len(said), line=talk[at],
            before=tuple(talk[max(0, at - around) : at]), after=tuple(talk[at + 1 :][:around]),
        )  # fmt: skip

    def resting_on(self, event_id: str) -> list[Memory]:
        """The memories that quote an event: those that stand, else those that did."""
        return self._resting_on([event_id])

    def receipt(self, named: str) -> Receipt:
        """The receipt of a forgetting, by its id. Raises NotFound, InputError."""
        return self.parts.files().receipt(named)

    def spoken_days(self) -> Sequence[date]:
        """The user's first and last day with anything in the journal; none for an empty one."""
        counts = self._store.counts(self.space)
        if counts.first_event is None or counts.last_event is None:
            return ()
        zone = zone_of(self.parts.settings.tz)
        return (day_of(counts.first_event, zone), day_of(counts.last_event, zone))

    def counts(self) -> Counts:
        """How much the space holds."""
        return self._store.counts(self.space)
