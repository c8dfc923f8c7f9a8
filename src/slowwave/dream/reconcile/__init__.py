"""Claims beside what is known: one plan, at most one change per memory.

stage         a night's claims laid beside what is known
bench         what is known, found by words, and what the plan makes of it
keys          what memories are found by, and whose may touch each other at all
verdict       what is done about one known memory for one claim
parts         a memory of several facts, of which one has ended
coreference   one person, one subject
judge/        where a model has a say
"""
