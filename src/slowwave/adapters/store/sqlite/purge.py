"""Real deletion (N20): one transaction for what is forgotten, then nothing of it in the bytes.

The journal's rows may be deleted, never changed: of an event that says more, a new one takes the
place (its row number, so that nothing is read twice and turns keep their order). A full-text
index keeps deleted words until its segments are merged, and free pages keep deleted rows, so
both are rebuilt. What stays is a tombstone: ids and salted hashes.
"""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import apsw
import msgspec

from slowwave.adapters.store.lineage import (
    Lineage,
    cited,
    counted,
    ids_in,
    refuse_forgotten,
)
from slowwave.adapters.store.rules import storable_event
from slowwave.adapters.store.sqlite import calls, ledger, vectors, words
from slowwave.adapters.store.sqlite.connection import Patience, connect, rows, value
from slowwave.adapters.store.sqlite.rows import (
    EVENT_COLUMNS,
    decode_memory,
    encode,
    event_values,
)
from slowwave.adapters.store.sqlite.upkeep import erasures
from slowwave.errors import StoreBusy
from slowwave.model import (
    Dream,
    Erased,
    Event,
    Injection,
    Purge,
    Redaction,
    WorkItem,
)
from slowwave.text.redaction import admitted

REINDEXED = 500
"""How many later turns of a session are indexed anew: the nearest ones lent each other words."""

LENT = 4
"""How far before an event its words may have been lent."""

BACKUPS = "*.backup*"

_decode_item = msgspec.json.Decoder(WorkItem).decode
_decode_injection = msgspec.json.Decoder(Injection).decode


# ── the transaction ─────────────────────────────────────────────────────────────────────────────


def erase(connection: apsw.Connection, purge: Purge) -> Erased:
    """Takes everything out and leaves the tombstone. Inside a transaction."""
    connection.execute("PRAGMA defer_foreign_keys = ON")
    space = purge.space
    seqs = _seqs(connection, purge)
    purge = msgspec.structs.replace(
        purge, redactions=tuple(item for item in purge.redactions if item.event_id in seqs)
    )
    lineage = Lineage(purge, ledger.memories(connection, space))
    versions = _memories(connection, lineage)
    _dreams(connection, lineage)
    _upkeep(connection, lineage)
    dropped = _delete_memories(connection, lineage) + _events(connection, purge, seqs)
    _merge_words(connection, space)
    erased = counted(lineage, versions, dropped)
    receipt = erased.receipt
    sql = "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?)"
    rows(connection, sql, (space, receipt.id, receipt.forgotten_at.isoformat(), encode(erased)))
    return erased


def _seqs(connection: apsw.Connection, purge: Purge) -> dict[str, int]:
    """The rows of the events that still are there (another forgetting may have been quicker)."""
    ids = [item.event_id for item in purge.redactions]
    sql = "SELECT id, seq FROM events WHERE space = ? AND id IN (SELECT value FROM json_each(?))"
    return dict(rows(connection, sql, (purge.space, encode(ids))))


def _memories(connection: apsw.Connection, lineage: Lineage) -> int:
    """Memories, their versions, signals, words and vectors; returns how many versions went."""
    space = lineage.purge.space
    sql = "SELECT memory_id, version, body, reason FROM memory_versions WHERE space = ?"
    versions = 0
    for memory_id, version, body, reason in rows(connection, sql, (space,)):
        old = decode_memory(body)
        kept = lineage.memory(old)
        key = (space, memory_id, version)
        where = "WHERE space = ? AND memory_id = ? AND version = ?"
        if kept is None:
            rows(connection, f"DELETE FROM memory_versions {where}", key)
            versions += 1
        elif kept != old or lineage.words(reason) != reason:
            update = f"UPDATE memory_versions SET body = ?, reason = ? {where}"
            rows(connection, update, (encode(kept), lineage.words(reason), *key))
    for old in ledger.memories(connection, space):
        kept = lineage.memory(old)
        if kept is not None and kept != old:
            sql = "UPDATE memories SET body = ? WHERE space = ? AND id = ?"
            rows(connection, sql, (encode(kept), space, old.id))
    gone = (space, encode(sorted(lineage.gone)))
    for table in ("signals", "phase_hits"):
        these = "WHERE space = ? AND memory_id IN (SELECT value FROM json_each(?))"
        rows(connection, f"DELETE FROM {table} {these}", gone)
    return versions


