"""The text as the finders read it: one character for one, so that spans need no arithmetic.

Full-width letters and digits, odd dashes and odd blanks become plain ones; characters that nobody
sees are left out, and where they stood is remembered.
"""

import re
import unicodedata

__all__ = ["Seen", "key_of", "see"]

_PLAIN = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B) if chr(code - 0xFEE0).isalnum()}
_PLAIN |= {ord(odd): ord("-") for odd in "‐‑‒–—―−－﹣"}
_PLAIN |= {ord(odd): ord(" ") for odd in "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"}
_PLAIN |= {ord("＠"): ord("@"), ord("．"): ord("."), ord("＋"): ord("+"), ord("／"): ord("/")}
_PLAIN |= {ord("＃"): ord("#"), ord("＿"): ord("_"), ord("（"): ord("("), ord("）"): ord(")")}
_PLAIN |= {ord("："): ord(":"), ord("，"): ord(","), ord("＝"): ord("="), ord("’"): ord("'")}
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_NUMBERED = re.compile(r"[^0-9a-z]+")
_CHINA = re.compile(r"(?:00)?86(?=1\d{10}$)")


class Seen:
    """A text to search, and where its characters stand in the original."""

    __slots__ = ("_places", "text")

    def __init__(self, text: str) -> None:
        self._places: list[int] | None = None
        if _UNSEEN.search(text):
            self._places = [at for at, char in enumerate(text) if not _UNSEEN.match(char)]
            self._places.append(len(text))
            text = _UNSEEN.sub("", text)
        self.text = text if text.isascii() else text.translate(_PLAIN)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original text that was read as `text[start:end]`."""
        if self._places is None:
            return start, end
        return self._places[start], self._places[end - 1] + 1


def see(text: str) -> Seen:
    """The text, ready to be searched."""
    return Seen(text)


def key_of(value: str) -> str:
    """What two spellings of one value have in common.

    Case, width and blanks do not count; in a value that is mostly figures no punctuation does, and
    neither does China's country code before a mobile number.
    """
    folded = unicodedata.normalize("NFKC", _UNSEEN.sub("", value)).casefold()
    digits = sum(char.isdigit() for char in folded)
    if folded.isascii() and digits >= 5 and 2 * digits >= sum(map(str.isalnum, folded)):
        return _CHINA.sub("", _NUMBERED.sub("", folded))
    return " ".join(folded.split())
