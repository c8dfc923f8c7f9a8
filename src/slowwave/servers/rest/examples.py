"""Examples for the schema: made from the types, with values that could be real."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import inspect

__all__ = ["example_of"]

NOON = "2026-11-30T12:00:00+08:00"
WORDS = "I am allergic to peanuts"

VALUES: Mapping[str, Any] = {
    "id": "m3k2qxv7ydaa", "memory_id": "m3k2qxv7ydaa", "event_id": "e7q4w2ndkzba",
    "dream_id": "d5r6t7uvwxab", "ledger_id": "i2b3c4d5e6fa", "change_id": "c2f3g4h5j6ka",
    "receipt": "r5b7n3m2k4la", "keep": "m3k2qxv7ydaa", "ref": "chat-17:4", "space": "default",
    "text": WORDS, "quote": WORDS, "title": "Allergic to peanuts", "query": "what may I not eat",
    "user": WORDS, "assistant": "Noted.", "subject": "user", "speaker": "Ana", "session": "s3",
    "channel": "telegram", "source": "jsonl", "reason": "said plainly by the owner", "op": "add",
    "date": "2026-11-30", "day": "2026-11-30", "month": "2026-11", "valid_from": "2026-11-30",
    "valid_to": "2027-11-30", "since": "2026-11-01", "until": "2026-11-30", "as_of": "2026-11-30",
    "now": NOON, "tz": "Asia/Shanghai", "at": "02:00", "score": 0.82, "confidence": 0.9,
    "importance": 80, "start": 0, "end": 24, "k": 8, "took_ms": 6.4, "tokens": 42, "limit": 100,
    "route": "salience", "rule": "allergy", "model": "qwen3", "preset": "balanced",
    "model_used": "rules", "cursor": "", "next_page": None, "memory_store_id": "default",
    "session_ids": ["s3"], "home": "~/.slowwave", "path": "chat.jsonl", "name": "chat.jsonl",
    "file": "long_term/profiles/peanuts.md", "hint": "what to do next", "format": "jsonl",
    "refs": ["chat-17:4"], "entities": ["peanuts"], "only": None, "status": None, "days": 7,
    "budget": 600, "right": "I live in Ghent", "importances": 80, "expires_at": None,
    "refine": None, "waiting": None, "identity": "chat-17:4", "seq": 1, "would": None,
    "label": "work", "expr": "tomorrow", "value": "2026-12-01", "kind": None,
}  # fmt: skip
"""By the name of a field; None: whatever its type gives."""

DEEPEST = 6


def example_of(kind: Any) -> Any:
    """A value of a type, as JSON. It fits the type: that is tested for every schema."""
    return _value(inspect.type_info(kind), "", 0)


def _value(of: inspect.Type, name: str, depth: int) -> Any:
    known = VALUES.get(name)
    if known is not None and _fits(of, known):
        return known
    if isinstance(of, inspect.Metadata):
        return _value(of.type, name, depth)
    if isinstance(of, inspect.UnionType):
        return _value(_best(of), name, depth)
    if isinstance(of, inspect.StructType):
        return _struct(of, depth)
    return _many(of, name, depth)


def _many(of: inspect.Type, name: str, depth: int) -> Any:
    if isinstance(of, inspect.ListType | inspect.VarTupleType):
        return [] if depth >= DEEPEST else [_value(of.item_type, _single(name), depth + 1)]
    if isinstance(of, inspect.TupleType):
        return [_value(item, name, depth + 1) for item in of.item_types]
    if isinstance(of, inspect.DictType):
        inner = _value(of.value_type, name, depth + 1)
        return {str(_value(of.key_type, "kind", depth)): inner}
    return _scalar(of)


def _scalar(of: inspect.Type) -> Any:
    if isinstance(of, inspect.LiteralType):
        return of.values[0]
    if isinstance(of, inspect.IntType | inspect.FloatType):
        return of.ge if of.ge is not None else 1 if of.lt is None or of.lt > 1 else 0.1
    plain: tuple[tuple[type, Any], ...] = (
        (inspect.BoolType, False), (inspect.DateTimeType, NOON), (inspect.DateType, "2026-11-30"),
        (inspect.NoneType, None), (inspect.StrType, "example"),
    )  # fmt: skip
    return next((value for kind, value in plain if isinstance(of, kind)), None)


def _struct(of: inspect.StructType, depth: int) -> dict[str, Any]:
    made = {}
    if of.tag_field:
        made[of.tag_field] = of.tag
    for field in of.fields:
        if depth >= DEEPEST and not field.required:
            continue
        made[field.encode_name] = _value(field.type, field.encode_name, depth + 1)
    return made


def _best(of: inspect.UnionType) -> inspect.Type:
    """What says most: something rather than nothing."""
    return next(one for one in of.types if not isinstance(one, inspect.NoneType))


def _single(name: str) -> str:
    return {"session_ids": "session", "refs": "ref", "events": "event"}.get(name, name)


def _fits(of: inspect.Type, value: Any) -> bool:
    try:
        msgspec.convert(value, _type(of))
    except (msgspec.ValidationError, TypeError):
        return False
    return not isinstance(of, inspect.StructType)


def _type(of: inspect.Type) -> Any:
    """The Python type of a description, as far as single values need it."""
    while isinstance(of, inspect.Metadata):
        of = of.type
    if isinstance(of, inspect.UnionType):
        of = _best(of)
        return _type(of)
    if isinstance(of, inspect.LiteralType):
        return Literal[of.values]
    if isinstance(of, inspect.ListType | inspect.VarTupleType):
        return list[_type(of.item_type)]  # type: ignore[misc]
    plain = {
        inspect.StrType: str, inspect.IntType: int, inspect.FloatType: float,
        inspect.BoolType: bool,
    }  # fmt: skip
    return plain.get(type(of), type(None))
