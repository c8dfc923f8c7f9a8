"""The nouns of masking: what kinds of private values there are, and how a placeholder is written.

A placeholder is `[KIND-NUMBER]` in ASCII: models copy it as it stands, it says what it stands for,
and the closing bracket keeps 1 and 11 apart.
"""

import re
from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, get_args

__all__ = ["ALTERED", "KINDS", "PLACEHOLDER", "Find", "Found", "Kind", "written"]

Kind = Literal[
    "URL", "MAIL", "CARD", "ID", "PHONE", "ACCOUNT", "ORDER", "GEO", "IP", "PLATE", "SECRET",
    "BIRTH", "ADDRESS", "HEALTH", "PERSON", "USER", "NUMBER", "TEXT",
]  # fmt: skip
"""Kinds of private values; where two overlap, the one named first names both.

`TEXT` is no private value: it stands for words that only look like a placeholder.
"""

KINDS: tuple[Kind, ...] = get_args(Kind)
_NAMES = "|".join(sorted(KINDS, key=len, reverse=True))

PLACEHOLDER = re.compile(rf"\[(?:{_NAMES})-\d{{1,6}}\]")

ALTERED = re.compile(
    rf"[\[(（【〔{{<«《「]\\?\s?(?i:{_NAMES})(?:\\?[-_–—－]\s?)?\d{{1,6}}(?:\s?[\])）】〕}}>»"
    rf"》」])?"
    rf"|(?<![A-Za-z0-9_])(?:{_NAMES})\\?[-_–—－]\d{{1,6}}\]?(?![A-Za-z0-9_])"
    rf"|\[(?:{_NAMES})-?(?=\s|$)"
)
"""A placeholder, or what a model (or a text) makes of one: other brackets, other case, none."""


class Found(NamedTuple):
    """One private value: `text[start:end]`."""

    start: int
    end: int
    kind: Kind


Find = Callable[[str], Iterable[Found]]
"""Finds private values in a text as `reading.see` gives it; spans may overlap."""


def written(kind: Kind, number: int) -> str:
    """The placeholder of a value."""
    return f"[{kind}-{number}]"
