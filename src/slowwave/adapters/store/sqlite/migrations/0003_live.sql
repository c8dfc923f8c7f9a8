-- What a night asks for, found without reading all that ever was: the memories that live, those that
-- ended lately, and what sleep considered of one memory.

CREATE INDEX memories_status ON memories (space, status, valid_to);

CREATE INDEX phase_hits_memory ON phase_hits (space, memory_id);
