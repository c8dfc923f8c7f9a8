"""What the night tells people; never evidence.

entry         one short entry per dream, by template; words: its sentences in two languages
model         the entry in a model's words; themes: names of themes by a model
grounds       whether what a model tells stands on the notes that it was given
"""
