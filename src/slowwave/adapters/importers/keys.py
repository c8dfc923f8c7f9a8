"""Identity for records of formats that give them none."""

from collections import Counter

from slowwave.model import text_hash

__all__ = ["content_key"]


def content_key(seen: Counter[str], *parts: str) -> str:
    """A key from what a record says and which of the equal ones it is in its log.

    Reading a log again, or after it grew, gives the same keys; the same words said twice are two.
    """
    content = text_hash("\x1f".join(parts))
    seen[content] += 1
    return f"{content}:{seen[content]}"
