"""From a memory back to its dreams and its exact words (N19)."""

import msgspec

from slowwave.errors import NotFound
from slowwave.model import Event, Evidence, Memory, Version
from slowwave.ports import Store


class Provenance(msgspec.Struct, frozen=True):
    """A memory, all its versions and the exact words it rests on (N19)."""

    memory: Memory
    changes: tuple[Version, ...]
    evidence: tuple[Evidence, ...]


def why(store: Store, space: str, memory_id: str) -> Provenance:
    """From a memory to its dreams and its exact words. Raises NotFound."""
    found = store.memories_by_id(space, [memory_id])
    if memory_id not in found:
        raise NotFound(f"no memory {memory_id}", "run `slowwave memories list`")
    memory = found[memory_id]
    return Provenance(memory, tuple(store.versions(space, memory_id)), memory.evidence)


def whole(event: Event) -> Evidence:
    """An event as evidence of itself: all of its words."""
    return Evidence(
        event_id=event.id,
        quote=event.text,
        start=0,
        end=len(event.text),
        ref=event.ref,
        ts=event.ts,
        speaker=event.speaker,
    )
