"""What is believed, as people look at it and change it by hand; and what must be done."""

from collections.abc import Sequence

from slowwave import ledger, review, vault, working
from slowwave.capture.envelope import clean
from slowwave.errors import NotFound
from slowwave.memory.exporting import Exporting
from slowwave.model import DiaryPage, Dream, Memory, Status, WorkItem, WorkState
from slowwave.review import ByHand


class Archive(Exporting):
    """The ledger by hand, the working memory, and the vault."""

    def memories(self, statuses: Sequence[Status] = ()) -> list[Memory]:
        """Memories of these statuses (none = all), oldest first."""
        known = self._store.memories(self.space, statuses)
        return [memory for memory in known if not memory.undone]

    def by_hand(self, what: ByHand, prefix: str, **options: object) -> Dream:
        """A change by a person's own hand: one of `review.BY_HAND`. Errors as there.

        The memory is named by its id, its beginning, an event it rests on, or that one's reference.
        """
        memory_id = self._memory_named(prefix)
        done = review.BY_HAND[what](self._store, self._by(), memory_id, **options)
        return self._in_step(self._settled(done))

    def conflicts(self) -> list[tuple[Memory, ...]]:
        """Groups of memories that cannot hold together."""
        return review.conflicts(self._store, self.space)

    def resolve(self, prefix: str, keep: str) -> Dream:
        """Settles a conflict: `keep` stays, the others give way to it."""
        return self.by_hand("resolve", prefix, keep=self._memory_named(keep))

    def why(self, prefix: str) -> ledger.Provenance:
        """From a memory (named as in `by_hand`) to its dreams and its exact words.

        Raises NotFound.
        """
        memory_id = self._memory_named(prefix)
        return ledger.why(self._store, self.space, memory_id)

    def working(self) -> list[WorkItem]:
        """Open, done and stalled items, oldest first (N2)."""
        return self._store.working(self.space)

    def working_add(self, text: str) -> WorkItem:
        """A new open item."""
        return working.add(self._store, self.space, clean(text), self.now())

    def working_mark(self, prefix: str, state: WorkState) -> WorkItem:
        """Sets an item's state by hand; an event may stand for the item that it opened."""
        item_id = self._item_named(prefix)
        return working.mark(self._store, self.space, item_id, state, self.now())

    def _item_named(self, given: str) -> str:
        found = self._named(given, ("work", "event"))
        if found.kind == "work":
            return found.id
        opened = [item for item in self.working() if item.event_id == found.id]
        if len(opened) == 1:
            return opened[0].id
        listed = ", ".join(item.id for item in opened)
        raise NotFound(
            f"event {found.id} opened {listed or 'no item'}", "`slowwave working` lists them"
        )

    def diary(self, latest: int = 7) -> tuple[DiaryPage, ...]:
        """What the latest nights tell of themselves, oldest first, for people only (O7)."""
        return vault.diary_of(self._vault(), latest)

    def vault_sync(self, *, dry: bool = False) -> vault.Synced:
        """Takes in what people wrote in the files and brings them in step; `dry` only tells."""
        return vault.sync(self._vault(), dry=dry)

    def vault_check(self) -> vault.Synced:
        """What `vault_sync` would do. Changes nothing."""
        return self.vault_sync(dry=True)
