"""The term by which the word index finds the memories that cite an event."""

from slowwave.model import text_hash


def cited_term(event_id: str) -> str:
    """One index term for an event id: no text and no question can hold it.

    It is a hash, so that an index does not go on naming an event that was forgotten.
    """
    return f"cited{text_hash(event_id)}"
