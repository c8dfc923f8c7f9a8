"""Values that a question shows only the end or the beginning of.

A long text is cut where a question is full, and of an earlier turn only the end is shown. Where
such a cut goes through a value that is known from the whole text, what is left of it is one too.
"""

import re
from collections.abc import Iterator, Mapping

from slowwave.privacy.kinds import Found, Kind
from slowwave.privacy.names import is_word, zh_words
from slowwave.privacy.terms import lower

__all__ = ["Torn"]

_STARTS = re.compile(r"(?:^|\n|\[…\] )(?=\S)")
_ENDS = re.compile(r"(?<=\S)(?=\n| \[…\]|$)")
_LONGEST = 80
_LEAST, _LEAST_HAN = 4, 2
"""Characters that still say something."""


class Torn:
    """Finds, at both edges of the lines of a text, ends and beginnings of the values."""

    def __init__(self, values: Mapping[str, Kind]) -> None:
        self._heads: dict[str, Kind] = {}
        self._tails: dict[str, Kind] = {}
        for value, kind in values.items():
            short = value[:_LONGEST]
            for at in range(1, len(short)):
                _keep(self._heads, short[:at], kind)
                _keep(self._tails, short[at:], kind)
        self._most = max(map(len, (*self._heads, *self._tails)), default=0)

    def find(self, text: str) -> Iterator[Found]:
        """The pieces of values at the edges of its lines."""
        if not self._most:
            return
        low = lower(text)
        for match in _STARTS.finditer(low):
            at = match.end()
            for size in range(min(self._most, len(low) - at), 1, -1):
                kind = self._tails.get(low[at : at + size])
                if kind is not None and not low[at + size : at + size + 1].isalnum():
                    yield Found(at, at + size, kind)
                    break
        for match in _ENDS.finditer(low):
            end = match.start()
            for size in range(min(self._most, end), 1, -1):
                kind = self._heads.get(low[end - size : end])
                if kind is not None and not (size < end and _joins(low, end - size)):
                    yield Found(end - size, end, kind)
                    break


def _keep(pieces: dict[str, Kind], piece: str, kind: Kind) -> None:
    """Keeps a piece that says something and is no word."""
    piece = piece.strip()
    if piece.isascii():
        if len(piece) >= _LEAST and not is_word(piece):
            pieces.setdefault(piece, kind)
    elif len(piece) >= _LEAST_HAN and piece not in zh_words():
        pieces.setdefault(piece, kind)


def _joins(low: str, at: int) -> bool:
    """Whether a Latin word goes on in front of a place."""
    return (
        low[at - 1].isalnum() and low[at - 1].isascii() and low[at].isascii() and low[at].isalnum()
    )
