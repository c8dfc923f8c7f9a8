"""Checkpoints, signals, counts and checks: what keeps the rest in order."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import apsw
import msgspec

from slowwave.adapters.store.rules import free_id, storable, with_verdicts
from slowwave.adapters.store.sqlite.connection import rows, snapshot, value
from slowwave.adapters.store.sqlite.rows import decode_memory, encode, instant, parse_instant
from slowwave.adapters.store.sqlite.words import TABLES, table_name
from slowwave.model import Counts, Erased, Injection, Signal, WorkItem
from slowwave.ports import MOST_NAMED, Admit, Amend, Named

_decode_erased = msgspec.json.Decoder(Erased).decode
_decode_item = msgspec.json.Decoder(WorkItem).decode
_decode_injection = msgspec.json.Decoder(Injection).decode

_TABLES: dict[Named, str] = {
    "event": "events",
    "memory": "memories",
    "dream": "dreams",
    "injection": "injections",
}

_COUNTS = """
    SELECT count(*), count(DISTINCT nullif(session, '')), total(indexed = 0), min(ts), max(ts)
    FROM events WHERE space = ?
"""

_DREAMED = """
    SELECT count(DISTINCT seq) FROM dreamed JOIN dreams ON dreams.space = dreamed.space
      AND dreams.id = dreamed.dream_id AND dreams.status = 'applied'
    WHERE dreamed.space = ?
