"""Asking a model about the chunks of one night: each once, with attempts that count over all runs.

The order for each chunk: what was answered before is used; else a mark is made, the model asked,
and the answer kept, or the reason why there is none.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

import msgspec

from slowwave.dream.cycle.desk import Desk, Mind
from slowwave.dream.distill.model import proposals as distill_model
from slowwave.dream.distill.model.chunks import Chunk, shown_of
from slowwave.dream.distill.model.proposals import Told
from slowwave.errors import BudgetSpent, ModelError, ModelRefused, ModelUnusable
from slowwave.ledger import WAITING
from slowwave.model import Event, Pending, Rejected, clock_zone, text_hash
from slowwave.modelling import Asker, unfinished
from slowwave.modelling.unfinished import Attempt

__all__ = ["ATTEMPTS", "Asking", "stale"]

ATTEMPTS = 3
"""How often a chunk is asked about in vain, over all runs, before it is left to others (N16)."""

KILLED = "the run ended while the model was asked"


class Asking:
    """What one night asks a model, and what came of it.

    `told` are the answers, `by_rules` the chunks that are left to the rules (with the reason),
    `pending` those that wait, `refused` what answers said that could not be used otherwise.
    """

    def __init__(self, desk: Desk, mind: Mind, events: Sequence[Event]) -> None:
        self.told: list[Told] = []
        self.by_rules: dict[str, str] = {}
        self.pending: list[tuple[Chunk, Pending]] = []
        self.refused: list[Rejected] = []
        self.marks = unfinished.marks(desk.store, desk.night.space)
        self._before = tuple(self.marks.values())
        self._desk = desk
        self._mind = mind
        self._at_once = mind.at_once and mind.fallback == "rules"
        self._zone = clock_zone(desk.night.now)
        self._asker = self._begin(events)
        self._closed: ModelError | None = None
        self._failure: ModelError | None = None
        self._answered = False

    @property
    def together(self) -> dict[str, str]:
        """For each event that was asked about in vain: the chunk it was in."""
        return {
            event: mark.key
            for mark in self.marks.values()
            if mark.state != "done"
            for event in mark.events
        }

    def about(self, chunk: Chunk, before: Sequence[Event]) -> None:
        """Asks about one chunk, unless it is known what it says, or that it cannot be asked."""
        if not any(shown_of(piece) for piece in chunk.pieces):
            self.told.append(Told())
            return
        asked = self._name_of(before)
        kept = self._kept(chunk, asked)
        if kept is not None:
            self.told.append(kept)
            self._answered = True
            return
        attempt = self._attempt(chunk)
        if attempt.attempts >= ATTEMPTS:
            self._leave(chunk, attempt)
        elif self._asker is None:
            self._wait(chunk, attempt, "not asked in this run")
        elif self._closed is not None:
            self._wait(chunk, attempt, self._closed.message)
        else:
            self._ask(chunk, before, asked, attempt)

    def end(self) -> None:
        """Closes the account of this run: what waits has a budget of its own next time."""
        store, space, dream_id = self._desk.store, self._desk.night.space, self._desk.dream_id
        if self._desk.dry:
            return
        if self.pending:
            unfinished.close_account(store, space, dream_id, self._desk.night.now)
        else:
            unfinished.drop_account(store, space, dream_id)

    def require_something(self) -> None:
        """Raises the ModelError that kept everything from being done, when nothing was."""
        if self._failure is not None and not (self._answered or self.by_rules):
            raise self._failure

    # one chunk

    def _ask(self, chunk: Chunk, before: Sequence[Event], asked: str, attempt: Attempt) -> None:
        assert self._asker is not None
        tried = msgspec.structs.replace(attempt, attempts=attempt.attempts + 1, reason=KILLED)
        self._mark(tried)
        spent = self._asker.budget.tokens
        try:
            told = distill_model.distill(chunk, before, self._asker, self._zone, self._mind.owner)
        except BudgetSpent as error:
            # That others took the budget is not this chunk's fault: it comes first next time.
            self._closed = error
            self._failed(chunk, attempt if spent or self._answered else tried, error)
        except ModelRefused as error:
            if error.why == "access":
                self._closed = error
                self._failed(chunk, attempt, error)
            else:  # asking again changes nothing
                self._failed(chunk, msgspec.structs.replace(tried, attempts=ATTEMPTS), error)
        except ModelError as error:
            self._failed(chunk, tried, error)
        except KeyboardInterrupt:
            self._mark(attempt)  # somebody stopped the dream: that is no fault of the chunk
            raise
        else:
            self.told.append(told)
            self._answered = True
            if not self._desk.dry:
                payload = msgspec.json.encode(told)
                unfinished.keep_answer(
                    self._desk.store, self._desk.night.space, chunk.key, asked, payload
                )
            self._mark(msgspec.structs.replace(attempt, reason="", state="done"))

    def _failed(self, chunk: Chunk, attempt: Attempt, error: ModelError) -> None:
        if isinstance(error, ModelUnusable):
            self.refused += distill_model.proposed(error)
            self._answered = True
        else:
            self._failure = self._failure or error
        attempt = msgspec.structs.replace(attempt, reason=error.message)
        if attempt.attempts >= ATTEMPTS or self._at_once:
            self._leave(chunk, attempt)
        else:
            self._mark(attempt)
            self._wait(chunk, attempt, error.message)

    def _leave(self, chunk: Chunk, attempt: Attempt) -> None:
        """A chunk the model cannot do: to the rules, if the user allows it."""
        rules = self._mind.fallback == "rules"
        self._mark(msgspec.structs.replace(attempt, state="done" if rules else "given_up"))
        if rules:
            self.by_rules[chunk.key] = attempt.reason
        else:
            self._wait(chunk, attempt, attempt.reason)

    def _wait(self, chunk: Chunk, attempt: Attempt, reason: str) -> None:
        if self._at_once:
            self._leave(chunk, msgspec.structs.replace(attempt, reason=reason))
            return
        pending = Pending(
            chunk=chunk.key,
            events=len(chunk.events),
            attempts=attempt.attempts,
            reason=reason,
            given_up=attempt.attempts >= ATTEMPTS,
        )
        self.pending.append((chunk, pending))

    # what is kept

    def _kept(self, chunk: Chunk, asked: str) -> Told | None:
        found = unfinished.answers(self._desk.store, self._desk.night.space, chunk.key)
        payload = found.get(asked)
        if payload is None:
            return None
        try:
            return msgspec.json.decode(payload, type=Told)
        except msgspec.MsgspecError:  # of another version: asking again is always right
            return None

    def _name_of(self, before: Sequence[Event]) -> str:
        """What decides an answer beside the chunk itself: whom it is asked, how, and after what."""
        leaning = text_hash(",".join(event.id for event in before))
        about = text_hash(f"{self._zone}\x1f{self._mind.owner}")
        return "/".join((self._mind.name, distill_model.fingerprint(), about, leaning))

    def _attempt(self, chunk: Chunk) -> Attempt:
        """How often this was tried; another model has its own tries."""
        night = self._desk.night
        again = night.date if night.refines else ""
        fresh = Attempt(key=chunk.key, events=chunk.events, model=self._mind.name, again=again)
        mine = frozenset(chunk.events)
        # What was asked about as a part of more, before this run, shares the attempts of that.
        larger = (one for one in self._before if one.state != "done" and mine < set(one.events))
        known = self.marks.get(chunk.key) or next(larger, None)
        if known is None or known.model != self._mind.name:
            return fresh
        return msgspec.structs.replace(fresh, attempts=known.attempts, reason=known.reason)

    def _mark(self, attempt: Attempt) -> None:
        self.marks[attempt.key] = attempt
        if not self._desk.dry:
            unfinished.mark(self._desk.store, self._desk.night.space, attempt)

    def _begin(self, events: Sequence[Event]) -> Asker | None:
        if self._mind.asker is None:
            return None
        store, night, dream_id = self._desk.store, self._desk.night, self._desk.dream_id
        planned = store.dream(night.space, dream_id)
        closed = unfinished.closed_account(store, night.space, dream_id)
        calls = [
            call
            for call in store.model_calls(night.space)
            # What a run that came to its end has spent is not on the account of the next one.
            if call.dream_id == dream_id
            and (planned is None or call.ts > planned.run_at)
            and (closed is None or call.ts > closed)
        ]
        self._desk.asker = self._mind.asker(dream_id, calls, events)
        return self._desk.asker


def stale(desk: Desk, marks: Mapping[str, Attempt], chunks: Iterable[Chunk]) -> list[str]:
    """The marks of other nights whose events have been read since.

    Of a day that is read again: once the part was done and no plan of that day waits.
    """
    current = {chunk.key for chunk in chunks}
    found = []
    for key, mark in marks.items():
        if key in current:
            continue
        if mark.again:
            if mark.state == "done" and not _waits(desk, mark.again):
                found.append(key)
            continue
        events = desk.store.events_by_id(desk.night.space, mark.events).values()
        times = [event.ts for event in events]
        unread: set[str] = set()
        if times:
            last = max(times) + timedelta(microseconds=1)
            undreamed = desk.store.undreamed(desk.night.space, min(times), last)
            unread = {event.id for event in undreamed}
        if unread.isdisjoint(mark.events):
            found.append(key)
    return found


def _waits(desk: Desk, label: str) -> bool:
    """Whether a plan waits for which a day was read again: its answers may be needed once more."""
    return any(
        head.by == "refinement" and head.date == label
        for head in desk.store.dreams(desk.night.space, WAITING)
    )
