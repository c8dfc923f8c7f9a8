"""What a text with the escapes of JSON strings says: `\\u6797` is 林, `\\n` ends a line."""

import re

_ESCAPE = re.compile(
    r"\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u(?P<one>[0-9a-fA-F]{4})|\\(?P<sign>[\"\\/bfnrt])"
)
_SIGNS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def readings(text: str) -> tuple[str, ...]:
    """The text as it stands, and where it has escapes also as they are read.

    Which of the two is meant nobody knows: `C:\\new` is a path in one and a line end in the other.
    """
    if "\\" not in text:
        return (text,)
    return (text, _ESCAPE.sub(_read, text))


def _read(match: re.Match[str]) -> str:
    if match["sign"]:
        return _SIGNS.get(match["sign"], match["sign"])
    if match["one"]:
        return chr(int(match["one"], 16))
    high, low = int(match["high"], 16), int(match["low"], 16)
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
