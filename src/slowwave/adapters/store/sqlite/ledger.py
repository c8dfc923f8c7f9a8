"""The ledger: memories as they stand, all their versions, and the dreams that made them."""

from collections.abc import Collection, Sequence
from datetime import datetime

import apsw
import msgspec

from slowwave.adapters.store.rules import (
    after_undoing,
    refuse_decided,
    refuse_overtaken,
    refuse_recommit,
    refuse_reread,
    refuse_retaken,
    refuse_stale,
    refuse_undone,
    storable,
)
from slowwave.adapters.store.sqlite import upkeep, vectors, words
from slowwave.adapters.store.sqlite.connection import rows, snapshot, value
from slowwave.adapters.store.sqlite.rows import (
    decode_dream,
    decode_memory,
    encode,
    instant,
    memory_of,
    offset_minutes,
    parse_instant,
)
from slowwave.model import (
    Change,
    Dream,
    DreamStatus,
    IndexRow,
    Memory,
    PhaseHit,
    Status,
    Version,
    text_hash,
)

_PUT_MEMORY = """
    INSERT INTO memories (space, id, version, kind, subject, text, text_hash, status, importance,
      first_seen, valid_from, valid_to, access_count, last_access, body)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (space, id) DO UPDATE SET
      version = excluded.version, kind = excluded.kind, subject = excluded.subject,
      text = excluded.text, text_hash = excluded.text_hash, status = excluded.status,
      importance = excluded.importance, first_seen = excluded.first_seen,
      valid_from = excluded.valid_from, valid_to = excluded.valid_to,
      access_count = max(access_count, excluded.access_count),
      last_access = nullif(max(ifnull(last_access, ''), ifnull(excluded.last_access, '')), ''),
      body = excluded.body
    RETURNING number
"""


def memories(
    connection: apsw.Connection, space: str, statuses: Sequence[Status] = ()
) -> list[Memory]:
    """Memories of these statuses (none = all), by (first_seen, id)."""
    sql = f"""
        SELECT body, access_count, last_access FROM memories WHERE space = ?
        {"AND status IN (SELECT value FROM json_each(?))" if statuses else ""}
        ORDER BY first_seen, id
    """
    values = (space, encode(list(statuses))) if statuses else (space,)
    return [memory_of(*row) for row in rows(connection, sql, values)]


def retired(
    connection: apsw.Connection, space: str, since: str, event_ids: Sequence[str]
) -> list[Memory]:
    """Retired memories that ended after a day, or that dreams of these events changed."""
    sql = """
        SELECT body, access_count, last_access FROM memories
        WHERE space = ?1 AND status = 'retired' AND valid_to > ?2 AND substr(valid_to, 1, 10) > ?2
        UNION
        SELECT body, access_count, last_access FROM memories
        WHERE space = ?1 AND status = 'retired' AND id IN (
          SELECT memory_id FROM events JOIN dreamed USING (seq)
          JOIN changes ON changes.space = dreamed.space AND changes.dream_id = dreamed.dream_id
          WHERE events.space = ?1 AND events.id IN (SELECT value FROM json_each(?3)))
    """
    found = rows(connection, sql, (space, since, encode(list(event_ids))))
    return sorted((memory_of(*row) for row in found), key=lambda one: (one.first_seen, one.id))


def changed_since(
    connection: apsw.Connection, space: str, mark: str
) -> tuple[str, list[str] | None]:
    """The mark of now, and the memories with a version since another one (None = any).

    A mark names the last version there is by its row, and how often something was forgotten. Rows
    may move when the file is made anew: then another version has its place, and nothing is told.
    """
    named = """
        SELECT rowid || ' ' || space || ' ' || memory_id || ' ' || version || ' '
          || (SELECT count(*) FROM tombstones) FROM memory_versions
    """
    with snapshot(connection):
        now = value(connection, f"{named} ORDER BY rowid DESC LIMIT 1") or ""
        last = mark.partition(" ")[0]
        number = int(last) if last.isdecimal() else 0
        if value(connection, f"{named} WHERE rowid = ?", (number,)) != mark or not mark:
            return now, None
        sql = "SELECT DISTINCT memory_id FROM memory_versions WHERE rowid > ? AND space = ?"
        return now, [row[0] for row in rows(connection, sql, (number, space))]


