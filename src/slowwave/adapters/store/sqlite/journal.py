"""The journal: events are added and read, never changed."""

from collections.abc import Sequence
from datetime import datetime

import apsw
import msgspec

from slowwave.adapters.store.rules import shown_as, storable, storable_event
from slowwave.adapters.store.sqlite.connection import rows
from slowwave.adapters.store.sqlite.rows import (
    EVENT_COLUMNS,
    encode,
    event_of,
    event_values,
    instant,
    parse_instant,
)
from slowwave.model import Appended, Event
from slowwave.ports import MOST_NAMED

_INSERT = f"""
    INSERT INTO events ({EVENT_COLUMNS.removesuffix(", seq")})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (space, identity) DO NOTHING RETURNING seq
"""

_NOT_DREAMED = """
    NOT EXISTS (
      SELECT 1 FROM dreamed JOIN dreams ON dreams.space = dreamed.space
        AND dreams.id = dreamed.dream_id AND dreams.status = 'applied'
      WHERE dreamed.seq = events.seq)
"""

LAST = "9999-12-31T23:59:59.999999Z~"
"""Sorts after every instant."""


def append(connection: apsw.Connection, events: Sequence[Event]) -> Appended:
    """Adds the events that are not there by space and identity. Inside a transaction."""
    stored = []
    for event in events:
        try:
            found = connection.execute(_INSERT, event_values(event)).fetchone()
        except UnicodeEncodeError:
            event = storable_event(event)
            found = connection.execute(_INSERT, event_values(event)).fetchone()
        if found is not None:
            stored.append(msgspec.structs.replace(event, seq=found[0]))
    return Appended(tuple(stored), len(events) - len(stored))


def after(connection: apsw.Connection, space: str, seq: int, limit: int) -> list[Event]:
    """Up to `limit` events with a larger `seq`."""
    sql = f"SELECT {EVENT_COLUMNS} FROM events WHERE space = ? AND seq > ? ORDER BY seq LIMIT ?"
    return [event_of(row) for row in rows(connection, sql, (space, seq, max(0, limit)))]


def between(
    connection: apsw.Connection,
    space: str,
    start: datetime | None,
    end: datetime | None,
    *,
    undreamed: bool = False,
) -> list[Event]:
    """Events with start <= ts < end by (ts, seq), optionally only those no dream has read."""
    sql = f"""
        SELECT {EVENT_COLUMNS} FROM events WHERE space = ? AND ts >= ? AND ts < ?
        {"AND" + _NOT_DREAMED if undreamed else ""} ORDER BY ts, seq
    """
    span = (instant(start) if start else "", instant(end) if end else LAST)
    return [event_of(row) for row in rows(connection, sql, (space, *span))]


def undreamed_times(connection: apsw.Connection, space: str) -> list[datetime]:
    """When each event that no applied dream has read was said, oldest first."""
    sql = f"SELECT ts FROM events WHERE space = ? AND {_NOT_DREAMED} ORDER BY ts, seq"
    return [parse_instant(row[0]) for row in rows(connection, sql, (space,))]


def by_id(connection: apsw.Connection, space: str, ids: Sequence[str]) -> dict[str, Event]:
    """The events among `ids` that exist, in the order of `ids`."""
    sql = f"""
        SELECT {EVENT_COLUMNS} FROM events
        WHERE space = ? AND id IN (SELECT value FROM json_each(?))
    """
    found = {row[0]: event_of(row) for row in rows(connection, sql, (space, encode(list(ids))))}
    return {event_id: found[event_id] for event_id in ids if event_id in found}


def by_ref(connection: apsw.Connection, space: str, ref: str) -> list[Event]:
    """The events with a source reference, or those that it may stand for in short."""
    where, values = "ref = ?", (storable(ref),)
    if "…" in ref and not rows(
        connection, "SELECT 1 FROM events WHERE space = ? AND ref = ? LIMIT 1", (space, *values)
    ):
        named = rows(connection, "SELECT DISTINCT ref FROM events WHERE space = ?", (space,))
        meant = [one for (one,) in named if one and shown_as(one, ref)][:MOST_NAMED]
        where, values = "ref IN (SELECT value FROM json_each(?))", (encode(meant),)
    sql = f"SELECT {EVENT_COLUMNS} FROM events WHERE space = ? AND {where} ORDER BY ts, seq LIMIT ?"
    return [event_of(row) for row in rows(connection, sql, (space, *values, MOST_NAMED))]


def session_before(
    connection: apsw.Connection, space: str, session: str, seq: int, limit: int
) -> list[Event]:
    """The last `limit` events of a session before `seq`, oldest first."""
    sql = f"""
        SELECT {EVENT_COLUMNS} FROM events WHERE space = ? AND session = ? AND seq < ?
        ORDER BY seq DESC LIMIT ?
    """
    found = rows(connection, sql, (space, session, seq, max(0, limit)))
    return [event_of(row) for row in reversed(found)]


def unindexed(connection: apsw.Connection, space: str, limit: int) -> list[Event]:
    """Events whose words are not in the index, oldest first."""
    sql = f"""
        SELECT {EVENT_COLUMNS} FROM events WHERE space = ? AND indexed = 0 ORDER BY seq LIMIT ?
    """
    return [event_of(row) for row in rows(connection, sql, (space, max(0, limit)))]
