"""What the memory is made of, and how it grew."""

from datetime import datetime

from slowwave.model import Memory, Version
from slowwave.settings import zone_of
from slowwave.stats import Past, Week, journal_of, reckon
from slowwave.testing import samples

ZONE = zone_of("Asia/Shanghai")


def test_kinds_months_and_compression() -> None:
    march = datetime.fromisoformat("2031-03-31T15:00:00+00:00")
    april = datetime.fromisoformat("2031-03-31T17:00:00+00:00")
    memories = [
        samples.memory("a", kind="fact", first_seen=march),
        samples.memory("b", kind="fact", first_seen=april, subject="Ida"),
        samples.memory("c", kind="rule", first_seen=april),
        samples.memory("d", kind="plan", first_seen=april, status="retired"),
    ]
    dreams = [
        samples.dream(dream_id="1", input_events=9, new_entries=2, confirmed_entries=1),
        samples.dream(dream_id="2", date="all", input_events=3, run_at=april, archived_entries=4),
        samples.dream(dream_id="3", input_events=99, status="planned"),
    ]
    stats = reckon(memories, dreams, 12, ZONE)
    assert stats.kinds == {"fact": 2, "rule": 1}
    assert stats.subjects == {"user": 2, "Ida": 1}
    assert stats.statuses == {"active": 3, "retired": 1}
    assert stats.events_per_memory == 4.0
    assert stats.dreams == {"applied": 2, "planned": 1}
    assert [(one.month, one.kinds, one.events) for one in stats.months] == [
        ("2031-03", {"fact": 1}, 9),
        ("2031-04", {"fact": 1, "plan": 1, "rule": 1}, 3),
    ]
    assert (stats.months[0].changed, stats.months[1].archived) == (1, 4)


def test_an_empty_memory() -> None:
    assert reckon([], [], 0, ZONE).events_per_memory == 0.0


def at(day: str) -> datetime:
    return datetime.fromisoformat(f"{day}T04:00:00+00:00")


def ended(memory: Memory, op: str, day: str) -> Version:
    return Version(
        memory=memory, change_id=f"c{memory.id}", op=op, dream_id="d", recorded_at=at(day),
        reason="because",
    )  # fmt: skip


def test_what_held_on_each_day_and_how_it_was_let_go() -> None:
    memories = [
        samples.memory("a", id="a", first_seen=at("2031-03-03")),
        samples.memory("b", id="b", first_seen=at("2031-03-03"), status="retired",
                       superseded_by="a"),
        samples.memory("c", id="c", kind="plan", first_seen=at("2031-03-04"), status="retired",
                       expires_at="2031-03-08"),
        samples.memory("d", id="d", first_seen=at("2031-03-04"), status="cold"),
        samples.memory("e", id="e", first_seen=at("2031-03-05"), status="retired"),
    ]  # fmt: skip
    past = Past(
        {
            "b": ended(memories[1], "supersede", "2031-03-05"),
            "c": ended(memories[2], "retire", "2031-03-09"),
            "d": ended(memories[3], "demote", "2031-03-12"),
            "e": ended(memories[4], "retire", "2031-03-12"),
        },
        [(at("2031-03-12"), 2)],
    )
    stats = reckon(memories, [], 0, ZONE, past=past)
    held = {day.day: sum(day.known.values()) for day in stats.days}
    assert held == {
        "2031-03-03": 2, "2031-03-04": 4, "2031-03-05": 4, "2031-03-09": 3, "2031-03-12": 1,
    }  # fmt: skip
    assert stats.weeks == (
        Week(week="2031-03-03", replaced=1, expired=1),
        Week(week="2031-03-10", faded=1, cold=1, erased=2),
    )
    assert stats.days[-1].known_tokens == stats.memory_tokens


def test_a_memory_whose_end_nobody_wrote_down_held_on_its_first_day_only() -> None:
    lost = samples.memory("a", id="a", first_seen=at("2031-03-03"), status="retired")
    stats = reckon([lost], [], 0, ZONE)
    assert [(day.new, day.ended, day.known) for day in stats.days] == [(1, 1, {})]
    assert stats.weeks == ()


def test_tokens_of_the_journal_by_day() -> None:
    said = [samples.event("The kiln is hot", id="1", ts=at("2031-03-03")),
            samples.event("窑很热", id="2", ts=at("2031-03-04"))]  # fmt: skip
    journal = journal_of(said, len(said), ZONE)
    assert journal.events == {"2031-03-03": 1, "2031-03-04": 1}
    assert all(journal.tokens.values())
    stats = reckon([], [], 2, ZONE, journal=journal)
    assert stats.journal_tokens == sum(journal.tokens.values())


def test_of_a_long_journal_tokens_are_reckoned_from_a_part() -> None:
    event = samples.event("The kiln reaches 1240 degrees before noon", ts=at("2031-03-03"))
    whole = journal_of([event] * 50, 50, ZONE).tokens["2031-03-03"]
    part = journal_of([event] * 50, 50_000, ZONE).tokens["2031-03-03"]
    assert abs(whole - part) <= 1
