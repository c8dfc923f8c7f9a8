"""What time makes of memories: over, given up, cold, collapsed; and what it never touches."""

from datetime import datetime, timedelta, timezone
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from slowwave.dream.forget import Settled, forget
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.dream.promote.stage import promote
from slowwave.model import Change, Collapse, Demote, Memory, Retire, Version
from slowwave.settings import DreamSettings, ForgetSettings
from slowwave.testing import samples

ZONE = timezone(timedelta(hours=8))
NOW = datetime(2031, 3, 20, 3, tzinfo=ZONE)
RULES = DreamSettings()


def memory(days_ago: float = 1, **fields: Any) -> Memory:
    seen = NOW - timedelta(days=days_ago)
    given = {"first_seen": seen, "last_seen": seen, "importance": 50, "id": "m1"}
    return samples.memory("The kiln wants eleven hours", **(given | fields))


def done(*known: Memory, **settings: Any) -> tuple[Change, ...]:
    rules = DreamSettings(forget=ForgetSettings(**settings))
    return forget(known, frozenset(), rules, NOW, dream_id="d9")


# over


@pytest.mark.parametrize(
    ("expires", "gone"), [("2031-03-19", True), ("2031-03-20", False), (None, False)]
)
@pytest.mark.parametrize("status", ["candidate", "active"])
def test_what_had_a_last_day_retires_after_it(status: str, expires: str | None, gone: bool) -> None:
    known = memory(status=status, expires_at=expires)
    changes = done(known)
    assert bool(changes) is gone
    for change in changes:
        assert isinstance(change, Retire)
        assert (change.after.status, change.after.valid_to) == ("retired", "2031-03-19")
        assert (change.before, change.route) == (known, "expiry")
        assert "2031-03-19" in change.reason
        assert (change.after.dream_id, change.after.version) == ("d9", 2)


def test_a_plan_ends_on_its_day_not_on_its_expiry() -> None:
    known = memory(kind="plan", valid_from="2031-03-02", expires_at="2031-03-09")
    assert done(known)[0].after.valid_to == "2031-03-02"


def test_all_that_is_over_goes_at_once_whatever_the_share() -> None:
    known = [memory(id=f"m{n}", expires_at="2031-03-01") for n in range(30)]
    changes = done(*known, share=0.1)
    assert len(changes) == 30
    assert refused(judge(Proposal(changes, known, RULES))) is None


# given up


@pytest.mark.parametrize(
    ("days", "mentions", "gone"),
    [(30, 1, False), (31, 1, True), (31, 2, False), (60, 2, False), (61, 2, True), (61, 9, True)],
)
def test_a_candidate_that_no_route_takes_is_archived(days: int, mentions: int, gone: bool) -> None:
    changes = done(memory(days, status="candidate", mention_count=mentions))
    assert [type(change) for change in changes] == ([Retire] if gone else [])
    assert all(f"{days} days" in change.reason for change in changes)


def test_a_recall_gives_a_candidate_more_time_but_not_for_ever() -> None:
    recalled = memory(40, status="candidate", last_access=NOW - timedelta(days=5), access_count=1)
    assert not done(recalled)
    old = memory(121, status="candidate", last_access=NOW - timedelta(days=1), access_count=40)
    assert "not said for 121 days" in done(old)[0].reason


# cold


