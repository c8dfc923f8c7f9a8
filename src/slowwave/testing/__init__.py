"""What tests of Slowwave and of things built on it need: doubles, samples, the store contract.

A new store proves itself by a subclass of `StoreContract`:

    class TestMyStore(StoreContract):
        def open_store(self) -> Store:
            return MyStore(...)

Nothing here needs pytest, but pytest finds the methods by their names.

`slowwave.testing.scripted_model` is a server that plays a language model, with faults on demand.
"""

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.testing.contract import StoreContract
from slowwave.testing.embedder import HashingEmbedder

__all__ = ["HashingEmbedder", "InMemoryStore", "StoreContract"]