def versions(
    connection: apsw.Connection, space: str, memory_id: str, latest: int | None = None
) -> list[Version]:
    """The versions of one memory (None: all, else so many of the latest), oldest first."""
    sql = """
        SELECT body, change_id, op, dream_id, recorded_at, recorded_offset_min, reason
        FROM memory_versions WHERE space = ? AND memory_id = ? ORDER BY version DESC LIMIT ?
    """
    found = rows(connection, sql, (space, memory_id, -1 if latest is None else latest))
    return [
        Version(
            memory=decode_memory(row[0]),
            change_id=row[1],
            op=row[2],
            dream_id=row[3],
            recorded_at=parse_instant(row[4], row[5]),
            reason=row[6],
        )
        for row in reversed(found)
    ]


def save_dream(connection: apsw.Connection, dream: Dream, was: Dream | None) -> None:
    """Inserts or replaces a dream and the rows of its plan. Inside a transaction.

    Raises AlreadyDecided for one that was applied before and would become a plan again.
    """
    refuse_decided(dream.dream_id, _status(connection, dream.space, dream.dream_id), dream.status)
    _refuse_if_overtaken(connection, was)
    put_dream(connection, dream)


def _refuse_if_overtaken(connection: apsw.Connection, was: Dream | None) -> None:
    """StalePlan when the stored plan is not as it was read. Inside a transaction."""
    if was is None:
        return
    sql = "SELECT id, approved FROM changes WHERE space = ? AND dream_id = ? ORDER BY place"
    marks = [
        (change_id, None if approved is None else bool(approved))
        for change_id, approved in rows(connection, sql, (was.space, was.dream_id))
    ]
    refuse_overtaken(was, marks, _status(connection, was.space, was.dream_id) or "")


def _status(connection: apsw.Connection, space: str, dream_id: str) -> str | None:
    """How the stored dream of that id stands."""
    sql = "SELECT status FROM dreams WHERE space = ? AND id = ?"
    found: str | None = value(connection, sql, (space, dream_id))
    return found


def put_dream(connection: apsw.Connection, dream: Dream) -> None:
    """Inserts or replaces a dream and the rows of its plan as they are. Inside a transaction."""
    summary = msgspec.structs.replace(dream, changes=(), rejections=(), event_ids=())
    sql = """
        INSERT INTO dreams (space, id, run_at, date, mode, status, summary, rejections, event_ids)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (space, id) DO UPDATE SET run_at = excluded.run_at, date = excluded.date,
          mode = excluded.mode, status = excluded.status, summary = excluded.summary,
          rejections = excluded.rejections, event_ids = excluded.event_ids
    """
    key = (dream.space, dream.dream_id)
    about = (instant(dream.run_at), dream.date, dream.mode, dream.status, encode(summary))
    rows(connection, sql, (*key, *about, encode(dream.rejections), encode(dream.event_ids)))
    rows(connection, "DELETE FROM changes WHERE space = ? AND dream_id = ?", key)
    for place, change in enumerate(dream.changes):
        rows(
            connection,
            "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *key,
                *(place, change.id, change.op, change.memory_id),
                *(change.approved, change.reason, encode(change)),
            ),
        )


def dream(connection: apsw.Connection, space: str, dream_id: str) -> Dream | None:
    """One dream with its plan, or None."""
    with snapshot(connection):
        return dream_within(connection, space, dream_id)


