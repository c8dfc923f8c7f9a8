"""What turns: something may go on, a plan is moved or called off. Kept for what it ends."""

import re
from collections.abc import Sequence
from typing import Final

from slowwave.dream.compare.reading.quantity import quantities
from slowwave.dream.compare.turns.hold import tells_release
from slowwave.dream.compare.turns.new_day import has_step
from slowwave.dream.compare.turns.reschedule import says_none, says_something, tells_replan
from slowwave.dream.distill.clauses.reading import Reading

__all__ = ["only_frees", "turn_of"]

_ALSO_TELLS: Final = (
    "body", "naming", "role", "kin", "habit", "decide", "stored", "until", "past", "did", "day",
)  # fmt: skip
"""Cues of what a statement tells beside letting something go on."""

_HAPPENED: Final = re.compile(
    r"\b(?:(?:re|un)\w{2,}ed|restarted|unfroze) (?!again\b|now\b|today\b|as of\b)\w|\d"
)
"""Tells that something has begun again, and something of it; or a number."""


def turn_of(clauses: Sequence[Reading], index: int) -> bool:
    """Whether a clause lets something go on, moves a plan or calls one off: kept for what it ends.

    What it does is noted on the reading. A plan is moved to a day or by a step; what is called off
    is named, in this clause or beside it.
    """
    reading = clauses[index]
    if tells_release(reading.folded) and not reading.any("said", "reported", "chain", "stranger"):
        reading.turn = "release"
        return True
    told = tells_replan(reading.folded)
    if (
        not told
        or says_none(reading.folded)
        or reading.any("you", "habit", "when", "once", "rule", "task", "bid")
    ):
        return False
    beside = [*clauses[max(0, index - 1) : index], *clauses[index + 1 : index + 2]]
    around = [r.folded for r in beside if r.clause.sentence == reading.clause.sentence]
    named = any(map(says_something, (*told[0].names, *around)))
    said = [reading.folded, *around]
    dated = any(quantities(text) or has_step(text) for text in said) or reading.has("day")
    if named and (dated or told[0].kind == "off"):
        reading.turn = told[0].kind
    return bool(reading.turn)


def only_frees(clauses: Sequence[Reading]) -> bool:
    """Whether clauses say that something may go on, and nothing that is asked for by itself.

    "You can merge again" is nothing where nothing was on hold; "the pool reopened on Monday" is.
    """
    if any(reading.turn != "release" for reading in clauses):
        return False
    return not any(r.any(*_ALSO_TELLS) or _HAPPENED.search(r.folded) for r in clauses)
