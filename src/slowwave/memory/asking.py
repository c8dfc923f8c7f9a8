"""Whenever it is asked: the right thing, dated, or nothing."""

from contextlib import suppress

import msgspec

from slowwave import inject, ledger
from slowwave.capture.envelope import clean
from slowwave.errors import DiskFull
from slowwave.memory.archive import Archive
from slowwave.model import Evidence, Hit, short_id
from slowwave.parts import Injected
from slowwave.ports import no_progress
from slowwave.recall import index, retrieve, signals
from slowwave.recall.retrieve import Query


class Asking(Archive):
    """recall → inject."""

    def query(self, text: str, **options: object) -> Query:
        """A question with the settings' defaults; `options` are fields of `Query`."""
        given = {"space": self.space, "k": self.parts.settings.recall.k, "now": self.now()}
        return msgspec.convert({"text": text, **given, **options}, Query)

    def recall(self, query: Query, *, signal: bool = True) -> list[Hit]:
        """The hits, best first. Counts as a recall signal of the memories found, unless told."""
        # A full disk stops writing, not reading: what is indexed can still be found.
        with suppress(DiskFull):
            index.catch_up(self._store, self.space, no_progress)
        hits = retrieve.recall(
            self._store, self.parts.embedder(), query, self.parts.settings.recall
        )
        if signal:
            with suppress(DiskFull):
                signals.record(self._store, self.space, query.text, hits, self.now())
        return hits

    def context(self, text: str, budget: int, session: str = "") -> Injected:
        """The block to put into a system prompt: what is relevant enough, within the budget."""
        settings = self.parts.settings.recall
        hits = self.recall(self.query(text, min_score=settings.min_score, for_prompt=True))
        now = self.now()
        block = inject.fit(hits, budget, now)
        ledger_id = short_id("i", self.space, session, text, now.isoformat())
        entry = {
            "ts": now,
            "query": clean(text),
            "session": clean(session),
            "items": [{"id": item.id, "score": item.score} for item in block.items],
        }
        self._store.record_injection(self.space, ledger_id, msgspec.json.encode(entry))
        return Injected(block.text, block.tokens, tuple(block.items), ledger_id)

    def words_of(self, hit: Hit) -> tuple[Evidence, ...]:
        """The exact words a hit rests on; an event rests on itself."""
        if hit.type == "memory":
            return self.why(hit.id).evidence
        return (ledger.whole(self.events([hit.id])[hit.id]),)
