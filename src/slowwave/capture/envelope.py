"""One raw record in, one event out, or the reason why not: the strict border of the journal.

Here text is cleaned (channel wrappers, recalled blocks, secrets, lone surrogates), trust is
decided, and the identity that makes repeated imports harmless is computed.
"""

import re
import unicodedata
from collections import Counter
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import get_args
from uuid import uuid4

import msgspec

from slowwave.capture.secrets import mask
from slowwave.model import Event, EventKind, Origin, Record, Role, Skipped, short_id, text_hash
from slowwave.text.noise import Unwrapped, is_control, is_recalled, strip_managed, unwrap

__all__ = ["Intake", "admit", "clean"]

FIRST_YEAR, LAST_YEAR = 1970, 2200
SAME_MOMENT = timedelta(minutes=15)
"""A wrapper's local minute within this of the record's instant names the speaker's offset."""

OWNER_WORDS = frozenset({"owner", "user"})
"""Speaker names that mean the space's owner whatever the owner is called."""


class Intake(msgspec.Struct, frozen=True):
    """Into which space events go, what its owner is called, and the moment of taking in."""

    space: str
    owner: str
    now: datetime


def admit(record: Record, intake: Intake, seen: Counter[str]) -> Event | Skipped:
    """The event of a record, or Skipped with the reason.

    `seen` counts equal records of one import: the same words twice in one log are two events, and
    the same two when the log is read again. A record without `ts` and `key` is always new: two
    callers may well say the same at the same instant.
    """
    problem = _problem(record, intake.now)
    if problem is not None:
        return Skipped(record.line, problem)
    raw = _storable(record.text)
    words = _own_words(record, raw)
    if not words.text.strip():
        return Skipped(
            record.line, "no text" if not raw.strip() else "nothing but channel metadata"
        )
    speaker = record.speaker or (words.sender if words.group else None)
    speaker = clean(speaker) if speaker else None
    ts = _when(record, intake, words)
    text = mask(words.text)
    identity = _identity(record, text, seen)
    return Event(
        id=short_id("e", intake.space, identity),
        space=intake.space,
        identity=identity,
        ts=ts,
        role=record.role,
        kind=record.kind,
        origin=_origin(record, speaker, intake, words.text),
        text=text,
        source=clean(record.source),
        session=clean(record.session),
        speaker=speaker,
        channel=clean(record.channel) if record.channel else None,
        ref=clean(record.ref) if record.ref else None,
        meta=_meta(record, words),
    )


# --- text ---------------------------------------------------------------------------------------

_SURROGATES = re.compile("[\ud800-\udfff]")


def _storable(text: str) -> str:
    """Text that UTF-8 can hold: surrogate pairs joined, lone ones replaced, NULs taken out."""
    if "\0" in text:
        text = text.replace("\0", "")
    if text.isascii() or not _SURROGATES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean(text: str) -> str:
    """Text that can be stored and holds no secrets: for everything that comes from outside."""
    return mask(_storable(text))


def _own_words(record: Record, text: str) -> Unwrapped:
    """Without channel wrapper and recalled blocks; a text that is all recalled stays whole."""
    if record.kind in ("tool_call", "tool_result"):
        return Unwrapped(text)
    words = unwrap(text)
    rest = strip_managed(words.text)
    if rest == words.text or not rest:
        return words
    return msgspec.structs.replace(words, text=rest)


def _meta(record: Record, words: Unwrapped) -> dict[str, str]:
    meta = {clean(str(key)): _field(str(key), str(value)) for key, value in record.meta.items()}
    for key, value in (("sender", words.sender), ("sender_id", words.sender_id)):
        if value:
            meta.setdefault(key, clean(value))
    return meta


_WHOLLY_SECRET = re.compile(r"\[secret:[\w-]+\]")


def _field(key: str, value: str) -> str:
    """A metadata value without secrets; its name may be what tells that it is one."""
    named = _WHOLLY_SECRET.match(clean(f"{key}={value}").removeprefix(f"{key}="))
    return named[0] if named else clean(value)


# --- when ---------------------------------------------------------------------------------------


def _problem(record: Record, now: datetime) -> str | None:
    if record.role not in _ROLES:
        return f"unknown role {record.role!r}"
    if record.kind not in _KINDS:
        return f"unknown kind {record.kind!r}"
    ts = record.ts or now
    if ts.tzinfo is None or ts.utcoffset() is None:
        return "time without zone"
    if not FIRST_YEAR <= ts.year <= LAST_YEAR:
        return f"impossible year {ts.year}"
    return None


_ROLES = frozenset(get_args(Role))
_KINDS = frozenset(get_args(EventKind))
_ORIGINS = frozenset(get_args(Origin))


def _when(record: Record, intake: Intake, words: Unwrapped) -> datetime:
    """The instant, in the speaker's own offset where the wrapper tells it."""
    told = words.sent_at if words.sent_at is not None and words.sent_at.tzinfo else None
    if record.ts is None:
        return intake.now
    if told is not None and abs(told - record.ts) <= SAME_MOMENT:
        return record.ts.astimezone(told.tzinfo)
    return record.ts


# --- trust --------------------------------------------------------------------------------------


def _origin(record: Record, speaker: str | None, intake: Intake, text: str) -> Origin:
    """Whose words these are. A caller may lower the trust that follows, never raise it."""
    if is_recalled(text):
        return "recalled"
    derived = _derived(record, speaker, intake.owner)
    if derived == "owner" and record.kind == "message" and is_control(text):
        return "system"
    told = record.origin
    if told is None:
        return derived
    if told not in _ORIGINS:
        return "external"
    if record.role == "user" and record.kind not in ("tool_call", "tool_result"):
        return told
    return told if _TRUST[told] >= _TRUST[derived] else derived


_TRUST: dict[Origin, int] = {
    "owner": 0, "agent": 1, "other": 2, "tool": 3, "system": 3, "external": 4, "recalled": 5,
}  # fmt: skip


def _derived(record: Record, speaker: str | None, owner: str) -> Origin:
    if record.kind in ("tool_call", "tool_result") or record.role == "tool":
        return "tool"
    if record.role == "system":
        return "system"
    if record.role == "assistant":
        return "agent"
    if speaker is None or _same_name(speaker, owner):
        return "owner"
    return "other"


def _same_name(speaker: str, owner: str) -> bool:
    said = _folded(speaker)
    return said in OWNER_WORDS or (bool(owner) and said == _folded(owner))


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold().strip()


# --- identity -----------------------------------------------------------------------------------


def _identity(record: Record, text: str, seen: Counter[str]) -> str:
    if record.key is not None:
        key = _storable(record.key)
        if mask(key) != key:
            # Two keys that hold secrets must stay two, without being kept.
            key = text_hash(key)
        return f"{clean(record.source)}\x1fkey\x1f{key}"
    if record.ts is None:
        return f"{clean(record.source)}\x1fnew\x1f{uuid4().hex}"
    instant = record.ts.astimezone(UTC).isoformat()
    parts = (record.session, instant, record.role, record.speaker or "", record.kind, text)
    content = sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    seen[content] += 1
    return f"{clean(record.source)}\x1fis\x1f{content}\x1f{seen[content]}"