@pytest.mark.parametrize(
    ("fields", "cold"),
    [
        ({"days_ago": 121}, True),
        ({"days_ago": 120}, False),
        ({"days_ago": 300, "access_count": 2, "last_access": NOW - timedelta(days=121)}, True),
        ({"days_ago": 300, "access_count": 2, "last_access": NOW - timedelta(days=119)}, False),
        ({"days_ago": 300, "access_count": 3, "last_access": NOW - timedelta(days=200)}, False),
        ({"days_ago": 300, "importance": 64}, True),
        ({"days_ago": 300, "importance": 65}, False),
        ({"days_ago": 300, "pinned": True}, False),
        ({"days_ago": 300, "kind": "profile"}, False),
        ({"days_ago": 300, "kind": "rule"}, False),
        ({"days_ago": 300, "kind": "relationship", "subject": "Teo"}, False),
        ({"days_ago": 300, "kind": "project"}, True),
        ({"days_ago": 300, "kind": "plan", "valid_from": "2031-09-01"}, False),
        ({"days_ago": 300, "status": "retired"}, False),
        ({"days_ago": 300, "status": "cold"}, False),
    ],
)
def test_to_cold_only_when_all_three_hold(fields: dict[str, Any], cold: bool) -> None:
    changes = done(memory(**fields))
    assert [type(change) for change in changes] == ([Demote] if cold else [])
    for change in changes:
        assert (change.after.status, change.route) == ("cold", "forget")
        for number in ("over 120", "under 3", "under 65", f"importance {change.after.importance}"):
            assert number in change.reason


def test_what_is_known_of_somebody_fades_when_he_does() -> None:
    fact = memory(days_ago=200, id="old", subject="Teo")
    others = [memory(id=who, subject=who, importance=90) for who in ("user", "Ida")]
    assert [change.memory_id for change in done(fact, *others)] == ["old"]
    lately = memory(days_ago=40, id="lately", subject="Teo")
    assert done(fact, lately, *others) == ()
    mine = memory(days_ago=200, id="mine", subject="user")
    assert [change.memory_id for change in done(mine, lately, *others)] == ["mine"]


def test_the_earlier_rule_is_a_setting() -> None:
    known = memory(100, importance=49)
    assert not done(known)
    assert done(known, idle_days=90, importance_under=50)


def test_a_night_takes_its_share_the_most_idle_first() -> None:
    known = [memory(200 + n, id=f"m{n:02}") for n in range(20)]
    assert [change.memory_id for change in done(*known)] == ["m19", "m18", "m17", "m16"]
    assert len(done(*known, share=0.9)) == 5  # never what the gate would refuse
    assert len(done(*known, share=0.0)) == 0
    assert len(done(*known[:3])) == 1


def test_a_backlog_is_worked_off_in_nights_that_pass_the_gates() -> None:
    rules = msgspec.structs.replace(
        RULES, gates=msgspec.structs.replace(RULES.gates, changes_per_day=40)
    )
    known = [memory(200, id=f"m{n:03}", expires_at="2031-01-01") for n in range(50)]
    known += [memory(200, id=f"n{n:03}") for n in range(300)]
    nights = 0
    while changes := forget(known, frozenset(), rules, NOW, dream_id="d"):
        assert refused(judge(Proposal(changes, known, rules))) is None
        after = {change.memory_id: change.after for change in changes}
        known = [after.get(one.id, one) for one in known]
        nights += 1
    assert nights < 60
    assert {one.status for one in known} == {"retired", "cold"}


# collapse


def versions(*texts: str, ops: tuple[str, ...] = (), **fields: Any) -> list[Version]:
    return [
        Version(
            memory=samples.memory(text, id="m1", version=number, **fields), change_id=f"c{number}",
            op=(ops[number - 1] if ops else "add" if number == 1 else "update"),
            dream_id=f"d{number}", recorded_at=NOW, reason="",
        )
        for number, text in enumerate(texts, 1)
    ]  # fmt: skip


def collapsed(past: list[Version], **fields: Any) -> list[Change]:
    known = memory(version=len(past), dream_id=f"d{len(past)}", **fields)
    settled = Settled(lambda _id: past, frozenset({f"d{len(past)}"}))
    return list(forget([known], frozenset(), RULES, NOW, dream_id="d9", settled=settled))


