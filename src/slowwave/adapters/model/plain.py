"""Text of a server as it can be stored and shown."""

import re

__all__ = ["plain"]

_HALVES = re.compile("[\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with two halves of a character joined, and U+FFFD for a half that stands alone."""
    if text.isascii() or not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
