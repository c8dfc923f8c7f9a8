"""Secrets, by the finders of `capture`: where they would put their mask, one of ours is put."""

import re
from collections.abc import Iterator

from slowwave.capture import secrets
from slowwave.privacy.kinds import Found

__all__ = ["find_secrets"]

_MASK = re.compile(r"\[secret:[a-z-]{1,20}\]")
_LEAST_BETWEEN = 3
"""Words between two secrets with fewer letters could also stand within one: both go as one."""


def find_secrets(text: str) -> Iterator[Found]:
    """Where `text` holds what capture takes out. What it took out before is no secret any more."""
    masked = secrets.mask(text)
    if masked == text:
        return
    kept = _MASK.split(masked)
    at = len(kept[0])
    start = at
    for number, words in enumerate(kept[1:], start=1):
        last = number == len(kept) - 1
        if not last and sum(map(str.isalnum, words)) < _LEAST_BETWEEN:
            at += 1 + len(words)
            continue
        end = len(text) - len(words) if last else text.find(words, at + 1)
        if end < at:
            end = len(text)
        if not _MASK.fullmatch(text, start, end):
            yield Found(start, end, "SECRET")
        at = start = end + len(words)
