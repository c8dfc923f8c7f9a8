"""Counted nouns as people write them."""

__all__ = ["plural"]


def plural(number: int, noun: str) -> str:
    """`1 event`, `2 events`, `2 memories`, `0 quiet days`: the noun in its number."""
    if number == 1:
        return f"1 {noun}"
    ends = noun.endswith("y") and noun[-2:-1] not in {"a", "e", "i", "o", "u", ""}
    return f"{number} {noun[:-1]}ies" if ends else f"{number} {noun}s"
