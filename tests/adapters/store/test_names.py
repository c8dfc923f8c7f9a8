"""Ids by row number: read once, a few at a time or all around, and never mixed up."""

from contextlib import closing
from pathlib import Path

import pytest

from slowwave.adapters.store.sqlite import SqliteStore, names
from slowwave.adapters.store.sqlite.names import Names, scored
from slowwave.model import Scored
from slowwave.testing.samples import event


@pytest.mark.parametrize(("patience", "most", "rows"), [(0, 99, 99), (99, 99, 99), (0, 3, 5)])
def test_each_row_has_its_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, patience: int, most: int, rows: int
) -> None:
    monkeypatch.setattr(names, "PATIENCE", patience)
    monkeypatch.setattr(names, "MOST", most)
    monkeypatch.setattr(names, "MOST_ROWS", rows)
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        stored = store.append([event(f"Pot {number}") for number in range(9)]).stored
        known, connection = Names(), store._reader()
        for wanted in (stored[:1], stored[2:7:2], stored, stored[::-1], stored[:1]):
            numbers = [each.seq for each in wanted]
            assert known.of(connection, "event", numbers) == [each.id for each in wanted]
        assert known.of(connection, "event", []) == []
        assert known.of(connection, "event", [stored[0].seq, 4711]) == [stored[0].id, None]
        assert known.of(connection, "memory", [stored[0].seq]) == [None]


def test_what_is_not_there_is_not_found() -> None:
    assert scored(["e1", None], [0.5, 0.4]) == [Scored("e1", 0.5)]
