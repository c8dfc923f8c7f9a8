"""Whenever it is asked: the right thing, dated, or nothing."""

import msgspec

from slowwave import ledger, trial
from slowwave.capture.envelope import clean
from slowwave.errors import StoreError
from slowwave.memory.archive import Archive
from slowwave.memory.base import INDEX_WAIT
from slowwave.model import Evidence, Hit
from slowwave.ports import no_progress
from slowwave.recall import index, retrieve, signals
from slowwave.recall.retrieve import Query
from slowwave.text.wrappers import strip_managed


class Asking(Archive):
    """recall."""

    def query(self, text: str, **options: object) -> Query:
        """A question with the settings' defaults; `options` are fields of `Query`.

        An agent may ask with all that stands in its prompt: what came out of a memory is not asked,
        or it would find itself again and count as a use.
        """
        text = strip_managed(text) or text
        given = {"space": self.space, "k": self.parts.settings.recall.k, "now": self.now()}
        return msgspec.convert({"text": text, **given, **options}, Query)

    def recall(self, query: Query, *, signal: bool = True) -> list[Hit]:
        """The hits, best first.

        Counts as a recall signal of the memories found (O9), a moment later: not what was asked
        with `explain` or without `signal`, nor by a job or a measurement; of an agent nothing
        while a trial runs.
        """
        with self._store.within(0.0 if self._behind else INDEX_WAIT):
            self._catch_up()
            hits = retrieve.recall(
                self._store, self.parts.embedder(), query, self.parts.settings.recall
            )
        if signal and hits and self._counts(query):
            asked = clean(query.session)
            self._recorder.note(
                signals.recalled(query.text, hits, self.now(), session=asked, caller=query.caller)
            )
        return hits

    def _catch_up(self) -> None:
        """Indexes what came in last. Where it cannot be written, what is indexed is found still."""
        with self._indexing:
            try:
                index.catch_up(self._store, self.space, no_progress)
                self._behind = ""
            except StoreError as error:
                self._behind = error.message

    def _counts(self, query: Query) -> bool:
        if query.explain or not signals.counts(query.caller):
            return False
        return query.caller != "agent" or trial.running(self._store, self.space, self.now()) is None

    def words_of(self, hit: Hit) -> tuple[Evidence, ...]:
        """The exact words a hit rests on; an event rests on itself."""
        if hit.type == "memory":
            return self.why(hit.id).evidence
        return (ledger.whole(self.events([hit.id])[hit.id]),)
