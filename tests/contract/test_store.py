"""Both stores keep the one contract."""

from pathlib import Path

import pytest

from slowwave.adapters.store.sqlite import SqliteStore
from slowwave.ports import Store
from slowwave.testing import InMemoryStore, StoreContract


class TestInMemory(StoreContract):
    def open_store(self) -> Store:
        return InMemoryStore()


class TestSqlite(StoreContract):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "home" / "memory.db"

    def open_store(self) -> Store:
        return SqliteStore(self.path)
