"""Events of the journal → the items of a store: a fold that follows the journal.

Whoever else writes (another process, an import) is followed by reading the journal's end. That
something was taken out is not told there: so whatever is about to be shown is looked up first.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from threading import RLock
from typing import Any, NamedTuple

from slowwave.library import Memory
from slowwave.model import Event, Record, Role

__all__ = ["SOURCE", "Items", "Live", "Place", "as_put", "as_read"]

SOURCE = "langgraph"
"""The source of the events, and the name of their metadata."""

Place = tuple[tuple[str, ...], str]
"""Namespace and key."""

LONGEST_NAME = 200
"""Characters of the name under which people see an item."""


class Put(NamedTuple):
    """One put, as its event tells it. `body` is its metadata: JSON that holds the value."""

    id: str
    seq: int
    ts: datetime
    text: str
    body: str
    created: datetime
    ttl: float | None
    indexed: bool

    def value(self) -> dict[str, Any]:
        """The value, made anew each time: whoever gets it may change it."""
        value: dict[str, Any] = json.loads(self.body)["value"]
        return value


class Live(NamedTuple):
    """An item as it stands: its last put, and when it was last written or read."""

    namespace: tuple[str, ...]
    key: str
    last: Put
    touched: datetime

    def spent(self, now: datetime) -> float:
        """How much of its time to live is over: 0 to 1, more when it has expired."""
        if self.last.ttl is None:
            return 0.0
        minutes = (now - self.touched).total_seconds() / 60
        return minutes / self.last.ttl if self.last.ttl > 0 else 1.0

    def expired(self, now: datetime) -> bool:
        """Whether its time to live is over."""
        return self.spent(now) >= 1


@dataclass(slots=True)
class _Kept:
    """What the journal tells of one key: its last put, when it was last written or read, and the
    ids and places (`seq`) of all its puts; `reads` are the ids of events that say it was read."""

    last: Put
    touched: datetime
    puts: list[tuple[str, int]] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)


class Items:
    """The items of one space. Safe from several threads."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._lock = RLock()
        self._seen = 0
        self._kept: dict[Place, _Kept] = {}

    def follow(self) -> None:
        """Reads what came into the journal since the last time."""
        with self._lock:
            for event in self._memory.journal(self._seen):
                self._seen = max(self._seen, event.seq)
                self._take(event)

    def below(self, prefix: tuple[str, ...]) -> list[Place]:
        """The places of a namespace and of those below it."""
        with self._lock:
            return [place for place in self._kept if place[0][: len(prefix)] == prefix]

    def live(self, places: Iterable[Place]) -> list[Live]:
        """Those of these that are there and have not expired."""
        now = self._memory.now()
        return [one for one in self.there(places) if not one.expired(now)]

    def there(self, places: Iterable[Place]) -> list[Live]:
        """Those of these that are in the journal still."""
        with self._lock:
            known = [place for place in places if place in self._kept]
            last = {place: self._kept[place].last.id for place in known}
            found = self._memory.events(list(last.values()))
            for place, event_id in last.items():
                if event_id not in found:
                    self._look_again(place)
            return [
                Live(*place, self._kept[place].last, self._kept[place].touched)
                for place in known
                if place in self._kept
            ]

    def ids(self, places: Iterable[Place]) -> list[str]:
        """All events of these places."""
        with self._lock:
            kept = [self._kept[place] for place in places if place in self._kept]
        return [
            event_id for one in kept for event_id in (*(put for put, _ in one.puts), *one.reads)
        ]

    def drop(self, places: Iterable[Place]) -> None:
        """What was taken out is not there any more."""
        with self._lock:
            for place in places:
                self._kept.pop(place, None)

    def _look_again(self, place: Place) -> None:
        """After something was taken out elsewhere: what of a place is there still.

        An event that lost some of its words has another id at the same place of the journal.
        """
        before = self._kept.pop(place)
        found = self._memory.events([event_id for event_id, _ in before.puts])
        for event_id, seq in before.puts:
            event = found.get(event_id) or next(self._memory.journal(seq - 1, limit=1), None)
            if event is not None and event.seq == seq:
                self._take(event)
        if place in self._kept:
            self._kept[place].reads = before.reads

    def _take(self, event: Event) -> None:
        body = event.meta.get(SOURCE)
        if event.source != SOURCE or body is None:
            return
        try:
            told = json.loads(body)
            place = (tuple(map(str, told["namespace"])), str(told["key"]))
            put = _put(event, body, told) if "value" in told else None
        except (ValueError, TypeError, KeyError):
            return  # somebody else's, or a part of it was forgotten
        kept = self._kept.get(place)
        if put is not None:
            kept = self._kept.setdefault(place, _Kept(put, event.ts))
            kept.last, kept.touched = put, event.ts
            kept.puts.append((put.id, put.seq))
        elif kept is not None:
            kept.touched = max(kept.touched, event.ts)
            kept.reads.append(event.id)


def _put(event: Event, body: str, told: dict[str, Any]) -> Put:
    return Put(
        event.id, event.seq, event.ts, event.text, body,
        datetime.fromisoformat(told["created"]), told.get("ttl"), bool(told.get("indexed")),
    )  # fmt: skip


# --- as it is written -----------------------------------------------------------------------------


def as_put(place: Place, text: str, body: str, role: Role) -> Record:
    """The event of a put: what can be searched, and in its metadata all there is."""
    name = _name(place)
    return Record(
        text=text or name, source=SOURCE, ref=name, session=f"{SOURCE}:{name}", role=role,
        kind="message" if role == "user" else "note", meta={SOURCE: body},
    )  # fmt: skip


def as_read(place: Place) -> Record:
    """The event that renews an item's time to live."""
    namespace, key = place
    body = json.dumps({"namespace": namespace, "key": key}, ensure_ascii=False)
    return Record(
        text=f"{_name(place)} was read", source=SOURCE, session=f"{SOURCE}:{_name(place)}",
        role="system", kind="note", meta={SOURCE: body},
    )  # fmt: skip


def _name(place: Place) -> str:
    return "/".join((*place[0], place[1]))[:LONGEST_NAME] or "/"
