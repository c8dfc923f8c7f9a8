"""The order of the stages, and what stands around it.

night         the night in its order: a plan, and nothing changed
desk          what the stages of one dream work on: timed, and kept as checkpoints
distill       by the rules alone, or by a model with the rules beside it; chunks: asked once
judge         pairs that the rules doubt, put to the model before the plan is made
late          the second half: what the ledger holds, weighed, and what time makes of it
weekly, tell  the weekly consolidation; what a model says about a plan for people to read
checkpoints   of plans that are never applied; failure: the record of a dream that failed
outdated      a plan that waited, made anew; warnings: signs that the memory is not well
"""
