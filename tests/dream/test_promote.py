"""Routes: what becomes active, what waits, what goes, and that each says why."""

from datetime import UTC, datetime, timedelta, timezone

import msgspec
import pytest

from slowwave.dream.promote import promote
from slowwave.model import (
    Add,
    Change,
    Confirm,
    Evidence,
    Memory,
    Retire,
    Supersede,
    Update,
)
from slowwave.settings import DreamSettings

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


@pytest.mark.parametrize(
    ("expires", "gone"), [("2026-11-30", True), ("2026-12-01", False), (None, False)]
)
@pytest.mark.parametrize("status", ["candidate", "active"])
def test_what_has_expired_retires(status: str, expires: str | None, gone: bool) -> None:
    known = memory(id="m7", status=status, expires_at=expires, days_ago=0)
    done = promote([], [known], RULES, NOW)
    retired = [change for change in done.changes if isinstance(change, Retire)]
    assert bool(retired) is gone
    if retired:
        assert retired[0].after.status == "retired"
        assert retired[0].after.valid_to == "2026-11-30"
        assert retired[0].before == known
        assert retired[0].route == "expiry"


def test_a_plan_ends_on_its_day_not_on_its_expiry() -> None:
    known = memory(kind="plan", status="active", valid_from="2026-11-20", expires_at="2026-11-27")
    assert promote([], [known], RULES, NOW).changes[0].after.valid_to == "2026-11-20"


def test_known_candidates_are_visited_again() -> None:
    waiting, ripe = memory(id="m2", days_ago=1), memory(id="m3", days_ago=5)
    forgotten = memory(id="m4", days_ago=31)
    twice = memory(id="m5", days_ago=40, mention_count=2, first_seen=NOW - timedelta(days=44))
    done = promote([], [waiting, ripe, forgotten, twice], RULES, NOW, dream_id="d9")
    assert [(type(c), c.memory_id, c.after.status) for c in done.changes] == [
        (Update, "m3", "active"), (Retire, "m4", "retired"), (Update, "m5", "active"),
    ]  # fmt: skip
    assert all(change.reason and change.route for change in done.changes)
    assert all(change.after.dream_id == "d9" for change in done.changes)
    assert all(change.after.version == 2 for change in done.changes)


def test_every_candidate_ends_in_one_of_the_two() -> None:
    for days in range(60):
        done = promote([], [memory(days_ago=days)], RULES, NOW)
        assert bool(done.changes) is (days >= RULES.time_days)


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
