"""The embedded store: one SQLite file through apsw.

store.py       SqliteStore: who does what
access.py      who reads, who writes, and how long they wait
connection.py  opening, waiting, what engine errors mean
writer.py      the one writer thread, group commit
migrate.py     numbered schema files, copy before a migration
rows.py        nouns to rows and back
journal.py     events
words.py       full text, one set of FTS5 tables per space; postings.py searches them from memory
vectors.py     vectors; matrix.py searches them, large sets after a scan of sketch.py
names.py       ids by row number, as far as they were met
ledger.py      memories, versions, dreams, commit
upkeep.py      checkpoints, signals, counts, check
"""

from slowwave.adapters.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
