"""On trial: attached to an agent, and yet only telling what it would have said (X8)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from time import perf_counter

import msgspec

from slowwave import trial
from slowwave.capture.envelope import clean
from slowwave.memory.injecting import QUERY_KEPT, Injecting, injected
from slowwave.model import Caller, Event, InjectedItem, Injection, Verdict, short_id
from slowwave.parts import Injected, Judged
from slowwave.ports import Progress, no_progress
from slowwave.recall import index, signals
from slowwave.recall.retrieve import Query
from slowwave.settings import zone_of

INSTANT = timedelta(microseconds=1)

JUST_SAID = 2 * index.NEIGHBOURS
"""Turns before a replayed question: they are found by its words, and stand in its prompt anyway."""


class Trying(Injecting):
    """recall → what would have been injected → a person's yes or no."""

    def context(
        self, text: str, budget: int, session: str = "", caller: Caller = "agent",
        seen: Sequence[str] = (),
    ) -> Injected:  # fmt: skip
        """The block to put into a system prompt; while a trial runs an empty one, with `would`."""
        if trial.running(self._store, self.space, self.now()) is None:
            return super().context(text, budget, session, caller, seen)
        now = self.now()
        entry = self._would(self.query(text, session=session, caller=caller), budget, seen)
        ledger_id = short_id("i", self.space, session, text, now.isoformat())
        entry = msgspec.structs.replace(entry, id=ledger_id)
        return Injected("", 0, (), self._written_down(entry), would=entry)

    def _would(self, query: Query, budget: int, unseen: Sequence[str] = ()) -> Injection:
        """What a question would get at the threshold in force, and what falls just below it.

        Hits in `unseen` are left out. Nothing is counted or kept.
        """
        began = perf_counter()
        passed: tuple[InjectedItem, ...] = ()
        if query.text.strip():
            over, passed = self.candidates(query, unseen)
            block = self.block(query, over, budget)
        else:
            block = self._opening(budget, query.now)
        return Injection(
            ts=query.now, query=clean(query.text[:QUERY_KEPT]), session=clean(query.session),
            caller=query.caller, items=injected(block), passed=passed, tokens=block.tokens,
            threshold=self.parts.settings.recall.min_score,
            took_ms=round((perf_counter() - began) * 1000, 1), trial=True,
        )  # fmt: skip

    def trial_start(self, days: float) -> trial.Trial:
        """Starts a trial of so many days, in which prompts get nothing; one that runs goes on."""
        return trial.begin(self._store, self.space, self.now(), days)

    def trial_stop(self) -> trial.Trial | None:
        """Ends the trial that runs: prompts get their memories from now on. None if none runs."""
        return trial.end(self._store, self.space, self.now())

    def trial_standing(self) -> trial.Trial | None:
        """The last trial, running or over."""
        return trial.standing(self._store, self.space)

    def trial_entries(self, since: datetime | None = None) -> list[Injection]:
        """What prompts would have got, newest first."""
        return [one for one in self._store.injections(self.space, since) if one.trial]

    def trial_report(
        self, since: datetime | None = None, wrong_at_most: float = trial.WRONG_AT_MOST
    ) -> trial.Report:
        """The trial in numbers: rates, and a threshold whose share of wrong items is so small."""
        settings = self.parts.settings
        entries = self.trial_entries(since)
        zone = zone_of(settings.tz)
        return trial.report(entries, settings.recall.min_score, zone, wrong_at_most)

    def trial_waiting(self, limit: int) -> list[Judged]:
        """Up to so many items without a verdict, in the order to judge them, with their words."""
        found: list[Judged] = []
        for sample in trial.queue(trial.samples(self.trial_entries())):
            if len(found) >= limit:
                break
            shown = self._judged(sample)
            if shown is not None:  # what was forgotten since is nobody's to judge
                found.append(shown)
        return found

    def _judged(self, sample: trial.Sample) -> Judged | None:
        item_id = sample.item.id
        if sample.item.type == "memory":
            memory = self._store.memories_by_id(self.space, [item_id]).get(item_id)
            if memory is None:
                return None
            refs = tuple(dict.fromkeys(span.ref or span.event_id for span in memory.evidence))
            return Judged(
                sample=sample, text=memory.text, what=memory.kind, ts=memory.last_seen, refs=refs
            )
        event = self._store.events_by_id(self.space, [item_id]).get(item_id)
        if event is None:
            return None
        who = "you" if event.origin == "owner" else event.speaker or event.origin
        return Judged(
            sample=sample, text=event.text, what=f"said by {who}", ts=event.ts,
            refs=(event.ref or event.id,),
        )  # fmt: skip

    def trial_judge(self, prefix: str, verdict: Verdict) -> trial.Sample:
        """Keeps a verdict on one item, wherever its question was asked. Raises NotFound."""
        entries = self.trial_entries()
        sample = trial.one_of(trial.samples(entries), prefix)
        asked = [
            entry.id
            for entry in entries
            if any(one.same == sample.same for one in trial.samples([entry]))
        ]
        self._store.amend_injections(
            self.space, asked, lambda entry: trial.judged(entry, sample.item.id, verdict)
        )
        item = msgspec.structs.replace(sample.item, verdict=verdict)
        return msgspec.structs.replace(sample, item=item)

    def trial_replay(
        self, days: float, limit: int, budget: int, progress: Progress = no_progress
    ) -> list[Injection]:
        """Asks what the user said in the last days, each message as if it were then.

        Each is kept as it is done, so what was done stays when somebody stops it. Asking again
        replaces what was replayed before and keeps the verdicts. Changes nothing else.
        """
        now = self.now()
        entries = self.trial_entries()
        events = self._store.events_between(self.space, now - timedelta(days=days), now)
        asked = trial.questions(events, signals.asks, entries, limit)
        verdicts = {
            one.same: one.item.verdict for one in trial.samples(entries) if one.item.verdict
        }
        done: list[Injection] = []
        for event in asked:
            progress("replay", len(done), len(asked))
            entry = self._as_then(event, budget)
            for one in trial.samples([entry]):
                if one.same in verdicts:
                    entry = trial.judged(entry, one.item.id, verdicts[one.same])
            self._store.record_injection(self.space, entry)
            done.append(entry)
        progress("replay", len(done), len(asked))
        return done

    def _as_then(self, event: Event, budget: int) -> Injection:
        """A message as a question of its own moment: nothing said then or later is known yet."""
        now = event.ts.astimezone(self.now().tzinfo)
        query = self.query(
            event.text, now=now, as_of=now - INSTANT, session=event.session, caller="evaluation"
        )
        before = self._store.session_before(self.space, event.session, event.seq, JUST_SAID)
        entry = self._would(query, budget, [event.id, *(one.id for one in before)])
        return msgspec.structs.replace(entry, id=short_id("i", self.space, "replay", event.id))
