"""May, the month, told apart from the modal verb: "by May 28" allows nothing."""

import re
from typing import Final

__all__ = ["without_may"]

_MONTH: Final = re.compile(
    r"(?<=\b(?:in|by|of|to) )may\b|(?<=\b(?:for|mid|end) )may\b|(?<=\bmid-)may\b|"
    r"(?<=\b(?:from|till|next|late) )may\b|(?<=\b(?:since|until|after|early) )may\b|"
    r"(?<=\bthrough )may\b|(?<=\bbefore )may\b|(?<=\d )may\b|(?<=\d(?:st|nd|rd|th) )may\b|"
    r"\bmay(?=,? (?:the )?\d)"
)


def without_may(folded: str) -> str:
    """A text in lower case with the month blotted out; all places in it stay."""
    return _MONTH.sub("   ", folded) if "may" in folded else folded
