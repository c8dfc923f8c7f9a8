"""Two statements: the same, a change, or nothing to do with each other.

relation      how two statements relate, by the table of weights and checks that refuse
signals       generic measurements of a pair; table.json: their weights
reading/      one statement as comparison sees it
grounds/      positive evidence on which one memory may end or take in another
turns/        what one statement tells to have become of the other
"""
