from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.model import Memory
from slowwave.recall.current import holds_on, standing

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)
SEEN = NOW - timedelta(days=60)


def _memory(**fields: Any) -> Memory:
    given: dict[str, Any] = {
        "id": "m1", "kind": "fact", "subject": "user", "title": "", "text": "", "entities": (),
        "importance": 50, "confidence": 0.5, "status": "active", "standing": "standing",
        "negated": False, "evidence": (), "dream_id": "d", "first_seen": SEEN, "last_seen": SEEN,
    }  # fmt: skip
    return Memory(**{**given, **fields})


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "current"),
        ({"status": "candidate"}, "current"),
        ({"status": "cold"}, "hidden"),
        ({"status": "quarantined"}, "hidden"),
        ({"status": "retired"}, "hidden"),
        ({"status": "retired", "superseded_by": "m2"}, "past"),
        ({"expires_at": "2026-06-01"}, "hidden"),
        ({"expires_at": "2026-06-15"}, "current"),
        ({"expires_at": "2026-06-15T11:59:00+00:00"}, "hidden"),
        ({"expires_at": "some day"}, "current"),
        ({"kind": "plan", "valid_to": "2026-06-12"}, "current"),
        ({"kind": "plan", "valid_to": "2026-06-01"}, "hidden"),
        ({"kind": "fact", "standing": "dated", "valid_to": "2026-06-01"}, "current"),
    ],
)
def test_what_ordinary_recall_shows(fields: dict[str, Any], shown: str) -> None:
    assert standing(_memory(**fields), NOW, as_of=None, cold=False) == shown


def test_cold_storage_is_searched_on_request() -> None:
    cold = _memory(status="cold")
    assert standing(cold, NOW, as_of=None, cold=True) == "current"
    over = _memory(expires_at="2026-06-01")
    assert standing(over, NOW, as_of=None, cold=True) == "past"


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({}, "current"),
        ({"first_seen": NOW}, "hidden"),
        ({"status": "retired", "superseded_by": "m2", "valid_to": "2026-06-01"}, "current"),
        ({"status": "retired", "superseded_by": "m2", "valid_to": "2026-05-01"}, "past"),
        ({"status": "retired"}, "hidden"),
        ({"expires_at": "2026-05-30"}, "current"),
    ],
)
def test_what_held_at_an_earlier_moment(fields: dict[str, Any], shown: str) -> None:
    moment = datetime(2026, 5, 20, tzinfo=UTC)
    assert standing(_memory(**fields), NOW, as_of=moment, cold=False) == shown


def test_what_speaks_of_a_day() -> None:
    zone = ZoneInfo("Asia/Shanghai")
    today = date(2026, 6, 15)
    assert holds_on(_memory(), today, zone)
    assert not holds_on(_memory(standing="one_off"), today, zone)
    assert holds_on(_memory(standing="one_off", last_seen=NOW), today, zone)
    assert holds_on(_memory(kind="plan", standing="dated", valid_from="2026-06-15"), today, zone)
    assert not holds_on(
        _memory(kind="plan", standing="dated", valid_from="2026-06-14"), today, zone
    )
    span = {"valid_from": "2026-06-10", "valid_to": "2026-06-20"}
    assert holds_on(_memory(kind="plan", **span), today, zone)
