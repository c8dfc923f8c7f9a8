"""What each mark of a candidate is worth, beside the weighted sum of words and vectors (0–1).

Fitted by `bench/rank_table.py` on four conversations of LoCoMo and checked on others; see
docs/why/ranking.md. One column for words alone, one for words and vectors.
"""

from collections.abc import Mapping

Worth = Mapping[str, float]

_ROWS: Mapping[str, tuple[str, float, float]] = {
    # mark: the setting that weighs it (0 switches it off), words alone, words and vectors
    "session": ("session", 0.16, 0.24),  # its session has a good candidate
    "before": ("beside", 0.21, 0.24),  # the turn before it asks with these words
    "near": ("beside", 0.00, 0.23),  # the turns before and after it mean what is asked
    "long": ("telling", 0.09, 0.08),  # it says more than a few words
    "time": ("telling", 0.03, 0.05),  # it names a time
    "statement": ("telling", 0.05, 0.05),  # it is no question
    "wanted_time": ("wanted", 0.23, 0.29),  # a time is asked for, and it names one
    "wanted_name": ("wanted", 0.12, 0.13),  # a name or a place is asked for, and it has one
    "wanted_number": ("wanted", 0.13, 0.13),  # a number is asked for, and it has one
    "of_himself": ("wanted", 0.07, 0.10),  # the one asked about speaks of himself
    "of_another": ("wanted", -0.09, -0.17),  # somebody else speaks of himself
}

GROUPS: Mapping[str, str] = {name: row[0] for name, row in _ROWS.items()}
"""The setting of `RecallSettings` that weighs each mark."""

TABLE: Mapping[bool, Worth] = {
    False: {name: row[1] for name, row in _ROWS.items()},
    True: {name: row[2] for name, row in _ROWS.items()},
}
"""By whether there are vectors."""
