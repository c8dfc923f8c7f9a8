"""What the memory is made of, and how it grew."""

from datetime import datetime

from slowwave.settings import zone_of
from slowwave.stats import reckon
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
