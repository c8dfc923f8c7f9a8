"""Positive evidence on which one memory may end another or take it in; without, both stay.

ending        the ground on which a memory may be ended
merge         the ground on which two statements become one memory
value, frame  the same slot with another value; one place exchanged in a common frame
slots         what a person has one of at a time
alike, weight two clauses word by word; how much of one is in the other
mention       whether what one speaks of is named in the other
people, called  two different people; who somebody is, said from either end
"""
