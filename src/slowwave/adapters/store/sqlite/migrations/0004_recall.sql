-- What recall keeps: who asked and in which conversation, and the injection ledger by time.

ALTER TABLE signals ADD COLUMN session TEXT NOT NULL DEFAULT '';

ALTER TABLE signals ADD COLUMN caller TEXT NOT NULL DEFAULT 'person';

ALTER TABLE injections ADD COLUMN ts TEXT NOT NULL DEFAULT '';

UPDATE injections
SET ts = strftime('%Y-%m-%dT%H:%M:%f000Z', json_extract(CAST(entry AS TEXT), '$.ts'));

CREATE INDEX injections_ts ON injections (space, ts);

-- Ends with the row's number: what came after a row is found without a look at what was before.
CREATE INDEX memories_space ON memories (space);

-- A long text has a direction for each of its passages now: what has one for all of it is made anew
-- when the next vectors are. Scripts that say more in a character have shorter passages.

DELETE FROM vectors
WHERE EXISTS (
  SELECT 1 FROM vector_sets AS sets
  LEFT JOIN events ON sets.unit = 'event' AND events.seq = vectors.row
  LEFT JOIN memories ON sets.unit = 'memory' AND memories.number = vectors.row
  WHERE sets.number = vectors.set_number
    AND length(coalesce(events.text, memories.text)) > CASE
      WHEN length(CAST(coalesce(events.text, memories.text) AS BLOB))
        > 1.2 * length(coalesce(events.text, memories.text)) THEN 130 ELSE 400 END
);

UPDATE vector_sets SET settled = 0, removed = removed + 1;
