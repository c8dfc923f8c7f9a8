"""What a question is read as."""

from datetime import UTC, datetime
from typing import Any

import pytest

from slowwave.adapters.store.inmemory import InMemoryStore
from slowwave.recall.question import Asked, Query, ask
from slowwave.settings import RecallSettings

NOW = datetime(2031, 6, 20, 9, tzinfo=UTC)
THEN = datetime(2031, 5, 7, 23, 59, tzinfo=UTC)


def read(text: str, **options: Any) -> Asked:
    query = Query(text=text, space="s", now=NOW, **options)
    return ask(InMemoryStore(), None, query, RecallSettings())


@pytest.mark.parametrize(
    "text", ["What was the kiln setpoint on May 7?", "5 月 7 日窑温设的是多少？"]
)
def test_the_day_as_of_which_is_asked_is_no_day_to_look_for(text: str) -> None:
    assert read(text).days
    then = read(text, as_of=THEN)
    assert not then.days
    assert not then.about_today
    assert not any("7" in term for phrase in then.matter for term in phrase)


@pytest.mark.parametrize("text", ["What is on today?", "今天有什么安排？"])
def test_this_very_day_is_one_also_as_of_another(text: str) -> None:
    assert read(text, as_of=THEN).about_today


def test_another_day_stays_one_as_of_a_day() -> None:
    assert read("What did I buy on May 3?", as_of=THEN).days


def test_asking_what_to_do_about_trouble_asks_for_what_is_known() -> None:
    assert read("怎么写一封投诉信？").for_work
    assert not read("窑门打不开怎么办？").for_work
