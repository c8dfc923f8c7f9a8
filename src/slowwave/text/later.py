"""Patterns that are compiled when they are first used.

Most commands meet few of the patterns there are, and compiling all of them took a quarter of the
time of a single question.
"""

import re
from typing import Any, cast


class _Later:
    """Stands for a compiled pattern and becomes one when asked for anything."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._given = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        # Only what is not there yet comes here: what was asked for once is kept.
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(re.compile(*self._given), name)
        setattr(self, name, found)
        return found


def later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As `re.compile`, but the work is done at the first use. Raises `re.error` only then."""
    return cast(re.Pattern[str], _Later(pattern, flags))
