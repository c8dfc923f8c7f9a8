"""What a week of the log is about, before any dream has read it.

week          the topics of a week
groups        which exchanges are about the same thing
names         what a topic is called; words: what may name one
"""
