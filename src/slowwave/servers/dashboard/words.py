"""What the pages say, in Chinese and English: one table (`words.toml`), each entry in both."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal, get_args

__all__ = ["LANGUAGES", "Language", "Words", "accepted", "table"]

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

Words = Mapping[str, Mapping[Language, str]]


@cache
def table() -> Words:
    """All entries: `group.name` → language → text; `one | many` where a number decides."""
    raw = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
    return {
        f"{group}.{name}": {"en": pair[0], "zh": pair[1]}
        for group, entries in raw.items()
        for name, pair in entries.items()
    }


def say(key: str, language: Language, values: Mapping[str, str], count: int | None) -> str:
    """An entry with its values filled in; `count` chooses between one and many."""
    text = table()[key][language]
    one, bar, many = text.partition(" | ")
    if bar:
        text = one if count == 1 else many
    return text.format_map(values) if values else text


def known(key: str) -> bool:
    """Whether there is such an entry."""
    return key in table()


def accepted(header: str) -> Language:
    """The first language of an Accept-Language header that there is, by its weights."""
    wished: list[tuple[float, int, Language]] = []
    for place, part in enumerate(header[:500].split(",")):
        tag, _, weight = part.strip().partition(";")
        try:
            worth = float(weight.strip().removeprefix("q=")) if weight else 1.0
        except ValueError:
            worth = 0.0
        name = tag.strip().lower().partition("-")[0]
        if 0 < worth <= 1:
            wished += [(-worth, place, known) for known in LANGUAGES if name == known]
    return min(wished)[2] if wished else "en"
