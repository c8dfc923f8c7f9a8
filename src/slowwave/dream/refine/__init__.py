"""A day that was dreamed is read again, by a better reader.

day           one day, or each of the last week, planned again
pairs         its claims beside what was made of them the first time
plan          the changes that follow
"""
