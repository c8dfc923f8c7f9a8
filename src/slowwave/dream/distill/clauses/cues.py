"""The cues that clauses are read with: named patterns, kept as text beside this module.

`cues_zh.txt` and `cues_en.txt` hold one section per cue with one alternative per line, so that a
change to the grammar is a readable line in a diff. A cue is compiled when it is first asked for.
"""

import re
from functools import lru_cache
from pathlib import Path
from typing import Literal

__all__ = ["Language", "cue"]

Language = Literal["zh", "en"]

_SECTION = re.compile(r"\[(\w+)\]$")
_NAMED = re.compile(r"\{([A-Z]+)\}")


@lru_cache(maxsize=256)
def cue(language: Language, name: str) -> re.Pattern[str] | None:
    """The pattern of a cue, or None where the language has none of that name."""
    alternatives = _sections(language).get(name)
    if alternatives is None:
        return None
    return re.compile(_NAMED.sub(lambda m: _part(language, m.group(1)), "|".join(alternatives)))


@lru_cache(maxsize=16)
def _part(language: Language, name: str) -> str:
    """The source of a shared part such as KIN, as one group that can stand in any pattern."""
    inner = "|".join(_sections(language)[name])
    return f"(?:{_NAMED.sub(lambda m: _part(language, m.group(1)), inner)})"


@lru_cache(maxsize=2)
def _sections(language: Language) -> dict[str, list[str]]:
    text = Path(__file__).with_name(f"cues_{language}.txt").read_text(encoding="utf-8")
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        heading = _SECTION.match(line)
        if heading:
            lines = sections.setdefault(heading.group(1), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return sections
