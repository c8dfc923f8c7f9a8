"""Puts back what another store held: dreams, memories, versions and all that goes with them."""

from collections.abc import Sequence

import apsw

from slowwave.adapters.store.rules import COMMITTED, in_space, refuse_lived_in
from slowwave.adapters.store.sqlite import calls, ledger, upkeep, words
from slowwave.adapters.store.sqlite.connection import rows, value
from slowwave.adapters.store.sqlite.rows import encode
from slowwave.model import Erased, IndexRow, Snapshot

__all__ = ["restore"]

_LIVED_IN = """
    SELECT EXISTS (SELECT 1 FROM memories WHERE space = ?1)
      OR EXISTS (SELECT 1 FROM dreams WHERE space = ?1)
      OR EXISTS (SELECT 1 FROM tombstones WHERE space = ?1)
"""


def restore(
    connection: apsw.Connection, space: str, kept: Snapshot, index_rows: Sequence[IndexRow]
) -> None:
    """Writes all of it as it was. InputError where the space has a ledger of its own.

    Inside a transaction; the events it tells of are there.
    """
    refuse_lived_in(space, lived_in=bool(value(connection, _LIVED_IN, (space,))))
    kept = in_space(kept, space)
    for dream in kept.dreams:
        ledger.put_dream(connection, dream)
    for memory in kept.memories:
        ledger.put_memory(connection, space, memory)
    for version in kept.versions:
        ledger.put_version(connection, space, version)
    known = {memory.id for memory in kept.memories}
    for dream in kept.dreams:
        if dream.status in COMMITTED:
            ledger.mark_read(connection, dream)
            ledger.put_phases(connection, dream, known)
    words.put_memories(connection, space, index_rows)
    _beside(connection, space, kept)


def _beside(connection: apsw.Connection, space: str, kept: Snapshot) -> None:
    for signal in kept.signals:
        upkeep.put_signal(connection, space, signal)
    for injection in kept.injections:
        upkeep.record_injection(connection, space, injection, 0)
    upkeep.put_working(connection, space, kept.working)
    for erased in kept.erased:
        put_erased(connection, space, erased)
    calls.record(connection, space, kept.calls, kept.answers, 0)
    for name, payload in kept.state.items():
        upkeep.put_stage(connection, (space, "", name), payload.encode())


def put_erased(connection: apsw.Connection, space: str, erased: Erased) -> None:
    """Keeps the signature of what was forgotten."""
    receipt = erased.receipt
    sql = "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?)"
    rows(connection, sql, (space, receipt.id, receipt.forgotten_at.isoformat(), encode(erased)))
