"""Personal or world, and what that means for forgetting (R1, R2)."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from slowwave.dream.forget import sleepers
from slowwave.dream.weigh.scope import scope_of
from slowwave.model import Memory
from slowwave.settings import Settings, build

NOW = datetime(2026, 11, 30, 9, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=400)


def held(**given: Any) -> Memory:
    plain = Memory(
        id="m1", kind="fact", subject="user", title="", text="I play the cello", entities=(),
        importance=50, confidence=0.8, status="active", standing="standing", negated=False,
        evidence=(), dream_id="d", first_seen=LONG_AGO, last_seen=LONG_AGO,
    )  # fmt: skip
    return msgspec.structs.replace(plain, **given)


@pytest.mark.parametrize(
    ("given", "scope"),
    [
        ({}, "personal"),
        ({"kind": "preference"}, "personal"),
        ({"kind": "rule", "subject": "agent"}, "personal"),
        ({"kind": "relationship", "subject": "Ines"}, "personal"),
        ({"standing": "dated"}, "world"),
        ({"kind": "plan"}, "world"),
        ({"subject": "Ines"}, "world"),
        ({"subject": "world", "kind": "environment"}, "world"),
        ({"kind": "lesson", "subject": "agent"}, "lesson"),
    ],
)
def test_whose_it_is(given: dict[str, Any], scope: str) -> None:
    assert scope_of(held(**given)) == scope


def preset(name: str) -> Settings:
    return build({"preset": name}, {}, "test")


def test_in_real_time_what_is_personal_never_goes_cold() -> None:
    personal, world = held(), held(id="m2", subject="Ines")
    dream = preset("realtime").dream
    assert [one.id for one in sleepers([personal, world], dream, NOW)] == ["m2"]
    dream = preset("balanced").dream
    assert {one.id for one in sleepers([personal, world], dream, NOW)} == {"m1", "m2"}


def test_in_real_time_the_world_is_evicted_by_policy() -> None:
    dream = preset("realtime").dream
    month = NOW - timedelta(days=31)
    idle = held(subject="world", first_seen=month, last_seen=month, importance=75)
    assert sleepers([idle], dream, NOW) == [idle]
    assert sleepers([msgspec.structs.replace(idle, access_count=3)], dream, NOW) == []
    assert sleepers([msgspec.structs.replace(idle, importance=80)], dream, NOW) == []
    assert sleepers([idle], preset("balanced").dream, NOW) == []
