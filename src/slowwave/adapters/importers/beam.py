"""BEAM: long chats of one user with an assistant (a public research data set), `chat.json`.

Message ids come back as references, which is what its questions name as evidence.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

from slowwave.adapters.importers.blocks import string
from slowwave.adapters.importers.json_stream import json_values
from slowwave.adapters.importers.lines import plain_head
from slowwave.adapters.importers.stamps import parse_stamp
from slowwave.model import Record, Role, Skipped, text_hash
from slowwave.ports import Format

__all__ = ["FORMAT"]

_BATCH = re.compile(rb'"turns"\s*:\s*\[\s*\[?\s*\{')
_MARKS = re.compile(rb'"(?:batch_number|time_anchor|question_type)"\s*:')
_INDEX = re.compile(r"\s*->->\s*\d+\s*,\s*\d+\s*\Z")
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
_MORNING = timedelta(hours=9)
"""An anchor is a day; talk on it starts at nine, so that no other zone makes it the day before."""


def _recognise(path: Path, head: bytes) -> bool:
    head = plain_head(path, head)
    return bool(_BATCH.search(head) and _MARKS.search(head))


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    """Messages a second apart from their anchor's morning on, until the next anchor."""
    # The folder is the number of the chat.
    name = path.absolute().parent.name
    start: datetime | None = None
    since = 0
    for place, found in enumerate(_messages(path)):
        if isinstance(found, Skipped):
            yield found
            continue
        batch, message = found
        anchor = parse_stamp(string(message.get("time_anchor")), zone)
        if anchor is not None:
            start, since = anchor.ts + _MORNING, place
        ts = start + timedelta(seconds=place - since) if start else None
        yield _record(message, f"beam:{name}", f"{name}/batch_{batch}", ts)


def _record(
    message: Mapping[str, object], source: str, session: str, ts: datetime | None
) -> Record | Skipped:
    given = message.get("id")
    ref = str(given) if isinstance(given, int | str) else None
    text = _INDEX.sub("", string(message.get("content"))).strip()
    role = _ROLES.get(string(message.get("role")))
    if role is None or not text:
        return Skipped(0, f"{session}, message {ref}: {'no text' if role else 'unknown role'}")
    # Chats of different sizes share folder names and ids; their words do not agree.
    key = f"{ref or session}:{text_hash(text)}"
    return Record(text=text, source=source, key=key, ref=ref, ts=ts, role=role, session=session)


def _messages(path: Path) -> Iterator[tuple[str, Mapping[str, object]] | Skipped]:
    """Messages in order, each with the number of its batch."""
    for found in json_values(path, re.compile(r"chat\.json")):
        if isinstance(found, Skipped):
            yield found
            continue
        batches = list(_batches(found.value))
        if not batches:
            yield Skipped(found.line, f"value {found.number}: no turns")
        for batch in batches:
            number = str(batch.get("batch_number", found.number))
            for message in _flat(batch["turns"]):
                if isinstance(message, dict):
                    yield number, message
                else:
                    yield Skipped(found.line, f"batch {number}: a message is not an object")


def _batches(value: object, depth: int = 0) -> Iterator[Mapping[str, object]]:
    """The objects with turns; larger chats nest them in plans."""
    if isinstance(value, dict):
        if isinstance(value.get("turns"), list):
            yield value
            return
        value = list(value.values())
    if isinstance(value, list) and depth < 4:
        for item in value:
            yield from _batches(item, depth + 1)


def _flat(turns: object) -> Iterator[object]:
    """Messages of turns; a turn is a list of them."""
    for turn in turns if isinstance(turns, list) else ():
        if isinstance(turn, list):
            yield from turn
        else:
            yield turn


FORMAT = Format("beam", _recognise, _read)
