"""What one memory counts for, and a change that follows from that.

ageing        how old it is in the user's days
tally, score  its recall signals, counted, and their arithmetic
concepts      its names and content words; scope: the user, the world, or the agent's work
revise        a change that the night did not speak of
"""
