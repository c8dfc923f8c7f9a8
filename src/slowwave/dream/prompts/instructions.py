"""What a model is told before it is asked: the pages beside this module, one for each question.

`privacy` knows these pages and sends them as they stand, since they hold nothing of anybody's; so
they are read in one way only.
"""

from functools import cache
from pathlib import Path

__all__ = ["instructions"]

_FOLDER = Path(__file__).parent


@cache
def instructions(name: str) -> str:
    """The page of that name (`distill`, `judge` …), without the blank around it."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
