"""Whenever it is asked: the right thing, dated, or nothing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from slowwave.errors import UsageError
from slowwave.library.given import Moment
from slowwave.library.opened import Opened
from slowwave.model import Caller, Dream, Event, Hit, Injection, Kind, subject_of

if TYPE_CHECKING:
    from slowwave.memory.correcting import Corrected
    from slowwave.parts import Injected
    from slowwave.recall.retrieve import Query

__all__ = ["Asking", "Scope"]

Scope = Literal["all", "memories", "events"]


class Asking(Opened):
    """recall → inject → injection ledger."""

    def recall(  # noqa: PLR0913 - options by keyword, spelled out for readers and editors
        self,
        query: str,
        *,
        k: int | None = None,
        scope: Scope = "all",
        kind: Kind | None = None,
        subject: str | None = None,
        since: Moment | None = None,
        until: Moment | None = None,
        as_of: Moment | None = None,
        include_cold: bool = False,
        min_score: float = 0.0,
        explain: bool = False,
        session: str = "",
        caller: Caller = "agent",
        signal: bool = True,
    ) -> list[Hit]:
        """Searches memories and the journal: up to `k` hits, best first.

        `k`: None is as the settings say (8 unless they say otherwise).
        `kind` and `subject` ("user" or "you", a name) leave only memories; `since` and `until`
        bound when it was said, `as_of` asks for what held then; a bare day counts whole. Scores
        are 0 to 1; `min_score` leaves out what is below; `explain` tells in `hit.scores` what each
        is made of. What is found counts as a use of it (`signal`), but not what is only explained,
        nor what a "job" or an "evaluation" asks.

        An empty list is an answer: nothing is known. Raises UsageError, StoreError, EmbedderError.

            for hit in memory.recall("am I allergic to anything?", k=3):
                print(f"{hit.score:.2f}", hit.ts.date(), hit.text, hit.refs)
        """
        question = self._question(
            query, k=k, scope=scope, kind=kind, include_cold=include_cold, min_score=min_score,
            explain=explain, session=session, caller=caller,
            subject=subject_of(subject) if subject else None,
            since=self._moment(since),
            until=self._moment(until, end_of_day=True),
            as_of=self._moment(as_of, end_of_day=True),
        )  # fmt: skip
        return self.front.recall(question, signal=signal)

    def _question(self, text: str, **asked: Any) -> "Query":
        """What is asked, with the settings' defaults. Raises UsageError for what cannot be."""
        k, least = asked["k"], asked["min_score"]
        if k is not None and k < 1:
            raise UsageError(f"k is {k}", "ask for one hit or more")
        if not 0.0 <= least <= 1.0:
            raise UsageError(f"min_score is {least}", "give a number from 0 to 1")
        if asked["kind"] and asked["scope"] == "events":
            raise UsageError("an event has no kind of memory", "leave out kind, or scope='events'")
        given = {name: value for name, value in asked.items() if value is not None}
        try:
            return self.front.query(text, **given)
        except msgspec.ValidationError as error:
            raise UsageError(f"not a question: {error}", "see `Memory.recall`") from error

    def context(
        self, query: str = "", *, budget: int = 600, session: str = "", caller: Caller = "agent"
    ) -> "Injected":
        """The block to put into a system prompt: relevant memories, dated, marked as history.

        `budget` is in tokens, estimated. Without a query it is the opening of a session: who the
        user is, how they want things, what is open. Returns `text` ("" when nothing is relevant
        enough), its `tokens`, its `items` (id, score) and the `ledger_id` under which the
        injection was noted ("" when it could not be). Raises UsageError, StoreError,
        EmbedderError.

            system = "You are a helpful assistant.\\n" + memory.context("what to cook?").text
        """
        if budget < 1:
            raise UsageError(f"budget is {budget} tokens", "give one token or more; 600 is usual")
        return self.front.context(query, budget, session, caller)

    def injections(
        self, *, since: Moment | None = None, session: str = "", memory: str = ""
    ) -> list[Injection]:
        """What prompts were given, newest first: since a moment, of one session, with one item."""
        return self.front.injections(self._moment(since), session=session, memory=memory)

    def wrong(
        self, id: str, right: str = "", *, item: str = "", apply: bool = False
    ) -> "Corrected":
        """Says that something remembered or injected is wrong, and opens its correction.

        `id`: an entry of the injection ledger ("last": the newest; `item` names one of its items),
        a memory, an event, an open item. `right`: how it is, in the owner's words. Until it is
        decided, what is wrong goes into no prompt; with `apply` it is corrected at once. Returns
        `origin` (back to the exact words) and `correction` (the dream). Raises NotFound,
        UsageError, InputError.

            memory.wrong("last", "I moved to Ghent", apply=True)
        """
        return self.front.wrong(id, right, item, apply=apply)

    def right(self, id: str, *, item: str = "") -> "Corrected":
        """Takes a "this was wrong" back. Raises NotFound where nothing of it waits."""
        return self.front.right(id, item)

    def events(self, ids: Sequence[str]) -> dict[str, Event]:
        """Raw events by their whole ids; those that are not there are left out."""
        return self.front.events(ids)

    def journal(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        """The journal in its order, from behind a place (`event.seq`); all of it, or so many.

        To follow it, remember the last `seq`: places are never used again.

            for event in memory.journal(seen):
                seen = event.seq
        """
        if limit is None:
            return self.front.events_since(after)
        return iter(self.front.parts.store.events_after(self.space, after, limit))

    def resolve(self, id: str, *, keep: str) -> Dream:
        """Settles a conflict: the memory `keep` stays, the others give way to it.

        Raises NotFound where `id` is in no conflict, UsageError where `keep` is not part of it.
        """
        return self.front.resolve(id, keep)
