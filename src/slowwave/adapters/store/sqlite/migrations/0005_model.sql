-- What was asked of a language model (hashes and counts, no words), and answers in quarantine.

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
