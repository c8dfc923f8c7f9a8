"""What a model is told before it is asked, one page for each question, beside this file.

instructions  reads the pages
quotes        where a model's quote stands in the journal: exactly, or nowhere
"""
