"""The kept clauses of a message put together into statements, and made into claims.

groups        which clauses are one statement; edges: where its text begins and ends
claims        from a statement's clauses to a `Claim`; denial: whether it denies or forbids
plan_split    what lasts inside a dated plan; lasting: whether a clause tells that
notes         lines of hand-written notes; talk: two people about their own lives
"""
