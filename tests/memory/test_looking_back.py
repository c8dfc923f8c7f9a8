"""What was believed on a day, and what stands around a word."""

from collections.abc import Callable
from datetime import date, datetime

import pytest

from slowwave.errors import NotFound
from slowwave.memory import SlowMemory
from slowwave.model import Record

Opener = Callable[..., SlowMemory]


def at(moment: str) -> datetime:
    return datetime.fromisoformat(f"{moment}+08:00")


def told(open_at: Opener) -> SlowMemory:
    """Two days: on the second the first one's port is replaced."""
    for day, text in (
        ("2026-04-01", "The kettle sensor reports on port 8101."),
        ("2026-04-03", "The kettle sensor reports on port 9202 now, no longer on 8101."),
    ):
        memory = open_at(f"{day}T22:00:00+08:00")
        memory.log(
            [
                Record(text=text, source="chat", ts=at(f"{day}T09:00:00"), session=day),
                Record(text="Noted.", source="chat", role="assistant", session=day,
                       ts=at(f"{day}T09:00:10")),
                Record(text="What is for lunch?", source="chat", session="other",
                       ts=at(f"{day}T12:00:00")),
            ]
        )  # fmt: skip
        memory.dream("today", apply=True)
    return memory


def test_each_day_tells_what_could_be_believed_then(open_at: Opener) -> None:
    memory = told(open_at)
    assert memory.believed(at("2026-03-31T12:00:00")) == []
    before = [one.text for one in memory.believed(at("2026-04-02T12:00:00"))]
    after = [one.text for one in memory.believed(at("2026-04-04T12:00:00"))]
    assert len(before) == 1
    assert "port 8101" in before[0]
    assert len(after) == 1
    assert "port 9202" in after[0]
    assert memory.spoken_days() == (date(2026, 4, 1), date(2026, 4, 3))


def test_what_changes_between_two_looks_is_seen(open_at: Opener) -> None:
    memory = told(open_at)
    now = at("2026-04-05T12:00:00")
    (known,) = memory.believed(now)
    memory.by_hand("edit", known.id, text="The kettle sensor reports on port 7303.")
    assert [one.text for one in memory.believed(now)] == ["The kettle sensor reports on port 7303."]
    memory.rollback(memory.dreams()[0].dream_id)
    assert [one.text for one in memory.believed(now)] == [known.text]
    memory.forget(memory.forget_plan(known.id))
    assert known.id not in {one.id for one in memory.believed(now)}


def test_a_line_stands_in_its_conversation_of_its_day(open_at: Opener) -> None:
    memory = told(open_at)
    (known,) = memory.believed(at("2026-04-02T12:00:00"))
    found = memory.surroundings(known.evidence[0].event_id)
    assert (found.day, found.total, found.line.number) == ("2026-04-01", 3, 1)
    assert found.before == ()
    assert [line.event.text for line in found.after] == ["Noted."]
    assert memory.surroundings(found.line.event.id, 0).after == ()
    assert [one.id for one in memory.resting_on(found.line.event.id)] == [known.id]
    with pytest.raises(NotFound):
        memory.surroundings("nothing")


def test_an_empty_journal_has_no_days(open_at: Opener) -> None:
    memory = open_at()
    assert memory.spoken_days() == ()
    assert memory.believed(memory.now()) == []
    assert memory.counts().events == 0
