"""Once a week: what the nights missed becomes one memory, and preferences are settled."""

from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from slowwave.dream.consolidate import PARTNERS, consolidate, due
from slowwave.dream.plans.gates import Proposal, judge, refused
from slowwave.dream.reconcile.stage import reconcile
from slowwave.model import Change, Claim, Dream, Evidence, Memory, Merge, Supersede
from slowwave.settings import DreamSettings
from slowwave.testing import samples

ZONE = timezone(timedelta(hours=8))
SUNDAY = datetime(2031, 3, 23, 3, tzinfo=ZONE)


def dream(days_ago: int, **fields: Any) -> Dream:
    return samples.dream(run_at=SUNDAY - timedelta(days=days_ago), **fields)


@pytest.mark.parametrize(
    ("dreams", "on", "expected"),
    [
        ([], "sun", True),
        ([dream(1)], "sun", True),
        ([dream(0)], "sun", False),
        ([dream(0, status="planned")], "sun", True),
        ([dream(0, status="rolled_back")], "sun", True),
        ([dream(0, by="person")], "sun", True),
        ([dream(3)], "wed", False),  # on Thursday: it made up for the missed Wednesday
        ([dream(4)], "wed", False),
        ([dream(8), dream(5)], "wed", True),
        ([], "never", False),
    ],
)
def test_once_a_week_on_its_day_or_the_first_night_after(
    dreams: list[Dream], on: str, expected: bool
) -> None:
    assert due(dreams, on, SUNDAY) is expected


def memory(text: str, days_ago: float, **fields: Any) -> Memory:
    seen = SUNDAY - timedelta(days=days_ago)
    span = Evidence(event_id=f"e-{text}-{days_ago}", quote=text, start=0, end=len(text), ts=seen)
    given = {"first_seen": seen, "last_seen": seen, "evidence": (span,), "id": f"m{days_ago}"}
    return samples.memory(text, **(given | fields))


def compare(claim: Claim, known: Memory) -> Sequence[Change]:
    return reconcile(
        [claim], [known], dream_id="d9", space="s", now=SUNDAY, cosine=lambda *_: None
    ).changes


def week(*known: Memory, touched: frozenset[str] = frozenset()) -> tuple[Change, ...]:
    return consolidate(known, touched, compare, SUNDAY, dream_id="d9")


OLD = memory("Teo's rowing club meets by the old mill on Thursdays", 60, importance=70)
SAME = memory("Teo's rowing club meets by the old mill on Thursdays.", 2, mention_count=2)


def test_two_memories_that_say_the_same_become_one() -> None:
    taken, gone = week(OLD, SAME)
    assert isinstance(taken, Merge)
    assert (taken.memory_id, taken.after.status) == (OLD.id, "active")
    assert taken.after.evidence == OLD.evidence + SAME.evidence
    assert (taken.after.mention_count, taken.after.importance) == (3, 70)
    assert taken.after.last_seen == SAME.last_seen
    assert isinstance(gone, Supersede)
    assert (gone.memory_id, gone.after.status) == (SAME.id, "retired")
    assert gone.after.superseded_by == OLD.id
    assert taken.route == gone.route == "weekly"
    assert refused(judge(Proposal([taken, gone], [OLD, SAME], DreamSettings()))) is None


def test_of_two_preferences_that_cannot_hold_together_the_newer_one_stays() -> None:
    old = memory("I prefer window seats on long train rides", 40, kind="preference")
    new = memory("I no longer prefer window seats on long train rides", 1, kind="preference")
    (change,) = week(old, new)
    assert isinstance(change, Supersede)
    assert (change.memory_id, change.after.superseded_by) == (old.id, new.id)
    assert change.after.valid_to == "2031-03-22"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({}, {"subject": "Teo"}),
        ({}, {"kind": "plan"}),
        ({}, {"negated": True}),
        ({}, {"standing": "one_off"}),
        ({"status": "candidate"}, {}),
        ({"status": "retired"}, {}),
        ({"conflicts_with": ("m2",)}, {}),
        ({}, {"pinned": True}),
        ({}, {"last_seen": SUNDAY - timedelta(days=20)}),
    ],
)
def test_what_is_not_compared(old: dict[str, Any], new: dict[str, Any]) -> None:
    earlier = memory(OLD.text, 60, id="m1", **old)
    later = memory(SAME.text, 2, id="m2", **new)
    assert week(earlier, later) == ()


def test_what_the_night_touched_is_left_alone() -> None:
    assert week(OLD, SAME, touched=frozenset({OLD.id})) == ()


def test_different_things_stay_different() -> None:
    assert week(memory("Teo's rowing club has 14 boats", 30, id="a"),
                memory("Teo's rowing club has a cook", 1, id="b")) == ()  # fmt: skip


def test_each_is_compared_with_few() -> None:
    asked: list[str] = []
    old = [memory(f"The barge Ondine carries gravel, trip {n}", 30 + n) for n in range(50)]
    new = memory("The barge Ondine carries gravel, trip 90", 1)

    def count(_claim: Claim, known: Memory) -> Sequence[Change]:
        asked.append(known.id)
        return ()

    consolidate([*old, new], frozenset(), count, SUNDAY, dream_id="d9")
    assert len(asked) == PARTNERS


def test_it_is_deterministic_and_changes_each_memory_once() -> None:
    known = [OLD, SAME, memory(SAME.text + "!", 1.5), memory(SAME.text + "!!", 1)]
    first = week(*known)
    assert first == week(*known[::-1])
    assert len({change.memory_id for change in first}) == len(first)
