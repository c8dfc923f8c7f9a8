"""What only repeats what a block already says, in other order or with a word more or less."""

from slowwave.text.polarity import is_negated
from slowwave.text.segment import terms

__all__ = ["Told"]

PART = 0.6
"""Share of a known text's terms from which a text that has no others says nothing new."""
READ = 2_000
"""Characters of a text that are compared: a longer one is cut in a block anyway."""
RICHER = 0.8
"""Share of a text's terms from which a known text that lacks the rest says the same."""


class Told:
    """The texts that a block holds."""

    def __init__(self) -> None:
        self._known: list[tuple[frozenset[str], bool]] = []

    def add(self, text: str) -> None:
        """The block holds this text from now on."""
        self._known.append(_reading(text))

    def is_new(self, text: str) -> bool:
        """Whether no text of the block says just that. A number or a negation that
        differs makes another statement."""  # fmt: skip
        words, negated = _reading(text)
        return not any(
            negated == known_negated and _repeats(words, known)
            for known, known_negated in self._known
        )


def _reading(text: str) -> tuple[frozenset[str], bool]:
    return frozenset(terms(text[:READ])), is_negated(text[:READ])


def _repeats(words: frozenset[str], known: frozenset[str]) -> bool:
    if any(any(map(str.isdigit, term)) for term in words ^ known):
        return False
    if words <= known:
        return len(words) >= PART * len(known)
    return known < words and len(known) >= RICHER * len(words)
