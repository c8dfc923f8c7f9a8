"""Coming back: what a model says about masked text, in the words of the original (N17).

Nothing is guessed. A placeholder that is not known, that was altered, split or translated, or that
stands for two spellings where an exact one is needed, loses the text, with the reason.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator
from typing import Literal

import msgspec

from slowwave.privacy.kinds import ALTERED, PLACEHOLDER
from slowwave.privacy.masking import Masked, MaskedText

__all__ = ["Located", "Lost", "LostReason", "Restored", "locate", "restore"]

LostReason = Literal["unknown", "altered", "split", "translated", "ambiguous", "not found"]
"""Why a text could not be restored."""

_FOREIGN = re.compile(r"[\[【〔«《<]\s?[^\W\d_]{1,16}\s?[-_–—－]\s?\d{1,6}\s?[\]】〕»》>]")
"""Looks like a placeholder whose kind is in another language."""


class Restored(msgspec.Struct, frozen=True):
    """A text with the original values in the places of their placeholders."""

    text: str


class Located(msgspec.Struct, frozen=True):
    """Where a quote stands in the original: `original[start:end] == quote`."""

    start: int
    end: int
    quote: str


class Lost(msgspec.Struct, frozen=True):
    """A text that cannot be restored exactly: why, and the part it failed at."""

    reason: LostReason
    what: str


def restore(
    text: str, masked: Masked, sources: Collection[int] | None = None, *, exact: bool = True
) -> Restored | Lost:
    """A model's words about masked texts, with the original values in them.

    `sources` are the places (in `masked.texts`) of the texts it speaks of: where a value has two
    spellings in the dream, the one of these texts is taken; where they too have two, or none was
    named, the text is lost as ambiguous. With `exact=False`, for words that are no quote, the
    first spelling is good enough.
    """
    broken = _broken(text, masked)
    if broken is not None:
        return broken
    parts: list[str] = []
    done = 0
    for match in PLACEHOLDER.finditer(text):
        spellings = _spellings(match[0], masked, sources)
        if not spellings:
            return Lost("unknown", match[0])
        if exact and len(spellings) > 1:
            return Lost("ambiguous", match[0])
        parts += [text[done : match.start()], spellings[0]]
        done = match.end()
    parts.append(text[done:])
    return Restored("".join(parts))


def _spellings(
    placeholder: str, masked: Masked, sources: Collection[int] | None
) -> tuple[str, ...]:
    if not sources:
        return masked.legend.get(placeholder, ())
    here = {
        text.original[piece.start : piece.end]: None
        for text in (masked.texts[at] for at in sources)
        for piece in text.pieces
        if piece.placeholder == placeholder
    }
    return tuple(here) or masked.legend.get(placeholder, ())


def _broken(text: str, masked: Masked) -> Lost | None:
    """What stands where a placeholder should, and is none."""
    for match in ALTERED.finditer(text):
        if not PLACEHOLDER.fullmatch(match[0]):
            return Lost("altered", match[0])
    for match in _FOREIGN.finditer(text):
        if PLACEHOLDER.fullmatch(match[0]):
            continue
        if not any(match[0] in one.text for one in masked.texts):
            return Lost("translated", match[0])
    return None


def locate(quote: str, masked: MaskedText) -> Located | Lost:
    """Where the original holds the words that a model quoted from the masked text.

    Lost when the quote is not there byte for byte, when it begins or ends within a placeholder,
    and when it stands there more than once for different original words.
    """
    if not quote:
        return Lost("not found", quote)
    spans, split = [], False
    for at in _places(quote, masked.text):
        span = _span(at, at + len(quote), masked)
        if span is None:
            split = True
        else:
            spans.append(span)
    if not spans:
        return Lost("split", quote) if split else _why(quote, masked)
    words = {masked.original[start:end] for start, end in spans}
    if len(words) > 1:
        return Lost("ambiguous", quote)
    return Located(*spans[0], words.pop())


def _places(quote: str, text: str) -> Iterator[int]:
    at = text.find(quote)
    while at >= 0:
        yield at
        at = text.find(quote, at + 1)


def _why(quote: str, masked: MaskedText) -> Lost:
    for match in ALTERED.finditer(quote):
        if not PLACEHOLDER.fullmatch(match[0]):
            return Lost("altered", match[0])
        if match[0] not in masked.text:
            return Lost("unknown", match[0])
    foreign = _FOREIGN.search(quote)
    if foreign is not None and foreign[0] not in masked.text:
        return Lost("translated", foreign[0])
    return Lost("not found", quote)


def _span(at: int, to: int, masked: MaskedText) -> tuple[int, int] | None:
    """The original span of `text[at:to]`; None when an end lies within a placeholder."""
    start, end = _original(at, masked), _original(to, masked)
    return None if start is None or end is None else (start, end)


def _original(at: int, masked: MaskedText) -> int | None:
    pieces = masked.pieces
    index = bisect_right(pieces, at, key=lambda piece: piece.at) - 1
    if index < 0:
        return at
    piece = pieces[index]
    if at == piece.at:
        return piece.start
    if at < piece.to:
        return None
    return piece.end + at - piece.to
