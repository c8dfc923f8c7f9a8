"""Slowwave inside the agents people run: what goes into each of them, and how it gets there.

The parts that run in a foreign program are thin: they hand over what was said, and take what is
remembered. All else is the front door's.
"""
