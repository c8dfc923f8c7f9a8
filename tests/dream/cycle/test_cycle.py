"""The order of the night, its days, its checkpoints, and what happens when two dream at once."""

from datetime import datetime, timedelta

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.cycle import night as cycle
from slowwave.dream.write import write
from slowwave.errors import AlreadyDecided, DiskFull, UsageError
from slowwave.model import Dream, Event
from slowwave.ports import no_progress
from slowwave.settings import DreamSettings, zone_of

NOW = datetime(2026, 12, 1, 3, tzinfo=zone_of("Asia/Shanghai"))
SAID = ("I live in Ghent", "以后简报用蓝色封面", "I am allergic to figs")


class Log:
    """A dream log in a list; full when told."""

    def __init__(self, *, full: bool = False) -> None:
        self.full = full
        self.written: list[Dream] = []

    def write(self, dream: Dream) -> None:
        if self.full:
            raise DiskFull("no room", "make some")
        self.written.append(dream)


def event(number: int, text: str) -> Event:
    return Event(
        id=f"e{number}", space="s", identity=str(number), ts=NOW - timedelta(hours=9 - number),
        role="user", kind="message", origin="owner", text=text, source="t", session="a",
    )  # fmt: skip


def filled(*texts: str) -> InMemoryStore:
    store = InMemoryStore()
    store.append([event(number, text) for number, text in enumerate(texts)])
    return store


def night(now: datetime = NOW, date: str = "all") -> cycle.Night:
    return cycle.Night(
        space="s", date=date, now=now, settings=DreamSettings(), preset="balanced",
        cosine=lambda *_: None, progress=no_progress,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "now"),
    [
        ("9999-12-31", NOW), ("0001-01-01", NOW), ("2026-02-30", NOW), ("２０２６-01-01", NOW),
        ("", NOW), ("x" * 9999, NOW), ("yesterday", datetime(1, 1, 1, tzinfo=NOW.tzinfo)),
    ],
)  # fmt: skip
def test_a_day_that_is_none_is_refused(asked: str, now: datetime) -> None:
    with pytest.raises(UsageError, match="is no day") as refused:
        cycle.span_of(asked, now)
    assert len(refused.value.message) < 100


def test_a_day_is_as_long_as_the_clock_says() -> None:
    for day, hours in (("2026-03-29", 23), ("2026-10-25", 25), ("2026-10-26", 24)):
        now = datetime(2026, 12, 1, tzinfo=zone_of("Europe/Berlin"))
        _, start, end = cycle.span_of(day, now)
        assert start is not None
        assert end is not None
        assert end - start == timedelta(hours=hours)


def test_a_plan_of_other_terms_is_another_plan_with_checkpoints_of_its_own() -> None:
    store = filled(*SAID)
    first = cycle.plan(store, night())
    elsewhere = cycle.plan(store, night(NOW.astimezone(zone_of("Pacific/Apia"))))
    smaller = cycle.plan(
        store, msgspec.structs.replace(night(), settings=DreamSettings(segment_chars=20))
    )
    assert len({first.dream_id, elsewhere.dream_id, smaller.dream_id}) == 3
    assert cycle.plan(store, night()).dream_id == first.dream_id


def test_the_slower_of_two_does_not_take_back_what_was_applied() -> None:
    store, log = filled(*SAID), Log()
    first = cycle.plan(store, night())
    ours = filled(*SAID)
    slower = cycle.plan(ours, night())
    write(store, log, first, NOW, DreamSettings())
    with pytest.raises(AlreadyDecided):
        store.save_dream(slower)
    with pytest.raises(AlreadyDecided):
        write(store, log, slower, NOW, DreamSettings())
    assert [dream.status for dream in store.dreams("s")] == ["applied"]
    assert store.undreamed("s", None, None) == []


def test_a_twin_that_finds_the_night_applied_leaves_no_checkpoints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = filled(*SAID)
    planned = cycle.plan(store, night())
    undreamed = store.undreamed("s", None, None)
    write(store, Log(), planned, NOW, DreamSettings())
    # It had read the journal and the ledger before the other one was done.
    monkeypatch.setattr(store, "undreamed", lambda *_: undreamed)
    monkeypatch.setattr(store, "dreams", lambda *_asked: [])
    with pytest.raises(AlreadyDecided):
        cycle.plan(store, night())
    assert store.stages("s", planned.dream_id) == {}


def test_an_older_plan_of_the_same_events_is_rejected_for_the_newer_one() -> None:
    store = filled(*SAID[:2])
    older = cycle.plan(store, night())
    store.append([event(7, SAID[2])])
    newer = cycle.plan(store, night())
    replaced = store.dream("s", older.dream_id)
    assert replaced is not None
    assert (replaced.status, replaced.replaced_by) == ("rejected", newer.dream_id)
    assert newer.dream_id in replaced.reason
    write(store, Log(), newer, NOW, DreamSettings())
    with pytest.raises(AlreadyDecided):
        write(store, Log(), older, NOW, DreamSettings())
    assert len(store.memories("s")) == len(newer.changes)


def test_a_log_that_cannot_be_written_does_not_hide_that_the_dream_is_applied() -> None:
    store = filled(*SAID)
    plan = cycle.plan(store, night())
    with pytest.raises(DiskFull, match="is applied, but"):
        write(store, Log(full=True), plan, NOW, DreamSettings())
    assert store.dreams("s")[0].status == "applied"
    assert store.memories("s")


def test_damaged_checkpoints_are_done_again() -> None:
    store = filled(*SAID)
    plain = cycle.plan(store, msgspec.structs.replace(night(), mode="dry_run"))
    for name, payload in (
        ("collect", b"{}"), ("distill/0", b'{"claims": [{}]}'), ("verify", b"\xff"),
        ("reconcile", b"[]"),
    ):  # fmt: skip
        store.put_stage("s", plain.dream_id, name, payload)
    again = cycle.plan(store, night())
    assert (again.dream_id, again.changes) == (plain.dream_id, plain.changes)
