"""One statement as comparison sees it.

statement     who, what about, denied or not, changed or not
lexicon       the closed classes that readings rest on; opposites: of everyday language
quantity      quantities in one form; label: things told apart by a number
topic         its words of content
change, turn  what it says to have changed, to be over, to have given way to another
"""
