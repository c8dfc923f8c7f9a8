"""LoCoMo: long conversations of two people in dated sessions (a public research data set).

Both speak as equals, so every turn has a speaker and none is the owner's. Turn ids (`D1:3`) come
back as references, which is what its questions name as evidence.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta, tzinfo
from pathlib import Path

from slowwave.adapters.importers.blocks import string
from slowwave.adapters.importers.json_stream import Value, head_of, json_values
from slowwave.adapters.importers.stamps import parse_stamp
from slowwave.model import Record, Skipped
from slowwave.ports import Format

__all__ = ["FORMAT"]

_MEMBERS = re.compile(r".*locomo.*\.json", re.IGNORECASE)
_SESSION = re.compile(r"session_(\d+)")
_TURNS = re.compile(rb'"dia_id"\s*:\s*"|"session_\d+(?:_date_time)?"\s*:')
_QUESTIONS = re.compile(rb'"qa"\s*:\s*\[\s*\{\s*"question"\s*:')
_EVIDENCE = re.compile(rb'"evidence"\s*:\s*\[\s*"D\d+:\d+')


def _recognise(path: Path, head: bytes) -> bool:
    head = head_of(path, head, _MEMBERS)
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"[", b"{"):
        return False
    # The questions stand before the conversation and may fill the whole head.
    return bool(_TURNS.search(head) or (_QUESTIONS.search(head) and _EVIDENCE.search(head)))


def _read(path: Path, zone: tzinfo) -> Iterator[Record | Skipped]:
    for found in json_values(path, _MEMBERS):
        if isinstance(found, Skipped):
            yield found
        elif isinstance(found.value, dict):
            yield from _conversation(found, found.value, zone)
        else:
            yield Skipped(found.line, f"value {found.number}: not a conversation")


def _conversation(
    found: Value, value: Mapping[str, object], zone: tzinfo
) -> Iterator[Record | Skipped]:
    sample = string(value.get("sample_id")) or f"conversation-{found.number}"
    inner = value.get("conversation", value)
    sessions = inner if isinstance(inner, dict) else {}
    numbers = sorted(int(match[1]) for key in sessions if (match := _SESSION.fullmatch(key)))
    if not numbers:
        yield Skipped(found.line, f"{sample}: no sessions")
    for number in numbers:
        yield from _session(sample, number, sessions, zone)


def _session(
    sample: str, number: int, sessions: Mapping[str, object], zone: tzinfo
) -> Iterator[Record | Skipped]:
    """One session; its turns are a second apart, because only its start is known."""
    name = f"session_{number}"
    start = parse_stamp(string(sessions.get(f"{name}_date_time")), zone)
    turns = sessions.get(name)
    for place, turn in enumerate(turns if isinstance(turns, list) else ()):
        text = _text(turn) if isinstance(turn, dict) else ""
        if not isinstance(turn, dict) or not text:
            yield Skipped(0, f"{sample}/{name}, turn {place + 1}: no text")
            continue
        ref = string(turn.get("dia_id")) or None
        yield Record(
            text=text,
            source=f"locomo:{sample}",
            key=ref or f"{name}#{place + 1}",
            ref=ref,
            ts=start.ts + timedelta(seconds=place) if start else None,
            origin="other",
            session=f"{sample}/{name}",
            speaker=string(turn.get("speaker")) or None,
        )


def _text(turn: Mapping[str, object]) -> str:
    """The words as they are, and what a shared picture shows."""
    caption = string(turn.get("blip_caption")).strip()
    image = f"[shared image: {caption}]" if caption else ""
    words = string(turn.get("text"))
    return f"{words} {image}".rstrip() if words.strip() and image else words.rstrip() or image


FORMAT = Format("locomo", _recognise, _read)
