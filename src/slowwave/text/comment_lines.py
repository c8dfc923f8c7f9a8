"""How a line of data stands in a Markdown page that people read: as a comment of its own."""

__all__ = ["hidden", "shown"]

OPEN, CLOSE = b"<!-- slowwave-data ", b" -->"


def hidden(line: bytes) -> bytes:
    """A line of JSON as a comment that nothing in it can end."""
    # Two hyphens end a comment. Outside of its strings JSON never has two.
    return OPEN + line.replace(b"--", b"-\\u002d") + CLOSE


def shown(line: bytes) -> bytes | None:
    """The JSON of such a comment; None for any other line."""
    if line.startswith(OPEN) and line.endswith(CLOSE):
        return line[len(OPEN) : -len(CLOSE)]
    return None
