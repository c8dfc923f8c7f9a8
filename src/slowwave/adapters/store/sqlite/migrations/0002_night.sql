-- What the night leaves beside its changes, what must be remembered to go on working, and the
-- signatures of what was forgotten for good.

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
