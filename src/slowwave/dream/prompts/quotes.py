"""Where a model's quote stands in the journal: exactly, or nowhere.

Models copy with small slips of the pen: other white space, half-width for full-width signs,
straight for curly quotation marks. Those and nothing else are forgiven, and what is kept is the
original, byte for byte. A quote is never looked for by likeness.
"""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["find_quote", "inside"]

Span = tuple[int, int]

_SAME = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»「」『』〝〞＂", '"'),
        **dict.fromkeys("‘’‚‛′`´＇", "'"),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad", None),
    }
)
_MARKS = "\"'“”‘’「」『』«» \t\r\n"
"""What may stand around a quote without being part of it."""

_LEAST = 2
"""A quote has at least so many letters or figures."""


def find_quote(text: str, quote: str, start: int = 0, end: int | None = None) -> Span | None:
    """The span of `text` between `start` and `end` that a quote is; None where it is not there."""
    stop = len(text) if end is None else end
    for wanted in dict.fromkeys((quote, quote.strip(), quote.strip(_MARKS))):
        if sum(char.isalnum() for char in wanted) < _LEAST:
            continue
        place = text.find(wanted, start, stop)
        if place >= 0:
            return place, place + len(wanted)
        found = _tolerant(text, wanted, start, stop)
        if found:
            return found
    return None


def inside(span: Span, spans: Sequence[Span], text: str) -> bool:
    """Whether all of a span but its white space stands within the others."""
    start, end = span
    covered: set[int] = set()
    for first, last in spans:
        covered.update(range(max(first, start), min(last, end)))
    return all(place in covered or text[place].isspace() for place in range(start, end))


def _tolerant(text: str, quote: str, start: int, end: int) -> Span | None:
    folded, places = _folded(text[start:end])
    wanted, _ = _folded(quote)
    if sum(char.isalnum() for char in wanted) < _LEAST:
        return None
    place = folded.find(wanted)
    if place < 0:
        return None
    return start + places[place], start + places[place + len(wanted) - 1] + 1


@lru_cache(maxsize=16)
def _folded(text: str) -> tuple[str, tuple[int, ...]]:
    """The text without what is forgiven, and for each of its characters the place it came from."""
    chars: list[str] = []
    places: list[int] = []
    blank = -1
    for place, char in enumerate(text):
        plain = char.translate(_SAME)
        if _is_wide(char):
            plain = unicodedata.normalize("NFKC", plain)
        if plain.isspace():
            blank = place
            continue
        for one in plain:
            # A blank counts between two Latin words or figures; anywhere else it says nothing.
            if blank >= 0 and chars and _is_word(chars[-1]) and _is_word(one):
                chars.append(" ")
                places.append(blank)
            blank = -1
            chars.append(one)
            places.append(place)
    return "".join(chars), tuple(places)


def _is_word(char: str) -> bool:
    return char.isalnum() and char < "\u2e80"


def _is_wide(char: str) -> bool:
    """Full-width forms of ASCII, and the ideographic blank."""
    return "\uff01" <= char <= "\uff5e" or char == "\u3000"
