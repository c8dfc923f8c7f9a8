"""Routes: what becomes active, what waits, what goes, and that each says why."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from slowwave.dream.promote.stage import promote
from slowwave.dream.weigh.tally import Tally
from slowwave.model import (
    Add,
    Change,
    Confirm,
    Evidence,
    Memory,
    Supersede,
    Update,
)
from slowwave.settings import DreamSettings, build

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2026, 12, 1, 3, tzinfo=ZONE)
RULES = DreamSettings()


def memory(days_ago: int = 1, **fields: object) -> Memory:
    seen = NOW - timedelta(days=days_ago)
    span = Evidence(event_id="e1", quote="x", start=0, end=1, ts=seen)
    base = Memory(
        id="m1", kind="fact", subject="user", title="t", text="x", entities=(), importance=50,
        confidence=0.5, status="candidate", standing="standing", negated=False, evidence=(span,),
        dream_id="d1", first_seen=seen, last_seen=seen,
    )  # fmt: skip
    return msgspec.structs.replace(base, **fields)


def add(after: Memory, **fields: object) -> Add:
    made = Add(id="c1", memory_id=after.id, after=after, reason="new")
    return msgspec.structs.replace(made, **fields)


def one(change: Change) -> Change:
    done = promote([change], [], RULES, NOW)
    assert not done.rejected
    assert len(done.changes) == 1
    return done.changes[0]


def test_said_once_but_vital() -> None:
    change = one(add(memory(importance=95, confidence=0.9, days_ago=0)))
    assert (change.after.status, change.route) == ("active", "salience")
    assert "importance 95" in change.reason


@pytest.mark.parametrize(
    ("fields", "declined"),
    [
        ({"importance": 55}, "importance 55 is under 60"),
        ({"importance": 80, "confidence": 0.4}, "confidence 0.4 is under 0.6"),
    ],
)
def test_a_candidate_is_told_why_every_route_declined(
    fields: dict[str, object], declined: str
) -> None:
    change = one(add(memory(days_ago=0, **fields)))
    assert (change.after.status, change.route) == ("candidate", "")
    assert declined in change.reason
    assert "time declined" in change.reason


@pytest.mark.parametrize(
    ("days_ago", "confidence", "status"),
    [
        (0, 0.5, "candidate"), (2, 0.5, "candidate"), (3, 0.5, "active"),
        (0, 0.9, "candidate"), (1, 0.9, "active"),
    ],
)  # fmt: skip
def test_quiet_days(days_ago: int, confidence: float, status: str) -> None:
    assert one(add(memory(days_ago, confidence=confidence))).after.status == status


def test_seen_again_on_a_later_day() -> None:
    known = memory(days_ago=1)
    again = msgspec.structs.replace(known, last_seen=NOW, mention_count=2)
    change = one(Confirm(id="c1", memory_id="m1", before=known, after=again, reason="again"))
    assert (change.after.status, change.route) == ("active", "time")
    assert "2 days" in change.reason


def test_days_are_the_users_days() -> None:
    # 00:30 and 23:30 of one day in Shanghai lie on two days in UTC.
    late = datetime(2026, 11, 30, 15, 30, tzinfo=UTC)
    early = datetime(2026, 11, 29, 16, 30, tzinfo=UTC)
    span = Evidence(event_id="e1", quote="x", start=0, end=1, ts=late)
    seen = memory(first_seen=early, last_seen=late, evidence=(span,), mention_count=2)
    assert one(add(seen)).after.status == "candidate"


def test_a_seed_is_always_kept() -> None:
    change = one(add(memory(days_ago=0, importance=10), scores={"seed": 1.0}))
    assert (change.after.status, change.route) == ("active", "salience")


def test_what_is_not_worth_an_entry_keeps_only_its_pointer() -> None:
    done = promote([add(memory(importance=39))], [], RULES, NOW)
    assert not done.changes
    assert [(item.stage, item.event_id) for item in done.rejected] == [("promote", "e1")]
    assert "39" in done.rejected[0].reason


def test_the_successor_of_an_active_memory_is_active_at_once() -> None:
    old = memory(id="m0", status="active", days_ago=9)
    new = memory(id="m1", days_ago=0, importance=30)
    ended = msgspec.structs.replace(
        old, status="retired", superseded_by="m1", valid_to="2026-12-01"
    )
    plan: list[Change] = [
        add(new),
        Supersede(id="c0", memory_id="m0", before=old, after=ended, reason="replaced"),
    ]
    done = promote(plan, [old], RULES, NOW)
    assert [(c.memory_id, c.after.status) for c in done.changes] == [
        ("m1", "active"), ("m0", "retired"),
    ]  # fmt: skip


def test_known_candidates_are_visited_again() -> None:
    waiting, ripe = memory(id="m2", days_ago=1), memory(id="m3", days_ago=5)
    forgotten = memory(id="m4", days_ago=31)
    twice = memory(id="m5", days_ago=40, mention_count=2, first_seen=NOW - timedelta(days=44))
    done = promote([], [waiting, ripe, forgotten, twice], RULES, NOW, dream_id="d9")
    assert [(type(c), c.memory_id, c.after.status) for c in done.changes] == [
        (Update, "m3", "active"), (Update, "m5", "active"),
    ]  # fmt: skip
    assert all(change.reason and change.route for change in done.changes)
    assert all(change.after.dream_id == "d9" for change in done.changes)
    assert all(change.after.version == 2 for change in done.changes)


def test_what_was_mentioned_once_and_forgotten_is_left_to_be_archived() -> None:
    for days in range(60):
        done = promote([], [memory(days_ago=days)], RULES, NOW)
        assert bool(done.changes) is (RULES.time_days <= days <= RULES.time_expire_days)
    vital = memory(days_ago=50, importance=90, confidence=0.9)
    assert promote([], [vital], RULES, NOW).changes[0].route == "salience"


def test_what_the_plan_touches_is_not_visited_twice() -> None:
    known = memory(days_ago=9)
    again = msgspec.structs.replace(known, last_seen=NOW, mention_count=2)
    change = Confirm(id="c1", memory_id="m1", before=known, after=again, reason="again")
    done = promote([change], [known], RULES, NOW)
    assert [made.memory_id for made in done.changes] == ["m1"]


def test_pinned_and_settled_memories_are_left_alone() -> None:
    pinned = memory(id="m2", status="active", pinned=True, expires_at="2026-01-01")
    retired = memory(id="m3", status="retired", expires_at="2026-01-01")
    settled = memory(id="m4", status="active", days_ago=400)
    assert not promote([], [pinned, retired, settled], RULES, NOW).changes


def test_what_was_cold_wakes_when_it_is_spoken_of() -> None:
    cold = memory(status="cold", days_ago=200)
    again = msgspec.structs.replace(cold, last_seen=NOW, mention_count=2)
    change = one(Confirm(id="c1", memory_id="m1", before=cold, after=again, reason="again"))
    assert change.after.status == "active"


def test_a_plan_that_is_over_when_it_is_learned_is_kept_as_past() -> None:
    change = one(add(memory(kind="plan", valid_from="2026-01-05", expires_at="2026-01-12")))
    assert (change.after.status, change.after.valid_to) == ("retired", "2026-01-05")


def test_it_is_deterministic() -> None:
    known = [memory(id=f"m{n}", days_ago=n) for n in range(2, 50)]
    plan = [add(memory(importance=70, confidence=0.7))]
    runs = {msgspec.json.encode(promote(plan, known, RULES, NOW)) for _ in range(3)}
    assert len(runs) == 1


# routes and presets


def rules_of(preset: str, **fields: object) -> DreamSettings:
    return build(
        {"preset": preset, "dream": fields} if fields else {"preset": preset}, {}, "t"
    ).dream


def asked(queries: int) -> Tally:
    today = NOW.date()
    return Tally(
        recalls=queries, sightings=1, grounded=1, total=0.95 * queries + 1.24,
        queries=frozenset(map(str, range(queries))), recall_days=frozenset({today}),
        seen_days=frozenset({today - timedelta(days=2)}), tags=6,
    )  # fmt: skip


CHATTER = {"importance": 45, "confidence": 0.5, "days_ago": 0}
VITAL = {"importance": 95, "confidence": 0.9, "days_ago": 0}
QUIET = {"importance": 45, "confidence": 0.9, "days_ago": 2}


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("balanced", {"chatter": "", "vital": "salience", "quiet": "time", "asked": "signals"}),
        ("nightly", dict.fromkeys(("chatter", "vital", "quiet", "asked"), "salience")),
        ("verified", {"chatter": "", "vital": "", "quiet": "time", "asked": ""}),
        ("openclaw", {"chatter": "", "vital": "", "quiet": "", "asked": "signals"}),
        ("openclaw-classic", {"chatter": "", "vital": "", "quiet": "", "asked": "signals"}),
    ],
)
def test_presets_switch_the_routes(preset: str, expected: dict[str, str]) -> None:
    kinds = {"chatter": CHATTER, "vital": VITAL, "quiet": QUIET, "asked": CHATTER}
    known = [memory(id=name, **fields) for name, fields in kinds.items()]  # type: ignore[arg-type]
    changes = [add(one, id=one.id) for one in known]
    rules = rules_of(preset)
    tallies = {one.id: asked(5 if one.id == "asked" else 0) for one in known}
    done = promote(changes, [], rules, NOW, tallies=tallies).changes
    assert {change.memory_id: change.route for change in done} == expected
    for change in done:
        if not change.route:
            # Every enabled route says why, the others are silent.
            for route in ("salience", "time", "signals"):
                assert (f"{route} declined: " in change.reason) is (route in rules.routes)


def test_routes_are_asked_in_the_order_of_the_settings() -> None:
    vital = memory(days_ago=9, importance=95, confidence=0.9)
    for order in (("salience", "time"), ("time", "salience")):
        rules = DreamSettings(routes=order)  # type: ignore[arg-type]
        assert promote([add(vital)], [], rules, NOW).changes[0].route == order[0]


def test_the_components_of_the_score_are_told() -> None:
    done = promote([add(memory(**CHATTER))], [], RULES, NOW, tallies={"m1": asked(5)})  # type: ignore[arg-type]
    scores = done.changes[0].scores
    assert {"relevance", "frequency", "diversity", "recency", "consolidation", "conceptual",
            "light", "rem", "total"} <= scores.keys()  # fmt: skip
    assert scores["diversity"] == 1.0
    assert scores["total"] > RULES.signals.score


def test_what_an_earlier_route_takes_uses_up_no_place_of_the_signals() -> None:
    rules = rules_of("balanced", signals={"limit": 1})
    vital, small = memory(id="a", **VITAL), memory(id="b", **CHATTER)  # type: ignore[arg-type]
    tallies = {"a": asked(9), "b": asked(5)}
    done = promote([add(vital, id="a"), add(small, id="b")], [], rules, NOW, tallies=tallies)
    assert [change.route for change in done.changes] == ["salience", "signals"]


def test_a_seed_is_kept_under_every_preset() -> None:
    for preset in ("balanced", "nightly", "verified", "openclaw", "openclaw-classic"):
        seed = add(memory(days_ago=0, importance=90), scores={"seed": 1.0})
        change = promote([seed], [], rules_of(preset), NOW).changes[0]
        assert change.after.status == "active"
        assert "most important" in change.reason


def test_what_comes_in_as_active_says_by_which_way() -> None:
    change = one(add(memory(status="active", importance=41)))
    assert (change.after.status, change.route) == ("active", "successor")


def test_a_preference_must_be_said_as_often_as_is_set() -> None:
    once = memory(kind="preference", days_ago=9)
    rules = rules_of("verified")
    assert "said 1 of 2 times" in promote([add(once)], [], rules, NOW).changes[0].reason
    twice = msgspec.structs.replace(once, mention_count=2)
    assert promote([add(twice)], [], rules, NOW).changes[0].route == "time"
    assert promote([add(once)], [], RULES, NOW).changes[0].route == "time"


def test_a_backlog_of_candidates_does_not_make_a_runaway_dream() -> None:
    known = [memory(id=f"m{n}", days_ago=5) for n in range(50)]
    rules = rules_of("balanced", gates={"changes_per_day": 40})
    assert len(promote([], known, rules, NOW).changes) == 10
