"""When to dream: the nights that are due, what else asks for a dream, and what holds one back.

    nights.py     which days are due, and trying again (N6, N16)
    triggers.py   what else asks for a dream (P9)
    brakes.py     what holds one back (P10)

Pure: clocks, the ledger and sleeping are handed in.
"""

from slowwave.scheduler.brakes import YIELDS, Brake, Brakes, Kept, Outcome
from slowwave.scheduler.nights import (
    AT,
    DECIDED,
    NIGHTS_A_RUN,
    PASSING,
    PAUSES,
    TOLD_WHOLE,
    catch_up,
    cut_off,
    due,
    learned_by_day,
    next_run,
    retry,
    time_of,
)
from slowwave.scheduler.triggers import HEAVY, Seen, Verdict, decide

__all__ = [
    "AT",
    "DECIDED",
    "HEAVY",
    "NIGHTS_A_RUN",
    "PASSING",
    "PAUSES",
    "TOLD_WHOLE",
    "YIELDS",
    "Brake",
    "Brakes",
    "Kept",
    "Outcome",
    "Seen",
    "Verdict",
    "catch_up",
    "cut_off",
    "decide",
    "due",
    "learned_by_day",
    "next_run",
    "retry",
    "time_of",
]
