"""Forgetting for good (N20, promise 7): what goes, what stays, and the proof.

A fact is not only in the memory that states it: it is in the words it rests on, in copies of them,
in what else was said with these words. All of that is looked up first and can be read before
anything happens (`search`); then one transaction takes it out, and the files follow (`carry_out`).
What is left is a tombstone of salted hashes: old evidence does not bring the fact back, a new
statement may. The receipt can be checked at any time (`proof`).
"""

from slowwave.erasure.carry_out import Finished, Tools, erase, finish
from slowwave.erasure.forgetting import Forgetting
from slowwave.erasure.proof import Proof, verify
from slowwave.erasure.search import Plan, Target, Touched, find_all

__all__ = [
    "Finished",
    "Forgetting",
    "Plan",
    "Proof",
    "Target",
    "Tools",
    "Touched",
    "erase",
    "find_all",
    "finish",
    "verify",
]