def test_what_was_updated_many_times_and_stayed_the_same_is_collapsed() -> None:
    six = versions(*[f"The kiln wants 11 hours{'!' * n}" for n in range(7)])
    (change,) = collapsed(six)
    assert isinstance(change, Collapse)
    assert change.after == msgspec.structs.replace(change.before, version=8, dream_id="d9")
    assert "updated 6 times in a row (over 5)" in change.reason
    assert not collapsed(six[:6])


@pytest.mark.parametrize(
    "past",
    [
        versions(*[f"The kiln wants {n} hours" for n in range(8)]),
        versions(*["The kiln wants 11 hours"] * 8, ops=("add", "update", "update", "update",
                 "restore", "update", "update", "update")),
        versions(*["The kiln wants 11 hours"] * 8, ops=("add", *["update"] * 6, "collapse")),
    ],
)  # fmt: skip
def test_what_changed_its_core_or_its_state_is_not(past: list[Version]) -> None:
    assert not collapsed(past)


def test_versions_are_read_of_what_was_touched_lately_only() -> None:
    read: list[str] = []
    known = [memory(id=f"m{n}", version=9, dream_id="d1" if n else "d8") for n in range(5)]
    settled = Settled(lambda name: read.append(name) or [], frozenset({"d8"}))  # type: ignore[func-returns-value]
    forget(known, frozenset(), RULES, NOW, dream_id="d9", settled=settled)
    assert read == ["m0"]


# what holds for any memory

MEMORIES = st.builds(
    lambda days, **fields: memory(days, **fields),
    st.integers(0, 500),
    id=st.uuids().map(str),
    status=st.sampled_from(["candidate", "active", "cold", "retired", "quarantined"]),
    kind=st.sampled_from(["fact", "plan", "rule", "profile", "preference", "project"]),
    standing=st.sampled_from(["standing", "dated", "temporary", "one_off"]),
    importance=st.integers(0, 100),
    confidence=st.floats(0, 1),
    pinned=st.booleans(),
    access_count=st.integers(0, 5),
    mention_count=st.integers(1, 4),
    expires_at=st.sampled_from([None, "2031-01-01", "2031-12-01"]),
    last_access=st.sampled_from([None, NOW - timedelta(days=90), NOW - timedelta(days=2)]),
)
MANY = st.lists(MEMORIES, max_size=40, unique_by=lambda one: one.id)


def night(known: list[Memory], rules: DreamSettings) -> list[Change]:
    promoted = promote([], known, rules, NOW, dream_id="d9").changes
    touched = frozenset(change.memory_id for change in promoted)
    return [*promoted, *forget(known, touched, rules, NOW, dream_id="d9")]


@settings(max_examples=100, deadline=None)
@given(MANY)
def test_forgetting_takes_at_most_its_share_and_passes_the_gates(known: list[Memory]) -> None:
    changes = night(known, RULES)
    active = sum(one.status == "active" for one in known)
    cold = [change for change in changes if isinstance(change, Demote)]
    assert len(cold) <= max(1, RULES.forget.share * active)
    assert refused(judge(Proposal(changes, known, RULES))) is None
    assert len({change.memory_id for change in changes}) == len(changes)


@settings(max_examples=100, deadline=None)
@given(MANY)
def test_a_dream_never_lowers_what_is_pinned_nor_touches_what_is_settled(
    known: list[Memory],
) -> None:
    for change in night(known, RULES):
        assert change.before is not None
        assert not (change.before.pinned and change.after.status in ("cold", "retired"))
        assert change.before.status in ("candidate", "active")
        assert change.reason


@settings(max_examples=100, deadline=None)
@given(MANY, st.sampled_from([("time",), ("salience",), ("signals",), ("salience", "time")]))
def test_no_candidate_waits_for_ever(known: list[Memory], routes: tuple[Any, ...]) -> None:
    rules = DreamSettings(routes=routes)
    decided = {change.memory_id for change in night(known, rules)}
    for one in known:
        if one.status == "candidate" and not one.pinned and (NOW - one.last_seen).days > 120:
            assert one.id in decided
