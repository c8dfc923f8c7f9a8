-- The schema as all migrations leave it. For reading; tests/migration compares it with them.

CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, so that cursors stay right
  id TEXT NOT NULL,
  space TEXT NOT NULL,
  identity TEXT NOT NULL,                 -- decides duplicates
  ts TEXT NOT NULL,
  offset_min INTEGER NOT NULL,
  role TEXT NOT NULL,
  kind TEXT NOT NULL,
  origin TEXT NOT NULL,
  text TEXT NOT NULL,
  source TEXT NOT NULL,
  session TEXT NOT NULL,
  speaker TEXT,
  channel TEXT,
  ref TEXT,
  meta TEXT NOT NULL,                     -- JSON object of strings
  indexed INTEGER NOT NULL DEFAULT 0      -- its words are in the full-text index
) STRICT;

CREATE UNIQUE INDEX events_identity ON events (space, identity);

CREATE UNIQUE INDEX events_id ON events (space, id);

CREATE INDEX events_ts ON events (space, ts);

CREATE INDEX events_session ON events (space, session);

CREATE INDEX events_space ON events (space);

CREATE INDEX events_unindexed ON events (space) WHERE indexed = 0;

CREATE TRIGGER events_never_change
BEFORE UPDATE OF id, space, identity, ts, offset_min, role, kind, origin, text, source, session,
  speaker, channel, ref, meta ON events
BEGIN
  SELECT RAISE(ABORT, 'the journal is append-only');
END;

CREATE TABLE spaces (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE vector_sets (
  number INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  unit TEXT NOT NULL,
  embedder TEXT NOT NULL,
  written INTEGER NOT NULL DEFAULT 0,     -- the highest place given out
  removed INTEGER NOT NULL DEFAULT 0,     -- how often vectors were taken out or replaced
  settled INTEGER NOT NULL DEFAULT 0,     -- up to this row, all units that need a vector have one
  UNIQUE (space, unit, embedder)
) STRICT;

CREATE TABLE vectors (
  set_number INTEGER NOT NULL REFERENCES vector_sets (number),
  place INTEGER NOT NULL,                 -- grows with each write: what is new is at the end
  row INTEGER NOT NULL,                   -- events.seq or memories.number
  text_hash TEXT NOT NULL,
  vector BLOB NOT NULL,                   -- one signed byte per dimension
  PRIMARY KEY (set_number, place)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX vectors_row ON vectors (set_number, row);

CREATE INDEX vectors_text ON vectors (text_hash);

-- Tables with long rows keep a rowid: in one without, every look-up of a key that leads to a long
-- row reads the whole row.

CREATE TABLE memories (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  importance INTEGER NOT NULL,
  first_seen TEXT NOT NULL,
  valid_from TEXT,
  valid_to TEXT,
  access_count INTEGER NOT NULL,          -- these two are newer than those in body
  last_access TEXT,
  body TEXT NOT NULL,                     -- the whole memory, JSON
  indexed INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX memories_id ON memories (space, id);

CREATE INDEX memories_first_seen ON memories (space, first_seen, id);

CREATE INDEX memories_status ON memories (space, status, valid_to);

CREATE INDEX memories_space ON memories (space);

CREATE TABLE memory_versions (
  space TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  op TEXT NOT NULL,
  change_id TEXT NOT NULL,
  dream_id TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  recorded_offset_min INTEGER NOT NULL,
  reason TEXT NOT NULL,
  body TEXT NOT NULL,                     -- the memory as this version left it, JSON
  PRIMARY KEY (space, memory_id, version),
  FOREIGN KEY (space, memory_id) REFERENCES memories (space, id)
) STRICT;

CREATE TABLE dreams (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  run_at TEXT NOT NULL,
  date TEXT NOT NULL,
  mode TEXT NOT NULL,
  status TEXT NOT NULL,
  summary TEXT NOT NULL,                  -- the dream without the three lists below, JSON
  rejections TEXT NOT NULL,
  event_ids TEXT NOT NULL,
  PRIMARY KEY (space, id)
) STRICT;

CREATE INDEX dreams_status ON dreams (space, status, run_at);

CREATE TABLE changes (
  space TEXT NOT NULL,
  dream_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  id TEXT NOT NULL,
  op TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  approved INTEGER,
  reason TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (space, dream_id, place),
  FOREIGN KEY (space, dream_id) REFERENCES dreams (space, id)
) STRICT;

CREATE TABLE dreamed (
  seq INTEGER NOT NULL REFERENCES events (seq),
  space TEXT NOT NULL,
  dream_id TEXT NOT NULL,
  PRIMARY KEY (seq, space, dream_id),
  FOREIGN KEY (space, dream_id) REFERENCES dreams (space, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX dreamed_dream ON dreamed (space, dream_id);

CREATE TABLE stages (
  space TEXT NOT NULL,
  dream_id TEXT NOT NULL,
  stage TEXT NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (space, dream_id, stage)
) STRICT;

CREATE TABLE signals (
  number INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  ts TEXT NOT NULL,
  query_hash TEXT NOT NULL,
  score REAL NOT NULL, session TEXT NOT NULL DEFAULT '', caller TEXT NOT NULL DEFAULT 'person',
  FOREIGN KEY (space, memory_id) REFERENCES memories (space, id)
) STRICT;

CREATE INDEX signals_memory ON signals (space, memory_id);

CREATE TABLE injections (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  entry BLOB NOT NULL, ts TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (space, id)
) STRICT;

CREATE INDEX injections_ts ON injections (space, ts);

CREATE TABLE phase_hits (
  space TEXT NOT NULL,
  dream_id TEXT NOT NULL,
  memory_id TEXT NOT NULL,
  phase TEXT NOT NULL,                    -- light or rem
  ts TEXT NOT NULL,
  PRIMARY KEY (space, dream_id, memory_id, phase),
  FOREIGN KEY (space, dream_id) REFERENCES dreams (space, id),
  FOREIGN KEY (space, memory_id) REFERENCES memories (space, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX phase_hits_memory ON phase_hits (space, memory_id);

CREATE TABLE working (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  opened TEXT NOT NULL,
  body TEXT NOT NULL,                     -- the whole item, JSON
  PRIMARY KEY (space, id)
) STRICT;

CREATE TABLE tombstones (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  forgotten_at TEXT NOT NULL,
  body TEXT NOT NULL,                     -- salted hashes, never the words, JSON
  PRIMARY KEY (space, id)
) STRICT;

CREATE TABLE model_calls (
  number INTEGER PRIMARY KEY,
  space TEXT NOT NULL,
  ts TEXT NOT NULL,
  body TEXT NOT NULL                      -- the call, JSON: never what was said
) STRICT;

CREATE INDEX model_calls_ts ON model_calls (space, ts);

CREATE TABLE raw_answers (
  space TEXT NOT NULL,
  id TEXT NOT NULL,
  ts TEXT NOT NULL,
  body TEXT NOT NULL,                     -- the answer as it came, JSON
  PRIMARY KEY (space, id)
) STRICT;
