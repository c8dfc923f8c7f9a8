"""Nouns to rows and back: instants as UTC text, bodies as JSON."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from functools import cache
from typing import Any

import msgspec

from slowwave.adapters.store.rules import storable
from slowwave.adapters.store.sqlite.connection import Row
from slowwave.errors import StoreError
from slowwave.model import Change, Dream, Event, Memory, Rejected

EVENT_COLUMNS = (
    "id, space, identity, ts, offset_min, role, kind, origin, text, source, session, speaker, "
    "channel, ref, meta, seq"
)

decode_memory = msgspec.json.Decoder(Memory).decode


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:
    """Decoders are built when first needed: most commands read no dream."""
    return msgspec.json.Decoder(kind)


def decode_dream(
    summary: str, changes: Sequence[str] = (), rejections: str = "[]", event_ids: str = "[]"
) -> Dream:
    """A dream from its row and the rows of its changes."""
    dream: Dream = _decoder(Dream).decode(summary)
    return msgspec.structs.replace(
        dream,
        changes=tuple(_decoder(Change).decode(body) for body in changes),
        rejections=_decoder(tuple[Rejected, ...]).decode(rejections),
        event_ids=_decoder(tuple[str, ...]).decode(event_ids),
    )


def encode(value: object) -> str:
    """JSON text. Lone surrogates are replaced."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_storable(msgspec.to_builtins(value))).decode()


def _storable(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, dict):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    return value


def instant(ts: datetime) -> str:
    """UTC, microseconds, sortable: `2026-05-01T08:00:00.000000Z`."""
    if ts.tzinfo is None:
        raise StoreError(f"a time without an offset cannot be stored: {ts}")
    try:
        return ts.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"
    except OverflowError:
        raise StoreError(f"a time outside the calendar cannot be stored: {ts}") from None


def offset_minutes(ts: datetime) -> int:
    """The offset from UTC that the instant carries, in whole minutes."""
    offset = ts.utcoffset()
    return 0 if offset is None else offset // timedelta(minutes=1)


@cache
def _zone(minutes: int) -> timezone:
    return timezone(timedelta(minutes=minutes)) if minutes else UTC


def parse_instant(text: str, minutes: int = 0) -> datetime:
    """The aware datetime of a stored instant, in the offset stored beside it."""
    ts = datetime.fromisoformat(text)
    try:
        return ts.astimezone(_zone(minutes)) if minutes else ts
    except OverflowError:  # the first or last day of the calendar
        return ts


def event_values(event: Event) -> tuple[Any, ...]:
    """The columns of EVENT_COLUMNS without `seq`."""
    return (
        event.id,
        event.space,
        event.identity,
        instant(event.ts),
        offset_minutes(event.ts),
        event.role,
        event.kind,
        event.origin,
        event.text,
        event.source,
        event.session,
        event.speaker,
        event.channel,
        event.ref,
        encode(event.meta) if event.meta else "{}",
    )


def event_of(row: Row) -> Event:
    """The event of a row of EVENT_COLUMNS."""
    return Event(
        id=row[0],
        space=row[1],
        identity=row[2],
        ts=parse_instant(row[3], row[4]),
        role=row[5],
        kind=row[6],
        origin=row[7],
        text=row[8],
        source=row[9],
        session=row[10],
        speaker=row[11],
        channel=row[12],
        ref=row[13],
        meta={} if row[14] == "{}" else _decoder(dict[str, str]).decode(row[14]),
        seq=row[15],
    )


def memory_of(body: str, access_count: int, last_access: str | None) -> Memory:
    """The memory of a row, with the access counters that were raised since."""
    memory = decode_memory(body)
    if memory.access_count == access_count:
        return memory
    return msgspec.structs.replace(
        memory,
        access_count=access_count,
        last_access=parse_instant(last_access) if last_access else None,
    )
