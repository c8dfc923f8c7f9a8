"""JSON of an answer: whatever it holds, it can be sent."""

import re
from typing import Any

import msgspec

__all__ = ["encoded"]


def encoded(value: Any) -> bytes:
    """An answer as JSON. A file name need not be text: its odd bytes are shown as replaced."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(_text_only(msgspec.to_builtins(value)))


_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that stand for no odd byte of a name: no way leads from them to UTF-8."""


def _text_only(value: Any) -> Any:
    if isinstance(value, str):
        named = _NO_BYTE.sub("�", value)
        return named.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if isinstance(value, dict):
        return {_text_only(name): _text_only(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_text_only(inner) for inner in value]
    return value