def dream_within(connection: apsw.Connection, space: str, dream_id: str) -> Dream | None:
    """As `dream`, inside a transaction."""
    found = rows(
        connection,
        "SELECT summary, rejections, event_ids FROM dreams WHERE space = ? AND id = ?",
        (space, dream_id),
    )
    changes = rows(
        connection,
        "SELECT body FROM changes WHERE space = ? AND dream_id = ? ORDER BY place",
        (space, dream_id),
    )
    if not found:
        return None
    summary, rejections, event_ids = found[0]
    return decode_dream(summary, [row[0] for row in changes], rejections, event_ids)


def drop_dream(connection: apsw.Connection, space: str, dream_id: str) -> None:
    """Takes out a dream and its plan. Inside a transaction."""
    for table in ("changes", "dreamed", "phase_hits"):
        sql = f"DELETE FROM {table} WHERE space = ? AND dream_id = ?"
        rows(connection, sql, (space, dream_id))
    rows(connection, "DELETE FROM dreams WHERE space = ? AND id = ?", (space, dream_id))


def commit(
    connection: apsw.Connection,
    dream: Dream,
    index_rows: Sequence[IndexRow],
    recorded: datetime,
    was: Dream | None,
) -> None:
    """Applies the approved changes of a plan. Inside a transaction.

    Raises AlreadyDecided for a dream that does not wait any more, StalePlan when memories or
    events of it went into another dream.
    """
    refuse_recommit(dream.dream_id, _status(connection, dream.space, dream.dream_id))
    _refuse_if_overtaken(connection, was)
    refuse_reread(dream.dream_id, _reader(connection, dream))
    put_dream(connection, dream)
    for change in dream.changes:
        if change.approved is not False:
            _apply(connection, dream, change, recorded)
    words.put_memories(connection, dream.space, index_rows)
    put_phases(connection, dream)
    if dream.undoes:
        _undo(connection, dream)
    mark_read(connection, dream)
    # What is applied is never planned again: its checkpoints hold words of events, and go with it.
    upkeep.drop_stages(connection, dream.space, dream.dream_id)


def put_phases(
    connection: apsw.Connection, dream: Dream, known: Collection[str] | None = None
) -> None:
    """Keeps what light and REM sleep considered, of these memories (None = all)."""
    for hit in dream.phases:
        if known is None or hit.memory_id in known:
            values = (dream.space, dream.dream_id, hit.memory_id, hit.phase, instant(hit.ts))
            rows(connection, "INSERT OR REPLACE INTO phase_hits VALUES (?, ?, ?, ?, ?)", values)


def mark_read(connection: apsw.Connection, dream: Dream) -> None:
    """Notes that a dream has read its events."""
    sql = """
        INSERT OR IGNORE INTO dreamed (seq, space, dream_id)
        SELECT seq, space, ? FROM events
        WHERE space = ? AND id IN (SELECT value FROM json_each(?))
    """
    rows(connection, sql, (dream.dream_id, dream.space, encode(dream.event_ids)))


def _undo(connection: apsw.Connection, dream: Dream) -> None:
    """Sets the dream that this one takes back to rolled back. AlreadyDecided unless applied.

    Was that one an undoing itself, the dream it had taken back is applied again, and so on.
    """
    refuse_undone(dream.undoes, _status(connection, dream.space, dream.undoes))
    sql = "SELECT json_extract(summary, '$.undoes') FROM dreams WHERE space = ? AND id = ?"
    chain = [dream.undoes]
    while under := value(connection, sql, (dream.space, chain[-1])):
        chain.append(under)
    for dream_id, status in after_undoing(chain):
        if status == "applied":
            refuse_retaken(dream_id, _reader_since(connection, dream.space, dream_id))
        _set_status(connection, dream.space, dream_id, status)


def _reader_since(connection: apsw.Connection, space: str, dream_id: str) -> str | None:
    """Another applied dream that has read an event of this one."""
    sql = """
        SELECT other.dream_id FROM dreamed AS mine JOIN dreamed AS other USING (seq)
        JOIN dreams ON dreams.space = other.space AND dreams.id = other.dream_id
        WHERE mine.space = ?1 AND mine.dream_id = ?2 AND other.dream_id <> ?2
          AND dreams.status = 'applied' LIMIT 1
    """
    found: str | None = value(connection, sql, (space, dream_id))
    return found


