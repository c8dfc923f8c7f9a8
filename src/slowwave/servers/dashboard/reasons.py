"""What dreams say of their own work (reasons, gates, warnings) for those who read Chinese.

Dreams write it in English, once, into the ledger; here it is read by its shape (`reasons.toml`).
A sentence of no known shape is shown as it is: better foreign than wrong.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

from slowwave.servers.dashboard import showing
from slowwave.servers.dashboard.words import Language

__all__ = ["Sentence", "told"]

HOLES = {
    "n": r"[\d.,]*\d", "day": r"\d{4}-\d\d-\d\d", "text": r".+?", "why": r".+?", "id": r"[a-z0-9]+",
    "route": r"[a-z]+", "sort": r"[a-z]+", "decision": r"[A-Z]+", "scope": r"[a-z]+",
}  # fmt: skip
"""What may stand in a hole of a shape."""
DEEPEST = 4
LONGEST = 2_000
_HOLE = re.compile(r"\{([a-z]+)\}")


class Sentence(NamedTuple):
    """A part of what is said, and its language for `lang`."""

    text: str
    language: str


class Shape(NamedTuple):
    """One shape: how it is read, its holes in order, and how it is said."""

    pattern: re.Pattern[str]
    holes: tuple[str, ...]
    said: str


class Book(NamedTuple):
    """All shapes, and the names that stand in them."""

    shapes: tuple[Shape, ...]
    names: Mapping[str, Mapping[str, str]]


@cache
def _book() -> Book:
    raw = tomllib.loads((Path(__file__).parent / "reasons.toml").read_text(encoding="utf-8"))
    return Book(
        tuple(_shape(english, chinese) for english, chinese in raw["said"]),
        {
            "route": raw["routes"],
            "sort": raw["sorts"],
            "decision": raw["decisions"],
            "scope": raw["scopes"],
        },
    )


def _shape(english: str, chinese: str) -> Shape:
    pattern = ""
    parts = _HOLE.split(english)
    for place, part in enumerate(parts):
        plain = re.escape(part).replace(r"\(s\)", "s?")
        pattern += plain if place % 2 == 0 else f"({HOLES[part]})"
    return Shape(re.compile(pattern, re.DOTALL), tuple(parts[1::2]), chinese)


def told(text: str, language: Language) -> list[Sentence]:
    """A reason in parts, each in the reader's language where its shape is known."""
    if language == "en" or len(text) > LONGEST:
        return [Sentence(text, "en")]
    parts = list(_parts(text))
    return [_sentence(part, last=place == len(parts)) for place, part in enumerate(parts, start=1)]


def _sentence(part: str, *, last: bool) -> Sentence:
    said = _said(part, 0)
    if said is None:
        return Sentence(part if last else f"{part}; ", "en")
    return Sentence(said if last else f"{said}；", "zh-Hans")


def _parts(text: str) -> Iterator[str]:
    """The text at its semicolons, but for those within quotes and brackets."""
    depth = begin = 0
    for place, character in enumerate(text):
        if character in "“(":
            depth += 1
        elif character in "”)":
            depth = max(0, depth - 1)
        elif character == ";" and not depth and text[place + 1 : place + 2] == " ":
            yield text[begin:place]
            begin = place + 2
    yield text[begin:]


def _said(part: str, depth: int) -> str | None:
    """A part in Chinese; None where its shape, or that of one within, is not known."""
    if depth > DEEPEST:
        return None
    for shape in _book().shapes:
        found = shape.pattern.fullmatch(part)
        if found is None:
            continue
        values = [_value(*hole, depth) for hole in zip(shape.holes, found.groups(), strict=True)]
        filled = [value for value in values if value is not None]
        if len(filled) == len(values):
            return _filled(shape, filled)
    return None


def _value(hole: str, given: str, depth: int) -> str | None:
    if hole == "why":
        return _said(given, depth + 1)
    if hole == "day":
        try:
            return showing.day(date.fromisoformat(given), "zh")
        except ValueError:
            return None
    names = _book().names.get(hole)
    return given if names is None else names.get(given)


def _filled(shape: Shape, values: list[str]) -> str:
    """The Chinese words with the values put in: those of one kind of hole in their order."""
    waiting: dict[str, list[str]] = {name: [] for name in shape.holes}
    for name, value in zip(shape.holes, values, strict=True):
        waiting[name].append(value)
    return _HOLE.sub(lambda hole: waiting[hole[1]].pop(0), shape.said)
