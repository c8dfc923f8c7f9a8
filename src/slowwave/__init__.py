"""Slowwave: a memory for AI agents that sleeps.

capture → journal → dream → ledger → recall → inject
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
