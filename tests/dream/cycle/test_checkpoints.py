"""Checkpoints serve the night that made them, and do not outlive their use."""

from datetime import datetime, timedelta

import msgspec
import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.dream.cycle import checkpoints
from slowwave.dream.cycle import night as cycle
from slowwave.dream.write import write
from slowwave.model import Dream, Event, Signal
from slowwave.ports import no_progress
from slowwave.settings import DreamSettings, zone_of

NOW = datetime(2031, 3, 20, 3, tzinfo=zone_of("Asia/Shanghai"))


class Log:
    def write(self, _dream: Dream) -> None:
        pass


def say(store: InMemoryStore, number: int, text: str, days_ago: int = 1) -> None:
    ts = NOW - timedelta(days=days_ago, minutes=-number)
    store.append([
        Event(id=f"e{number}", space="s", identity=str(number), ts=ts, role="user", kind="message",
              origin="owner", text=text, source="t", session="a")
    ])  # fmt: skip


def night(date: str = "all", now: datetime = NOW, **fields: object) -> cycle.Night:
    plain = cycle.Night(
        space="s", date=date, now=now, settings=DreamSettings(), preset="balanced",
        cosine=lambda *_: None, progress=no_progress,
    )  # fmt: skip
    return msgspec.structs.replace(plain, **fields)


@pytest.fixture
def store() -> InMemoryStore:
    made = InMemoryStore()
    say(made, 1, "I am allergic to walnuts")
    say(made, 2, "The rowing club meets by the old mill on Thursdays")
    return made


def kept(store: InMemoryStore) -> set[str]:
    """The dreams that still have checkpoints."""
    names = [name.rpartition("/")[2] for name in store.stages("s", checkpoints.LIST)]
    return {name for name in names if store.stages("s", name)}


def test_a_newer_plan_of_the_same_night_drops_those_of_the_older(store: InMemoryStore) -> None:
    older = cycle.plan(store, night())
    assert kept(store) == {older.dream_id}
    say(store, 3, "I moved to Ghent")
    newer = cycle.plan(store, night())
    assert store.stages("s", older.dream_id) == {}
    assert kept(store) == {newer.dream_id}
    assert list(store.stages("s", checkpoints.LIST)) == [f"all/{newer.dream_id}"]


def test_so_do_those_of_a_night_that_was_killed_before_its_plan(
    store: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(
            store, "save_dream", lambda _dream: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            cycle.plan(store, night())
    (killed,) = kept(store)
    assert cycle.plan(store, night()).dream_id == killed  # it goes on with them
    say(store, 3, "I moved to Ghent")
    assert kept(store) == {killed}
    newer = cycle.plan(store, night())
    assert kept(store) == {newer.dream_id}


def test_another_night_keeps_its_own(store: InMemoryStore) -> None:
    say(store, 3, "I moved to Ghent", days_ago=3)
    one, other = cycle.plan(store, night("2031-03-17")), cycle.plan(store, night("2031-03-19"))
    assert kept(store) == {one.dream_id, other.dream_id}


def test_only_the_latest_nights_keep_theirs(store: InMemoryStore) -> None:
    for days_ago in range(2, 14):
        say(store, 10 + days_ago, f"I have {days_ago} tabby cats", days_ago)
        cycle.plan(store, night((NOW - timedelta(days=days_ago)).date().isoformat()))
    assert len(kept(store)) <= checkpoints.LABELS + 1


def test_an_applied_night_leaves_none(store: InMemoryStore) -> None:
    first = cycle.plan(store, night("2031-03-19"))
    write(store, Log(), first, NOW, DreamSettings())
    assert kept(store) == set()
    say(store, 3, "I moved to Ghent", days_ago=0)
    second = cycle.plan(store, night("2031-03-20"))
    assert list(store.stages("s", checkpoints.LIST)) == [f"2031-03-20/{second.dream_id}"]


def test_a_night_with_nothing_to_do_and_a_dry_run_leave_none() -> None:
    empty = InMemoryStore()
    assert cycle.plan(empty, night()).status == "nothing_to_do"
    say(empty, 1, "I am allergic to walnuts")
    cycle.plan(empty, night(mode="dry_run"))
    assert kept(empty) == set()
    assert empty.dreams("s") == []


def asked(store: InMemoryStore, memory_id: str, question: str) -> None:
    signal = Signal(memory_id=memory_id, ts=NOW, query_hash=question, score=0.9)
    store.record_signals("s", [signal])


def test_recalls_make_another_plan_where_they_decide(store: InMemoryStore) -> None:
    first = cycle.plan(store, night())
    write(store, Log(), first, NOW, DreamSettings())
    stands = {memory.status: memory.id for memory in store.memories("s")}
    say(store, 3, "I moved to Ghent", days_ago=0)
    before = cycle.plan(store, night()).dream_id
    asked(store, stands["active"], "nuts")
    assert cycle.plan(store, night()).dream_id == before
    asked(store, stands["candidate"], "rowing")
    assert cycle.plan(store, night()).dream_id != before


def test_the_embedder_makes_another_plan(store: InMemoryStore) -> None:
    ids = {cycle.plan(store, night(embedder=name)).dream_id for name in ("", "a/1/64", "b/1/64")}
    assert len(ids) == 3
    assert len(kept(store)) == 1