def _delete_memories(connection: apsw.Connection, lineage: Lineage) -> int:
    """The rows of the memories themselves; returns how many vectors went with them."""
    space = lineage.purge.space
    these = "WHERE space = ? AND id IN (SELECT value FROM json_each(?))"
    gone = (space, encode(sorted(lineage.gone)))
    numbers = [row[0] for row in rows(connection, f"SELECT number FROM memories {these}", gone)]
    _unword(connection, space, "memory", numbers)
    dropped = vectors.remove(connection, space, "memory", numbers)
    rows(connection, f"DELETE FROM memories {these}", gone)
    return dropped


def _dreams(connection: apsw.Connection, lineage: Lineage) -> None:
    """Plans that touch what goes are dropped; of decided dreams the rest is kept."""
    space = lineage.purge.space
    for (dream_id,) in rows(connection, "SELECT id FROM dreams WHERE space = ?", (space,)):
        old = ledger.dream_within(connection, space, dream_id)
        if old is None:
            continue
        kept = lineage.dream(old)
        if kept is None:
            ledger.drop_dream(connection, space, dream_id)
        elif kept != old:
            ledger.put_dream(connection, kept)


def _upkeep(connection: apsw.Connection, lineage: Lineage) -> None:
    """Checkpoints, questions that went into prompts, their hashes, and what waits."""
    space = lineage.purge.space
    rows(connection, "DELETE FROM stages WHERE space = ? AND dream_id != ''", (space,))
    for key, entry in rows(
        connection, "SELECT id, entry FROM injections WHERE space = ?", (space,)
    ):
        asked = lineage.injected(_decode_injection(entry))
        if asked is not None:
            rows(connection, "DELETE FROM injections WHERE space = ? AND id = ?", (space, key))
            sql = "DELETE FROM signals WHERE space = ? AND query_hash = ?"
            rows(connection, sql, (space, asked))
    calls.forget_answers(connection, lineage)
    for key, body in rows(connection, "SELECT id, body FROM working WHERE space = ?", (space,)):
        old = _decode_item(body)
        kept = lineage.item(old)
        if kept is None:
            rows(connection, "DELETE FROM working WHERE space = ? AND id = ?", (space, key))
        elif kept != old:
            sql = "UPDATE working SET body = ? WHERE space = ? AND id = ?"
            rows(connection, sql, (encode(kept), space, key))


def _events(connection: apsw.Connection, purge: Purge, seqs: dict[str, int]) -> int:
    """The events, with what stands in their place; returns how many vectors went."""
    for item in purge.redactions:
        _unlend(connection, purge.space, seqs[item.event_id])
    numbers = sorted(seqs.values())
    dropped = vectors.remove(connection, purge.space, "event", numbers)
    for item in purge.redactions:
        seq = seqs[item.event_id]
        if item.remains is None:
            rows(connection, "DELETE FROM dreamed WHERE seq = ?", (seq,))
        rows(connection, "DELETE FROM events WHERE seq = ?", (seq,))
        if item.remains is not None:
            _put_back(connection, item, seq)
    return dropped


def _put_back(connection: apsw.Connection, item: Redaction, seq: int) -> None:
    assert item.remains is not None
    marks = ", ".join("?" * 16)
    event = storable_event(item.remains)
    sql = f"INSERT INTO events ({EVENT_COLUMNS}) VALUES ({marks})"
    rows(connection, sql, (*event_values(event), seq))


