-- Dreams by what became of them: turns make thousands, and only a few still matter.

CREATE INDEX dreams_status ON dreams (space, status, run_at);
