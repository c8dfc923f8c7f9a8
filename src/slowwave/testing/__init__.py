"""What tests of agents with Slowwave need, and tests of Slowwave and of what is built on it.

For your agent's tests (docs/how-to/testing.md):

    from slowwave.testing import FrozenMemory, assert_remembers

    with FrozenMemory("2026-03-02T09:00") as memory:     # nothing on disk, the clock stands still
        memory.log("I am allergic to peanuts")
        memory.dream("today", apply=True)
        assert_remembers(memory, "am I allergic to anything?", "peanuts")

`slowwave.testing.scripted_model` is a server that plays a language model, with faults on demand.
Doubles of ports: `InMemoryStore`, `HashingEmbedder`. A new store proves itself by a subclass of
`StoreContract`:

    class TestMyStore(StoreContract):
        def open_store(self) -> Store:
            return MyStore(...)

Nothing here needs pytest, but pytest finds the methods by their names.
"""

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.testing.checks import assert_forgot, assert_remembers
from slowwave.testing.contract import StoreContract
from slowwave.testing.embedder import HashingEmbedder
from slowwave.testing.frozen import FrozenMemory

__all__ = [
    "FrozenMemory",
    "HashingEmbedder",
    "InMemoryStore",
    "StoreContract",
    "assert_forgot",
    "assert_remembers",
]
