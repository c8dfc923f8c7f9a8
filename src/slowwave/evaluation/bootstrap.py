"""Confidence intervals without assumptions: the percentile bootstrap (Efron 1979).

Questions are drawn anew, with replacement, as many as there were; the middle 95 % of the means
that come out are the interval. Questions about one conversation resemble each other, so
conversations can be drawn instead, each with all its questions: a wider and more honest interval
where there are many of them. All columns are drawn together, and the seed is fixed: the same
scores give the same interval.
"""

from collections.abc import Sequence

Interval = tuple[float, float]

RESAMPLES = 2_000
SEED = 20_260_401
ENDS = (2.5, 97.5)
CELLS = 4_000_000
"""Draws held in memory at once."""


def intervals(
    columns: Sequence[Sequence[float]],
    groups: Sequence[str] | None = None,
    *,
    resamples: int = RESAMPLES,
) -> list[Interval | None]:
    """The 95 % interval of each column's mean; columns are equally long.

    `groups` names the group of each place: then groups are drawn and not places. None where
    fewer than two things could be drawn.
    """
    places = len(columns[0]) if columns else 0
    numbers = {name: number for number, name in enumerate(dict.fromkeys(groups or ()))}
    drawn = len(numbers) if groups is not None else places
    if drawn < 2:
        return [None] * len(columns)
    # Only a finished measurement needs numpy.
    import numpy as np  # noqa: PLC0415

    values = np.asarray(columns, dtype=np.float64).T
    sizes = np.ones(places)
    if groups is not None:
        member = np.array([numbers[name] for name in groups])
        sizes = np.bincount(member).astype(np.float64)
        sums = np.zeros((drawn, values.shape[1]))
        np.add.at(sums, member, values)
        values = sums
    random = np.random.default_rng(SEED)
    means = []
    batch = max(1, CELLS // drawn)
    for start in range(0, resamples, batch):
        count = min(batch, resamples - start)
        picks = random.integers(0, drawn, size=(count, drawn))
        picks += drawn * np.arange(count)[:, None]
        often = np.bincount(picks.ravel(), minlength=count * drawn).reshape(count, drawn)
        often = often.astype(np.float64)
        means.append((often @ values) / (often @ sizes)[:, None])
    low, high = np.percentile(np.concatenate(means), ENDS, axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