def _set_status(
    connection: apsw.Connection, space: str, dream_id: str, status: DreamStatus
) -> None:
    sql = """
        UPDATE dreams SET status = ?1, summary = json_set(summary, '$.status', ?1)
        WHERE space = ?2 AND id = ?3
    """
    rows(connection, sql, (status, space, dream_id))


def phase_hits(
    connection: apsw.Connection, space: str, memory_ids: Sequence[str] | None = None
) -> list[PhaseHit]:
    """What light and REM sleep considered in applied dreams, oldest first."""
    sql = f"""
        SELECT memory_id, phase, ts FROM phase_hits JOIN dreams
          ON dreams.space = phase_hits.space AND dreams.id = phase_hits.dream_id
        WHERE phase_hits.space = ? AND dreams.status = 'applied'
        {"" if memory_ids is None else "AND memory_id IN (SELECT value FROM json_each(?))"}
        ORDER BY ts, memory_id, phase
    """
    values = (space,) if memory_ids is None else (space, encode(list(memory_ids)))
    return [
        PhaseHit(memory_id, phase, parse_instant(ts))
        for memory_id, phase, ts in rows(connection, sql, values)
    ]


def _reader(connection: apsw.Connection, dream: Dream) -> str | None:
    """An applied dream that has read one of this dream's events already."""
    sql = """
        SELECT dreamed.dream_id FROM events JOIN dreamed USING (seq)
        JOIN dreams ON dreams.space = dreamed.space AND dreams.id = dreamed.dream_id
        WHERE events.space = ? AND events.id IN (SELECT value FROM json_each(?))
          AND dreams.status = 'applied' LIMIT 1
    """
    found: str | None = value(connection, sql, (dream.space, encode(dream.event_ids)))
    return found


def _apply(connection: apsw.Connection, dream: Dream, change: Change, recorded: datetime) -> None:
    """One change: checked against what stands, then the memory and its new version."""
    standing = value(
        connection,
        "SELECT version FROM memories WHERE space = ? AND id = ?",
        (dream.space, change.memory_id),
    )
    refuse_stale(change, standing)
    memory = change.after
    number = put_memory(connection, dream.space, memory)
    vectors.remove_stale(connection, dream.space, number, storable(memory.text))
    version = Version(
        memory=memory, change_id=change.id, op=change.op, dream_id=dream.dream_id,
        recorded_at=recorded, reason=change.reason,
    )  # fmt: skip
    put_version(connection, dream.space, version)


def put_memory(connection: apsw.Connection, space: str, memory: Memory) -> int:
    """Writes a memory as it stands, with access counters not lower than they are; its row."""
    number: int = value(connection, _PUT_MEMORY, _memory_values(space, memory, encode(memory)))
    return number


def put_version(connection: apsw.Connection, space: str, version: Version) -> None:
    """Adds a version of a memory that is there."""
    memory, recorded = version.memory, version.recorded_at
    rows(
        connection,
        "INSERT INTO memory_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(space, memory.id, memory.version, version.op, version.change_id, version.dream_id),
            *(instant(recorded), offset_minutes(recorded), version.reason, encode(memory)),
        ),
    )


def _memory_values(space: str, memory: Memory, body: str) -> tuple[str | int | None, ...]:
    return (
        space,
        memory.id,
        memory.version,
        memory.kind,
        memory.subject,
        storable(memory.text),
        text_hash(storable(memory.text)),
        memory.status,
        memory.importance,
        instant(memory.first_seen),
        memory.valid_from,
        memory.valid_to,
        memory.access_count,
        instant(memory.last_access) if memory.last_access else None,
        body,
    )
