"""Doing it: what arrives while something is forgotten does not survive it."""

from datetime import timedelta

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.write import write
from slowwave.erasure import Target, erase, find_all
from slowwave.model import Dream, Memory, Purge
from slowwave.settings import DreamSettings
from slowwave.testing.samples import MORNING, add, dream, event, quoting

NOW = MORNING + timedelta(days=1)
FACT = "My landlord is Bertil Krans"


def told() -> tuple[InMemoryStore, Memory]:
    store = InMemoryStore()
    return store, quoting(store.append([event(FACT)]).stored[0])


class Log:
    """A dream log during whose first write something is forgotten."""

    def __init__(self, store: InMemoryStore, memory_id: str) -> None:
        self.store, self.memory_id, self.written = store, memory_id, list[Dream]()

    def write(self, made: Dream) -> None:
        if not self.written:
            target = Target(memory_ids=frozenset([self.memory_id]))
            self.store.erase(find_all(self.store, "alder", target, NOW).purge)
        self.written.append(made)

    def failed(self, failure: object) -> None:
        raise AssertionError(failure)

    def has(self, made: Dream) -> bool:
        return made in self.written


def test_a_log_written_meanwhile_is_written_again_without_the_words() -> None:
    store, fact = told()
    log = Log(store, fact.id)
    planned = dream(add(fact), status="planned", event_ids=(fact.evidence[0].event_id,))
    store.save_dream(planned)
    write(store, log, planned, NOW, DreamSettings())
    assert [len(made.changes) for made in log.written] == [1, 0]


class Busy(InMemoryStore):
    """A store into which somebody logs a copy of the words at the last moment."""

    late = True

    def erase(self, purge: Purge):  # type: ignore[no-untyped-def]
        if self.late:
            self.late = False
            self.append([event(f"{FACT}, you know", identity="late")])
        return super().erase(purge)


def test_a_copy_that_came_while_the_plan_was_read_goes_too() -> None:
    store = Busy()
    fact = quoting(store.append([event(FACT)]).stored[0])
    store.commit(dream(add(fact)), [], MORNING)
    plan = find_all(store, "alder", Target(memory_ids=frozenset([fact.id])), NOW)
    erased = erase(store, "alder", plan, NOW)
    assert store.events_after("alder", 0, 9) == []
    assert erased.receipt.removed.events == 2
    assert len(store.erasures("alder")) == 1