"""

# What must not be found. Each row is the text of one problem.
_CHECKS = (
    """
    SELECT 'memory ' || id || ' stands at version ' || version || ' but its history does not'
    FROM memories WHERE version IS NOT (
      SELECT max(version) FROM memory_versions
      WHERE memory_versions.space = memories.space AND memory_id = id)
    """,
    """
    SELECT 'dream ' || dream_id || ' was applied without its change ' || changes.id
    FROM changes JOIN dreams ON dreams.space = changes.space AND dreams.id = dream_id
    WHERE status = 'applied' AND approved IS NOT 0 AND NOT EXISTS (
      SELECT 1 FROM memory_versions AS kept WHERE kept.space = changes.space
        AND kept.memory_id = changes.memory_id AND kept.change_id = changes.id)
    """,
    """
    SELECT 'vector of ' || unit || ' ' || row || ' stands for nothing'
    FROM vectors JOIN vector_sets ON number = set_number
    WHERE NOT CASE unit WHEN 'event' THEN EXISTS (SELECT 1 FROM events WHERE seq = row)
      ELSE EXISTS (SELECT 1 FROM memories WHERE memories.number = row) END
    """,
    """
    SELECT 'words of ' || name || ' are marked but the space has no index'
    FROM (SELECT space AS name FROM events WHERE indexed = 1
          UNION SELECT space FROM memories WHERE indexed = 1)
    WHERE name NOT IN (SELECT spaces.name FROM spaces)
    """,
)


def put_stage(connection: apsw.Connection, key: tuple[str, str, str], payload: bytes) -> None:
    """Keeps a finished stage (space, dream id, stage). Inside a transaction."""
    rows(connection, "INSERT OR REPLACE INTO stages VALUES (?, ?, ?, ?)", (*key, payload))


def stages(connection: apsw.Connection, space: str, dream_id: str) -> dict[str, bytes]:
    """Finished stages by name."""
    sql = "SELECT stage, payload FROM stages WHERE space = ? AND dream_id = ?"
    return dict(rows(connection, sql, (space, dream_id)))


def drop_stages(connection: apsw.Connection, space: str, dream_id: str) -> None:
    """Forgets the stages of a dream. Inside a transaction."""
    rows(connection, "DELETE FROM stages WHERE space = ? AND dream_id = ?", (space, dream_id))


def record_signals(
    connection: apsw.Connection, space: str, new: Sequence[Signal], admit: Admit | None
) -> int:
    """Keeps signals of memories that exist and raises their counters; returns how many.

    Inside a transaction.
    """
    raise_counter = """
        UPDATE memories SET access_count = access_count + 1,
          last_access = max(ifnull(last_access, ''), ?) WHERE space = ? AND id = ? RETURNING id
    """
    if admit is not None:
        new = admit(signals(connection, space, [one.memory_id for one in new]), new)
    kept = 0
    for signal in new:
        ts = instant(signal.ts)
        for (memory_id,) in rows(connection, raise_counter, (ts, space, signal.memory_id)):
            put_signal(connection, space, msgspec.structs.replace(signal, memory_id=memory_id))
            kept += 1
    return kept


def put_signal(connection: apsw.Connection, space: str, signal: Signal) -> None:
    """Keeps a signal of a memory that is there; its counter stays. Inside a transaction."""
    keep = """
        INSERT INTO signals (space, memory_id, ts, query_hash, score, session, caller)
        VALUES (?, ?, ?, ?, ?, ?, ?)
    """
    told = (signal.query_hash, signal.score, signal.session, signal.caller)
    rows(connection, keep, (space, signal.memory_id, instant(signal.ts), *told))


def signals(
    connection: apsw.Connection, space: str, memory_ids: Sequence[str] | None = None
) -> list[Signal]:
    """Recall signals (of these memories; None = all), oldest first."""
    sql = f"""
        SELECT memory_id, ts, query_hash, score, session, caller FROM signals WHERE space = ?
        {"" if memory_ids is None else "AND memory_id IN (SELECT value FROM json_each(?))"}
        ORDER BY ts, number
    """
    values = (space,) if memory_ids is None else (space, encode(list(memory_ids)))
    return [
        Signal(
            memory_id=memory_id,
            ts=parse_instant(ts),
            query_hash=query_hash,
            score=score,
            session=session,
            caller=caller,
        )
        for memory_id, ts, query_hash, score, session, caller in rows(connection, sql, values)
    ]


def working(connection: apsw.Connection, space: str) -> list[WorkItem]:
    """Open, done and stalled items, by (opened, id)."""
    sql = "SELECT body FROM working WHERE space = ? ORDER BY opened, id"
    return [_decode_item(row[0]) for row in rows(connection, sql, (space,))]


def put_working(connection: apsw.Connection, space: str, items: Sequence[WorkItem]) -> None:
    """Inserts or replaces items by id. Inside a transaction."""
    for item in items:
        values = (space, item.id, instant(item.opened), encode(item))
        rows(connection, "INSERT OR REPLACE INTO working VALUES (?, ?, ?, ?)", values)


def has_forgotten(connection: apsw.Connection) -> bool:
    """Whether anything was ever forgotten for good: then what comes in is looked at."""
    return bool(value(connection, "SELECT EXISTS (SELECT 1 FROM tombstones)"))


def erasures(connection: apsw.Connection, space: str) -> list[Erased]:
    """What was forgotten for good in a space, oldest first."""
    sql = "SELECT body FROM tombstones WHERE space = ? ORDER BY forgotten_at, id"
    return [_decode_erased(row[0]) for row in rows(connection, sql, (space,))]


def record_injection(
    connection: apsw.Connection, space: str, injection: Injection, days: int
) -> None:
    """Keeps what went into a prompt; drops what is `days` older (0: nothing). In a transaction."""
    if days:
        oldest = instant(injection.ts - timedelta(days=days))
        rows(connection, "DELETE FROM injections WHERE space = ? AND ts < ?", (space, oldest))
    for known in _entries(connection, space, [injection.id]):
        injection = with_verdicts(injection, known)
    sql = "INSERT OR REPLACE INTO injections (space, id, entry, ts) VALUES (?, ?, ?, ?)"
    entry = encode(injection).encode()
    rows(connection, sql, (space, injection.id, entry, instant(injection.ts)))


def add_injection(connection: apsw.Connection, space: str, injection: Injection, days: int) -> str:
    """Keeps what went into a prompt under an id of its own; returns it. In a transaction."""

    def taken(one: str) -> bool:
        sql = "SELECT 1 FROM injections WHERE space = ? AND id = ?"
        return bool(rows(connection, sql, (space, one)))

    own = msgspec.structs.replace(injection, id=free_id(injection.id, taken))
    record_injection(connection, space, own, days)
    return own.id


def amend_injections(
    connection: apsw.Connection, space: str, ids: Sequence[str], amend: Amend
) -> None:
    """Puts what `amend` makes of each of these entries in its place. Inside a transaction."""
    for known in _entries(connection, space, ids):
        amended = amend(known)
        if amended != known:
            # The row stays, and with it its place among those of one moment.
            sql = "UPDATE injections SET entry = ? WHERE space = ? AND id = ?"
            rows(connection, sql, (encode(amended).encode(), space, known.id))


def _entries(connection: apsw.Connection, space: str, ids: Sequence[str]) -> list[Injection]:
    sql = """
        SELECT id, entry FROM injections
        WHERE space = ? AND id IN (SELECT value FROM json_each(?))
    """
    found = rows(connection, sql, (space, encode(list(ids))))
    return [msgspec.structs.replace(_decode_injection(entry), id=key) for key, entry in found]


def injections(
    connection: apsw.Connection, space: str, since: datetime | None, *, as_recorded: bool
) -> list[Injection]:
    """What went into prompts at or after a moment, newest first; of one moment the last first."""
    order = "rowid DESC" if as_recorded else "ts DESC, rowid DESC"
    sql = f"SELECT id, entry FROM injections WHERE space = ? AND ts >= ? ORDER BY {order}"
    values = (space, instant(since) if since else "")
    return [
        msgspec.structs.replace(_decode_injection(entry), id=key)
        for key, entry in rows(connection, sql, values)
    ]


def ids_from(connection: apsw.Connection, space: str, what: Named, prefix: str) -> list[str]:
    """The ids that start with `prefix`, in order, at most as many as anybody reads."""
    sql = f"""
        SELECT id FROM {_TABLES[what]} WHERE space = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?
    """
    start = storable(prefix)
    found = rows(connection, sql, (space, start, start + "\U0010ffff", MOST_NAMED))
    return [row[0] for row in found]


def spaces(connection: apsw.Connection) -> list[str]:
    """The spaces that have events: a jump through the index for each, not a look at every row."""
    sql = """
        WITH RECURSIVE found(space) AS (
          SELECT min(space) FROM events
          UNION ALL
          SELECT (SELECT min(space) FROM events WHERE space > found.space) FROM found
          WHERE found.space IS NOT NULL
        )
        SELECT space FROM found WHERE space IS NOT NULL
    """
    return [row[0] for row in rows(connection, sql, ())]


def counts(connection: apsw.Connection, space: str) -> Counts:
    """How much a space holds, all at one moment."""
    with snapshot(connection):
        events, sessions, unindexed, first, last = rows(connection, _COUNTS, (space,))[0]
        by_status = rows(
            connection,
            "SELECT status, count(*) FROM memories WHERE space = ? GROUP BY status",
            (space,),
        )
        vectors = """
            SELECT count(*) FROM vectors JOIN vector_sets ON number = set_number WHERE space = ?
        """
        return Counts(
            events=events,
            sessions=sessions,
            memories=dict(by_status),
            dreams=value(connection, "SELECT count(*) FROM dreams WHERE space = ?", (space,)),
            undreamed_events=events - value(connection, _DREAMED, (space,)),
            unindexed_events=int(unindexed),
            vectors=value(connection, vectors, (space,)),
            first_event=parse_instant(first) if first else None,
            last_event=parse_instant(last) if last else None,
        )


def check(connection: apsw.Connection) -> list[str]:
    """Problems of the file, of its index and of what memories quote; empty when sound."""
    with snapshot(connection):
        for (number,) in rows(connection, "SELECT number FROM spaces"):
            for table in TABLES:
                # The integrity check takes an index as this connection saw it last: look again.
                rows(connection, f"SELECT rowid FROM {table_name(number, *table)} LIMIT 1")
        problems = [row[0] for row in rows(connection, "PRAGMA integrity_check") if row[0] != "ok"]
        problems += [
            f"{row[0]} row {row[1]} points to a missing row of {row[2]}"
            for row in rows(connection, "PRAGMA foreign_key_check")
        ]
        if problems:
            return problems
        for sql in _CHECKS:
            problems += [row[0] for row in rows(connection, sql)]
        return problems + _words_amiss(connection) + _quotes_amiss(connection)


def _words_amiss(connection: apsw.Connection) -> list[str]:
    """Units marked as indexed without words, or with words and not marked."""
    problems = []
    for number, space in rows(connection, "SELECT number, name FROM spaces"):
        for unit, field, table, key in (
            ("event", "own", "events", "seq"),
            ("event", "around", "events", "seq"),
            ("memory", "own", "memories", "number"),
        ):
            words = f"{table_name(number, unit, field)}_docsize"  # type: ignore[arg-type]
            sql = f"""
                SELECT {key} FROM {table} WHERE space = ? AND indexed = 1
                EXCEPT SELECT id FROM {words}
                UNION ALL SELECT * FROM (SELECT id FROM {words}
                EXCEPT SELECT {key} FROM {table} WHERE space = ? AND indexed = 1)
            """
            problems += [
                f"{unit} {row[0]} of {space}: its mark and its {field} words disagree"
                for row in rows(connection, sql, (space, space))
            ]
    return problems


def _quotes_amiss(connection: apsw.Connection) -> list[str]:
    """Memories whose quotes are not the words of the journal (promise 2)."""
    problems = []
    for space, body in rows(connection, "SELECT space, body FROM memories"):
        memory = decode_memory(body)
        for span in memory.evidence:
            text = value(
                connection,
                "SELECT text FROM events WHERE space = ? AND id = ?",
                (space, span.event_id),
            )
            if text is None or text[span.start : span.end] != span.quote:
                problems.append(
                    f"memory {memory.id} quotes words that event {span.event_id} does not hold"
                )
    return problems
