"""Uploads that are more than they look like."""

import gzip
import sqlite3
from pathlib import Path

import pytest

from slowwave.adapters.importers import openclaw_sqlite
from slowwave.model import Skipped
from slowwave.servers.packed import unpacks_to_more

MB = 1024 * 1024


def packed(kind: str, raw: bytes) -> bytes:
    if kind == "gzip":
        return gzip.compress(raw)
    zstandard = pytest.importorskip("zstandard")
    made: bytes = zstandard.ZstdCompressor().compress(raw)
    return made


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_what_unpacks_to_too_much_is_known_before_it_is_read(kind: str) -> None:
    bomb = packed(kind, b"\n" * (4 * MB))
    assert len(bomb) < 8_000
    assert unpacks_to_more(bomb, 4 * MB - 1)
    assert not unpacks_to_more(bomb, 4 * MB)
    twice = packed(kind, b"\n" * MB) * 3
    assert unpacks_to_more(twice, 2 * MB), "also in several pieces"
    assert not unpacks_to_more(bomb[:-5], 64 * MB), "a damaged one is told of by its reader"
    assert not unpacks_to_more(bomb[:9] + b"\xff" * 50, 64 * MB)


def test_what_is_not_packed_is_as_it_is() -> None:
    for raw in (b"", b"\n" * 100, b"{}", b"\x1f"):
        assert not unpacks_to_more(raw, 1)


def test_a_database_that_would_never_end_is_not_begun(tmp_path: Path) -> None:
    path = tmp_path / "openclaw-agent.sqlite"
    endless = (
        "AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) "
        "SELECT n AS session_id, n AS session_key, n AS seq, '{}' AS event_json, n AS created_at "
        "FROM c"
    )
    with sqlite3.connect(path) as made:
        for name in ("transcript_events", "session_windows"):
            made.execute(f"CREATE VIEW {name} {endless}")
    made.close()
    found = list(openclaw_sqlite.read(path, "a", None))  # type: ignore[arg-type]
    assert all(isinstance(one, Skipped) for one in found)
