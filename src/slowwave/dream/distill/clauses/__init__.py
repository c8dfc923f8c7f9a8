"""A message cut into clauses, each read with its cues.

cut           sentences and clauses, with every offset of the original
cues          named patterns, from cues_en.txt and cues_zh.txt
people        who is named in a stretch of text
reading       a clause with its cues, evaluated on demand
"""
