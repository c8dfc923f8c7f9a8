"""Another threshold: the one with the most hits whose false recall stays under a limit."""

from collections.abc import Sequence
from math import floor

import msgspec

from slowwave.model import Injection
from slowwave.trial.estimate import Rates, rates
from slowwave.trial.judge import Sample, decided

LEAST = 10
"""Items of each kind, right and wrong, that must have been judged: fewer say nothing."""

WRONG_AT_MOST = 0.10
"""Share of wrong items that is borne, unless told."""


class Effect(msgspec.Struct, frozen=True):
    """What a threshold does to the questions of the trial: how many get something, and how much."""

    threshold: float
    answered: int
    items: int
    rates: Rates


class Suggestion(msgspec.Struct, frozen=True, kw_only=True):
    """`after` is None until enough is judged; `more_right` and `more_wrong` say what is missing.

    `kept`: whether false recall stays under `wrong_at_most`; where no threshold keeps it, `after`
    is the one that comes nearest.
    """

    wrong_at_most: float
    more_right: int
    more_wrong: int
    before: Effect
    after: Effect | None = None
    kept: bool = False


def suggest(
    entries: Sequence[Injection],
    known: Sequence[Sample],
    current: float,
    wrong_at_most: float = WRONG_AT_MOST,
) -> Suggestion:
    """The threshold that fits what was judged of these trial entries, and what it would change."""
    right = sum(one.item.verdict == "right" for one in known)
    wrong = sum(one.item.verdict == "wrong" for one in known)
    before = effect(entries, known, current)
    more_right, more_wrong = max(0, LEAST - right), max(0, LEAST - wrong)
    asked = Suggestion(
        wrong_at_most=wrong_at_most, more_right=more_right, more_wrong=more_wrong, before=before
    )
    if more_right or more_wrong:
        return asked
    best, kept = _best(known, current, wrong_at_most)
    after = before if best == current else effect(entries, known, best)
    return msgspec.structs.replace(asked, after=after, kept=kept)


def effect(entries: Sequence[Injection], known: Sequence[Sample], threshold: float) -> Effect:
    """What a threshold does; of items far below the one of the trial nothing is known."""
    let_in = [
        sum(item.score >= threshold for item in (*decided(entry), *entry.passed))
        for entry in entries
    ]
    answered = sum(items > 0 for items in let_in)
    return Effect(threshold, answered, sum(let_in), rates(known, threshold))


def _best(known: Sequence[Sample], current: float, wrong_at_most: float) -> tuple[float, bool]:
    """The threshold, and whether it keeps the limit. Of those that hit as much, the highest."""
    scores = sorted({one.item.score for one in known if one.item.verdict})
    ranked: list[tuple[bool, float, float, float]] = []
    for place, score in enumerate(scores):
        found = rates(known, score)
        if found.hit is None or found.false_recall is None:
            continue
        wrong = found.false_recall.rate
        kept = wrong <= wrong_at_most
        worth = found.hit.rate if kept else -wrong
        ranked.append((kept, worth, score, _between(scores, place)))
    if not ranked:
        return current, False
    kept, worth, _, threshold = max(ranked)
    now = rates(known, current)
    # As it is, it may be as good: nobody should change a setting for nothing.
    if kept and now.hit and now.false_recall and now.false_recall.rate <= wrong_at_most:
        threshold = current if now.hit.rate >= worth else threshold
    return threshold, kept


def _between(scores: Sequence[float], place: int) -> float:
    """A round number that lets this score in and keeps the next lower one out."""
    score = scores[place]
    middle = (score + scores[place - 1]) / 2 if place else score
    for digits in (100, 1000, 10_000):
        rounded = floor(score * digits) / digits
        if rounded >= middle:
            return rounded
    return score
