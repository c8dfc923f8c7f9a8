"""The scalar filters of recall (R3): kind, time and subject, for memories and for raw events."""

from datetime import UTC, datetime
from typing import Any

import pytest

from slowwave.model import Evidence


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, 9, tzinfo=UTC)


@pytest.fixture
def harbour(world: Any) -> dict[str, str]:
    """What two people said about a harbour in three months: name → id, memories and events."""
    ids: dict[str, str] = {}
    said = {
        "plan": ("I want to paint the harbour wall", day(3, 2), "plan", "user", None),
        "rule": ("never moor at the harbour wall in a north wind", day(4, 9), "rule", "user", None),
        "isolde": ("Isolde rents a shed at the harbour", day(4, 20), "fact", "Isolde", None),
        "own": ("I rent a berth at the harbour myself", day(5, 6), "fact", "Isolde", "Isolde"),
    }
    for name, (text, ts, kind, subject, speaker) in said.items():
        origin = "other" if speaker else "owner"
        event = world.say(text, ts=ts, speaker=speaker, origin=origin)
        ids[name] = world.learn(event, kind=kind, subject=subject).id
        ids[f"{name}'s event"] = event.id
    ids["talk"] = world.say("we met at the harbour café", ts=day(5, 20)).id
    ids["theirs"] = world.say("the harbour café burnt down", ts=day(5, 21), speaker="Isolde",
                              origin="other").id  # fmt: skip
    return ids


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"kind": "plan"}, {"plan"}),
        ({"kind": "fact"}, {"isolde", "own"}),
        ({"kind": "skill"}, set()),
        ({"subject": "ISOLDE"}, {"isolde", "own"}),
        ({"subject": "user"}, {"plan", "rule"}),
        ({"subject": "nobody"}, set()),
        ({"kind": "fact", "subject": "user"}, set()),
        ({"kind": "rule", "since": day(4, 1), "until": day(5, 1)}, {"rule"}),
        ({"subject": "Isolde", "since": day(5, 1)}, {"own"}),
        ({"since": day(4, 1), "until": day(5, 1)}, {"rule", "isolde"}),
        ({"since": day(5, 10)}, {"talk", "theirs"}),
        ({"until": day(3, 2)}, set()),
        ({"scope": "memories", "until": day(4, 1)}, {"plan"}),
        ({"scope": "events", "until": day(4, 1)}, {"plan's event"}),
        ({"scope": "events", "since": day(5, 1)}, {"own's event", "talk", "theirs"}),
        ({"scope": "events", "subject": "isolde"}, {"own's event", "theirs"}),
        ({"scope": "events", "subject": "user", "since": day(5, 1)}, {"talk"}),
    ],
)
def test_what_a_filter_leaves(
    world: Any, harbour: dict[str, str], given: dict[str, Any], names: set[str]
) -> None:
    by_id = {unit_id: name for name, unit_id in harbour.items()}
    assert {by_id[hit.id] for hit in world.ask("harbour", k=50, **given)} == names


def test_a_filter_finds_what_others_hide_from_the_first_hits(world: Any) -> None:
    """A rare kind is found among many memories that match better."""
    for number in range(120):
        world.learn(world.say(f"the harbour, the harbour and the harbour {number}"))
    event = world.say("on Sundays somebody rings a bell far behind the old harbour")
    rare = world.learn(event, kind="emotion")
    (found,) = world.ask("harbour", kind="emotion")
    assert found.id == rare.id


def test_a_memory_that_was_told_in_between_was_told_then(world: Any) -> None:
    first, between, last = (
        world.say(f"the ferry leaves at noon, {word}", ts=ts)
        for word, ts in (("they say", day(1, 5)), ("again", day(3, 5)), ("still", day(5, 5)))
    )
    spans = tuple(
        Evidence(
            event_id=one.id, quote=one.text, start=0, end=len(one.text), ref=one.ref, ts=one.ts
        )
        for one in (first, between, last)
    )
    memory = world.learn(first, evidence=spans, last_seen=last.ts)
    found = world.ask("ferry", scope="memories", since=day(3, 1), until=day(4, 1))
    assert [hit.id for hit in found] == [memory.id]
    assert world.ask("ferry", scope="memories", since=day(3, 6), until=day(5, 5)) == []
