"""What a caller means by a name: an id, the beginning of one, or a reference of his own.

A whole name comes before a beginning. An event may stand for the memory that rests on it; where
several do, he is told which, and nothing is guessed.
"""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from slowwave.errors import NotFound, UsageError
from slowwave.memory.base import Base
from slowwave.model import Event, Memory
from slowwave.text.counting import plural

__all__ = ["Name", "Naming"]

Kind = Literal["injection", "memory", "event", "work"]

CALLED: dict[Kind, str] = {
    "injection": "entry of the injection ledger",
    "memory": "memory",
    "event": "event",
    "work": "open item",
}
LISTED = 4
"""As many of what a name may stand for are told."""
CLIPPED = 48
"""Characters of their words that are told."""


class Name(NamedTuple):
    """One thing that was named; `by_ref`: by the reference of its source."""

    kind: Kind
    id: str
    by_ref: bool = False


class Naming(Base):
    """Looks up what is named."""

    def _named(self, given: str, kinds: Sequence[Kind]) -> Name:
        """The one thing of these kinds that is named. Raises NotFound, UsageError for no name."""
        found = self._meant(given, kinds)
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._nothing(given, kinds)
        raise self._several(given, found)

    def _memory_named(self, given: str) -> str:
        """The memory that is named, or that rests on the event that is. Raises as `_named`."""
        found = self._meant(given, ("memory", "event"))
        if not found:
            raise self._nothing(given, ("memory",))
        if len(found) > 1 and not found[0].by_ref:
            memories_first = [one for one in found if one.kind == "memory"]
            raise self._several(given, memories_first or found)
        events = [one.id for one in found if one.kind == "event"]
        memories = dict.fromkeys(one.id for one in found if one.kind == "memory")
        memories |= dict.fromkeys(memory.id for memory in self._resting_on(events))
        if len(memories) == 1:
            return next(iter(memories))
        if not memories:
            told = self._described(Name("event", events[0]))
            raise NotFound(
                f"no memory rests on {told}",
                "`slowwave dream` learns from it; `slowwave recall --scope events` finds its words",
            )
        raise self._several(given, [Name("memory", one) for one in memories])

    def _resting_on(self, event_ids: Sequence[str]) -> list[Memory]:
        """The memories that quote one of these events: those that stand, else those that did."""
        wanted = set(event_ids)
        known = self._store.memories(self.space) if wanted else []
        resting = [
            memory
            for memory in known
            if not memory.undone and wanted & {span.event_id for span in memory.evidence}
        ]
        return [memory for memory in resting if memory.status != "retired"] or resting

    def _meant(self, given: str, kinds: Sequence[Kind]) -> list[Name]:
        """All that a name may stand for."""
        wanted = given.strip()
        if not wanted:
            raise UsageError("no id was given", f"name {_one_of(kinds)}")
        begun = list(self._beginning_with(wanted, kinds))
        whole = [one for one in begun if one.id == wanted]
        if not whole and "event" in kinds:
            events = self._store.events_by_ref(self.space, wanted)
            whole = [Name("event", event.id, by_ref=True) for event in events]
        return whole or begun

    def _beginning_with(self, prefix: str, kinds: Sequence[Kind]) -> Iterator[Name]:
        for kind in kinds:
            if kind == "work":
                items = self._store.working(self.space)
                ids = [item.id for item in items if item.id.startswith(prefix)]
            else:
                ids = self._store.ids_from(self.space, kind, prefix)
            yield from (Name(kind, one) for one in ids)

    def _nothing(self, given: str, kinds: Sequence[Kind]) -> NotFound:
        own = "" if set(kinds) == {"injection"} else ", or your own reference"
        hint = f"give {_one_of(kinds)} by its id or the beginning of it{own}"
        return NotFound(f"{given!r} names nothing here", f"{hint}: `{_lists(kinds)}`")

    def _several(self, given: str, found: Sequence[Name]) -> NotFound:
        shown = ", ".join(self._described(one) for one in found[:LISTED])
        more = f" and {plural(len(found) - LISTED, 'other')}" if len(found) > LISTED else ""
        return NotFound(f"{given!r} may be {shown}{more}", "name one of them")

    def _described(self, one: Name) -> str:
        """A thing that is named, as an error tells of it."""
        words = ""
        if one.kind == "memory":
            known = self._store.memories_by_id(self.space, [one.id])
            words = _quoted(known.get(one.id))
        elif one.kind == "event":
            events = self._store.events_by_id(self.space, [one.id])
            words = _quoted(events.get(one.id))
        return f"{CALLED[one.kind]} {one.id}{words}"


def _quoted(unit: Memory | Event | None) -> str:
    text = " ".join(unit.text.split()) if unit is not None else ""
    short = text if len(text) <= CLIPPED else text[: CLIPPED - 1] + "…"
    return f" “{short}”" if short else ""


def _one_of(kinds: Sequence[Kind]) -> str:
    named = [CALLED[kind] for kind in kinds]
    *most, last = [f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in named]
    return f"{', '.join(most)} or {last}" if most else last


def _lists(kinds: Sequence[Kind]) -> str:
    """The command that lists what could be named."""
    if kinds[0] == "injection":
        return "slowwave injections"
    return "slowwave working" if kinds[0] == "work" else "slowwave memories list"
