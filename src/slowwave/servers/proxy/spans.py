"""Where the parts of a JSON text stand in it, so that one of them can be changed and no other.

A body that is decoded and encoded again is another one: numbers lose their digits, duplicate keys
go, escapes change. What is put into a request is put into its text, at a place found here.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

__all__ = ["Span", "elements", "inside", "members", "whole"]

_BLANK = " \t\r\n"
_DIGITS = 4_000
"""Digits beyond which a number is not read: nobody here needs its value."""


class Span(NamedTuple):
    """A value with its place: `text[start:end]` is how it is written. `key` only in an object."""

    start: int
    end: int
    value: Any
    key: str = ""


def _number(digits: str) -> int:
    return int(digits) if len(digits) < _DIGITS else 0


_DECODER = json.JSONDecoder(parse_int=_number, strict=False)


def whole(text: str) -> Span:
    """The one value of a text. Raises ValueError for what is none, RecursionError for depth."""
    start = _skipped(text, 0)
    value, end = _DECODER.raw_decode(text, start)
    if _skipped(text, end) != len(text):
        raise ValueError("more than one value")
    return Span(start, end, value)


def members(text: str, start: int) -> Iterator[Span]:
    """The members of the object that begins at a place. The text must have been read before."""
    at = _skipped(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _skipped(text, _skipped(text, at) + 1)
        value, end = _DECODER.raw_decode(text, at)
        yield Span(at, end, value, key)
        at = _next(text, end)


def elements(text: str, start: int) -> Iterator[Span]:
    """The elements of the array that begins at a place. The text must have been read before."""
    at = _skipped(text, start + 1)
    while text[at] != "]":
        value, end = _DECODER.raw_decode(text, at)
        yield Span(at, end, value)
        at = _next(text, end)


def inside(words: str) -> str:
    """Words as they are written between the quotation marks of a JSON string."""
    return json.dumps(words, ensure_ascii=False)[1:-1]


def _next(text: str, end: int) -> int:
    at = _skipped(text, end)
    return _skipped(text, at + 1) if text[at] == "," else at


def _skipped(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
