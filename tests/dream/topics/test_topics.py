"""What a week of the log is about: topics by meaning, named by their own words."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from slowwave.dream.topics.week import Topics, topics_of
from slowwave.model import Event
from slowwave.settings import zone_of
from slowwave.testing import samples

ZONE = zone_of("Europe/Lisbon")
START = datetime(2031, 5, 5, 9, tzinfo=UTC)
DAYS = ("2031-05-05", "2031-05-11")

HARBOUR = (
    "The harbour crane failed its inspection again",
    "Ask Osvaldo for the harbour crane manual",
    "The harbour crane gets a new cable on Friday",
    "Who signs the papers for the harbour crane?",
)
BREAD = (
    "My sourdough starter smells like nail varnish",
    "How warm should the sourdough starter be kept?",
    "Fed the sourdough starter with rye today",
    "The sourdough starter doubled overnight",
)
BEES = (
    "蜂箱里的蜂王不见了，怎么办？",
    "给蜂箱换了新的巢框",
    "冬天蜂箱要不要包保温棉",
    "蜂箱又招来了马蜂",
)


def nothing(_texts: Sequence[str]) -> None:
    """No embedder."""


def log(*topics: Sequence[str], **fields: Any) -> list[Event]:
    """What was said, a topic in turn after the other, an hour apart and each in its own talk."""
    said = [text for group in zip(*topics, strict=True) for text in group]
    return [
        samples.event(
            text, id=f"e{at}", identity=f"i{at}", seq=at + 1, session=f"s{at}",
            ts=START + timedelta(hours=9 * at), **fields,
        )
        for at, text in enumerate(said)
    ]  # fmt: skip


def topics(events: Sequence[Event], people: Sequence[str] = ()) -> Topics:
    return topics_of(events, DAYS, ZONE, nothing, people)


def test_a_mixed_log_has_its_topics_in_both_languages() -> None:
    found = topics(log(HARBOUR, BREAD, BEES))
    assert [one.name for one in found.topics] == ["harbour crane", "sourdough starter", "蜂箱"]
    assert [one.messages for one in found.topics] == [4, 4, 4]
    assert found.messages == 12
    assert found.other == 0
    assert found.by == "words"
    assert sum(found.topics[0].days.values()) == 4
    assert found.topics[0].examples[0].text in HARBOUR


def test_numbers_general_words_and_dates_name_nothing() -> None:
    said = (
        "I really like this unique day a lot, 42 times",
        "The day was unique, 42 people came",
        "What a unique day, I want 42 of them today",
        "每天都有 42 件事情，今天也是",
        "今天的事情有 42 件，特别多",
    )
    junk = {"day", "unique", "42", "people", "today", "今天", "事情", "每天", "times"}
    names = {word for one in topics(log(said)).topics for word in (one.name, *one.words)}
    assert not names & junk


def test_what_holds_no_words_is_left_out_and_counted() -> None:
    events = log(HARBOUR)
    events += [
        samples.event("ok", id="x1", identity="x1", seq=20),
        samples.event("ls -la /srv/harbour/crane", id="x2", identity="x2", seq=21),
        samples.event("harbour crane", id="x3", identity="x3", seq=22, role="tool",
                      kind="tool_result", origin="tool"),
        samples.event("harbour crane", id="x4", identity="x4", seq=23, origin="recalled"),
    ]  # fmt: skip
    found = topics(events)
    assert (found.messages, found.left_out) == (4, 4)


def test_an_answer_belongs_to_what_was_asked() -> None:
    asked = log(BREAD, BEES)
    answers = [
        samples.event(
            "Between 24 and 27 degrees", id=f"a{event.id}", identity=f"a{event.id}",
            seq=100 + event.seq, session=event.session, role="assistant", origin="agent",
            ts=event.ts + timedelta(minutes=1),
        )
        for event in asked
    ]  # fmt: skip
    found = topics(asked + answers)
    assert {one.name: one.messages for one in found.topics} == {"sourdough starter": 8, "蜂箱": 8}


def test_who_talks_is_no_topic() -> None:
    said = [f"{text}, Fenwick" for text in HARBOUR]
    found = topics(log(said, [f"Thanks Odile, {text}" for text in BREAD]), ("Fenwick",))
    words = {word for one in found.topics for word in (one.name, *one.words)}
    assert not words & {"Fenwick", "Odile"}


def test_what_was_said_once_is_no_topic() -> None:
    found = topics(log(("The lighthouse needs paint",), ("我想学吹口琴",), ("Taxes are due",)))
    assert found.topics == ()
    assert found.other == found.messages == 3


@pytest.mark.parametrize(
    "said", [(), ("ok",), ("",), ("🙂🙂🙂",), ("x" * 50_000,), ("\x00\ud800",)]
)
def test_little_or_odd_input_is_no_error(said: tuple[str, ...]) -> None:
    assert topics(log(said) if said else []).topics == ()


def test_a_long_log_is_looked_at_in_part_and_counted_in_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("slowwave.dream.topics.week.MOST", 50)
    many = [f"{text} (no. {at})" for at in range(20) for text in (*HARBOUR, *BREAD)]
    found = topics(log(many))
    assert found.messages == 160
    assert sum(one.messages for one in found.topics) + found.other == 160
    names = {one.name for one in found.topics}
    assert any("crane" in name for name in names)
    assert any("sourdough" in name for name in names)


def test_the_same_log_has_the_same_topics() -> None:
    events = log(HARBOUR, BREAD, BEES)
    assert topics(events) == topics(list(reversed(events)))
