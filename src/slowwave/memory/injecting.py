"""Into a prompt: what is relevant enough, within a budget, and written down."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

import msgspec

from slowwave import inject, injections, trial
from slowwave.capture.envelope import clean
from slowwave.memory.asking import Asking
from slowwave.model import Caller, Hit, InjectedItem, Injection, WorkItem, short_id
from slowwave.parts import Injected
from slowwave.recall import nearness, signals
from slowwave.recall.retrieve import Query
from slowwave.text.wrappers import is_recalled
from slowwave.working.state import silent

AGELESS = frozenset({"profile", "preference", "rule", "relationship"})
"""Kinds of memory that say who the user is and what he always wants: no age makes them stale."""

NO_AGE = 365_000
"""Days beyond which nothing is too old: no clock stands in the first thousand years."""

QUERY_KEPT = 2_000
"""Characters of a question that the injection ledger keeps."""


class Injecting(Asking):
    """recall → inject → injection ledger."""

    def context(
        self, text: str, budget: int, session: str = "", caller: Caller = "agent",
        seen: Sequence[str] = (),
    ) -> Injected:  # fmt: skip
        """The block to put into a system prompt: what is relevant enough, within the budget.

        Without a question it is the opening of a session: who the user is, how he wants things,
        what is open and what was lately decided. Hits in `seen` stand in the prompt already: they
        are left out.
        """
        query = self.query(text, session=session, caller=caller)
        if not text.strip():
            return self._handed_out(query, self._opening(budget, query.now), ())
        over, passed = self.candidates(query, seen)
        if over and self._counts(query):
            told = signals.recalled(
                text, over, query.now, session=clean(session), caller=query.caller
            )
            self._recorder.note(told)
        return self._handed_out(query, self.block(query, over, budget), passed)

    def candidates(
        self, query: Query, unseen: Sequence[str] = ()
    ) -> tuple[list[Hit], tuple[InjectedItem, ...]]:
        """The hits that are good enough for a prompt, and those that fall just below it.

        Hits in `unseen` are left out, and so is what a person said is wrong, and what only says
        that there is a secret. Counts nothing.
        """
        if is_recalled(query.text):
            return [], ()  # it stands in the prompt already
        settings = self.parts.settings.recall
        asked = msgspec.structs.replace(
            query, for_prompt=True, min_score=trial.JUST_BELOW * settings.min_score,
            k=query.k + trial.PASSED + len(unseen),
        )  # fmt: skip
        held = {*unseen, *injections.held(self._store, self.space)}
        found = self.recall(asked, signal=False)
        oldest = query.now - timedelta(days=settings.max_age_days or NO_AGE)
        hits = [
            hit
            for hit in found
            if hit.id not in held
            and (hit.ts >= oldest or hit.kind in AGELESS)
            and inject.tells(hit.text, query.text)
        ]
        over, passed = trial.split(hits, settings.min_score)
        return list(over[: settings.inject or query.k]), passed

    def block(self, query: Query, hits: Sequence[Hit], budget: int) -> inject.Block:
        """The block that these hits make, with the open items that the question is about."""
        if is_recalled(query.text):
            return inject.fit((), budget, query.now)
        sources = self._sources(hits)
        entries = inject.of_hits(hits, sources, query.text, query.now)
        # A question of the past is not answered by what was opened later.
        waiting = [one for one in self._open() if not query.as_of or one.opened <= query.as_of]
        said = inject.said_by(waiting, entries, sources)
        items = inject.of_items(self._near(query, waiting, said), query.now, said)
        return inject.fit((*_besides(entries, items), *items), budget, query.now)

    def _open(self) -> list[WorkItem]:
        # A night marks as stalled what stays silent; where none ran since, it is so all the same.
        now = self.now()
        waiting = self.working()
        return [item for item in waiting if item.state == "open" and not silent(item, now)]

    def _sources(self, hits: Sequence[Hit]) -> inject.Sources:
        memories = self._store.memories_by_id(
            self.space, [hit.id for hit in hits if hit.type == "memory"]
        )
        events = {hit.id for hit in hits if hit.type == "event"}
        events |= {span.event_id for one in memories.values() for span in one.evidence}
        return inject.Sources(memories, self._store.events_by_id(self.space, sorted(events)))

    def _near(
        self, query: Query, waiting: Sequence[WorkItem], said: Mapping[str, inject.Entry]
    ) -> list[tuple[WorkItem, float]]:
        others = [item.text for item in waiting if item.id not in said]
        likeness = nearness.of_texts(self._store, self.parts.embedder(), query.text, others)
        by_item = {item.id: likeness.get(item.text, 0.0) for item in waiting}
        scores = {item_id: entry.score for item_id, entry in said.items()}
        return inject.near(waiting, query.text, scores, by_item, query.now)

    def _opening(self, budget: int, now: datetime) -> inject.Block:
        held = injections.held(self._store, self.space)
        known = self._store.memories(self.space, ("active",))
        told = [one for one in known if one.id not in held and inject.tells(one.text, "")]
        chosen = inject.of_day(told, now)
        spans = {span.event_id for one in chosen for span in one.evidence}
        events = self._store.events_by_id(self.space, sorted(spans))
        sources = inject.Sources({one.id: one for one in chosen}, events)
        entries = inject.entries_of(chosen, sources, now)
        waiting = inject.in_order(self._open(), now)
        said = inject.said_by([item for item, _ in waiting], entries, sources)
        items = inject.of_items(waiting, now, said)
        return inject.fit((*_besides(entries, items), *items), budget, now)

    def _handed_out(
        self, query: Query, block: inject.Block, passed: tuple[InjectedItem, ...]
    ) -> Injected:
        """Writes down what goes into a prompt; `ledger_id` is empty where that is not done yet."""
        entry = Injection(
            id=short_id("i", self.space, query.session, query.text, query.now.isoformat()),
            ts=query.now, query=clean(query.text[:QUERY_KEPT]), session=clean(query.session),
            caller=query.caller, items=injected(block), passed=passed, tokens=block.tokens,
            threshold=self.parts.settings.recall.min_score,
        )  # fmt: skip
        kept = self._written_down(entry, self.parts.settings.recall.injection_days)
        return Injected(block.text, block.tokens, block.items, kept)


def injected(block: inject.Block) -> tuple[InjectedItem, ...]:
    """The items of a block as the injection ledger keeps them."""
    return tuple(
        InjectedItem(id=item.id, score=item.score, type=item.type, layer=item.layer)
        for item in block.items
    )


def _besides(entries: Sequence[inject.Entry], items: Sequence[inject.Entry]) -> list[inject.Entry]:
    """The entries that no open item says."""
    taken = {item.id for item in items}
    return [entry for entry in entries if entry.id not in taken]
