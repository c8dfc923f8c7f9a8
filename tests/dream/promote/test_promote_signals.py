"""Route signals: its gates are named for what they measure, and it can be passed at all."""

from datetime import date, timedelta

import pytest

from slowwave.dream.promote.signals import choose
from slowwave.dream.weigh.tally import Tally
from slowwave.model import Memory
from slowwave.settings import PRESETS, DreamSettings, SignalSettings, build
from slowwave.testing import samples

TODAY = date(2031, 3, 20)
OPENCLAW = build({"preset": "openclaw"}, {}, "test").dream.signals
CLASSIC = build({"preset": "openclaw-classic"}, {}, "test").dream.signals


def tally(
    recalls: int = 3, queries: int = 3, seen: int = 3, age: int = 1, **fields: object
) -> Tally:
    """Sightings every other day up to `age` days ago, and recalls on the last of them."""
    days = [TODAY - timedelta(days=age + 2 * back) for back in range(seen)]
    given: dict[str, object] = {
        "recalls": recalls, "sightings": seen, "grounded": seen,
        "total": 0.9 * recalls + 2 * 0.62 * seen,
        "queries": frozenset(map(str, range(queries))),
        "recall_days": frozenset({TODAY - timedelta(days=age)} if recalls else ()),
        "seen_days": frozenset(days), "tags": 4,
    }  # fmt: skip
    return Tally(**{**given, **fields})  # type: ignore[arg-type]


def candidate(name: str = "m1") -> Memory:
    return samples.memory(f"something about {name}", id=name, status="candidate")


@pytest.mark.parametrize("settings", [SignalSettings(), OPENCLAW, CLASSIC])
def test_three_sightings_and_three_recalls_promote(settings: SignalSettings) -> None:
    found = choose([candidate()], {"m1": tally()}, settings, TODAY)["m1"]
    assert found.accepted, found.reason
    assert "9 signals (3 recalls, 3 days seen, 3 found again)" in found.reason
    assert set(found.scores) == {
        "relevance", "frequency", "diversity", "recency", "consolidation", "conceptual", "light",
        "rem", "total",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (tally(seen=9, recalls=0, queries=0), "found by 0 different questions, 3 needed"),
        (tally(recalls=9, queries=1), "found by 1 different question, 3 needed"),
        (tally(age=31), "last came up 31 days ago, more than 30"),
        (tally(seen=0, recall_days=frozenset({TODAY})), "not to be found in the journal"),
        (tally(seen=1, total=1.0), "score 0."),
        (tally(seen=1, recalls=0, queries=0), "2 signals (0 recalls, 1 day seen, 1 found again)"),
    ],
)
def test_every_gate_tells_its_number(given: Tally, told: str) -> None:
    found = choose([candidate()], {"m1": given}, OPENCLAW, TODAY)["m1"]
    assert not found.accepted
    assert told in found.reason


def test_days_stand_in_for_questions_by_the_older_rule_only() -> None:
    days = frozenset(TODAY - timedelta(days=back) for back in range(3))
    same = tally(queries=1, recalls=9, recall_days=days, total=0.97 * 9 + 2 * 0.62 * 3, seen=3,
                 light=6, lit=TODAY, rem=6, dreamt=TODAY)  # fmt: skip
    older = choose([candidate()], {"m1": same}, CLASSIC, TODAY)["m1"]
    newer = choose([candidate()], {"m1": same}, OPENCLAW, TODAY)["m1"]
    assert older.accepted, older.reason
    assert not newer.accepted
    assert "found by 1 different question on 3 days" in older.reason


def test_the_older_rule_knows_no_age() -> None:
    old = tally(age=40, recalls=9, queries=5, total=0.95 * 9 + 3.72)
    assert "days ago" in choose([candidate()], {"m1": old}, OPENCLAW, TODAY)["m1"].reason
    assert "days ago" not in choose([candidate()], {"m1": old}, CLASSIC, TODAY)["m1"].reason


def test_days_on_which_it_was_only_said_are_no_days_of_recall() -> None:
    only_said = tally(recalls=0, queries=0, seen=12)
    found = choose([candidate()], {"m1": only_said}, CLASSIC, TODAY)["m1"]
    assert "0 different questions on 0 days, 3 needed" in found.reason


def test_the_best_of_a_night_are_taken_and_the_others_told_their_rank() -> None:
    memories = [candidate(f"m{number:02}") for number in range(14)]
    tallies = {
        memory.id: tally(recalls=3 + number, total=0.9 * (3 + number) + 3.72)
        for number, memory in enumerate(memories)
    }
    found = choose(memories, tallies, OPENCLAW, TODAY)
    taken = [name for name, verdict in found.items() if verdict.accepted]
    assert len(taken) == OPENCLAW.limit
    assert "m13" in taken
    assert "m00" not in taken
    assert found["m00"].reason == "ranked 14, and 10 are taken a night"
    assert found == choose(memories[::-1], tallies, OPENCLAW, TODAY)


def test_presets_name_settings_that_exist() -> None:
    for preset in PRESETS:
        assert isinstance(build({"preset": preset}, {}, "test").dream, DreamSettings)
    assert (OPENCLAW.score, CLASSIC.score) == (0.75, 0.80)
