"""What is believed, as people look at it and change it by hand; and what must be done."""

from collections.abc import Sequence

from slowwave import ledger, review, vault, working
from slowwave.capture.envelope import clean
from slowwave.memory.writing import Writing
from slowwave.model import Dream, Memory, Status, WorkItem, WorkState
from slowwave.review import ByHand


class Archive(Writing):
    """The ledger by hand, the working memory, and the vault."""

    def memories(self, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), oldest first."""
        known = self._store.memories(self.space, statuses)
        return [memory for memory in known if not memory.undone]

    def by_hand(self, what: ByHand, prefix: str, **options: object) -> Dream:
        """A change by a person's own hand: one of `review.BY_HAND`. Errors as there."""
        memory_id = self._store.resolve(self.space, "memory", prefix)
        done = review.BY_HAND[what](self._store, self._by(), memory_id, **options)
        return self._in_step(self._settled(done))

    def conflicts(self) -> list[tuple[Memory, ...]]:
        """Groups of memories that cannot hold together."""
        return review.conflicts(self._store, self.space)

    def resolve(self, prefix: str, keep: str) -> Dream:
        """Settles a conflict: `keep` stays, the others give way to it."""
        kept = self._store.resolve(self.space, "memory", keep)
        return self.by_hand("resolve", prefix, keep=kept)

    def why(self, prefix: str) -> ledger.Provenance:
        """From a memory to its dreams and its exact words. Raises NotFound."""
        memory_id = self._store.resolve(self.space, "memory", prefix)
        return ledger.why(self._store, self.space, memory_id)

    def working(self) -> list[WorkItem]:
        """Open, done and stalled items, oldest first (N2)."""
        return self._store.working(self.space)

    def working_add(self, text: str) -> WorkItem:
        """A new open item."""
        return working.add(self._store, self.space, clean(text), self.now())

    def working_mark(self, prefix: str, state: WorkState) -> WorkItem:
        """Sets an item's state by hand."""
        return working.mark(self._store, self.space, prefix, state, self.now())

    def vault_sync(self, *, dry: bool = False) -> vault.Synced:
        """Takes in what people wrote in the files and brings them in step; `dry` only tells."""
        return vault.sync(self._vault(), dry=dry)

    def vault_check(self) -> vault.Synced:
        """What `vault_sync` would do. Changes nothing."""
        return self.vault_sync(dry=True)
