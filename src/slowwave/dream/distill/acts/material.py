"""Which part of a message is material to work on: text to translate, to polish, to quote.

"Translate: I live in …" says nothing about the speaker. A heading that names the work makes
material of what follows it; "how do I say that in French" makes material of what stands before.
"""

from collections.abc import Sequence
from itertools import pairwise

from slowwave.dream.distill.clauses.reading import Reading, same_sentence

__all__ = ["material_from", "material_until"]

_OWN_WORDS = ("remember", "rule", "correct", "teach")
"""A heading with one of these announces the speaker's own words ("note:", "from now on:")."""


def material_from(clauses: Sequence[Reading]) -> int:
    """Offset from which a message is material, -1 when none of it is."""
    starts = (after.clause.start for before, after in pairwise(clauses) if _opens(before, after))
    return next(starts, -1)


def _opens(before: Reading, after: Reading) -> bool:
    new_sentence = before.clause.sentence != after.clause.sentence
    opened = after.clause.opener in (":", "：") or (
        new_sentence and before.clause.closer in (":", "\n")
    )
    if before.has("below") and before.has("transform"):
        opened = True  # "put the following into French, …"
    if not opened or before.any(*_OWN_WORDS):
        return False
    if before.has("transform"):
        return True
    headed = before.any("task", "fiction", "stranger", "said", "question")
    return headed and before.has("material")


def material_until(clauses: Sequence[Reading]) -> int:
    """Offset up to which a message is material because its last sentence says so; 0 if not."""
    last = len(clauses) - 1
    while last > 0 and same_sentence(clauses, last):
        last -= 1
    for index in range(max(1, last), len(clauses)):
        reading = clauses[index]
        if reading.has("transform_back") and not reading.any(*_OWN_WORDS):
            return reading.clause.start
    return 0
