"""Whether a statement only says again what an earlier one has turned to, or takes it back.

After "I do not live in Lyon any more, I live in Nantes", "I live in Nantes" is nothing new, and "I
live in Lyon" is the contrary: the denial belongs to what is over.
"""

import re
from typing import Literal

from slowwave.dream.compare.reading.change import clauses
from slowwave.dream.compare.reading.statement import Reading, read
from slowwave.text.lately import lately

__all__ = ["restated"]

_OVER = re.compile(
    r"\b(?:any ?more|any longer|no longer|used to|stopped|quit|gave up|not .* but)\b|"
    r"不再|不[^，,]{1,12}了$|[没不]在?[^，,]{1,12}了$|以前|原来"
)
"""Says of a clause that what it tells is over."""
_GRAMMAR = re.compile(
    r"\b(?:any ?more|any longer|no longer|not|now|instead|currently|used to|stopped|quit|gave up|"
    r"don't|doesn't|isn't|i'm|it's|its)\b|不再?|现在|如今|目前|改(?:成|为|用|到)?|而是|已经?|以前|"
    r"原来|[了是在我]"
)


@lately(4_096)
def restated(earlier: Reading, later: Reading) -> Literal["", "again", "back"]:
    """`again`: the later one says what the earlier one has turned to; `back`: what it says is over.

    "" where the earlier one tells of no turn, or the later one says anything else.
    """
    if later.negators or later.marks & {"no_longer", "past", "once"}:
        return ""
    parts = [part.text for part in clauses(earlier.folded)]
    gone = [_words(part) for part in parts if _OVER.search(part)]
    holds = [_words(part) for part in parts if not _OVER.search(part)]
    if len(gone) != 1 or len(holds) != 1 or not (gone[0] and holds[0]):
        return ""
    said, over, now = _words(later.folded), gone[0], holds[0]
    if not said <= over | now:
        return ""
    if now <= said and over - said:
        return "again"
    return "back" if over <= said and now - said else ""


def _words(text: str) -> frozenset[str]:
    return frozenset(read(_GRAMMAR.sub(" ", text)).words)
