"""What went into which prompt, and what becomes of "this was wrong" (promise 9)."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from slowwave import injections, ledger, review, working
from slowwave.errors import NotFound, UsageError
from slowwave.injections import Trail
from slowwave.memory.archive import Archive
from slowwave.memory.naming import Kind, Name
from slowwave.model import Dream, Injection, Verdict, WorkItem

LAST = "last"
"""Names the entry of the ledger that was recorded last, whatever its clock said. What a trial
replayed is none: nobody asked that."""

NAMED: tuple[Kind, ...] = ("injection", "memory", "event", "work")


class Corrected(msgspec.Struct, frozen=True, kw_only=True):
    """What a "this was wrong" led back to, and the correction it opened.

    Of an open item that only a person wrote there is no dream: `item` is set aside.
    """

    origin: Trail
    correction: Dream | None = None
    item: WorkItem | None = None


class Correcting(Archive):
    """injection ledger → source → correction."""

    def injections(
        self, since: datetime | None = None, *, session: str = "", memory: str = ""
    ) -> list[Injection]:
        """What prompts were given, newest first; of one conversation, or with one item only."""
        entries = self._store.injections(self.space, since)
        if memory:
            item = self._named(memory, ("memory", "event", "work"))
            ids = {item.id}
            if item.by_ref:
                ids |= {one.id for one in self._resting_on([item.id])}
            entries = injections.holding(entries, ids)
        return [entry for entry in entries if not session or entry.session == session]

    def injection(self, prefix: str) -> Injection:
        """One entry of the injection ledger; `last` is the newest. Raises NotFound."""
        found = self._newest() if prefix == LAST else self._named(prefix, ("injection",))
        return next(one for one in self._store.injections(self.space) if one.id == found.id)

    def item_texts(self, ids: Sequence[str]) -> dict[str, str]:
        """What items of the ledger say, by id; what was forgotten since is missing."""
        texts = {item.id: item.text for item in self.working() if item.id in ids}
        memories = self._store.memories_by_id(self.space, ids)
        events = self._store.events_by_id(self.space, ids)
        texts |= {one: event.text for one, event in events.items()}
        return texts | {one: memory.text for one, memory in memories.items()}

    def origin(self, prefix: str, item: str = "") -> Trail:
        """From an entry of the ledger (and one of its items), a memory, an event or an open item
        back to the exact words. Raises NotFound, UsageError."""  # fmt: skip
        return self._traced(prefix, item)[0]

    def wrong(
        self, prefix: str, right: str = "", item: str = "", *, apply: bool = False
    ) -> Corrected:
        """Opens a correction of what was injected, back from its source; with `apply` makes it.

        `prefix` names an entry of the injection ledger (`item` one of its items by number or id),
        a memory, an event, an open item, or a caller's own reference; `right` are the owner's words
        of how it is. Until it is decided, what is wrong goes into no prompt. Raises NotFound,
        UsageError, InputError.
        """
        origin, seen = self._traced(prefix, item)
        if origin.type == "work":
            return self._set_aside(origin, right)
        told = f" in what {seen.id} gave to a prompt" if seen is not None else ""
        made = injections.correction(self._store, self._by(), origin, right, told)
        older = injections.waiting_for(self._store, self.space, origin.id)
        if apply:
            made = ledger.apply(self._store, made, self.now())
            made = self._in_step(self._settled(made))
        else:
            self._store.save_dream(made)
        if older is not None:
            self._drop(older, f"dream {made.dream_id} corrects the same", made.dream_id)
        self._mark(origin, "wrong")
        return Corrected(origin=self.origin(origin.id), correction=made)

    def right(self, prefix: str, item: str = "") -> Corrected:
        """Takes a "this was wrong" back: its waiting correction is rejected, an open item that was
        set aside is open again. Raises NotFound."""  # fmt: skip
        origin, _ = self._traced(prefix, item)
        if origin.type == "work":
            return self._taken_up(origin)
        plan = injections.waiting_for(self._store, self.space, origin.id)
        judged = any(given.verdict == "wrong" for given in origin.prompts)
        if plan is None and not judged:
            raise NotFound(
                f"no correction of {origin.id} waits",
                "undo one that was applied with `slowwave dreams rollback`",
            )
        if plan is not None:
            self._drop(plan, "taken back by hand", "")
        self._mark(origin, "")
        return Corrected(origin=self.origin(origin.id), correction=plan)

    def _drop(self, plan: Dream, reason: str, by: str) -> None:
        gone = review.reject(self._store, plan)
        told = msgspec.structs.replace(gone, reason=reason, replaced_by=by)
        self._store.save_dream(told, was=gone)

    def _set_aside(self, origin: Trail, right: str) -> Corrected:
        item = working.mark(self._store, self.space, origin.id, "stalled", self.now())
        if right.strip():
            item = self.working_add(right)
        self._mark(origin, "wrong")
        return Corrected(origin=origin, item=item)

    def _taken_up(self, origin: Trail) -> Corrected:
        known = next(one for one in self.working() if one.id == origin.id)
        if known.state != "stalled":
            raise NotFound(f"{origin.id} is {known.state}", "nothing was set aside")
        item = working.mark(self._store, self.space, origin.id, "open", self.now())
        self._mark(origin, "")
        return Corrected(origin=origin, item=item)

    def _mark(self, origin: Trail, verdict: Verdict) -> None:
        entries = self._store.injections(self.space)
        # On trial a person judges the item for each question, not what it says.
        given = [one.id for one in injections.holding(entries, [origin.id]) if not one.trial]
        self._store.amend_injections(
            self.space, given, lambda entry: injections.marked(entry, origin.id, verdict)
        )

    def _traced(self, prefix: str, item: str) -> tuple[Trail, Injection | None]:
        """The origin, and the entry of the ledger where the mistake was seen, if one was named."""
        entries = self._store.injections(self.space)
        kind, found, _ = self._seen(prefix)
        seen = None
        if kind == "injection":
            seen = next(one for one in entries if one.id == found)
            found = injections.one_item(seen, item).id
        elif item:
            raise UsageError("--item goes with an entry of the injection ledger", "leave it out")
        return injections.trace(self._store, self.space, found, entries), seen

    def _seen(self, prefix: str) -> Name:
        """What is named: an entry of the ledger, a memory, an event, an open item.

        A caller's own reference stands for the memory that rests on its event, if one does.
        """
        found = self._newest() if prefix == LAST else self._named(prefix, NAMED)
        if found.by_ref and self._resting_on([found.id]):
            return Name("memory", self._memory_named(prefix))
        return found

    def _newest(self) -> Name:
        entries = self._store.injections(self.space, as_recorded=True)
        asked = (one for one in entries if not (one.trial and one.caller == "evaluation"))
        newest = next(asked, None)
        if newest is None:
            raise NotFound("no prompt was given anything yet", "`slowwave context` gives one")
        return Name("injection", newest.id)
