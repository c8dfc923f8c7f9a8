"""What MEMORY.md loads into every prompt.

sections      what it loads, and in which section
topics        which part of life a memory is about
"""
