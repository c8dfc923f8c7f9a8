"""Looking for what should be gone: ids, and every text that is kept, also in old copies."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import msgspec

from slowwave.adapters.store.lineage import ids_in, memory_texts
from slowwave.adapters.store.sqlite import calls, ledger
from slowwave.adapters.store.sqlite.connection import rows, value
from slowwave.adapters.store.sqlite.purge import BACKUPS
from slowwave.adapters.store.sqlite.rows import (
    EVENT_COLUMNS,
    decode_memory,
    encode,
    event_of,
)
from slowwave.model import Dream, Injection, Memory, StoredText, WorkItem

_decode_item = msgspec.json.Decoder(WorkItem).decode
_decode_injection = msgspec.json.Decoder(Injection).decode

# Tables and the columns that name events or memories.
_NAMED: tuple[tuple[str, str], ...] = (
    ("events", "id"),
    ("memories", "id"),
    ("memory_versions", "memory_id"),
    ("changes", "memory_id"),
    ("signals", "memory_id"),
    ("phase_hits", "memory_id"),
)
_BODIES: tuple[tuple[str, str], ...] = (
    ("memories", "body"),
    ("memory_versions", "body"),
    ("changes", "body"),
    ("dreams", "summary"),
    ("dreams", "rejections"),
    ("dreams", "event_ids"),
    ("stages", "payload"),
    ("injections", "entry"),
    ("working", "body"),
    ("raw_answers", "body"),
)


def traces(connection: apsw.Connection, space: str, ids: Iterable[str]) -> list[str]:
    """Where ids that should be gone are still named, one line each."""
    wanted = set(ids)
    found = []
    for table, column in _NAMED:
        sql = f"""
            SELECT DISTINCT {column} FROM {table} WHERE space = ?
              AND {column} IN (SELECT value FROM json_each(?))
        """
        listed = rows(connection, sql, (space, encode(sorted(wanted))))
        found += [f"{table}: {row[0]}" for row in listed]
    for table, column in _BODIES:
        for (body,) in rows(connection, f"SELECT {column} FROM {table} WHERE space = ?", (space,)):
            payload = body.encode() if isinstance(body, str) else body
            found += [f"{table}.{column} names {one}" for one in ids_in(payload) & wanted]
    return sorted(set(found))


def texts(connection: apsw.Connection, space: str) -> Iterator[StoredText]:
    """Every text the store holds for a space; events and what was last said of the others."""
    sql = f"SELECT {EVENT_COLUMNS} FROM events WHERE space = ?"
    for row in rows(connection, sql, (space,)):
        event = event_of(row)
        yield StoredText("events", event.id, event.text, event.ts)
    for table in ("memories", "memory_versions"):
        for (body,) in rows(connection, f"SELECT body FROM {table} WHERE space = ?", (space,)):
            yield from _memory_texts(table, decode_memory(body))
    for (dream_id,) in rows(connection, "SELECT id FROM dreams WHERE space = ?", (space,)):
        dream = ledger.dream_within(connection, space, dream_id)
        if dream is not None:
            yield from _dream_texts(dream)
    for key, entry in rows(
        connection, "SELECT id, entry FROM injections WHERE space = ?", (space,)
    ):
        told = _decode_injection(entry)
        yield StoredText("injections", key, told.query, told.ts)
    for key, body in rows(connection, "SELECT id, body FROM working WHERE space = ?", (space,)):
        item = _decode_item(body)
        yield StoredText("working", key, item.text, item.touched)
    yield from calls.texts(connection, space)


def _memory_texts(where: str, memory: Memory) -> Iterator[StoredText]:
    for text in memory_texts(memory):
        yield StoredText(where, memory.id, text, memory.last_seen)


def _dream_texts(dream: Dream) -> Iterator[StoredText]:
    for change in dream.changes:
        for memory in filter(None, (change.before, change.after)):
            yield from _memory_texts(f"changes of {dream.dream_id}", memory)
        for span in change.evidence:
            yield StoredText("changes", change.id, span.quote, span.ts)
    if dream.diary:
        yield StoredText("diary", dream.dream_id, dream.diary.text, dream.run_at)
    for item in dream.rejections:
        yield StoredText(f"rejections of {dream.dream_id}", item.event_id, item.text, dream.run_at)


def copies_naming(path: Path, space: str, ids: Iterable[str]) -> list[str]:
    """Old copies of the file that still hold one of the events or memories."""
    found = []
    wanted = encode(sorted(ids))
    for copy in sorted(path.parent.glob(path.name + BACKUPS)):
        flags = apsw.SQLITE_OPEN_READONLY
        with closing(apsw.Connection(str(copy), flags=flags)) as connection:
            for table in ("events", "memories"):
                sql = f"""
                    SELECT EXISTS (SELECT 1 FROM {table} WHERE space = ?
                      AND id IN (SELECT value FROM json_each(?)))
                """
                if value(connection, sql, (space, wanted)):
                    found.append(f"{copy.name}: {table}")
    return found
