"""Distilling by a language model: it proposes, and each proposal must stand on exact words.

proposals     one chunk, one question, and what comes of the answer
chunks        what a model is asked about at once
prompt        the question: instructions from a file, the events as data
items         from an item of the answer to a claim, or to the reason why it is none
words         words that nobody said
"""
