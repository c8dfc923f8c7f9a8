"""Names of themes by a model: what it is asked, and which of its names may stand. Pure.

A theme is found by counting, so its name is a word that its memories share. A model may say it
better, in one question for all themes of a night. A name that says more than the memories do keeps
the word.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from slowwave.dream.diary.grounds import Notes, clipped, marked_up, strange
from slowwave.dream.prompts.instructions import instructions
from slowwave.model import Ask, Theme
from slowwave.modelling import list_schema, parse_items
from slowwave.text.segment import cjk_share, fold

__all__ = ["Named", "Naming", "named_by", "naming_of"]

MEMBERS = 8
"""Memories of a theme that are handed over."""
CLIP = 120
MAX_TOKENS = 400
MOST_WORDS, MOST_CHARS, MOST_CHARS_ZH = 4, 40, 12
_AROUND = "\"'“”‘’「」『』《》 .。,，;；:：!！"
_JOINTS = re.compile(r"[的和与及同、·\s]+")


class Named(msgspec.Struct, frozen=True):
    """One answer: the number of a theme, and its name."""

    theme: int
    name: str


class Naming(NamedTuple):
    """What is asked, and the notes of each theme in their order."""

    ask: Ask
    notes: tuple[Notes, ...]


def naming_of(themes: Sequence[Theme], texts: Mapping[str, str]) -> Naming | None:
    """The question about themes; `texts` are what memories say. None where there are no themes."""
    notes: list[Notes] = []
    lines: list[str] = []
    for number, theme in enumerate(themes, start=1):
        members = [clipped(texts[key], CLIP) for key in theme.memory_ids if key in texts][:MEMBERS]
        line = {"theme": number, "word": theme.name, "notes": members}
        lines.append(msgspec.json.encode(line).decode())
        notes.append(Notes([theme.name, *members]))
    if not lines:
        return None
    ask = Ask(
        purpose="themes", system=instructions("themes"), user="\n".join(lines),
        schema=list_schema(Named), max_tokens=MAX_TOKENS,
    )  # fmt: skip
    return Naming(ask, tuple(notes))


def named_by(
    answer: str, naming: Naming, themes: Sequence[Theme], model: str
) -> tuple[tuple[Theme, ...], list[str]]:
    """The themes with the names that may stand, and why others may not."""
    parsed = parse_items(answer, Named)
    if not parsed.usable:
        return tuple(themes), ["no names"]
    named = list(themes)
    taken = {fold(theme.name) for theme in themes}
    refused: list[str] = []
    for item in parsed.items:
        if not 1 <= item.theme <= len(themes) or named[item.theme - 1].by is not msgspec.UNSET:
            refused.append("no such theme")
            continue
        name = " ".join(item.name.split()).strip(_AROUND)
        theme = themes[item.theme - 1]
        if fold(name) == fold(theme.name):
            continue
        reason = _refused(name, naming.notes[item.theme - 1], taken)
        if reason:
            refused.append(reason)
            continue
        taken.add(fold(name))
        named[item.theme - 1] = msgspec.structs.replace(theme, name=name, by=model)
    return tuple(named), refused


def _refused(name: str, notes: Notes, taken: set[str]) -> str:
    chinese = cjk_share(name) >= 0.5
    most = MOST_CHARS_ZH if chinese else MOST_CHARS
    wrong = {
        "no name": not any(map(str.isalpha, name)) or marked_up(name),
        "too long": len(name) > most or len(name.split()) > MOST_WORDS,
        "a sentence": any(char in name for char in ".。!！?？;；:："),
        "another language": chinese != (cjk_share("\n".join(notes.texts)) >= 0.5),
        "the name of another theme": fold(name) in taken,
        "says what is not in its memories": not notes.shares(name) or _strange(name, notes),
    }
    return next((reason for reason, holds in wrong.items() if holds), "")


def _strange(name: str, notes: Notes) -> bool:
    """Whether a name knows more than the notes.

    A title is written with capitals, so a word with one counts as a name only beside words without.
    In Chinese a name cannot be told from a word: each piece must share two characters with a note.
    """
    for piece in filter(None, _JOINTS.split(name)):
        pairs = [piece[at : at + 2] for at in range(max(1, len(piece) - 1))]
        if piece > "\u3400" and not any(map(notes.has, pairs)):
            return True
    words = name.split()
    titled = all(word[:1].isupper() for word in words)
    lowered = " ".join(word if word[1:].lower() != word[1:] else word.lower() for word in words)
    return bool(strange(lowered if titled else name, notes))
