"""What the store in dictionaries keeps of one space."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from slowwave.adapters.store.scoring import Words
from slowwave.model import Dream, DreamStatus, Event, Memory, Signal, Unit, Vector, Version
from slowwave.ports import Field


@dataclass(slots=True)
class Shelf:
    """Everything one space holds."""

    events: dict[str, Event] = field(default_factory=dict)
    identities: set[str] = field(default_factory=set)
    words: dict[tuple[Unit, Field], Words] = field(default_factory=dict)
    vectors: dict[tuple[Unit, str], dict[str, tuple[str, Vector]]] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    versions: dict[str, list[Version]] = field(default_factory=dict)
    dreams: dict[str, Dream] = field(default_factory=dict)
    dreamed: dict[str, set[str]] = field(default_factory=dict)
    stages: dict[str, dict[str, bytes]] = field(default_factory=dict)
    signals: list[Signal] = field(default_factory=list)
    injections: dict[str, bytes] = field(default_factory=dict)

    def read_by_dreams(self) -> set[str]:
        """Ids of the events that applied dreams have read."""
        applied = (id for id in self.dreamed if self.dreams[id].status == "applied")
        return {event_id for id in applied for event_id in self.dreamed[id]}

    def stands(self, dream_id: str) -> DreamStatus | None:
        """The status of a stored dream."""
        known = self.dreams.get(dream_id)
        return known.status if known else None

    def reader_of(self, event_ids: Sequence[str]) -> str | None:
        """An applied dream that has read one of these events."""
        wanted = set(event_ids)
        read = (id for id, ids in self.dreamed.items() if ids & wanted)
        return next((id for id in read if self.dreams[id].status == "applied"), None)
