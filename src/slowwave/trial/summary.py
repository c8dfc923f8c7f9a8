"""What a trial found, in numbers."""

from collections.abc import Sequence
from datetime import date, tzinfo

import msgspec

from slowwave.model import Injection, day_of
from slowwave.trial.estimate import Rates, rates
from slowwave.trial.judge import decided, samples
from slowwave.trial.threshold import Suggestion, suggest


class Day(msgspec.Struct, frozen=True, kw_only=True):
    """One of the user's days. `answered` are the questions that would have got something."""

    day: date
    questions: int
    answered: int
    items: int
    tokens: int
    took_ms: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A whole trial.

    `replayed` are the questions that were taken from the journal; `tokens` the mean of a block
    that holds something; `took_ms` median and 95th percentile; `waiting` the items without a
    verdict. `rates` are those of the threshold in force.
    """

    questions: int
    replayed: int
    answered: int
    items: int
    passed: int
    tokens: float
    took_ms: tuple[float, float]
    days: tuple[Day, ...]
    right: int
    wrong: int
    waiting: int
    threshold: float
    rates: Rates
    suggestion: Suggestion


def report(
    entries: Sequence[Injection], threshold: float, zone: tzinfo, wrong_at_most: float
) -> Report:
    """The report on these trial entries, at the threshold that is in force."""
    known = samples(entries)
    verdicts = [one.item.verdict for one in known]
    by_day: dict[date, list[Injection]] = {}
    for entry in sorted(entries, key=lambda entry: entry.ts):
        by_day.setdefault(day_of(entry.ts, zone), []).append(entry)
    filled = [entry.tokens for entry in entries if entry.tokens]
    took = sorted(entry.took_ms for entry in entries)
    return Report(
        questions=len(entries),
        replayed=sum(entry.caller == "evaluation" for entry in entries),
        answered=sum(bool(decided(entry)) for entry in entries),
        items=sum(len(decided(entry)) for entry in entries),
        passed=sum(len(entry.passed) for entry in entries),
        tokens=round(sum(filled) / len(filled), 1) if filled else 0.0,
        took_ms=(_at(took, 0.5), _at(took, 0.95)),
        days=tuple(_day(day, asked) for day, asked in by_day.items()),
        right=verdicts.count("right"),
        wrong=verdicts.count("wrong"),
        waiting=verdicts.count(""),
        threshold=threshold,
        rates=rates(known, threshold),
        suggestion=suggest(entries, known, threshold, wrong_at_most),
    )


def _day(day: date, asked: Sequence[Injection]) -> Day:
    # Loads fractions and decimals: every command would wait for them.
    from statistics import median  # noqa: PLC0415

    return Day(
        day=day,
        questions=len(asked),
        answered=sum(bool(decided(entry)) for entry in asked),
        items=sum(len(decided(entry)) for entry in asked),
        tokens=sum(entry.tokens for entry in asked),
        took_ms=round(median(entry.took_ms for entry in asked), 1),
    )


def _at(ordered: Sequence[float], share: float) -> float:
    """A percentile: the smallest value that so large a share does not exceed."""
    if not ordered:
        return 0.0
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)
