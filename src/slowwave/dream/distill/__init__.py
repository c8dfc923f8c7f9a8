"""Messages → claims. No claim without the exact words that it rests on.

rules         the stage by rules: clauses → acts → statements → claims
desk          what is remembered from turn to turn: the open proposal, who was named
clauses/      a message cut into clauses, each read with its cues
acts/         what each clause does: states, instructs, asks, agrees, turns something
statements/   the kept clauses put together, and made into claims
model/        the stage by a language model: it proposes
union         what both found, as one list
subject       whom a statement is about
lessons/      lessons from the agent's own messages
"""
