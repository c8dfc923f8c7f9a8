"""DREAMS.md: the dream diary, for people only (O7). Each entry is written once and then left alone.

*December 1, 2026 at 3:00 AM*

what the dream was like

`d4k…`
"""

import re
from collections.abc import Sequence

from slowwave.model import DiaryPage
from slowwave.text.markdown import line_of

__all__ = ["FILE", "MOST", "body_with", "told_of"]

FILE = "DREAMS.md"
MOST = 60
"""The diary keeps so many entries, the newest last."""

_ENTRY = re.compile(r"^---[ \t]*$", re.MULTILINE)
_DREAM = re.compile(r"^`(d[^`\s]{1,40})`[ \t]*$", re.MULTILINE)


def told_of(body: str) -> frozenset[str]:
    """The dreams a diary tells of."""
    return frozenset(_DREAM.findall(body))


def body_with(body: str, pages: Sequence[DiaryPage]) -> str:
    """The diary with further entries behind those it has, the oldest ones dropped."""
    known = told_of(body)
    entries = [part.strip("\n") for part in _ENTRY.split(body) if part.strip()]
    entries += [_entry(page) for page in pages if page.dream_id not in known]
    return "\n\n---\n\n".join(entries[-MOST:])


def _entry(page: DiaryPage) -> str:
    paragraphs = [line_of(part) for part in page.text.split("\n") if part.strip()]
    return "\n\n".join([f"*{line_of(page.date)}*", *paragraphs, f"`{page.dream_id}`"])
