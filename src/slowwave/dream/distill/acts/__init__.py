"""What each clause of a message does: states a fact, instructs, asks, vents, agrees, turns …

reader        the acts of all clauses of a message
orders        rules, holds, exceptions, requests; abstain: told in the words of an order
material      what is only material to work on; own_name: who the speaker says he is
goals         what the owner is at, told inside a request
agree         proposals of the agent that the owner agreed to
turning       what goes on again, is moved or called off
weight        how much a statement looks like lasting knowledge
"""