def _unlend(connection: apsw.Connection, space: str, seq: int) -> None:
    """An event's words leave the index, and so do those its neighbours borrowed from it."""
    own = "SELECT session FROM events WHERE seq = ?"
    session = value(connection, own, (seq,))
    near = "SELECT seq FROM events WHERE space = ? AND session = ? AND seq"
    found = rows(connection, f"{near} < ? ORDER BY seq DESC LIMIT {LENT}", (space, session, seq))
    found += rows(connection, f"{near} >= ? ORDER BY seq LIMIT {REINDEXED}", (space, session, seq))
    numbers = [row[0] for row in found]
    _unword(connection, space, "event", numbers)
    sql = "UPDATE events SET indexed = 0 WHERE seq IN (SELECT value FROM json_each(?))"
    rows(connection, sql, (encode(numbers),))


def _unword(connection: apsw.Connection, space: str, unit: str, numbers: Sequence[int]) -> None:
    place = words.space_number(connection, space)
    if place is None:
        return
    for kind, field in words.TABLES:
        if kind == unit:
            table = words.table_name(place, kind, field)
            sql = f"DELETE FROM {table} WHERE rowid IN (SELECT value FROM json_each(?))"
            rows(connection, sql, (encode(list(numbers)),))


def _merge_words(connection: apsw.Connection, space: str) -> None:
    """Deleted words stay in an index's segments until these are merged into one."""
    place = words.space_number(connection, space)
    if place is not None:
        for unit, field in words.TABLES:
            table = words.table_name(place, unit, field)
            rows(connection, f"INSERT INTO {table} ({table}) VALUES ('optimize')")


# ── what is kept, and what it refuses ───────────────────────────────────────────────────────────


def settle(connection: apsw.Connection, space: str, receipt_id: str, files: int) -> None:
    """Marks a forgetting as finished, with the number of files it cleaned. In a transaction."""
    for erased in erasures(connection, space):
        if erased.receipt.id == receipt_id:
            removed = msgspec.structs.replace(erased.receipt.removed, files=files)
            receipt = msgspec.structs.replace(erased.receipt, removed=removed)
            done = msgspec.structs.replace(erased, receipt=receipt, finished=True)
            sql = "UPDATE tombstones SET body = ? WHERE space = ? AND id = ?"
            rows(connection, sql, (encode(done), space, receipt_id))


def admit(connection: apsw.Connection, events: Sequence[Event]) -> list[Event]:
    """The events without those that were forgotten, whole or in part."""
    known = {space: erasures(connection, space) for space in {event.space for event in events}}
    kept = []
    for event in events:
        new = admitted(event, known[event.space])
        if new is not None:
            kept.append(new)
    return kept


def refuse(connection: apsw.Connection, dream: Dream) -> None:
    """StalePlan for a plan on events that were forgotten while it was made."""
    known = erasures(connection, dream.space)
    forgotten = {one for item in known for one in item.receipt.event_ids}
    refuse_forgotten(dream.dream_id, cited(dream) & forgotten)


def is_stale(connection: apsw.Connection, space: str, payload: bytes) -> bool:
    """Whether a checkpoint holds what was forgotten while it was made."""
    known = erasures(connection, space)
    forgotten = {one for item in known for one in item.receipt.event_ids}
    return bool(forgotten and ids_in(payload) & forgotten)


# ── the bytes ───────────────────────────────────────────────────────────────────────────────────


def compact(path: Path, busy_seconds: float) -> int:
    """Leaves no deleted byte in the file, its log or old copies of it; returns copies removed.

    Readers go on meanwhile; writers wait. Raises StoreBusy when one reads on for too long.
    """
    removed = 0
    for copy in path.parent.glob(path.name + BACKUPS):
        copy.unlink(missing_ok=True)
        removed += 1
    patience = Patience(busy_seconds)
    with closing(connect(path, patience)) as connection:
        connection.execute("VACUUM")  # builds the file anew from what is still there
        deadline = time.monotonic() + busy_seconds
        while True:
            busy, log, _ = rows(connection, "PRAGMA wal_checkpoint(TRUNCATE)")[0]
            if not busy and log <= 0:
                return removed
            if time.monotonic() > deadline:
                raise StoreBusy(
                    f"{path} is being read, so old bytes stay in its log",
                    "the memory is forgotten; run `slowwave forget` again to finish",
                )
            time.sleep(0.01)
