"""What is believed, why, since when; changed by hand, and forgotten for good."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from slowwave.errors import NotFound, UsageError
from slowwave.library.opened import Opened
from slowwave.model import Dream, Kind, Status, Version, WorkItem, WorkState, subject_of
from slowwave.model import Memory as Remembered

if TYPE_CHECKING:
    from slowwave import erasure
    from slowwave.ledger import Provenance

__all__ = ["Keeping"]


class Keeping(Opened):
    """The archive, the working memory, and forgetting."""

    def memories(
        self,
        *,
        status: Status | Sequence[Status] = (),
        kind: Kind | None = None,
        subject: str | None = None,
    ) -> list[Remembered]:
        """What is remembered, oldest first: of these statuses (none: all), kind and subject.

        `subject` is "user" (or "you"), "agent", "world", or a name; case does not count.

            for one in memory.memories(status="active", subject="user"):
                print(one.id, one.kind, one.text)
        """
        statuses: Sequence[Status] = (status,) if isinstance(status, str) else status
        about = subject_of(subject).casefold() if subject else None
        return [
            one
            for one in self.front.memories(statuses)
            if kind in (None, one.kind) and about in (None, one.subject.casefold())
        ]

    def show(self, id: str) -> Remembered:
        """One memory: by its id, the beginning of it, an event it rests on, or your own ref.

        Raises NotFound.
        """
        return self.front.why(id).memory

    def why(self, id: str) -> "Provenance":
        """From a memory back to its dreams, its reasons and the exact words.

        Returns `memory`, `changes` (its versions, oldest first) and `evidence`; of each piece,
        `quote` is `text[start:end]` of the event, in code points. Raises NotFound.

            for span in memory.why(hit.id).evidence:
                print(span.ts, span.speaker, span.quote)
        """
        return self.front.why(id)

    def history(self, id: str) -> tuple[Version, ...]:
        """All versions of one memory, oldest first, each with its dream. Raises NotFound."""
        return self.front.why(id).changes

    def edit(self, id: str, text: str) -> Dream:
        """Puts a person's own words in the place of a memory's; undone by `rollback`.

        This and the other changes by hand return the dream that did it. Raises NotFound,
        UsageError, InputError.
        """
        return self.front.by_hand("edit", id, text=text)

    def pin(self, id: str, *, pinned: bool = True) -> Dream:
        """Keeps a memory from ever being let go by a night; or no longer. Raises as `edit`."""
        return self.front.by_hand("pin" if pinned else "unpin", id)

    def demote(self, id: str) -> Dream:
        """Puts a memory into cold storage, out of ordinary recall. Raises as `edit`."""
        return self.front.by_hand("demote", id)

    def restore(self, id: str) -> Dream:
        """Takes a memory back from cold storage or retirement. Raises as `edit`."""
        return self.front.by_hand("restore", id)

    def conflicts(self) -> list[tuple[Remembered, ...]]:
        """Groups of memories that cannot hold together; `resolve` settles one."""
        return self.front.conflicts()

    def working(self, *, state: WorkState | None = None) -> list[WorkItem]:
        """Open projects, to-dos and decisions, oldest first; of one state, or all of them."""
        return [item for item in self.front.working() if state in (None, item.state)]

    def working_add(self, text: str) -> WorkItem:
        """A new open item. Raises UsageError where it says nothing."""
        return self.front.working_add(text)

    def working_mark(self, id: str, state: WorkState) -> WorkItem:
        """Sets the state of an item, named by its id or by the event that opened it.

        Raises NotFound.
        """
        return self.front.working_mark(id, state)

    def forget_plan(self, id: str = "", *, match: str = "") -> "erasure.Plan":
        """What `forget` would take: `events`, `memories`, `also`, `others`. Changes nothing.

        Raises NotFound, UsageError.
        """
        if bool(id.strip()) == bool(match.strip()):
            raise UsageError("name one thing to forget", "give an id, or match='some words of it'")
        return self.front.forget_plan(id, match)

    def forget(self, id: str = "", *, match: str = "", by_hand: bool = False) -> "erasure.Finished":
        """Forgets for good: journal, memories, history, index, files. It cannot be undone.

        `id`: a memory, an event, or your own ref; `match`: everything that holds these words.
        `by_hand`: also cuts them out of what people wrote into files. Old evidence does not bring
        it back, a later statement may. Returns the `receipt` (its `removed` counts what went),
        its `path`, and what was `left` in people's files. Raises NotFound when nothing of the
        kind is kept, UsageError, StoreError.

            done = memory.forget(match="Maple Street")
            assert memory.verify(done.receipt.id).ok
        """
        plan = self.forget_plan(id, match=match)
        if plan.empty:
            raise NotFound("nothing is kept that holds this text", "try fewer words of it")
        return self.front.forget(plan, by_hand=by_hand)

    def take_out(self, ids: Sequence[str], *, finish: bool = True) -> int:
        """Takes these very events out for good, and what rests on them alone; how many there were.

        For programs that delete what they wrote: unlike `forget` it leaves the same words alone
        where somebody else said them. With `finish=False` nothing can read them any more, but bytes
        that are not in use stay in the file until `close`: quicker where much is deleted. Raises
        StoreError.
        """
        taken = self.front.take_out(ids, finish=finish)
        there = set(taken.receipt.event_ids) if taken is not None else set()
        return len(there.intersection(ids))

    def verify(self, receipt: str) -> "erasure.Proof":
        """Checks that what a receipt (its id, or a file) tells is gone still is: `ok`, `findings`.

        Raises NotFound, InputError.
        """
        return self.front.verify_receipt(receipt)
