"""Where a model has a say: pairs that the rules are unsure of.

rulings       what a model may decide about a claim and a memory, and what no model may
model         asking about many pairs in one question
judged        its rulings brought into the plan, behind the guard
"""
