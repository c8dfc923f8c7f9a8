from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.capture import intake
from slowwave.capture.envelope import Intake
from slowwave.capture.intake import take_in
from slowwave.model import Record, Skipped

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
INTAKE = Intake(space="home", owner="", now=NOW)


def records(count: int) -> list[Record]:
    return [Record(text=f"hive {n} is fine", source="test", ts=NOW) for n in range(count)]


def test_bad_records_are_counted_and_do_not_stop_the_good() -> None:
    items = [*records(2), Skipped(3, "torn line"), Record(text=" ", source="test", line=4)]
    taken = take_in(InMemoryStore(), [*items, *records(3)[2:]], INTAKE, want_ids=True)
    assert (taken.events, taken.duplicates) == (3, 0)
    assert taken.skipped == (Skipped(3, "torn line"), Skipped(4, "no text"))
    assert [ts for _, ts in taken.ids] == [NOW] * 3


def test_taking_in_again_adds_nothing_and_only_what_was_appended_later() -> None:
    store = InMemoryStore()
    take_in(store, records(5), INTAKE)
    assert take_in(store, records(5), INTAKE, want_ids=True).ids == ()
    again = take_in(store, records(8), INTAKE)
    assert (again.events, again.duplicates) == (3, 5)


def test_ids_are_kept_only_when_asked_for() -> None:
    assert take_in(InMemoryStore(), records(3), INTAKE).ids == ()


def test_what_was_read_before_an_interruption_is_stored() -> None:
    def stream() -> Iterator[Record]:
        yield from records(5)
        raise KeyboardInterrupt

    store = InMemoryStore()
    with pytest.raises(KeyboardInterrupt):
        take_in(store, stream(), INTAKE, batch=3)
    assert store.counts("home").events == 5


def test_progress_is_told_of_every_batch() -> None:
    told: list[int] = []
    take_in(
        InMemoryStore(),
        records(7),
        INTAKE,
        batch=3,
        progress=lambda _what, done, _of: told.append(done),
    )
    assert told == [3, 6, 7]


def test_of_endless_damage_the_first_is_told_and_the_rest_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(intake, "MOST_LISTED", 3)
    damage = [Skipped(line, "not JSON") for line in range(1, 9)]
    taken = take_in(InMemoryStore(), [*damage, *records(2)], INTAKE)
    assert (taken.events, len(taken.skipped), taken.unlisted) == (2, 3, 5)
