"""Terms of the word index beside words: what a memory cites, and the day it is about."""

from slowwave.model import text_hash


def cited_term(event_id: str) -> str:
    """One index term for an event id: no text and no question can hold it.

    It is a hash, so that an index does not go on naming an event that was forgotten.
    """
    return f"cited{text_hash(event_id)}"


def day_term(day: str) -> str:
    """One index term for a day (`2026-12-08`) or a month (`2026-12`), which no text can hold."""
    return f"dayof{day.replace('-', '')}"
